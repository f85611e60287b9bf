package api_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/httpadapter/v1"
	"github.com/drover-go/drover/internal/wire/api"
)

// The routes of the interfaces that there are and will be, with what is done
// there: "GET POST /v1/agents".

// laterRoutes are those of v1 that are not built yet.
var laterRoutes = []string{
	"GET /v1/sessions/{sessionId}/replays/{pageId}",
}

// Those of v2 below each kind of store.
var (
	datasetRoutes = []string{"", "GET PUT DELETE", "/items", "GET POST", "/statistics", "GET"}
	storeRoutes   = []string{"", "GET PUT DELETE", "/keys", "GET", "/records", "GET", "/records/{key}", "GET HEAD PUT POST DELETE"}
	queueRoutes   = []string{
		"", "GET PUT DELETE", "/requests", "GET POST", "/requests/batch", "POST DELETE", "/requests/unlock", "POST", "/requests/{requestId}", "GET PUT DELETE",
		"/requests/{requestId}/lock", "PUT DELETE", "/head", "GET", "/head/lock", "POST",
	}
	ofARun = []string{
		"", "GET PUT DELETE", "/abort", "POST", "/reboot", "POST", "/metamorph", "POST", "/resurrect", "POST", "/charge", "POST", "/log", "GET",
	}
)

// below is a list of paths and methods, in turn, under a path.
func below(path string, list ...string) (all []string) {
	for pair := range slices.Chunk(list, 2) {
		all = append(all, pair[1]+" "+path+pair[0])
	}
	return all
}

// runTree is all that there is of a run.
func runTree(path string) []string {
	return slices.Concat(below(path, ofARun...), below(path+"/dataset", datasetRoutes...), below(path+"/key-value-store", storeRoutes...), below(path+"/request-queue", queueRoutes...))
}

// actorTree is all that there is of an Actor.
func actorTree(path string) []string {
	return slices.Concat(below(path,
		"", "GET PUT DELETE", "/versions", "GET POST", "/versions/{version}", "GET PUT POST DELETE", "/versions/{version}/env-vars", "GET POST",
		"/versions/{version}/env-vars/{name}", "GET PUT POST DELETE", "/builds", "GET POST", "/builds/default", "GET", "/builds/{buildId}", "GET",
		"/webhooks", "GET", "/validate-input", "POST", "/runs", "GET POST", "/runs/{runId}", "GET",
		"/run-sync", "GET POST", "/run-sync-get-dataset-items", "GET POST",
	), runTree(path+"/runs/last"))
}

func v2Routes() []string {
	return slices.Concat(
		below("/v2/users", "/me", "GET", "/{user}", "GET", "/me/usage/monthly", "GET", "/me/limits", "GET PUT"),
		below("/v2", "/actors", "GET POST", "/acts", "GET POST", "/store", "GET"), actorTree("/v2/actors/{actorId}"), actorTree("/v2/acts/{actorId}"),
		below("/v2/actor-builds", "", "GET", "/{buildId}", "GET DELETE", "/{buildId}/abort", "POST", "/{buildId}/log", "GET", "/{buildId}/openapi.json", "GET"),
		below("/v2/actor-runs", "", "GET"), runTree("/v2/actor-runs/{runId}"),
		below("/v2/actor-tasks", "", "GET POST", "/{taskId}", "GET PUT DELETE", "/{taskId}/input", "GET PUT", "/{taskId}/webhooks", "GET", "/{taskId}/runs", "GET POST",
			"/{taskId}/run-sync", "GET POST", "/{taskId}/run-sync-get-dataset-items", "GET POST"), runTree("/v2/actor-tasks/{taskId}/runs/last"),
		below("/v2/schedules", "", "GET POST", "/{scheduleId}", "GET PUT DELETE", "/{scheduleId}/log", "GET", "/{scheduleId}/invoke", "POST"),
		below("/v2/webhooks", "", "GET POST", "/{webhookId}", "GET PUT DELETE", "/{webhookId}/test", "POST", "/{webhookId}/dispatches", "GET"),
		below("/v2/webhook-dispatches", "", "GET", "/{dispatchId}", "GET"),
		below("/v2/datasets", "", "GET POST"), below("/v2/datasets/{datasetId}", datasetRoutes...),
		below("/v2/key-value-stores", "", "GET POST"), below("/v2/key-value-stores/{storeId}", storeRoutes...),
		below("/v2/request-queues", "", "GET POST"), below("/v2/request-queues/{queueId}", queueRoutes...),
		below("/v2/logs", "/{id}", "GET"), []string{"GET /v2/openapi.json"},
	)
}

// everyRoute is the routes of all interfaces, by method and pattern.
func everyRoute() (all []string) {
	for _, r := range v1.Routes() {
		all = append(all, r.Method+" "+r.Pattern)
	}
	for _, line := range slices.Concat(laterRoutes, v2Routes()) {
		methods, pattern, _ := strings.Cut(line, " /")
		for method := range strings.FieldsSeq(methods) {
			all = append(all, method+" /"+pattern)
		}
	}
	return all
}

// asked is what the one table of all routes made of a request.
type asked struct {
	route  string
	values []string
	status int
	allow  string
}

// ask asks the table; its routes say nothing but what they are.
type table struct {
	http.Handler
	last *asked
}

func newTable() *table {
	t := &table{}
	var all []api.Route
	for _, r := range everyRoute() {
		method, pattern, _ := strings.Cut(r, " ")
		names := variables(pattern)
		all = append(all, api.Route{Method: method, Pattern: pattern, Call: func(x *api.Exchange) (api.Answer, error) {
			t.last.route = r
			for _, name := range names {
				t.last.values = append(t.last.values, x.Path(name))
			}
			return api.NoContent(), nil
		}})
	}
	t.Handler = api.New(api.Interface{
		Authenticate:  func(x *api.Exchange) (context.Context, error) { return x.R.Context(), nil },
		Error:         func(_ *api.Exchange, f api.Failure) api.Answer { return api.Answer{Status: f.Status} },
		AnswerTimeout: time.Minute, Logger: slog.New(slog.DiscardHandler),
	}, all)
	return t
}

func (t *table) ask(method, path string) asked {
	t.last = &asked{}
	w := httptest.NewRecorder()
	t.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	t.last.status, t.last.allow = w.Code, w.Header().Get("Allow")
	return *t.last
}

// variables are the names in a pattern, without that of a nameless rest.
func variables(pattern string) (names []string) {
	for segment := range strings.SplitSeq(pattern, "/") {
		if strings.HasPrefix(segment, "{") {
			names = append(names, strings.Trim(segment, "{}"))
		}
	}
	return names
}

// Every route of every interface is found, whatever stands for its variables.
func TestEveryRouteOfEveryInterfaceIsFound(t *testing.T) {
	table := newTable()
	for _, route := range everyRoute() {
		method, pattern, _ := strings.Cut(route, " ")
		for escaped, want := range map[string]string{
			"01999999-0000-7000-8000-00000000000a": "01999999-0000-7000-8000-00000000000a", "WkzbQMuFYuamGv3YF": "WkzbQMuFYuamGv3YF",
			"owner~name": "owner~name", "~name": "~name", "0.1": "0.1", "a!-_.'()z": "a!-_.'()z", "a%21%2D%27%28%29z": "a!-'()z", "a%2Fb": "a/b", "%C3%A9%20%25": "é %",
		} {
			path := pattern
			for _, name := range variables(pattern) {
				path = strings.Replace(path, "{"+name+"}", escaped, 1)
			}
			got := table.ask(method, path)
			if got.route != route || got.status != http.StatusNoContent || slices.ContainsFunc(got.values, func(v string) bool { return v != want }) {
				t.Errorf("%s %s: %+v", method, path, got)
			}
		}
	}
}

// Where a path is of two patterns, what is written out goes first, and it alone
// says what can be done.
func TestPathsOfTwoPatterns(t *testing.T) {
	table := newTable()
	for call, want := range map[string]asked{
		"GET /v1/functions/builds":                            {route: "GET /v1/functions/builds"},
		"GET /v1/functions/builds/7":                          {route: "GET /v1/functions/builds/{buildId}", values: []string{"7"}},
		"GET /v1/functions/versions":                          {route: "GET /v1/functions/{functionId}", values: []string{"versions"}},
		"GET /v1/functions/builds/versions":                   {route: "GET /v1/functions/builds/{buildId}", values: []string{"versions"}},
		"POST /v1/functions/7/invoke":                         {route: "POST /v1/functions/{functionId}/invoke", values: []string{"7"}},
		"POST /v1/functions/builds/invoke":                    {status: 405, allow: "GET, HEAD, OPTIONS"},
		"GET /v1/functions/builds/invoke":                     {route: "GET /v1/functions/builds/{buildId}", values: []string{"invoke"}},
		"GET /v1/functions/versions/7/invocations":            {route: "GET /v1/functions/versions/{versionId}/invocations", values: []string{"7"}},
		"GET /v1/functions/versions/secrets":                  {route: "GET /v1/functions/versions/{versionId}", values: []string{"secrets"}},
		"DELETE /v1/functions/versions/secrets/7":             {route: "DELETE /v1/functions/{functionId}/secrets/{secretId}", values: []string{"versions", "7"}},
		"GET /v1/secrets/keypair":                             {route: "GET /v1/secrets/keypair"},
		"DELETE /v1/secrets/keypair":                          {status: 405, allow: "GET, HEAD, OPTIONS"},
		"DELETE /v1/agents/runs":                              {status: 405, allow: "GET, HEAD, OPTIONS, POST"},
		"GET /v2/users/me":                                    {route: "GET /v2/users/me"},
		"GET /v2/users/you":                                   {route: "GET /v2/users/{user}", values: []string{"you"}},
		"GET /v2/actors/a/builds/default":                     {route: "GET /v2/actors/{actorId}/builds/default", values: []string{"a"}},
		"GET /v2/actors/me~a/runs/last":                       {route: "GET /v2/actors/{actorId}/runs/last", values: []string{"me~a"}},
		"GET /v2/actors/a/runs/7":                             {route: "GET /v2/actors/{actorId}/runs/{runId}", values: []string{"a", "7"}},
		"GET /v2/actors/a/runs/7/log":                         {status: 404},
		"POST /v2/actors/a/runs/last/request-queue/head/lock": {route: "POST /v2/actors/{actorId}/runs/last/request-queue/head/lock", values: []string{"a"}},
		"DELETE /v2/request-queues/q/requests/batch":          {route: "DELETE /v2/request-queues/{queueId}/requests/batch", values: []string{"q"}},
		"GET /v2/request-queues/q/requests/batch":             {status: 405, allow: "DELETE, OPTIONS, POST"},
		"PUT /v2/request-queues/q/requests/batch/lock":        {route: "PUT /v2/request-queues/{queueId}/requests/{requestId}/lock", values: []string{"q", "batch"}},
		"HEAD /v2/key-value-stores/s/records/a!-_.'()z":       {route: "HEAD /v2/key-value-stores/{storeId}/records/{key}", values: []string{"s", "a!-_.'()z"}},
		"OPTIONS /v2/key-value-stores/s/records/k":            {status: 204, allow: "DELETE, GET, HEAD, OPTIONS, POST, PUT"},
		"HEAD /v2/datasets/d/items":                           {route: "GET /v2/datasets/{datasetId}/items", values: []string{"d"}},
		"GET /v2/datasets/d/items/":                           {status: 404},
		"GET /v2/datasets/":                                   {status: 404},
		"GET /json/version":                                   {route: "GET /json/version"},
		"GET /json/version/":                                  {route: "GET /json/version/"},
		"GET /v1/sessions/s/connect/json/version/":            {route: "GET /v1/sessions/{sessionId}/connect/json/version/", values: []string{"s"}},
		"GET /v1/sessions/s/connect/":                         {status: 404},
		"GET /v1/agents/%2F":                                  {status: 404},
		"GET /v1/agents/a%2F%2Fb":                             {status: 404},
		"GET /v1/%61gents/a":                                  {route: "GET /v1/agents/{agentId}", values: []string{"a"}},
		"GET /v1/agents//":                                    {status: 404},
		"GET /v1/agents/.":                                    {status: 404},
		"GET /v1/Agents":                                      {status: 404},
		"GET /":                                               {status: 404},
	} {
		if want.status == 0 {
			want.status = http.StatusNoContent
		}
		method, path, _ := strings.Cut(call, " ")
		if got := table.ask(method, path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %+v, want %+v", call, got, want)
		}
	}
}
