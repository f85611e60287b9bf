package agents

import "github.com/drover-go/drover/internal/limit"

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (o Options) Validate() error {
	return limit.Check(
		limit.Of("MaxSystemPrompt", o.MaxSystemPrompt),
		limit.Of("MaxResultSchema", o.MaxResultSchema),
	)
}
