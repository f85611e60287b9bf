package markdown

import "github.com/drover-go/drover/internal/limit"

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (o Options) Validate() error {
	return limit.Check(
		limit.Of("MaxInput", o.MaxInput),
		limit.Of("MaxOutput", o.MaxOutput),
		limit.Of("MaxDepth", o.MaxDepth),
		limit.Of("MaxNodes", o.MaxNodes),
		limit.Of("MaxWork", o.MaxWork),
		limit.Of("MaxNesting", o.MaxNesting),
	)
}
