package v1

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/v1json"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
)

func marshal(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestTimesAreUTCWithMilliseconds(t *testing.T) {
	zone := time.FixedZone("", 90*60)
	for want, at := range map[string]time.Time{
		`"2026-01-31T22:29:59.999Z"`: time.Date(2026, 1, 31, 23, 59, 59, 999_999_999, zone),
		`"2026-01-31T00:00:00.000Z"`: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
	} {
		if got := marshal(t, wireTime(at)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestRunHasOnlyTheFieldsThatApply(t *testing.T) {
	at := time.UnixMilli(1_769_900_000_000)
	bare := runs.Run{ID: "r", Task: "t", Status: runs.Pending, CreatedAt: at, UpdatedAt: at}
	want := `{"runId":"r","task":"t","status":"PENDING","createdAt":"2026-01-31T22:53:20.000Z","updatedAt":"2026-01-31T22:53:20.000Z"}`
	if got := marshal(t, v1json.RunOf(bare)); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	full := runs.Run{
		ID: "r", AgentID: "a", Task: "t", Status: runs.Failed, SessionID: "s", ResultSchema: json.RawMessage(`{}`), Result: json.RawMessage(`{"x":1}`),
		Cause: &runs.Cause{Code: "C", Message: "m"}, CreatedAt: at, UpdatedAt: at, StartedAt: at, EndedAt: at,
	}
	const stamp = `"2026-01-31T22:53:20.000Z"`
	want = `{"runId":"r","agentId":"a","task":"t","status":"FAILED","sessionId":"s","resultSchema":{},"result":{"x":1},"cause":{"code":"C","message":"m"},` +
		`"createdAt":` + stamp + `,"updatedAt":` + stamp + `,"startedAt":` + stamp + `,"endedAt":` + stamp + `}`
	if got := marshal(t, v1json.RunOf(full)); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestListsAreNeverNull(t *testing.T) {
	if got, want := marshal(t, pageOut([]runs.Run(nil), v1json.RunOf, 5, "")), `{"data":[],"limit":5,"nextCursor":null}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := marshal(t, messagesJSON{each([]runs.Message(nil), messageOut), orNull("")}), `{"data":[],"nextSince":null}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := marshal(t, messageOut(runs.Message{ID: "m", Message: model.Message{Role: model.Assistant}}).Message), `{"role":"assistant","content":[]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// deadlines remembers the write deadlines of an answer.
type deadlines struct {
	http.ResponseWriter
	set []time.Time
}

func (d *deadlines) SetWriteDeadline(t time.Time) error {
	d.set = append(d.set, t)
	return nil
}

// The connection may go on to serve handlers of somebody else.
func TestAnswerTakesItsDeadlineBack(t *testing.T) {
	s, key := open(t)
	for _, path := range []string{"/v1/agents", "/v1/nothing"} {
		w := &deadlines{ResponseWriter: httptest.NewRecorder()}
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set("X-Key", key)
		New(s, options()).ServeHTTP(w, r)
		if len(w.set) != 2 || time.Until(w.set[0]) > time.Minute || w.set[0].IsZero() || !w.set[1].IsZero() {
			t.Errorf("%s: deadlines %v", path, w.set)
		}
	}
}
