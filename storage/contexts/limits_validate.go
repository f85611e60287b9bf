package contexts

import "github.com/drover-go/drover/internal/limit"

// Validate refuses limits below 0, but for MaxTotal. Error kind: Invalid, which
// names the field.
func (l Limits) Validate() error {
	return limit.Check(
		limit.Of("PerProject", l.PerProject),
		limit.Of("MaxBytes", l.MaxBytes),
		limit.Of("MaxFiles", l.MaxFiles),
	)
}
