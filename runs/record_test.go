package runs

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/sessions"
)

// A run's session is a record that leads to what the run did, without what was
// secret.
func TestTheSessionOfARunIsARecord(t *testing.T) {
	w := quick(t, setup{})
	r := w.do(t, Create{
		Task: `Go to https://a.example. Type %word% into "Name". Click "Go". Return the title.`, Variables: map[string]Variable{"word": {Value: "a-secret-value"}},
	})
	if r.Status != Completed {
		t.Fatalf("%s %+v", r.Status, r.Cause)
	}
	s, err := w.records.Get(t.Context(), r.SessionID)
	if err != nil || s.Status != sessions.Completed || s.Cause != nil {
		t.Fatalf("%+v, %v", s, err)
	}
	events, err := w.records.Recording(t.Context(), r.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	var tools []string
	for _, e := range events {
		var d struct {
			Tag     string
			Payload recordedStep
		}
		if err := json.Unmarshal(e.Data, &d); err != nil || d.Tag != "step" || bytes.Contains(e.Data, []byte("a-secret-value")) {
			t.Errorf("%s %v", e.Data, err)
		}
		tools = append(tools, d.Payload.Tool)
	}
	if got := strings.Join(tools, " "); !strings.HasPrefix(got, "navigate") || !strings.HasSuffix(got, "done") || !strings.Contains(got, "type") {
		t.Errorf("steps: %s", got)
	}
}

// Whoever releases the session of a run takes the browser from under it.
func TestASessionThatIsReleasedUnderItsRun(t *testing.T) {
	site := openSite(t)
	w := start(t, setup{browser: chrometest.Provider(t)})
	r := w.hold(t, site)
	r, err := w.Get(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := w.records.Release(t.Context(), r.SessionID); err != nil || s.Status != sessions.Completed {
		t.Fatalf("%+v, %v", s, err)
	}
	if got := w.wait(t, r.ID); got.Status != Failed || got.Cause.Code != CauseBrowser || got.Cause.Message != "the browser session was ended from outside" {
		t.Errorf("%s %+v", got.Status, got.Cause)
	}
}
