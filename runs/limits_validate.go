package runs

import "github.com/drover-go/drover/internal/limit"

// Validate refuses limits below 0, but for ModelRetries. Error kind: Invalid,
// which names the field.
func (l Limits) Validate() error {
	return limit.Check(
		limit.Of("MaxTask", l.MaxTask),
		limit.Of("MaxResultSchema", l.MaxResultSchema),
		limit.Of("MaxVariables", l.MaxVariables),
		limit.Of("MaxVariable", l.MaxVariable),
		limit.Of("MaxDescription", l.MaxDescription),
		limit.Of("Concurrent", l.Concurrent),
		limit.Of("MaxDuration", l.MaxDuration),
		limit.Of("MaxPause", l.MaxPause),
		limit.Of("Budget.Tokens", l.Budget.Tokens),
		limit.Of("Budget.Cost", l.Budget.Cost),
		limit.Of("ProjectBudget.Tokens", l.ProjectBudget.Tokens),
		limit.Of("ProjectBudget.Cost", l.ProjectBudget.Cost),
		limit.Of("MaxSteps", l.MaxSteps),
		limit.Of("MaxConversation", l.MaxConversation),
		limit.Of("MaxFailures", l.MaxFailures),
		limit.Of("MaxCalls", l.MaxCalls),
		limit.Of("ModelTimeout", l.ModelTimeout),
		limit.Of("ToolTimeout", l.ToolTimeout),
		limit.Of("MaxOutput", l.MaxOutput),
		limit.Of("MaxPage", l.MaxPage),
		limit.Of("MaxMessage", l.MaxMessage),
		limit.Of("MaxResult", l.MaxResult),
		limit.Of("ResultTries", l.ResultTries),
	)
}
