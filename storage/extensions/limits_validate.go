package extensions

import "github.com/drover-go/drover/internal/limit"

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error {
	return limit.Check(
		limit.Of("MaxFile", l.MaxFile),
		limit.Of("MaxUnpacked", l.MaxUnpacked),
		limit.Of("MaxRatio", l.MaxRatio),
		limit.Of("MaxFiles", l.MaxFiles),
		limit.Of("MaxPath", l.MaxPath),
		limit.Of("MaxDepth", l.MaxDepth),
		limit.Of("PerProject", l.PerProject),
		limit.Of("MaxBytes", l.MaxBytes),
	)
}
