package fetch

import (
	"cmp"

	"github.com/drover-go/drover/fetch/extract"
	"github.com/drover-go/drover/internal/limit"
)

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (c Config) Validate() error {
	return cmp.Or(
		limit.Check(
			limit.Of("MaxConcurrent", c.MaxConcurrent),
			limit.Of("MaxBody", c.MaxBody),
			limit.Of("MaxHeader", c.MaxHeader),
			limit.Of("MaxRedirects", c.MaxRedirects),
			limit.Of("Timeout", c.Timeout),
			limit.Of("IdleTimeout", c.IdleTimeout),
		),
		limit.Within("Markdown", c.Markdown.Validate()),
		limit.Within("MainContent", c.MainContent.Validate()),
		limit.Within("Extract", extractLimits(c.Extract)),
	)
}

func extractLimits(o extract.ShapeOptions) error {
	return limit.Check(
		limit.Of("MaxRead", o.MaxRead),
		limit.Of("MaxWork", o.MaxWork),
		limit.Of("MaxDepth", o.MaxDepth),
		limit.Of("MaxItems", o.MaxItems),
		limit.Of("MaxMembers", o.MaxMembers),
	)
}
