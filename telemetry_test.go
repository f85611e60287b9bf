package drover_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/drovertest"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/telemetry/telemetrytest"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model"
	scriptedmodel "github.com/drover-go/drover/runs/model/scripted"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/schedules"
	"github.com/drover-go/drover/storage/projects"
)

const metricsToken = "a token of the metrics"

// watched is a Drover whose metrics are read over HTTP.
type watched struct {
	*testing.T
	*drovertest.Drover
	dir, base, key string
	site           drovertest.Site
	fired          chan struct{} // by the Go Actor
}

func watch(t *testing.T) *watched {
	w := &watched{T: t, dir: t.TempDir(), site: drovertest.NewSite(t), fired: make(chan struct{}, 10)}
	clever := scriptedmodel.New(scriptedmodel.Turn{
		Say:   scriptedmodel.Call("done", map[string]any{"success": true, "result": map[string]any{"ok": true}}).Say,
		Usage: model.Usage{Input: 100, CacheRead: 30, Output: 20},
	})
	w.Drover = drovertest.New(t, drover.Options{
		Chromium: chrome.Options{Timeouts: chrome.Timeouts{Idle: 24 * time.Hour}}, // it outlives the hour that a schedule waits for
		Data:     w.dir, Models: map[string]runs.ModelConfig{"clever": {Model: clever}}, DefaultModel: "plain",
		Functions: []functions.Definition{functions.Func("half", func(_ context.Context, inv *functions.Invocation) (any, error) {
			if len(inv.Params) > 2 {
				return nil, errors.New("not so much")
			}
			return 1, nil
		}, functions.FuncOptions{})},
		Actors: []actors.Definition{actors.Func("beat", func(context.Context, *actors.Run) error {
			w.fired <- struct{}{}
			return nil
		}, actors.FuncOptions{})},
	})
	_, secret, err := w.Projects.CreateKey(t.Context(), projects.Default, "test")
	if err != nil {
		t.Fatal(err)
	}
	w.key = secret
	server := httptest.NewServer(httpadapter.New(w.Drover.Drover, httpadapter.Options{MetricsToken: metricsToken, Logger: slog.New(slog.DiscardHandler)}))
	t.Cleanup(server.Close)
	w.base = server.URL
	return w
}

func (w *watched) do(method, path, body string, header ...string) *http.Response {
	w.Helper()
	r, err := http.NewRequestWithContext(w.T.Context(), method, w.base+path, strings.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		w.Fatal(err)
	}
	data, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil {
		w.Fatal(err)
	}
	res.Body = io.NopCloser(bytes.NewReader(data))
	return res
}

// call is a call with the key.
func (w *watched) call(method, path, body string, want int) {
	w.Helper()
	if res := w.do(method, path, body, "X-BB-API-Key", w.key, "Content-Type", "application/json"); res.StatusCode != want {
		data, _ := io.ReadAll(res.Body)
		w.Fatalf("%s %s: %d %s", method, path, res.StatusCode, data)
	}
}

func (w *watched) scrape() telemetrytest.Values {
	w.Helper()
	res := w.do("GET", "/metrics", "", "Authorization", "Bearer "+metricsToken)
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		w.Fatal(res.Status, res.Header)
	}
	return telemetrytest.Parse(w.T, res.Body)
}

// run runs a task to its end, and returns how many steps it took.
func (w *watched) run(c runs.Create) (steps float64) {
	w.Helper()
	run, err := w.Runs.Create(w.Context(), c)
	if err != nil {
		w.Fatal(err)
	}
	if run, err = w.Runs.Wait(w.Context(), run.ID); err != nil || run.Status != runs.Completed {
		w.Fatal(run, err)
	}
	for m, err := range w.Runs.Messages(w.Context(), run.ID) {
		if err != nil {
			w.Fatal(err)
		}
		if m.Message.Role == model.Assistant {
			steps++
		}
	}
	return steps
}

func (w *watched) invoke(params string, want functions.Status) {
	w.Helper()
	inv, err := w.Functions.Invoke(w.Context(), "half", functions.Invoke{Params: []byte(params)})
	if err != nil {
		w.Fatal(err)
	}
	if inv, err = w.Functions.Wait(w.Context(), inv.ID); err != nil || inv.Status != want {
		w.Fatal(inv, err)
	}
}

// fire lets a schedule start the Actor once, by the clock.
func (w *watched) fire() {
	w.Helper()
	s, err := w.Schedules.Create(w.Context(), schedules.Create{
		Name: "each-hour", Settings: schedules.Settings{Cron: "0 * * * *", Timezone: "UTC", Enabled: true},
		Actions: []schedules.Action{{Type: schedules.RunActor, Target: "~beat"}},
	})
	if err != nil {
		w.Fatal(err)
	}
	next, err := w.Schedules.Next(w.Context(), s.ID, 1)
	if err != nil {
		w.Fatal(err)
	}
	w.Clock.Advance(next[0].At.Sub(w.Clock.Now()))
	<-w.fired
	ledger, err := w.Schedules.Slots(w.Context(), s.ID, schedules.Filter{})
	if err != nil || len(ledger.Items) != 1 {
		w.Fatal(ledger, err)
	}
	if run, err := w.Actors.Wait(w.Context(), ledger.Items[0].RunID, -1); err != nil || run.Status != actors.Succeeded {
		w.Fatal(run, err)
	}
}

// TestMetricsSayWhatHasHappened does one of each, and compares.
func TestMetricsSayWhatHasHappened(t *testing.T) {
	t.Parallel()
	chrometest.RequireChromium(t)
	w := watch(t)
	ctx := t.Context()
	w.call("POST", "/v1/fetch", `{"url": "`+w.site.URL+`/"}`, http.StatusOK)
	if _, err := w.Fetch.Get(ctx, w.site.URL+"/", fetch.Options{Format: fetch.Markdown}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Fetch.Get(ctx, "http://10.1.2.3/", fetch.Options{}); err == nil {
		t.Fatal("a private network was reached")
	}
	if _, err := w.Fetch.Get(ctx, w.site.URL, fetch.Options{AllowedDomains: []string{"example.com"}}); err == nil {
		t.Fatal("another domain was reached")
	}
	steps := w.run(runs.Create{Task: "go to " + w.site.URL + "/, return the title"})
	steps += w.run(runs.Create{Task: "do it", Model: "clever"})
	w.invoke(`{}`, functions.Completed)
	w.invoke(`{"too": "much"}`, functions.Failed)
	run, err := w.Actors.Start(ctx, "~beat", actors.Start{})
	if err != nil {
		t.Fatal(err)
	}
	<-w.fired
	if run, err = w.Actors.Wait(ctx, run.ID, -1); err != nil || run.Status != actors.Succeeded {
		t.Fatal(run, err)
	}
	w.fire()
	w.call("GET", "/v1/agents/runs/"+"018f3d2c-0000-7000-8000-000000000000", "", http.StatusNotFound)
	all, err := w.Sessions.List(ctx, sessions.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	got := w.scrape()
	got.Want(t, telemetrytest.Values{
		`drover_http_requests_total{interface="v1",method="POST",route="/v1/fetch",status="2xx"}`:              1,
		`drover_http_requests_total{interface="v1",method="GET",route="/v1/agents/runs/{runId}",status="4xx"}`: 1,
		`drover_http_request_seconds_count{interface="v1",route="/v1/fetch"}`:                                  1,
		`drover_http_requests_in_flight`:                                     1, // this one
		`drover_fetches_total{format="raw",outcome="ok"}`:                    1,
		`drover_fetches_total{format="markdown",outcome="ok"}`:               1,
		`drover_fetches_total{format="raw",outcome="invalid"}`:               2,
		`drover_fetch_seconds_count{format="markdown"}`:                      1,
		`drover_egress_refused_total{reason="private"}`:                      1,
		`drover_egress_refused_total{reason="not_allowed"}`:                  1,
		`drover_executions_ended_total{kind="agent-run",status="COMPLETED"}`: 2,
		`drover_executions_ended_total{kind="function",status="COMPLETED"}`:  1,
		`drover_executions_ended_total{kind="function",status="FAILED"}`:     1,
		`drover_executions_ended_total{kind="actor",status="SUCCEEDED"}`:     2,
		`drover_execution_seconds_count{kind="actor"}`:                       2,
		`drover_job_attempts_total{kind="actor",outcome="done"}`:             2,
		`drover_job_attempts_total{kind="agent-run",outcome="done"}`:         2,
		`drover_jobs{kind="actor",state="ready"}`:                            0,
		`drover_job_workers{kind="agent-run"}`:                               4,
		`drover_job_workers_busy{kind="agent-run"}`:                          0,
		`drover_job_oldest_ready_age_seconds{kind="actor"}`:                  0,
		`drover_run_steps_total`:                                             steps,
		`drover_model_questions_total{model="clever"}`:                       1,
		`drover_model_tokens_total{direction="input",model="clever"}`:        100,
		`drover_model_tokens_total{direction="cache_read",model="clever"}`:   30,
		`drover_model_tokens_total{direction="output",model="clever"}`:       20,
		`drover_sessions_started_total`:                                      float64(len(all)),
		`drover_sessions_ended_total{status="COMPLETED"}`:                    float64(len(all)),
		`drover_sessions_open`:                                               0,
		`drover_session_open_seconds_count`:                                  float64(len(all)),
		`drover_browser_starts_total`:                                        1,
		`drover_browser_deaths_total`:                                        0,
		`drover_browser_processes`:                                           1,
		`drover_browser_slots_taken`:                                         0,
		`drover_browser_slots`:                                               10,
		`drover_schedule_slots_total{outcome="started",reason=""}`:           1,
		`drover_schedule_lateness_seconds_count`:                             1,
		`drover_database_busy_total`:                                         0,
	})
	w.compareSizes(got)
	if len(all) != 1 {
		t.Error("the plain run has one session, and the scripted one none:", len(all))
	}
	for name, least := range map[string]float64{
		"drover_memory_granted_bytes": 130 << 20, "drover_memory_grants": 1, "drover_memory_limit_bytes": 1 << 28, `drover_database_writes_total{outcome="committed"}`: 20,
		"drover_database_reads_total": 20, "drover_database_writer_wait_seconds_count": 20, "drover_database_write_seconds_count": 20,
		`drover_egress_connections_total{outcome="connected"}`: 2, "go_goroutines": 10, "process_open_fds": 10,
	} {
		if got[name] < least {
			t.Errorf("%s is %v, want at least %v", name, got[name], least)
		}
	}
}

// compareSizes compares the sizes of files with what the system says.
func (w *watched) compareSizes(got telemetrytest.Values) {
	w.Helper()
	for metric, file := range map[string]string{"drover_database_file_bytes": "drover.db", "drover_database_wal_bytes": "drover.db-wal"} {
		info, err := os.Stat(filepath.Join(w.dir, file))
		if err != nil {
			w.Fatal(err)
		}
		if size := float64(info.Size()); got[metric] == 0 || got[metric] > size {
			w.Errorf("%s is %v, and the file has %v", metric, got[metric], size)
		}
	}
}

// TestMetricsOutliveClosing: what was counted can be read to the end, and nothing
// is asked of what is closed.
func TestMetricsOutliveClosing(t *testing.T) {
	t.Parallel()
	d, err := drover.Open(t.Context(), drover.Options{Data: drover.InMemory, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	before := telemetrytest.Of(t, d.Metrics())
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	after := telemetrytest.Of(t, d.Metrics())
	if _, there := after["drover_sessions_open"]; there || after["drover_database_reads_total"] < before["drover_database_reads_total"] || before["drover_database_reads_total"] == 0 {
		t.Error(before, after)
	}
}

// TestScrapingWhileItClosesIsSafe reads without a pause while a Drover is used and closed.
func TestScrapingWhileItClosesIsSafe(t *testing.T) {
	t.Parallel()
	d, err := drover.Open(t.Context(), drover.Options{Data: drover.InMemory, Workers: drover.WorkersAlways, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			telemetrytest.Of(t, d.Metrics())
			select {
			case <-over:
				return
			default:
			}
		}
	}()
	for range 20 {
		if _, err := d.Runs.Create(t.Context(), runs.Create{Task: "return nothing at all"}); err != nil {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if err := d.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	close(over)
	<-ended
}
