package platform_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/schedules"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/webhooks"
)

const public = "https://drover.example"

// got is what a GET of the interface answers.
func (h host) got(t testing.TB, path string) (data map[string]any) {
	t.Helper()
	_, key, err := h.Projects.CreateKey(t.Context(), projects.Default, path)
	must(0, err)(t)
	adapter := httpadapter.New(h.Drover, httpadapter.Options{Logger: slog.New(slog.DiscardHandler), PublicURL: public})
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+key)
	adapter.ServeHTTP(w, r)
	var answer struct{ Data map[string]any }
	must(0, json.Unmarshal(w.Body.Bytes(), &answer))(t)
	return answer.Data
}

// payload is the default one.
type payload struct {
	UserID, EventType string
	EventData         map[string]string
	Resource          map[string]any
}

func (r receiver) next(t testing.TB) (p payload) {
	t.Helper()
	must(0, json.Unmarshal((<-r.came).body, &p))(t)
	return p
}

// told makes a webhook for events, and returns its receiver.
func (h host) told(t testing.TB, c webhooks.Condition, events ...string) receiver {
	t.Helper()
	r := newReceiver(t)
	_, _, err := h.Webhooks.Create(t.Context(), webhooks.Create{Settings: webhooks.Settings{Protocol: webhooks.Platform, URL: r.URL, Events: events, Condition: c}})
	must(0, err)(t)
	return r
}

func same(t testing.TB, got, want map[string]any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
		t.Errorf("it is not what GET answers:\n%s", diff)
	}
}

// A receiver gets what GET answers of a build, with what it has made, and of a run, with
// where that has put its output.
func TestWhatIsToldIsWhatGetAnswers(t *testing.T) {
	t.Parallel()
	h := newHost(t, func(o *drover.Options) { o.PublicURL = public + "/" })
	a := must(h.Actors.CreateActor(t.Context(), actors.CreateActor{Name: "outputs", Versions: []actors.Version{{Number: "0.1", Files: []actors.SourceFile{
		{Name: "main.mjs", Content: `console.log("here")`}, {Name: "package.json", Content: `{"name":"a","main":"main.mjs"}`}, {Name: "README.md", Content: "# Read"},
		{Name: ".actor/actor.json", Content: `{"actorSpecification":1,"name":"a","version":"0.1","outputSchema":"./output.json"}`},
		{Name: ".actor/output.json", Content: `{"actorOutputSchemaVersion":1,"title":"O","properties":{
			"items":{"type":"string","title":"I","template":"{{links.apiDefaultDatasetUrl}}/items"}}}`},
	}}}}))(t)
	r := h.told(t, webhooks.Condition{Actor: "~outputs"}, webhooks.PlatformEvents...)
	b := must(h.Actors.Build(t.Context(), a.ID, actors.CreateBuild{Version: "0.1"}))(t)
	created, built := r.next(t), r.next(t)
	data := map[string]string{"actorId": a.ID, "actorBuildId": b.ID}
	if created.EventType != "ACTOR.BUILD.CREATED" || created.Resource["status"] != "READY" || created.Resource["id"] != b.ID || cmp.Diff(data, created.EventData) != "" {
		t.Errorf("%+v", created)
	}
	want := h.got(t, "/v2/actor-builds/"+b.ID)
	if same(t, built.Resource, want); built.EventType != "ACTOR.BUILD.SUCCEEDED" || want["readme"] != "# Read" || built.UserID != want["userId"] || cmp.Diff(data, built.EventData) != "" {
		t.Errorf("%+v", built)
	}
	run := h.ran(t, a, `{"n":1}`)
	started, ended := r.next(t), r.next(t)
	if started.EventType != "ACTOR.RUN.CREATED" || ended.EventType != "ACTOR.RUN.SUCCEEDED" || started.EventData["actorRunId"] != run.ID {
		t.Errorf("%+v %+v", started, ended)
	}
	same(t, ended.Resource, h.got(t, "/v2/actor-runs/"+run.ID))
	output := map[string]any{"items": public + "/v2/datasets/" + run.DatasetID + "/items"}
	for _, p := range []payload{started, ended} {
		if diff := cmp.Diff(output, p.Resource["output"]); diff != "" {
			t.Error(diff)
		}
	}
}

// A build that fails, one that is aborted, and those of an Actor that is deleted.
func TestBuildsThatMakeNothingAreToldOf(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	waits := []actors.SourceFile{
		{Name: "main.mjs", Content: "0"}, {Name: "package.json", Content: `{"name":"a","main":"main.mjs","scripts":{"build":"sleep 600"}}`},
	}
	a := must(h.Actors.CreateActor(t.Context(), actors.CreateActor{Name: "fails", Versions: []actors.Version{
		{Number: "0.1", Files: []actors.SourceFile{{Name: "main.mjs", Content: "0"}, {Name: "package.json", Content: `{`}}}, {Number: "0.2", Files: waits},
	}}))(t)
	r := h.told(t, webhooks.Condition{Actor: a.ID}, "ACTOR.BUILD.FAILED", "ACTOR.BUILD.ABORTED", "ACTOR.BUILD.TIMED_OUT")
	must(h.Actors.Build(t.Context(), a.ID, actors.CreateBuild{Version: "0.1"}))(t)
	if p := r.next(t); p.EventType != "ACTOR.BUILD.FAILED" || p.Resource["status"] != "FAILED" || p.Resource["statusMessage"] == "" || p.Resource["finishedAt"] == nil {
		t.Errorf("%+v", p)
	}
	b := must(h.Actors.Build(t.Context(), a.ID, actors.CreateBuild{Version: "0.2"}))(t)
	must(h.Actors.AbortBuild(t.Context(), b.ID))(t)
	if p := r.next(t); p.EventType != "ACTOR.BUILD.ABORTED" || p.EventData["actorBuildId"] != b.ID {
		t.Errorf("%+v", p)
	}
	b = must(h.Actors.Build(t.Context(), a.ID, actors.CreateBuild{Version: "0.2"}))(t)
	must(0, h.Actors.DeleteActor(t.Context(), a.ID))(t)
	if p := r.next(t); p.EventType != "ACTOR.BUILD.ABORTED" || p.EventData["actorBuildId"] != b.ID {
		t.Errorf("%+v", p)
	}
}

// Runs that schedules start, of Actors and of tasks, are told of as others are.
func TestRunsOfSchedulesAreToldOf(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	must(h.Actors.CreateTask(t.Context(), actors.CreateTask{Actor: "~echo", Name: "echoes"}))(t)
	task := must(h.Actors.Task(t.Context(), "~echoes"))(t)
	s := must(h.Schedules.Create(t.Context(), schedules.Create{Name: "both", Actions: []schedules.Action{
		{Type: schedules.RunActor, Target: "~echo"}, {Type: schedules.RunActorTask, Target: "~echoes"},
	}}))(t)
	all, ofTask := h.told(t, webhooks.Condition{}, "ACTOR.RUN.CREATED"), h.told(t, webhooks.Condition{Task: "~echoes"}, "ACTOR.RUN.SUCCEEDED")
	must(h.Schedules.Invoke(t.Context(), s.ID))(t)
	for range 2 {
		if meta, _ := all.next(t).Resource["meta"].(map[string]any); meta["origin"] != "SCHEDULER" || meta["scheduleId"] != s.ID {
			t.Errorf("%v", meta)
		}
	}
	p := ofTask.next(t)
	if meta, _ := p.Resource["meta"].(map[string]any); p.EventData["actorTaskId"] != task.ID || meta["scheduledActorTaskId"] == nil {
		t.Errorf("%+v", p)
	}
}

// A run whose host closes before its receiver has answered is told of by the next one.
func TestWhatAClosedHostHasNotSent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	onDisk := func(o *drover.Options) { o.Data = dir }
	h := newHost(t, onDisk)
	asked, let := make(chan struct{}, 10), make(chan struct{})
	r := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, in *http.Request) {
		asked <- struct{}{}
		select {
		case <-let:
		case <-in.Context().Done():
		}
	}))
	t.Cleanup(r.Close)
	hook := webhooks.Create{Settings: webhooks.Settings{URL: r.URL, Events: []string{"ACTOR.RUN.CREATED", "ACTOR.RUN.SUCCEEDED"}}}
	run := must(h.Actors.Start(t.Context(), "~echo", actors.Start{Webhooks: []webhooks.Create{hook}}))(t)
	<-asked
	must(h.Actors.Wait(t.Context(), run.ID, time.Minute))(t)
	must(0, h.Shutdown(ended(t)))(t)
	close(let)
	next := newHost(t, onDisk)
	for range 2 {
		<-asked
	}
	sent := must(next.Webhooks.Dispatches(t.Context(), webhooks.Filter{}))(t).Items
	for i, want := range hook.Events {
		if d := must(next.Webhooks.Wait(t.Context(), sent[i].ID))(t); d.Event != want || d.Status != webhooks.Succeeded || d.Object != run.ID {
			t.Errorf("%+v", d)
		}
	}
}

// ended is a context that has ended.
func ended(t testing.TB) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
