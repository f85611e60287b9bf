package certificates

import "github.com/drover-go/drover/internal/limit"

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error {
	return limit.Check(
		limit.Of("PerProject", l.PerProject),
		limit.Of("MaxFile", l.MaxFile),
		limit.Of("MaxCertificates", l.MaxCertificates),
		limit.Of("MaxUsed", l.MaxUsed),
	)
}
