package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	hooks "github.com/drover-go/drover/internal/webhooks"
	"github.com/drover-go/drover/storage"
)

func TestAnEventOfTheFirstInterfaceIsSigned(t *testing.T) {
	t.Parallel()
	w, r := opened(t, setup{}), receive(t, nil)
	h, secret := w.standard(t, r.URL+"/in")
	w.happen(t, done("invocation-1", 7))
	m := <-r.got
	d := w.over(t, m.id())
	if d.Status != Succeeded || len(d.Attempts) != 1 || d.Attempts[0].ResponseStatus != 200 || d.Webhook.ID != h.ID || d.Event != completed || d.Object != "invocation-1" {
		t.Errorf("%+v", d)
	}
	want := fmt.Sprintf(`{"id":%q,"type":%q,"resourceId":"invocation-1","data":{"id":"invocation-1","state":7}}`, d.ID, completed)
	if string(m.body) != want || m.Method != "POST" || m.URL.Path != "/in" || m.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %s %v, want %s", m.URL, m.body, m.Header, want)
	}
	at := must(unix(m.Header.Get("webhook-timestamp")))(t)
	if got := m.Header.Get("webhook-signature"); got != hooks.Sign([]string{secret}, d.ID, at, m.body) {
		t.Errorf("signature %q", got)
	}
	after := must(w.Get(t.Context(), h.ID))(t)
	if after.Dispatches != 1 || after.Last == nil || after.Last.Status != Succeeded || after.Last.FinishedAt.IsZero() {
		t.Errorf("%+v %+v", after, after.Last)
	}
}

func unix(text string) (time.Time, error) {
	var s int64
	_, err := fmt.Sscan(text, &s)
	return time.Unix(s, 0), err
}

func TestAnEventOfThePlatformHasItsPayloadAndHeaders(t *testing.T) {
	t.Parallel()
	w, r := opened(t, setup{}), receive(t, nil)
	w.platform(t, r.URL, func(s *Settings) {
		s.HeadersTemplate = `{"X-Event": {{eventType}}, "x-apify-webhook-dispatch-id": "mine", "Authorization": "Bearer x", "Content-Type": "text/plain"}`
	})
	w.happen(t, ended("run1", 3))
	m := <-r.got
	var body struct {
		UserID, CreatedAt, EventType string
		EventData                    map[string]string
		Resource                     thing
	}
	if err := json.Unmarshal(m.body, &body); err != nil {
		t.Fatal(err)
	}
	if len(body.UserID) != 17 || body.EventType != succeeded || body.EventData["actorRunId"] != "run1" || body.EventData["actorId"] != "actor" || len(body.EventData) != 2 || body.Resource != (thing{ID: "run1", State: 3}) {
		t.Errorf("%s", m.body)
	}
	if _, err := time.Parse(isoTime, body.CreatedAt); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"X-Event": succeeded, "Authorization": "Bearer x", "Content-Type": "application/json", "X-Apify-Request-Origin": "WEBHOOK", "X-Apify-Webhook-Dispatch-Id": w.dispatches(t)[0].ID,
	} {
		if got := m.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if m.Header.Get("X-Apify-Webhook") == "" || len(m.id()) != 17 {
		t.Error(m.Header)
	}
}

// The state that a receiver gets is the one that was, whenever it is sent.
func TestADispatchIsSentAgainUnderTheSameID(t *testing.T) {
	t.Parallel()
	for _, standard := range []bool{true, false} {
		t.Run(fmt.Sprint(standard), func(t *testing.T) {
			t.Parallel()
			w, r := opened(t, setup{}), receive(t, status(500, 410, 302, 204))
			event := ended("x", 1)
			if standard {
				w.standard(t, r.URL)
				event = done("x", 1)
			} else {
				w.platform(t, r.URL)
			}
			w.happen(t, event)
			first := <-r.got
			w.tried(t, first.id(), 1)
			for n, rest := range []time.Duration{5 * time.Minute, 10 * time.Minute, time.Hour} {
				d := w.tried(t, first.id(), n+1)
				if d.Status != Active || d.NextAt.Before(d.Attempts[n].FinishedAt) || d.Attempts[n].Error == "" {
					t.Errorf("%d: %+v", n, d)
				}
				w.clock.Advance(rest)
				m := <-r.got
				if m.id() != first.id() || string(m.body) != string(first.body) {
					t.Errorf("%q %s", m.id(), m.body)
				}
			}
			d := w.over(t, first.id())
			if d.Status != Succeeded || len(d.Attempts) != 4 || d.Attempts[1].ResponseStatus != 410 || d.Attempts[3].ResponseStatus != 204 || d.Attempts[3].Error != "" {
				t.Errorf("%+v", d)
			}
		})
	}
}

func TestADispatchFailsAfterItsLastRetry(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Settings)
		times  int
	}{
		"platform": {func(*Settings) {}, 12},
		"once":     {func(s *Settings) { s.DoNotRetry = true }, 1},
		"standard": {func(s *Settings) { s.Protocol, s.Events = Standard, []string{completed} }, 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, r := opened(t, setup{}), receive(t, status(500))
			w.platform(t, r.URL, c.change)
			w.happen(t, ended("x", 1), done("x", 1))
			m := <-r.got
			began := w.clock.Now()
			for n := 1; n < c.times; n++ {
				d := w.tried(t, m.id(), n)
				w.clock.Advance(d.NextAt.Sub(w.clock.Now()))
				<-r.got
			}
			d := w.over(t, m.id())
			if d.Status != Failed || len(d.Attempts) != c.times || d.FinishedAt.IsZero() {
				t.Errorf("%d attempts: %+v", len(d.Attempts), d)
			}
			if took := w.clock.Now().Sub(began); c.times > 1 && (took < 20*time.Hour || took > 46*time.Hour) {
				t.Errorf("it took %v", took)
			}
		})
	}
}

func TestATestIsSentThreeTimesMore(t *testing.T) {
	t.Parallel()
	w, r := opened(t, setup{}), receive(t, status(500))
	d := must(w.Test(t.Context(), w.platform(t, r.URL).ID))(t)
	if d.Status != Active || d.Event != TestEvent {
		t.Errorf("%+v", d)
	}
	for n := 1; n < 4; n++ {
		w.clock.Advance(w.tried(t, d.ID, n).NextAt.Sub(w.clock.Now()))
	}
	if d = w.over(t, d.ID); d.Status != Failed || len(d.Attempts) != 4 {
		t.Errorf("%+v", d)
	}
	fails(t, second(w.Test(t.Context(), "x")), errtypes.NotFound, "", "no webhook")
}

func second[T any](_ T, err error) error { return err }

func TestRedelivery(t *testing.T) {
	t.Parallel()
	w, r := opened(t, setup{limits: Limits{MaxAttempts: 3}}), receive(t, status(500, 200))
	w.platform(t, r.URL, func(s *Settings) { s.DoNotRetry = true })
	w.happen(t, ended("x", 1))
	first := <-r.got
	if d := w.over(t, first.id()); d.Status != Failed {
		t.Fatalf("%+v", d)
	}
	for want := 2; want < 4; want++ { // what has failed, and what has succeeded
		if d := must(w.Redeliver(t.Context(), first.id()))(t); d.Status != Active {
			t.Errorf("%+v", d)
		}
		m := <-r.got
		if d := w.over(t, first.id()); d.Status != Succeeded || len(d.Attempts) != want || m.id() != first.id() || string(m.body) != string(first.body) {
			t.Errorf("%+v", d)
		}
	}
	fails(t, second(w.Redeliver(t.Context(), first.id())), errtypes.Conflict, "", "3 attempts")
	fails(t, second(w.Redeliver(t.Context(), "x")), errtypes.NotFound, "", "no dispatch")
}

func TestADispatchUnderWayIsNotRedelivered(t *testing.T) {
	t.Parallel()
	w := opened(t, setup{idle: true})
	w.platform(t, "http://127.0.0.1:1/")
	w.happen(t, ended("x", 1))
	fails(t, second(w.Redeliver(t.Context(), w.dispatches(t)[0].ID)), errtypes.Conflict, "", "under way")
}

// What cannot be rendered, and what is too much, has failed at once, and says why.
func TestWhatCannotBeSentHasFailed(t *testing.T) {
	t.Parallel()
	w, r := opened(t, setup{idle: true, limits: Limits{MaxActive: 1}}), receive(t, nil)
	w.platform(t, r.URL)
	w.happen(t, Event{Type: succeeded, Object: "a", Run: "a", Row: broken{}}, Event{Type: succeeded, Object: "b", Run: "b", Row: 1}, ended("c", 1), ended("d", 1))
	all := w.dispatches(t)
	for i, want := range []string{"could not be rendered", "objects of type int cannot be sent", "", "1 dispatches under way"} {
		switch {
		case want == "":
			if all[i].Status != Active {
				t.Errorf("%+v", all[i])
			}
		case all[i].Status != Failed || len(all[i].Attempts) != 1 || !strings.Contains(all[i].Attempts[0].Error, want):
			t.Errorf("%+v, want %s", all[i], want)
		}
	}
	fails(t, second(w.Redeliver(t.Context(), all[0].ID)), errtypes.Conflict, "", "no body")
}

// What waits for a webhook that is changed to go to a dead receiver does not hold up what
// others send to the former one.
func TestAWebhookMovesToADeadReceiver(t *testing.T) {
	t.Parallel()
	w, r := opened(t, setup{idle: true, clock: clock.System(), limits: Limits{PlatformTime: 5 * time.Second}}), receive(t, nil)
	moved := w.platform(t, r.URL, func(s *Settings) { s.Condition.Actor = "moved" })
	w.platform(t, r.URL, func(s *Settings) { s.Condition.Actor = "stays" })
	of := func(object, actor string) Event {
		return Event{Type: succeeded, Object: object, Run: object, Actor: actor, Row: thing{ID: object}}
	}
	w.happen(t, of("a", "moved"), of("b", "moved"), of("c", "stays"))
	elsewhere := dead(t, 1)
	must(w.Update(t.Context(), moved.ID, Update{URL: &elsewhere}))(t)
	must(0, w.queue.Start(t.Context()))(t)
	t.Cleanup(w.stop)
	if m := <-r.got; m.row(t).ID != "c" {
		t.Errorf("%s came", m.body)
	}
	for _, d := range must(w.Dispatches(t.Context(), Filter{Webhook: moved.ID}))(t).Items {
		if d.Status != Active || len(d.Attempts) > 0 {
			t.Errorf("it waited for %+v", d)
		}
	}
}

// A host that takes nothing leaves room for what goes to others, however many webhooks
// send there: each run may bring one of its own.
func TestADeadReceiverUsesUpNoLimit(t *testing.T) {
	t.Parallel()
	w, dead, good := opened(t, setup{idle: true, limits: Limits{MaxActive: 8}}), receive(t, nil), receive(t, nil)
	var events []Event
	add := func(url, run string) Webhook {
		events = append(events, Event{Type: succeeded, Object: run, Run: run, Actor: run, Row: thing{}})
		return w.platform(t, url, func(s *Settings) { s.Condition.Actor = run })
	}
	for i := range 20 {
		add(dead.URL, fmt.Sprint("dead", i))
	}
	other := add(good.URL, "other")
	w.happen(t, events...)
	got := map[Status]int{}
	for _, d := range w.dispatches(t) {
		switch {
		case d.WebhookID == other.ID:
			if d.Status != Active {
				t.Errorf("%+v", d)
			}
			continue
		case d.Status == Failed && !strings.Contains(d.Attempts[0].Error, "6 dispatches or more to its host are under way"):
			t.Errorf("%+v", d)
		}
		got[d.Status]++
	}
	if got[Active] != 6 || got[Failed] != 14 {
		t.Error(got)
	}
}

// A template that makes more than is allowed of a large object has failed at once.
func TestALargePayloadHasFailed(t *testing.T) {
	t.Parallel()
	w, r := opened(t, setup{idle: true, limits: Limits{MaxPayload: 1000}}), receive(t, nil)
	payload := w.platform(t, r.URL, func(s *Settings) { s.PayloadTemplate = "[" + strings.Repeat("{{resource}},", 20) + "1]" })
	headers := w.platform(t, r.URL, func(s *Settings) {
		s.Interpolate, s.HeadersTemplate = true, `{"a":"`+strings.Repeat("{{resource.text}}", 20)+`"}`
	})
	w.happen(t, Event{Type: succeeded, Object: "a", Run: "a", Row: thing{ID: "a", Text: strings.Repeat("x", 100)}})
	for template, of := range map[string]Webhook{"payload": payload, "headers": headers} {
		d := must(w.Dispatches(t.Context(), Filter{Webhook: of.ID}))(t).Items[0]
		if d.Status != Failed || len(d.Attempts) != 1 || d.Attempts[0].Error != "the "+template+" template makes more than 1000 bytes" {
			t.Errorf("%+v", d)
		}
	}
}

// Events of an object arrive in their order, those of others meanwhile.
func TestEventsOfAnObjectArriveInOrder(t *testing.T) {
	t.Parallel()
	answer := status(500, 200)
	w := opened(t, setup{})
	r := receive(t, func(rw http.ResponseWriter, q *http.Request) { answer(rw, q) })
	w.platform(t, r.URL)
	w.happen(t, ended("a", 1))
	first := <-r.got
	w.tried(t, first.id(), 1)
	w.happen(t, ended("a", 2), ended("b", 1), ended("a", 3))
	if m := <-r.got; m.row(t) != (thing{ID: "b", State: 1}) {
		t.Errorf("%s came first", m.body)
	}
	w.clock.Advance(2 * time.Minute)
	for state := 1; state <= 3; state++ {
		if m := <-r.got; m.row(t) != (thing{ID: "a", State: state}) {
			t.Errorf("%s came, want %d", m.body, state)
		}
	}
}

// A dispatch that failed lets those behind it go.
func TestAFailureLetsTheNextGo(t *testing.T) {
	t.Parallel()
	w, r := opened(t, setup{}), receive(t, status(500, 200))
	w.platform(t, r.URL, func(s *Settings) { s.DoNotRetry = true })
	w.write(t, func(ctx context.Context, tx *storage.Tx) error {
		project := w.projectID(t, t.Context())
		for state := range 3 {
			e := ended("a", state)
			e.ProjectID = project
			if err := w.Emit(ctx, tx, e); err != nil {
				return err
			}
		}
		return nil
	})
	for state := range 3 {
		if m := <-r.got; m.row(t).State != state {
			t.Errorf("%s came, want %d", m.body, state)
		}
	}
}

func TestLargeBodiesLieInBlobs(t *testing.T) {
	t.Parallel()
	w, r := opened(t, setup{dir: t.TempDir()}), receive(t, nil)
	w.platform(t, r.URL)
	e := ended("x", 1)
	e.Row = thing{ID: "x", Text: strings.Repeat("x", 1<<20)}
	w.happen(t, e)
	if m := <-r.got; m.row(t) != e.Row {
		t.Errorf("%d bytes", len(m.body))
	}
	keys := must(storage.ReadOne(t.Context(), w.db, func(ctx context.Context, q storage.Querier) ([]string, error) {
		return storage.Collect(ctx, q, storage.Column[string], `SELECT body_key FROM webhook_dispatches WHERE length(body) = 0`)
	}))(t)
	if len(keys) != 1 || keys[0] == "" {
		t.Fatal(keys)
	}
	w.over(t, w.dispatches(t)[0].ID)
	n := must(w.deleteEnded(t.Context(), w.clock.Now().Add(time.Hour)))(t)
	if _, err := w.conf.Blobs.Open(t.Context(), keys[0]); n != 1 || !errtypes.Is(err, errtypes.NotFound) {
		t.Errorf("%d deleted, %v", n, err)
	}
}

// What an event is not committed with is not sent.
func TestNothingIsSentOfWhatIsRolledBack(t *testing.T) {
	t.Parallel()
	w, r := opened(t, setup{}), receive(t, nil)
	w.platform(t, r.URL)
	project := w.projectID(t, t.Context())
	err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		e := ended("x", 1)
		e.ProjectID = project
		if err := w.Emit(ctx, tx, e); err != nil {
			return err
		}
		return errtypes.New(errtypes.Conflict, "no")
	})
	w.happen(t, ended("y", 1))
	if m := <-r.got; m.row(t).ID != "y" || !errtypes.Is(err, errtypes.Conflict) || len(w.dispatches(t)) != 1 {
		t.Errorf("%s %v", m.body, err)
	}
}

// However long a host's name is, what happens is not held up by it.
func TestLongHosts(t *testing.T) {
	t.Parallel()
	w := opened(t, setup{idle: true})
	w.platform(t, "http://"+strings.Repeat("a.", 240)+"example/")
	at := time.Date(2026, 2, 3, 4, 5, 6, 789e6, time.UTC)
	e := ended("x", 1)
	e.At = at
	w.happen(t, e)
	if d := w.dispatches(t)[0]; d.Status != Active || !d.CreatedAt.Equal(at) {
		t.Errorf("%+v", d)
	}
}
