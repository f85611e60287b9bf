package v1

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/runs/search"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/schedules"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/certificates"
	"github.com/drover-go/drover/storage/contexts"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/extensions"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/secrets"
	"github.com/drover-go/drover/storage/storagetest"
	"github.com/drover-go/drover/storage/webhooks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns services on a database in memory, and a key. Those that the
// test does not call are not there.
func open(t *testing.T) (Services, string) {
	t.Helper()
	return openOn(t, storagetest.Open(t))
}

func openOn(t *testing.T, db *storage.DB) (Services, string) {
	t.Helper()
	callers, err := projects.New(t.Context(), db, projects.Options{RequireProject: true})
	if err != nil {
		t.Fatal(err)
	}
	saved, err := agents.New(t.Context(), db, callers, agents.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, key, err := callers.CreateKey(t.Context(), projects.Default, "test")
	if err != nil {
		t.Fatal(err)
	}
	return Services{Services: drover.Services{Agents: saved, Projects: callers, Runs: struct{ runs.Service }{}, Fetch: struct{ fetch.Service }{}, Functions: struct{ functions.Service }{}, Builds: struct{ builds.Service }{}, Search: search.Off, Records: struct{ records.Service }{}, Actors: struct{ actors.Service }{}, Schedules: struct{ schedules.Service }{}, Secrets: struct{ secrets.Service }{}, Webhooks: struct{ webhooks.Service }{}, Sessions: struct{ sessions.Service }{}, Contexts: struct{ contexts.Service }{}, Downloads: struct{ downloads.Service }{}, Certificates: struct{ certificates.Service }{}, Extensions: struct{ extensions.Service }{}}}, key
}

func options() Options {
	return Options{
		KeyHeaders: []string{"X-Key"}, MaxDepth: 10, AnswerTimeout: time.Minute, HealthTimeout: time.Minute,
		Logger: slog.New(slog.DiscardHandler),
	}
}

func ask(h http.Handler, method, path, key, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("X-Key", key)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
