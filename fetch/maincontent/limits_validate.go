package maincontent

import "github.com/drover-go/drover/internal/limit"

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (o Options) Validate() error {
	return limit.Check(
		limit.Of("MaxNodes", o.MaxNodes),
		limit.Of("MaxBlocks", o.MaxBlocks),
		limit.Of("MaxWork", o.MaxWork),
	)
}
