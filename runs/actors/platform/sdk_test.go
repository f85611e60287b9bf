package platform_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
)

// The public SDK, unmodified, works as a child process of a host that has no adapter. It
// is built as any other Actor is, from its lock file.
func TestActorsOfTheSDK(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "packages of npm are installed by a build")
	dir := npmtest.Dir(t, "npm") // skips where npm cannot get them
	h := newHost(t)
	other := h.foreign(t, records.Dataset, "other-items")
	var files []actors.SourceFile
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc", "main.js"} {
		files = append(files, actors.SourceFile{Name: name, Content: string(must(os.ReadFile(filepath.Join(dir, name)))(t))})
	}
	files = append(files, actors.SourceFile{Name: "INPUT_SCHEMA.json", Content: `{"title":"Input","type":"object","schemaVersion":1,"properties":{
		"secret":{"title":"Secret","type":"string","description":"It lies sealed.","editor":"textfield","isSecret":true}}}`})
	a := h.builtOf(t, "sdk", "", files)
	told := newReceiver(t)
	must(h.Actors.UpdateActor(t.Context(), a.ID, actors.UpdateActor{Change: func(d *actors.Details) {
		d.Runs.MaxTotalCharge = 0.45
		d.Pricings = []actors.Pricing{{Model: actors.PayPerEvent, Events: map[string]actors.EventPrice{"item": {Title: "An item", USD: 0.1}}}}
	}}))(t)
	for times := range 2 {
		r := h.ran(t, a, `{"n":7,"secret":"s3cr3t-ü","receiver":"`+told.URL+`","foreign":"!`+other.ID+`"}`)
		told.of(t, r)
		if sealed, _ := h.record(t, r, "INPUT")["secret"].(string); !strings.HasPrefix(sealed, "ENCRYPTED_VALUE:") {
			t.Errorf("the secret lies in the store: %s", sealed)
		}
		h.saw(t, r, map[string]any{
			"input": 7.0, "secret": "s3cr3t-ü", "items": "1,2,3", "first": "http://site.example/1", "handled": 1.0, "times": float64(times + 1), "text": "ü",
			"message": "half way", "user": "default", "foreign": refused, "called": "SUCCEEDED", "result": "sdk",
			"hook": true, "sameHook": true,
			"charged": "3 false,2 true", // the SDK charges one more than it may, once
		})
		if !maps.Equal(r.Charged, map[string]int64{"item": 5}) {
			t.Errorf("charged: %v", r.Charged)
		}
		if r.StatusMessage != "all is done" || !r.MessageTerminal {
			t.Errorf("%+v", r)
		}
	}
}

// receiver is told of runs by webhooks.
type receiver struct {
	*httptest.Server
	came chan arrival
}

type arrival struct {
	header http.Header
	body   []byte
}

func newReceiver(t testing.TB) receiver {
	r := receiver{came: make(chan arrival, 10)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		if err == nil {
			r.came <- arrival{in.Header, body}
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// of waits until the end of a run was told, and checks that it was told once.
func (r receiver) of(t testing.TB, run actors.RunInfo) {
	t.Helper()
	var a arrival
	select {
	case a = <-r.came:
	case <-t.Context().Done():
		t.Fatal("nothing has come")
	}
	var p struct {
		EventType string
		EventData struct{ ActorID, ActorRunID string }
		Resource  struct{ ID, Status, StatusMessage string }
	}
	must(0, json.Unmarshal(a.body, &p))(t)
	if p.EventType != "ACTOR.RUN.SUCCEEDED" || p.EventData.ActorID != run.ActorID || p.EventData.ActorRunID != run.ID || p.Resource.ID != run.ID || p.Resource.Status != "SUCCEEDED" || p.Resource.StatusMessage != run.StatusMessage {
		t.Errorf("%s", a.body)
	}
	for name, want := range map[string]string{"Content-Type": "application/json", "X-Apify-Request-Origin": "WEBHOOK"} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if a.header.Get("X-Apify-Webhook") == "" || a.header.Get("X-Apify-Webhook-Dispatch-Id") == "" {
		t.Errorf("%v", a.header)
	}
	if len(r.came) != 0 {
		t.Error("more has come")
	}
}
