package downloads

import "github.com/drover-go/drover/internal/limit"

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error {
	return limit.Check(
		limit.Of("MaxFile", l.MaxFile),
		limit.Of("MaxBytes", l.MaxBytes),
		limit.Of("MaxFiles", l.MaxFiles),
	)
}
