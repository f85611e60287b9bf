package conformance

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/runs/actors"
)

// platform is a world with Go Actors over a socket, for who calls it by hand.
type platform struct {
	*world
	address string
}

func startPlatform(t testing.TB, l actors.Limits) *platform {
	t.Helper()
	w := actorsWorld(t, config{realTime: true, adapter: httpadapter.Options{MaxBody: 5000, MaxDiscard: 9000, Rates: httpadapter.Rates{PerSecond: -1, BusyPerSecond: -1, PerMinute: -1}}, more: func(o *drover.Options) { o.ActorLimits = l }})
	for name, actor := range map[string]string{"echo-task": "echo", "stuck-task": "stuck", "strict-task": "strict", "broken-task": "broken"} {
		input := json.RawMessage(`{"url":"x","kept":true}`)
		must(w.Actors.CreateTask(w.asDefault(t), actors.CreateTask{Actor: "~" + actor, Name: name, Input: input}))(t)
	}
	return &platform{w, serve(t, w.handler)}
}

// send sends a request, with the key unless the headers have another.
func (p *platform) send(ctx context.Context, t testing.TB, method, path, body string, headers map[string]string) (*http.Response, string) {
	t.Helper()
	r := must(http.NewRequestWithContext(ctx, method, "http://"+p.address+"/v2/"+path, strings.NewReader(body)))(t)
	r.Header.Set("Authorization", "Bearer "+p.words["<key>"])
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range headers {
		if r.Header.Del(name); value != "" {
			r.Header.Set(name, value)
		}
	}
	res := must(http.DefaultClient.Do(r))(t)
	defer res.Body.Close()
	return res, string(must(io.ReadAll(res.Body))(t))
}

// Every way in which a run that is asked for does not come to a result.
func TestFaultsOfRuns(t *testing.T) {
	t.Parallel()
	p := startPlatform(t, actors.Limits{SyncWait: 10 * time.Second, MaxMemory: 4096})
	hooks := func(text string) string { return url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(text))) }
	ended := p.start(t, "echo")
	must(p.Actors.Wait(p.asDefault(t), ended, -1))(t)
	going := p.start(t, "stuck")
	p.waitForWork(p.asDefault(t), t, going)
	echoActor := must(p.Actors.Actor(p.asDefault(t), "~echo"))(t).ID
	plainActor := must(p.Actors.CreateActor(p.asDefault(t), actors.CreateActor{Name: "plain"}))(t).ID
	const task = "actor-tasks/~echo-task/run-sync"
	for name, c := range map[string]struct {
		request string // method and path
		body    string
		header  string // name: value
		status  int
		is      string
		says    string
	}{
		"no token":                      {"POST " + task, "", "Authorization:", 401, "token-not-provided", "a token is required"},
		"a wrong token":                 {"POST " + task, "", "Authorization: Bearer no", 401, "invalid-token", "not valid"},
		"the token of another project":  {"POST " + task, "", "Authorization: Bearer " + p.words["<other-key>"], 404, "record-not-found", "~echo-task"},
		"no such task":                  {"POST actor-tasks/~none/run-sync", "", "", 404, "record-not-found", "~none"},
		"no such Actor":                 {"POST actors/~none/run-sync", "", "", 404, "record-not-found", "~none"},
		"no such run":                   {"GET actor-runs/none", "", "", 404, "record-not-found", "none"},
		"another method":                {"PUT " + task, "", "", 405, "method-not-allowed", "GET, HEAD, OPTIONS, POST"},
		"a HEAD":                        {"HEAD " + task, "", "", 405, "", ""},
		"a time-out that is no number":  {"POST " + task + "?timeout=soon", "", "", 400, "invalid-request", "timeout must be a whole number"},
		"a time-out below 0":            {"POST " + task + "?timeout=-1", "", "", 400, "invalid-request", "timeout must be a whole number"},
		"a memory that is no power":     {"POST " + task + "?memory=1000", "", "", 400, "invalid-request", "power of two"},
		"too little memory":             {"POST " + task + "?memory=64", "", "", 400, "invalid-request", "128"},
		"too much memory of a project":  {"POST " + task + "?memory=4096", "", "", 402, "actor-memory-limit-exceeded", "4096 MB"},
		"no items":                      {"POST " + task + "?maxItems=0", "", "", 400, "max-items-must-be-greater-than-zero", "maxItems must be greater than zero"},
		"items below 0":                 {"POST " + task + "?maxItems=-2", "", "", 400, "max-items-must-be-greater-than-zero", "maxItems"},
		"no money":                      {"POST " + task + "?maxTotalChargeUsd=0", "", "", 400, "max-total-charge-usd-must-be-greater-than-zero", "maxTotalChargeUsd"},
		"money below 0":                 {"POST " + task + "?maxTotalChargeUsd=-0.5", "", "", 400, "max-total-charge-usd-must-be-greater-than-zero", "maxTotalChargeUsd"},
		"restartOnError that is no":     {"POST " + task + "?restartOnError=maybe", "", "", 400, "invalid-request", "restartOnError must be one of"},
		"a tag that there is not":       {"POST " + task + "?build=beta", "", "", 403, "unknown-build-tag", `Build with tag "beta" was not found`},
		"a number that there is not":    {"POST " + task + "?build=0.1.7", "", "", 403, "build-not-found", "0.1.7"},
		"a parameter twice":             {"POST " + task + "?build=a&build=b", "", "", 400, "invalid-request", "build stands 2 times"},
		"a key that no record has":      {"POST " + task + "?outputRecordKey=a%2Fb", "", "", 400, "invalid-record-key", "Record key"},
		"webhooks that are no base64":   {"POST " + task + "?webhooks=%25", "", "", 400, "invalid-request", "webhooks must be base64"},
		"webhooks that are no array":    {"POST " + task + "?webhooks=" + hooks(`{}`), "", "", 400, "invalid-request", "webhooks must be an array"},
		"a webhook without a URL":       {"POST " + task + "?webhooks=" + hooks(`[{"eventTypes":["TEST"]}]`), "", "", 400, "invalid-request", "webhooks[0].requestUrl is required"},
		"a webhook of another scheme":   {"POST " + task + "?webhooks=" + hooks(`[{"eventTypes":["TEST"],"requestUrl":"file:///x"}]`), "", "", 400, "invalid-request", "webhooks[0].requestUrl"},
		"a webhook of no event":         {"POST " + task + "?webhooks=" + hooks(`[{"eventTypes":[],"requestUrl":"http://a"}]`), "", "", 400, "invalid-request", "webhooks[0].eventTypes"},
		"a webhook of another event":    {"POST " + task + "?webhooks=" + hooks(`[{"eventTypes":["X"],"requestUrl":"http://a"}]`), "", "", 400, "invalid-request", "webhooks[0].eventTypes[0]"},
		"a webhook in base64url":        {"POST " + task + "?webhooks=" + base64.URLEncoding.EncodeToString([]byte(`[{"eventTypes":["X"],"requestUrl":"http://a/?>>>???"}]`)), "", "", 400, "invalid-request", "webhooks[0].eventTypes[0]"},
		"input that is no JSON":         {"POST " + task, "{", "", 400, "invalid-input", "Cannot parse body of provided input"},
		"input that is an array":        {"POST " + task, "[1]", "", 400, "invalid-input", `Provided input must be object, got "array" instead.`},
		"input that is null":            {"POST " + task, "null", "", 400, "invalid-input", `got "null" instead.`},
		"input of another type":         {"POST " + task, "a=1", "Content-Type: application/x-www-form-urlencoded", 400, "invalid-content-type-header", "application/json"},
		"input in a coding":             {"POST " + task, "{}", "Content-Encoding: bla", 415, "unsupported-content-encoding", "bla"},
		"input that is too long":        {"POST " + task, `{"a":"` + strings.Repeat("x", 6000) + `"}`, "", 413, "request-too-large", "6008 bytes long; the limit is 5000 bytes"},
		"input against the schema":      {"POST actor-tasks/~strict-task/run-sync", `{"maxPages":0}`, "", 400, "invalid-input", "Input is not valid: Field input.maxPages"},
		"an Actor's against its schema": {"POST actors/~strict/run-sync", `{}`, "", 400, "invalid-input", "Field input.url is required"},
		"a run that fails":              {"POST actor-tasks/~broken-task/run-sync", "", "", 400, "run-failed", "status: FAILED)."},
		"a run that panics":             {"POST actors/~panics/run-sync", "", "", 400, "run-failed", "status: FAILED)."},
		"a run whose time is over":      {"POST actors/~stuck/run-sync?timeout=1", "", "", 400, "run-failed", "status: TIMED-OUT)."},
		"items of a run that fails":     {"POST actors/~broken/run-sync-get-dataset-items", "", "", 400, "run-failed", "status: FAILED)."},
		"a format that there is not":    {"POST actors/~echo/run-sync-get-dataset-items?format=pdf", "", "", 400, "invalid-request", "format must be one of"},
		"the end of the wait":           {"POST actor-tasks/~stuck-task/run-sync", "", "", 408, "run-timeout-exceeded", "Actor run exceeded the timeout of 10 seconds for this API endpoint"},
		"no task to start":              {"POST actor-tasks/~none/runs", "", "", 404, "record-not-found", "~none"},
		"a start with bad input":        {"POST actor-tasks/~echo-task/runs", "7", "", 400, "invalid-input", `got "number" instead.`},
		"a wait below 0":                {"POST actor-tasks/~echo-task/runs?waitForFinish=-1", "", "", 400, "invalid-request", "waitForFinish must be a number"},
		"no last run":                   {"GET actors/~silent/runs/last", "", "", 404, "record-not-found", "no such run"},
		"a page before the first":       {"GET actor-runs?offset=-1", "", "", 400, "invalid-request", "offset must be a whole number"},
		"a list from no time on":        {"GET actor-runs?startedAfter=soon", "", "", 400, "invalid-request", "startedAfter must be a date-time"},
		"a run that goes on is deleted": {"DELETE actor-runs/" + going, "", "", 400, "cannot-remove-running-run", "RUNNING"},
		"and resurrected":               {"POST actor-runs/" + going + "/resurrect", "", "", 400, "invalid-request", "only a run that has ended"},
		"one that has ended rebooted":   {"POST actor-runs/" + ended + "/reboot", "", "", 403, "job-finished", "SUCCEEDED"},
		"and metamorphed":               {"POST actor-runs/" + ended + "/metamorph?targetActorId=~echo", "", "", 403, "job-finished", "SUCCEEDED"},
		"a metamorph into nothing":      {"POST actor-runs/" + going + "/metamorph", "", "", 400, "invalid-request", "targetActorId is required"},
		"into what there is not":        {"POST actor-runs/" + going + "/metamorph?targetActorId=~none", "", "", 404, "record-not-found", "~none"},
		"another run's log":             {"GET actor-runs/" + ended + "/log", "", "Authorization: Bearer " + p.words["<other-key>"], 404, "record-not-found", ended},
		"another run's store":           {"GET actor-runs/" + ended + "/dataset/items", "", "Authorization: Bearer " + p.words["<other-key>"], 404, "record-not-found", ended},
		"a charge of nothing":           {"POST actor-runs/" + going + "/charge", `{}`, "", 400, "invalid-request", "eventName is required"},
		"a charge of no times":          {"POST actor-runs/" + going + "/charge", `{"eventName":"a","count":0}`, "", 400, "invalid-request", "count"},
		"a charge of the platform":      {"POST actor-runs/" + going + "/charge", `{"eventName":"apify-actor-start"}`, "", 405, "cannot-charge-vendor-event", "by the platform"},
		"a charge with a long key":      {"POST actor-runs/" + going + "/charge", `{"eventName":"a"}`, "Idempotency-Key: " + strings.Repeat("k", 201), 400, "invalid-idempotency-key", "200"},
		"a charge of one that ended":    {"POST actor-runs/" + ended + "/charge", `{"eventName":"a"}`, "", 403, "job-finished", "SUCCEEDED"},
		"a charge of another project":   {"POST actor-runs/" + going + "/charge", `{"eventName":"a"}`, "Authorization: Bearer " + p.words["<other-key>"], 404, "record-not-found", going},
		"no such build":                 {"GET actor-builds/none", "", "", 404, "record-not-found", "none"},
		"no log of it":                  {"GET logs/none", "", "", 404, "record-not-found", "none"},
		"a build of no version":         {"POST actors/~echo/builds", "", "", 400, "invalid-request", "version is required"},
		"a build of what there is not":  {"POST actors/~echo/builds?version=9.9", "", "", 404, "record-not-found", "9.9"},
		"the end of an implied build":   {"DELETE actor-builds/" + echoActor, "", "", 404, "record-not-found", echoActor},
		"an input that is not valid":    {"POST actors/~strict/validate-input", `{"url":"x","maxPages":0}`, "", 400, "invalid-input", "Field input.maxPages"},
		"an input for no build":         {"POST actors/~strict/validate-input?build=beta", `{"url":"x"}`, "", 403, "unknown-build-tag", "beta"},
		"memory of a schedule's runs":   {"POST schedules", `{"actions":[{"type":"RUN_ACTOR","actorId":"~echo","runOptions":{"memoryMbytes":100}}]}`, "", 400, "schema-validation", "actions[0].runOptions.memoryMbytes must be a power of two"},
		"a build of a task's runs":      {"POST actor-tasks", `{"actId":"~echo","options":{"build":"-"}}`, "", 400, "invalid-request", "options.build must be a tag"},
		"a tag that nothing has":        {"PUT actors/" + plainActor, `{"taggedBuilds":{"latest":{"buildId":"x"}}}`, "", 400, "invalid-request", "which the Actor does not have"},
		"a tag without a build":         {"PUT actors/" + plainActor, `{"taggedBuilds":{"latest":{}}}`, "", 400, "invalid-request", "buildId is required"},
		"a tag that is none":            {"PUT actors/" + plainActor, `{"taggedBuilds":{"a b":null}}`, "", 400, "invalid-request", "letters, digits"},
		"tags of a new Actor":           {"POST actors", `{"name":"tagged","taggedBuilds":{"latest":{"buildId":"x"}}}`, "", 400, "invalid-request", "a new Actor has none"},
	} {
		t.Run(name, func(t *testing.T) {
			method, path, _ := strings.Cut(c.request, " ")
			header, value, _ := strings.Cut(c.header, ":")
			headers := map[string]string{}
			if header != "" {
				headers[header] = strings.TrimSpace(value)
			}
			res, body := p.send(t.Context(), t, method, path, c.body, headers)
			var got struct {
				Error struct{ Type, Message string }
			}
			if c.is != "" {
				if err := json.Unmarshal([]byte(body), &got); err != nil {
					t.Fatalf("%d %s", res.StatusCode, body)
				}
			}
			if allow := res.Header.Get("Allow"); (allow == "") == (c.is == "method-not-allowed" || method == "HEAD") {
				t.Errorf("Allow: %q", allow)
			}
			if res.StatusCode != c.status || got.Error.Type != c.is || !strings.Contains(got.Error.Message, c.says) {
				t.Errorf("%d %+v, want %d %s %q", res.StatusCode, got.Error, c.status, c.is, c.says)
			}
		})
	}
}

// start starts an Actor.
func (p *platform) start(t testing.TB, actor string) (id string) {
	t.Helper()
	return must(p.Actors.Start(p.asDefault(t), "~"+actor, actors.Start{}))(t).ID
}
