package v1

import (
	"slices"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/v1json"
	"github.com/drover-go/drover/internal/wire/api"
)

// dataJSON and resultsJSON are parts of lists, by the name that a route has for
// them.
type dataJSON[T any] struct {
	Data  []T `json:"data"`
	Total int `json:"total"`
}

type resultsJSON[T any] struct {
	Results []T `json:"results"`
	Total   int `json:"total"`
}

type logLineJSON struct {
	Message string `json:"message"`
	// Timestamp is in Unix milliseconds (DECISIONS 28).
	Timestamp int64 `json:"timestamp"`
	// Sequence numbers the lines from 0, those that are no longer kept included.
	Sequence int64 `json:"sequence"`
}

type logsJSON struct {
	Logs  []logLineJSON `json:"logs"`
	Total int           `json:"total"`
}

// maxFunctionPage is the largest page of functions, builds and invocations.
const maxFunctionPage = 100

func functionPageIn(x *exchange) (functions.Page, string, error) {
	q := x.Query()
	page := functions.Page{Offset: q.Int("offset", 0, maxOffset), Limit: q.Int("limit", 1, maxFunctionPage)}
	return page, q.String("status"), q.Err()
}

// functionID is the id in the path: the library takes a name, too, and a path does
// not.
func (x *exchange) functionID() (string, error) {
	id := x.id("functionId")
	if !ids.Valid(id) {
		return "", errtypes.New(errtypes.NotFound, "there is no function %q", id)
	}
	return id, nil
}

func listFunctions(x *exchange) (answer, error) {
	page, _, err := functionPageIn(x)
	if err != nil {
		return answer{}, err
	}
	l, err := x.Functions.List(x.R.Context(), page)
	return api.OK(dataJSON[v1json.Function]{each(l.Items, v1json.FunctionOf), l.Total}), err
}

func getFunction(x *exchange) (answer, error) {
	id, err := x.functionID()
	if err != nil {
		return answer{}, err
	}
	f, err := x.Functions.Get(x.R.Context(), id)
	return api.OK(v1json.FunctionOf(f)), err
}

func deleteFunction(x *exchange) (answer, error) {
	id, err := x.functionID()
	if err != nil {
		return answer{}, err
	}
	return api.NoContent(), x.Functions.Delete(x.R.Context(), id)
}

func rollbackFunction(x *exchange) (answer, error) {
	id, err := x.functionID()
	if err != nil {
		return answer{}, err
	}
	var version string
	if err := x.Body(strictjson.Closed(strictjson.Fields{"versionId": idIn(&version)}, "versionId")); err != nil {
		return answer{}, err
	}
	f, err := x.Functions.Rollback(x.R.Context(), id, version)
	return api.OK(v1json.FunctionOf(f)), err
}

func listVersions(x *exchange) (answer, error) {
	page, _, err := functionPageIn(x)
	if err != nil {
		return answer{}, err
	}
	id, err := x.functionID()
	if err != nil {
		return answer{}, err
	}
	l, err := x.Functions.Versions(x.R.Context(), id, page)
	return api.OK(resultsJSON[v1json.Version]{each(l.Items, v1json.VersionOf), l.Total}), err
}

func getVersion(x *exchange) (answer, error) {
	v, err := x.Functions.Version(x.R.Context(), x.id("versionId"))
	return api.OK(v1json.VersionOf(v)), err
}

// buildStatusesIn are the states that a status of this interface stands for.
func buildStatusesIn(status string) []builds.Status {
	switch status {
	case "":
		return nil
	case "COMPLETED":
		return []builds.Status{builds.Succeeded}
	case "FAILED":
		return []builds.Status{builds.Failed, builds.TimedOut, builds.Aborted}
	case "PENDING", "RUNNING":
		return []builds.Status{builds.Status(status)}
	}
	return []builds.Status{"none"}
}

func listFunctionBuilds(x *exchange) (answer, error) {
	page, status, err := functionPageIn(x)
	if err != nil {
		return answer{}, err
	}
	l, err := x.Builds.List(x.R.Context(), builds.Filter{
		Kind: builds.Function, Statuses: buildStatusesIn(status), Offset: page.Offset, Limit: page.Limit,
	})
	return api.OK(dataJSON[v1json.Build]{each(l.Builds, v1json.BuildOf), l.Total}), err
}

func getFunctionBuild(x *exchange) (answer, error) {
	b, err := x.Builds.Get(x.R.Context(), builds.Function, x.id("buildId"))
	return api.OK(v1json.BuildOf(b)), err
}

func cancelFunctionBuild(x *exchange) (answer, error) {
	b, err := x.Builds.Abort(x.R.Context(), builds.Function, x.id("buildId"))
	return api.Accepted(v1json.BuildOf(b)), err
}

func functionBuildLogs(x *exchange) (answer, error) {
	return linesOut(x, func() ([]builds.LogEntry, error) {
		return x.Builds.Logs(x.R.Context(), builds.Function, x.id("buildId"))
	},
		func(e builds.LogEntry) logLineJSON { return logLineJSON{e.Message, e.Time.UnixMilli(), e.Seq} })
}

// linesOut is a log, or what of it is behind the line that the parameter after
// names.
func linesOut[E any](x *exchange, read func() ([]E, error), out func(E) logLineJSON) (answer, error) {
	q := x.Query()
	after := int64(q.Int("after", 0, maxOffset))
	all := q.String("after") == ""
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	entries, err := read()
	lines := each(entries, out)
	if !all {
		lines = slices.DeleteFunc(lines, func(l logLineJSON) bool { return l.Sequence <= after })
	}
	return api.OK(logsJSON{lines, len(lines)}), err
}
