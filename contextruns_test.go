package drover_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage/contexts"
)

// countingSite counts the visits of a browser in a cookie, and says the number.
func countingSite(t *testing.T) *httptest.Server {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/page" { // an icon, say
			return
		}
		n := 0
		if c, err := r.Cookie("visits"); err == nil {
			fmt.Sscan(c.Value, &n)
		}
		http.SetCookie(w, &http.Cookie{Name: "visits", Value: fmt.Sprint(n + 1)})
		fmt.Fprintf(w, "<title>visit %d</title><p>visit %d</p>", n+1, n+1)
	}))
	t.Cleanup(site.Close)
	return site
}

func TestRunsUseContexts(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	site, dir := countingSite(t), t.TempDir()
	tool, err := drover.Open(t.Context(), drover.Options{Data: dir, Workers: drover.WorkersNever})
	if err != nil {
		t.Fatal(err)
	}
	c, err := tool.Contexts.Create(t.Context(), contexts.Create{})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(d *drover.Drover, persist bool) runs.Run {
		t.Helper()
		r, err := d.Runs.Create(t.Context(), runs.Create{
			Task:            "Go to " + site.URL + "/page. Return the title.",
			BrowserSettings: runs.BrowserSettings{Context: &runs.ContextRef{ID: c.ID, Persist: persist}},
		})
		if err != nil || r.Status != runs.Pending {
			t.Fatalf("%+v, %v", r, err)
		}
		return r
	}
	first := ask(tool, true) // is executed by another process
	if err := tool.Close(); err != nil {
		t.Fatal(err)
	}

	d := withChromium(t, dir, nil)
	answers := func(r runs.Run, want string) {
		t.Helper()
		r, err := d.Runs.Wait(t.Context(), r.ID)
		if err != nil || r.Status != runs.Completed || string(r.Result) != `{"title":"visit `+want+`"}` {
			t.Errorf("%s %s %s, %v; want %s", r.Status, r.Result, r.Cause, err, want)
		}
	}
	answers(first, "1")
	answers(ask(d, false), "2")
	answers(ask(d, true), "2") // what the one before did is forgotten

	held := session(t, d, c.ID, true)
	r, err := d.Runs.Wait(t.Context(), ask(d, true).ID)
	if err != nil || r.Status != runs.Failed || r.Cause.Code != runs.CauseContextInUse || r.SessionID != "" {
		t.Errorf("%+v, %v", r, err)
	}
	answers(ask(d, false), "3")
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	answers(ask(d, true), "3")
}

func TestARunWithAnUnknownContextIsRefused(t *testing.T) {
	t.Parallel()
	d, err := drover.Open(t.Context(), drover.Options{Data: drover.InMemory})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	_, err = d.Runs.Create(t.Context(), runs.Create{Task: "t", BrowserSettings: runs.BrowserSettings{Context: &runs.ContextRef{ID: "none"}}})
	if e := errtypes.Public(err); e.Kind != errtypes.Invalid || e.Field != "browserSettings.context.id" {
		t.Error(err)
	}
	_, err = d.Sessions.Create(t.Context(), sessions.Create{Settings: sessions.Settings{Context: &sessions.ContextRef{ID: "none"}}})
	if e := errtypes.Public(err); e.Kind != errtypes.Invalid || e.Field != "browserSettings.context.id" {
		t.Error(err)
	}
}
