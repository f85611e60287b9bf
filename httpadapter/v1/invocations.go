package v1

import (
	"encoding/json"

	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
)

type invocationJSON struct {
	ID         string          `json:"id"`
	ProjectID  string          `json:"projectId"`
	FunctionID string          `json:"functionId"`
	VersionID  string          `json:"versionId"`
	SessionID  string          `json:"sessionId"`
	Status     string          `json:"status"`
	CreatedAt  wireTime        `json:"createdAt"`
	UpdatedAt  wireTime        `json:"updatedAt"`
	StartedAt  wireTime        `json:"startedAt"`
	ExpiresAt  wireTime        `json:"expiresAt"`
	EndedAt    *wireTime       `json:"endedAt,omitempty"`
	Params     json.RawMessage `json:"params"`
	Results    json.RawMessage `json:"results,omitempty"`
	Cause      *causeJSON      `json:"cause,omitempty"`
}

func invocationOut(inv functions.Invocation) invocationJSON {
	out := invocationJSON{
		ID: inv.ID, ProjectID: inv.ProjectID, FunctionID: inv.FunctionID, VersionID: inv.VersionID, SessionID: inv.SessionID, Status: string(inv.Status),
		CreatedAt: wireTime(inv.CreatedAt), UpdatedAt: wireTime(inv.UpdatedAt), StartedAt: wireTime(inv.StartedAt), ExpiresAt: wireTime(inv.ExpiresAt()),
		EndedAt: optionalTime(inv.EndedAt), Params: inv.Params, Results: inv.Result,
	}
	if inv.StartedAt.IsZero() {
		out.StartedAt = out.CreatedAt
	}
	return out
}

// endedInvocationOut is one with the cause of its failure, which lists leave out.
func endedInvocationOut(inv functions.Invocation) invocationJSON {
	out := invocationOut(inv)
	if inv.Cause != nil {
		out.Cause = &causeJSON{inv.Cause.Code, inv.Cause.Message}
	}
	return out
}

// idempotencyHeader makes an invoke safe to repeat, an addition.
const idempotencyHeader = "Idempotency-Key"

func invokeFunction(x *exchange) (answer, error) {
	id, err := x.functionID()
	if err != nil {
		return answer{}, err
	}
	in := functions.Invoke{IdempotencyKey: x.R.Header.Get(idempotencyHeader)}
	if _, err := x.OptionalBody(strictjson.Open(strictjson.Fields{
		"params":              strictjson.RawObject(&in.Params),
		"sessionCreateParams": strictjson.RawObject(&in.Session),
	})); err != nil {
		return answer{}, err
	}
	inv, err := x.Functions.Invoke(x.R.Context(), id, in)
	return api.Accepted(invocationOut(inv)), err
}

func listInvocations(x *exchange) (answer, error) {
	page, status, err := functionPageIn(x)
	if err != nil {
		return answer{}, err
	}
	l, err := x.Functions.Invocations(x.R.Context(), x.id("versionId"), functions.Filter{Page: page, Status: functions.Status(status)})
	return api.OK(resultsJSON[invocationJSON]{each(l.Items, invocationOut), l.Total}), err
}

func getInvocation(x *exchange) (answer, error) {
	inv, err := x.Functions.Invocation(x.R.Context(), x.id("invocationId"))
	return api.OK(endedInvocationOut(inv)), err
}

func cancelInvocation(x *exchange) (answer, error) {
	inv, err := x.Functions.Cancel(x.R.Context(), x.id("invocationId"))
	return api.Accepted(endedInvocationOut(inv)), err
}

func invocationLogs(x *exchange) (answer, error) {
	return linesOut(x, func() ([]functions.LogEntry, error) { return x.Functions.Logs(x.R.Context(), x.id("invocationId")) },
		func(e functions.LogEntry) logLineJSON { return logLineJSON{e.Message, e.Time.UnixMilli(), e.Seq} })
}
