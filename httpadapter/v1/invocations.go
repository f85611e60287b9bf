package v1

import (
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/v1json"
	"github.com/drover-go/drover/internal/wire/api"
)

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
	return api.Accepted(v1json.ListedInvocationOf(inv)), err
}

func listInvocations(x *exchange) (answer, error) {
	page, status, err := functionPageIn(x)
	if err != nil {
		return answer{}, err
	}
	l, err := x.Functions.Invocations(x.R.Context(), x.id("versionId"), functions.Filter{Page: page, Status: functions.Status(status)})
	return api.OK(resultsJSON[v1json.Invocation]{each(l.Items, v1json.ListedInvocationOf), l.Total}), err
}

func getInvocation(x *exchange) (answer, error) {
	inv, err := x.Functions.Invocation(x.R.Context(), x.id("invocationId"))
	return api.OK(v1json.InvocationOf(inv)), err
}

func cancelInvocation(x *exchange) (answer, error) {
	inv, err := x.Functions.Cancel(x.R.Context(), x.id("invocationId"))
	return api.Accepted(v1json.InvocationOf(inv)), err
}

func invocationLogs(x *exchange) (answer, error) {
	return linesOut(x, func() ([]functions.LogEntry, error) { return x.Functions.Logs(x.R.Context(), x.id("invocationId")) },
		func(e functions.LogEntry) logLineJSON { return logLineJSON{e.Message, e.Time.UnixMilli(), e.Seq} })
}
