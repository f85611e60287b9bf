package records

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

var alice, bob = Client{Key: "alice"}, Client{Key: "bob"}

// add adds requests to addresses, in batches.
func (w *world) add(t testing.TB, queue string, forefront bool, urls ...string) {
	t.Helper()
	for len(urls) > 0 {
		var batch []json.RawMessage
		for _, url := range urls[:min(MaxBatch, len(urls))] {
			batch = append(batch, NewRequest(url))
		}
		must(w.AddRequests(t.Context(), queue, batch, forefront, alice))(t)
		urls = urls[len(batch):]
	}
}

// order is the addresses of requests.
func order(requests []Request) string {
	var urls []string
	for _, r := range requests {
		urls = append(urls, r.URL)
	}
	return strings.Join(urls, " ")
}

func (w *world) head(t testing.TB, queue string) string {
	t.Helper()
	return order(must(w.service.Head(t.Context(), queue, 0, alice))(t).Requests)
}

func (w *world) lock(t testing.TB, queue string, limit int, c Client) string {
	t.Helper()
	return order(must(w.LockHead(t.Context(), queue, limit, time.Minute, c))(t).Requests)
}

// handle marks a request as handled.
func (w *world) handle(t testing.TB, queue, url string) Added {
	t.Helper()
	request := fmt.Appendf(nil, `{"url":%q,"handledAt":"2026-01-31T12:00:00.000Z"}`, url)
	return must(w.UpdateRequest(t.Context(), queue, RequestID(url), request, false, alice))(t)
}

func TestIDsOfRequestsAreThoseOfTheClients(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{"http://example.com": "8OamqXBCpPHxyH9", "": "47DEQpj8HBSaTIm"} {
		if got := RequestID(key); got != want {
			t.Errorf("%q has the id %s, want %s", key, got, want)
		}
	}
}

func TestARequestComesBackAsItWasAdded(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		queue := w.make(t, RequestQueue, "queue")
		large := strings.Repeat("x", inRow)
		for raw, want := range map[string]string{
			`{"url":"u1"}`: `{"id":"ID","uniqueKey":"u1","url":"u1"}`,
			`{"id":"x", "method":"POST","payload":"p","uniqueKey":"k","userData":{"b":1.0,"a":2},"url":"u","noRetry":null,"retryCount":3}`: `{"id":"ID","uniqueKey":"k","url":"u","method":"POST","payload":"p","userData":{"b":1.0,"a":2},"noRetry":null,"retryCount":3}`,
			`{"url":"u2","payload":"` + large + `"}`: `{"id":"ID","uniqueKey":"u2","url":"u2","payload":"` + large + `"}`,
		} {
			a := must(w.AddRequest(t.Context(), "~queue", json.RawMessage(raw), false, alice))(t)
			r := must(w.GetRequest(t.Context(), queue, a.ID))(t)
			if want = strings.Replace(want, "ID", a.ID, 1); string(r.JSON) != want || a.ID != RequestID(a.UniqueKey) || a.WasPresent {
				t.Errorf("%+v: %.200s, want %.200s", a, r.JSON, want)
			}
		}
		r := must(w.GetRequest(t.Context(), queue, RequestID("k")))(t)
		if r.Method != "POST" || r.RetryCount != 3 || r.URL != "u" || !r.HandledAt.IsZero() {
			t.Errorf("%+v", r)
		}
		st := w.get(t, RequestQueue, queue)
		if st.Items != 3 || st.Pending != 3 || st.Stats.Writes != 3 || st.Stats.Reads != 4 || w.files(t) != 1 {
			t.Errorf("%+v, %d blobs", st, w.files(t))
		}
		for range 2 {
			done(t, w.DeleteRequest(t.Context(), queue, RequestID("u2"), alice))
		}
		if st = w.get(t, RequestQueue, queue); st.Items != 2 || w.files(t) != 0 {
			t.Errorf("%+v, %d blobs", st, w.files(t))
		}
		_, err := w.GetRequest(t.Context(), queue, RequestID("u2"))
		fails(t, err, errtypes.TypeRecordNotFound)
		done(t, w.Delete(t.Context(), RequestQueue, queue))
		if w.rows(t, "queue_requests") != 0 {
			t.Error("requests of a deleted queue are left")
		}
	})
}

func TestWhatIsNoRequestIsRefusedWithItsBatch(t *testing.T) {
	each(t, Config{Limits: Limits{MaxRequest: 2 * inRow}}, func(t *testing.T, w *world) {
		queue := w.make(t, RequestQueue, "")
		good := json.RawMessage(`{"url":"u","payload":"` + strings.Repeat("x", inRow) + `"}`)
		for raw, typ := range map[string]errtypes.Type{
			`[]`: errtypes.TypeInvalidRequest, `{`: errtypes.TypeInvalidRequest, `{}`: errtypes.TypeInvalidRequest, `{"url":1}`: errtypes.TypeInvalidRequest,
			`{"url":"u","uniqueKey":null}`: errtypes.TypeInvalidRequest, `{"url":"u","retryCount":1.5}`: errtypes.TypeInvalidRequest,
			`{"url":"u","handledAt":"now"}`: errtypes.TypeInvalidRequest, `{"url":"u","method":{}}`: errtypes.TypeInvalidRequest,
			`{"url":"` + strings.Repeat("x", maxColumn) + `"}`: errtypes.TypeInvalidRequest, `{"url":"u","p":"` + strings.Repeat("x", 2*inRow) + `"}`: errtypes.TypeRequestTooLarge,
		} {
			_, err := w.AddRequests(t.Context(), queue, []json.RawMessage{good, json.RawMessage(raw)}, false, alice)
			fails(t, err, typ)
			if !strings.HasPrefix(errtypes.Public(err).Message, "requests[1]: ") {
				t.Errorf("%.100s: which one, %v", raw, err)
			}
		}
		for _, n := range []int{0, MaxBatch + 1} {
			_, err := w.AddRequests(t.Context(), queue, make([]json.RawMessage, n), false, alice)
			fails(t, err, errtypes.TypeInvalidRequest)
			_, err = w.DeleteRequests(t.Context(), queue, make([]Removed, n), alice)
			fails(t, err, errtypes.TypeInvalidRequest)
		}
		_, err := w.DeleteRequests(t.Context(), queue, []Removed{{}}, alice)
		fails(t, err, errtypes.TypeInvalidRequest)
		_, err = w.AddRequest(t.Context(), queue, good, false, Client{Key: strings.Repeat("x", 33)})
		fails(t, err, errtypes.TypeInvalidClientKey)
		_, err = w.AddRequest(t.Context(), "none", good, false, alice)
		fails(t, err, errtypes.TypeRecordNotFound)
		_, err = w.UpdateRequest(t.Context(), queue, "another", good, false, alice)
		fails(t, err, errtypes.TypeRequestIdInvalid)
		if w.rows(t, "queue_requests")+w.files(t) != 0 {
			t.Error("something was added")
		}
	})
}

func TestARequestIsAddedOnce(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		queue := w.make(t, RequestQueue, "")
		large := json.RawMessage(`{"url":"a","p":"` + strings.Repeat("x", inRow) + `"}`)
		added := must(w.AddRequests(t.Context(), queue, []json.RawMessage{large, NewRequest("b"), large}, false, alice))(t)
		if added[0].WasPresent || added[1].WasPresent || !added[2].WasPresent || w.files(t) != 1 {
			t.Errorf("%+v, %d blobs", added, w.files(t))
		}
		if a := w.handle(t, queue, "b"); !a.WasPresent || a.WasHandled {
			t.Errorf("%+v", a)
		}
		if a := must(w.AddRequest(t.Context(), queue, NewRequest("b"), true, alice))(t); !a.WasPresent || !a.WasHandled {
			t.Errorf("%+v", a)
		}
		handled := json.RawMessage(`{"url":"c","handledAt":"2026-01-31T12:00:00Z"}`)
		if a := must(w.AddRequest(t.Context(), queue, handled, false, alice))(t); a.WasPresent || a.WasHandled {
			t.Errorf("%+v", a)
		}
		if st := w.get(t, RequestQueue, queue); st.Items != 3 || st.Handled != 2 || st.Pending != 1 || w.head(t, queue) != "a" {
			t.Errorf("%+v", st)
		}
		back := must(w.UpdateRequest(t.Context(), queue, RequestID("b"), NewRequest("b"), false, alice))(t)
		if st := w.get(t, RequestQueue, queue); !back.WasHandled || st.Handled != 1 || w.head(t, queue) != "a b" {
			t.Errorf("%+v, %+v", back, st)
		}
		gone := must(w.DeleteRequests(t.Context(), queue, []Removed{{UniqueKey: "b"}, {ID: RequestID("c")}, {ID: "none"}}, alice))(t)
		if st := w.get(t, RequestQueue, queue); len(gone) != 3 || st.Items != 1 || st.Handled != 0 {
			t.Errorf("%+v, %+v", gone, st)
		}
		if fresh := must(w.UpdateRequest(t.Context(), queue, RequestID("d"), NewRequest("d"), true, alice))(t); fresh.WasPresent || w.head(t, queue) != "d a" {
			t.Errorf("%+v", fresh)
		}
	})
}

func TestTheForefrontComesFirstNewestFirst(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		queue := w.make(t, RequestQueue, "")
		w.add(t, queue, false, "a", "b")
		w.add(t, queue, true, "c", "d")
		w.clock.Advance(time.Second)
		w.add(t, queue, true, "e")
		w.add(t, queue, false, "f")
		if got := w.head(t, queue); got != "e d c a b f" {
			t.Error(got)
		}
		must(w.UpdateRequest(t.Context(), queue, RequestID("a"), NewRequest("a"), true, alice))(t)
		must(w.UpdateRequest(t.Context(), queue, RequestID("e"), NewRequest("e"), false, alice))(t)
		if got := w.head(t, queue); got != "a d c b f e" {
			t.Error(got)
		}
		if got := w.lock(t, queue, 3, alice); got != "a d c" {
			t.Error(got)
		}
		w.clock.Advance(time.Minute)
		if got := w.lock(t, queue, 3, alice); got != "a d c" {
			t.Errorf("after the locks: %s", got)
		}
		if h := must(w.service.Head(t.Context(), queue, 2, alice))(t); order(h.Requests) != "a d" || h.Limit != 2 || h.HadMultipleClients {
			t.Errorf("%+v", h)
		}
	})
}

func TestALockHidesARequestUntilItExpires(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		queue := w.make(t, RequestQueue, "")
		if h := must(w.LockHead(t.Context(), queue, 0, time.Minute, alice))(t); h.HasLocked || h.Limit != MaxBatch || h.Requests == nil {
			t.Errorf("%+v", h)
		}
		w.add(t, queue, false, "a", "b", "c", "d")
		h := must(w.LockHead(t.Context(), queue, 2, time.Minute, alice))(t)
		if order(h.Requests) != "a b" || !h.HasLocked || !h.Requests[0].LockedUntil.Equal(noon.Add(time.Minute)) || h.Requests[0].LockedBy != "alice" {
			t.Errorf("%+v", h)
		}
		if r := must(w.GetRequest(t.Context(), queue, RequestID("a")))(t); r.LockedBy != "alice" {
			t.Errorf("%+v", r)
		}
		if got := w.lock(t, queue, 1, bob); got != "c" {
			t.Error(got)
		}
		until := must(w.Prolong(t.Context(), queue, RequestID("b"), 2*time.Minute, true, alice))(t)
		if !until.Equal(noon.Add(2 * time.Minute)) {
			t.Error(until)
		}
		w.clock.Advance(time.Minute)
		w.add(t, queue, false, "e")
		if got := w.lock(t, queue, 1, bob); got != "d" {
			t.Error(got)
		}
		if got := w.lock(t, queue, 0, bob); got != "a c e" {
			t.Errorf("after the locks of a and c: %s", got)
		}
		if r := must(w.GetRequest(t.Context(), queue, RequestID("a")))(t); r.LockedBy != "bob" {
			t.Errorf("%+v", r)
		}
		w.clock.Advance(time.Minute)
		if got := w.lock(t, queue, 0, bob); got != "b d a c e" {
			t.Errorf("b was to come first: %s", got)
		}
		w.clock.Advance(time.Minute)
		if r := must(w.GetRequest(t.Context(), queue, RequestID("a")))(t); r.LockedBy != "" || !r.LockedUntil.IsZero() {
			t.Errorf("%+v", r)
		}
		for _, d := range []time.Duration{0, -1, 25 * time.Hour} {
			_, err := w.LockHead(t.Context(), queue, 1, d, alice)
			fails(t, err, "")
		}
	})
}

func TestALockBelongsToTheKeyAndTheRun(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name         string
		owner, other Client
		owns         bool
	}{
		{"same key", alice, alice, true},
		{"another key", alice, bob, false},
		{"same run, another key", Client{"alice", "r1"}, Client{"bob", "r1"}, true},
		{"same key, another run", Client{"alice", "r1"}, Client{"alice", "r2"}, true},
		{"neither", Client{"alice", "r1"}, Client{"bob", "r2"}, false},
		{"no key, same run", Client{"", "r1"}, Client{"", "r1"}, true},
		{"no key, another run", Client{"", "r1"}, Client{"", "r2"}, false},
		{"nothing at all", Client{}, Client{}, true},
		{"no key, but a run", Client{}, Client{"", "r1"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t, Config{})
			queue := w.make(t, RequestQueue, "")
			w.add(t, queue, false, "a", "b")
			w.lock(t, queue, 2, test.owner)
			_, prolonged := w.Prolong(t.Context(), queue, RequestID("a"), time.Minute, false, test.other)
			unlocked := w.Unlock(t.Context(), queue, RequestID("a"), false, test.other)
			n := must(w.UnlockAll(t.Context(), queue, test.other))(t)
			if test.owns {
				if prolonged != nil || unlocked != nil || n != 1 {
					t.Errorf("%v, %v, %d", prolonged, unlocked, n)
				}
				return
			}
			fails(t, prolonged, errtypes.TypeRequestHandledOrLocked)
			fails(t, unlocked, errtypes.TypeRequestHandledOrLocked)
			if n != 0 {
				t.Errorf("%d unlocked", n)
			}
		})
	}
}

func TestWhatAnUnlockedRequestIs(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		queue := w.make(t, RequestQueue, "")
		w.add(t, queue, false, "a", "b", "c", "d")
		w.lock(t, queue, 3, alice)
		done(t, w.Unlock(t.Context(), queue, RequestID("b"), true, alice))
		done(t, w.Unlock(t.Context(), queue, RequestID("a"), false, alice))
		if got := w.lock(t, queue, 0, bob); got != "b d a" {
			t.Error(got)
		}
		w.handle(t, queue, "c")
		for _, id := range []string{RequestID("c"), "none"} {
			done(t, w.Unlock(t.Context(), queue, id, false, alice))
		}
		_, err := w.Prolong(t.Context(), queue, RequestID("c"), time.Minute, false, alice)
		fails(t, err, errtypes.TypeRequestHandledOrLocked)
		_, err = w.Prolong(t.Context(), queue, "none", time.Minute, false, alice)
		fails(t, err, errtypes.TypeRecordNotFound)
		// Who has no lock changes what is stored, and neither the lock nor the order.
		must(w.UpdateRequest(t.Context(), queue, RequestID("d"), []byte(`{"url":"d","x":1}`), true, alice))(t)
		if r := must(w.GetRequest(t.Context(), queue, RequestID("d")))(t); r.LockedBy != "bob" || !strings.Contains(string(r.JSON), `"x":1`) {
			t.Errorf("%+v", r)
		}
		keyed := must(w.AddRequest(t.Context(), queue, []byte(`{"url":"e","uniqueKey":"k"}`), false, alice))(t)
		for _, partial := range []string{`{"id":"x","y":1}`, `{"url":"f"}`} {
			must(w.UpdateRequest(t.Context(), queue, keyed.ID, []byte(partial), false, alice))(t)
		}
		if r := must(w.GetRequest(t.Context(), queue, keyed.ID))(t); r.URL != "f" || r.UniqueKey != "k" {
			t.Errorf("%+v", r)
		}
		done(t, w.DeleteRequest(t.Context(), queue, keyed.ID, alice))
		if a := w.handle(t, queue, "d"); a.WasHandled {
			t.Errorf("%+v", a)
		}
		w.clock.Advance(time.Hour)
		_, err = w.Prolong(t.Context(), queue, RequestID("a"), time.Minute, false, bob)
		fails(t, err, errtypes.TypeRequestHandledOrLocked)
		if h := must(w.LockHead(t.Context(), queue, 0, time.Minute, alice))(t); order(h.Requests) != "b a" || !h.HadMultipleClients {
			t.Errorf("%+v", h)
		}
	})
}

func TestTheLocksOfARunAreFreedWithIt(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		one, two := w.make(t, RequestQueue, ""), w.make(t, RequestQueue, "")
		for _, queue := range []string{one, two} {
			w.add(t, queue, false, "a", "b", "c")
			w.lock(t, queue, 2, Client{"k", "run1"})
		}
		w.lock(t, two, 1, Client{"k", "run2"})
		must(w.Prolong(t.Context(), one, RequestID("b"), time.Minute, true, Client{"k", "run1"}))(t)
		w.clock.Advance(time.Second)
		var n int64
		done(t, w.conf.DB.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) (err error) {
			n, err = w.FreeLocks(ctx, tx, "run1")
			return err
		}))
		if n != 4 || w.head(t, one) != "b c a" || w.lock(t, two, 0, bob) != "a b" {
			t.Errorf("%d freed, %s", n, w.head(t, one))
		}
	})
}

func TestClientsOfAQueueAreCounted(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		several := func(queue string) bool { return w.get(t, RequestQueue, queue).HadMultipleClients }
		queue := w.make(t, RequestQueue, "")
		for range 2 {
			w.add(t, queue, false, "a")
			w.head(t, queue)
			w.lock(t, queue, 1, alice)
		}
		if several(queue) {
			t.Error("one client counts as several")
		}
		if h := must(w.service.Head(t.Context(), queue, 0, bob))(t); !h.HadMultipleClients || !several(queue) {
			t.Errorf("%+v", h)
		}
		queue = w.make(t, RequestQueue, "")
		must(w.service.Head(t.Context(), queue, 0, Client{}))(t)
		if several(queue) {
			t.Error("one call counts as several clients")
		}
		if h := must(w.LockHead(t.Context(), queue, 0, time.Minute, Client{}))(t); !h.HadMultipleClients || !several(queue) {
			t.Errorf("%+v", h)
		}
	})
}

func TestRequestsArePaged(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		queue := w.make(t, RequestQueue, "")
		var urls []string
		for i := range 30 {
			urls = append(urls, fmt.Sprint("u", i))
		}
		w.add(t, queue, false, urls...)
		w.lock(t, queue, 5, alice)
		w.handle(t, queue, "u10")
		count := func(q RequestsQuery) (n, pages int) {
			for pages = 1; ; pages++ {
				page := must(w.Requests(t.Context(), queue, q))(t)
				for _, r := range page.Requests {
					if n++; len(r.JSON) == 0 {
						t.Errorf("%+v", r)
					}
				}
				if q.Cursor = page.Next; q.Cursor == "" {
					return n, pages
				}
			}
		}
		for _, test := range []struct {
			q        RequestsQuery
			n, pages int
		}{
			{RequestsQuery{}, 30, 1},
			{RequestsQuery{Limit: 7}, 30, 5},
			{RequestsQuery{Limit: 10}, 30, 3},
			{RequestsQuery{Locked: true}, 5, 1},
			{RequestsQuery{Pending: true, Limit: 20}, 24, 2},
			{RequestsQuery{Locked: true, Pending: true}, 29, 1},
		} {
			if n, pages := count(test.q); n != test.n || pages != test.pages {
				t.Errorf("%+v: %d requests on %d pages", test.q, n, pages)
			}
		}
		page := must(w.Requests(t.Context(), queue, RequestsQuery{Limit: 4}))(t)
		rest := must(w.Requests(t.Context(), queue, RequestsQuery{After: page.Requests[3].ID}))(t)
		if len(rest.Requests) != 26 || rest.Limit != 10_000 || rest.Next != "" {
			t.Errorf("%d", len(rest.Requests))
		}
		for _, q := range []RequestsQuery{{Limit: -1}, {Cursor: "x"}, {Cursor: page.Next, Locked: true}, {After: "x", Pending: true}, {After: "x", Cursor: page.Next}} {
			_, err := w.Requests(t.Context(), queue, q)
			fails(t, err, "")
		}
	})
}

// A page ends where its requests are large, also where these lie in blobs.
func TestLargeRequestsMakePagesShort(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		queue := w.make(t, RequestQueue, "")
		const size, n = 6 << 20, 5
		for i := range n {
			request := fmt.Sprintf(`{"url":"u%d","payload":%q}`, i, strings.Repeat("x", size))
			must(w.AddRequest(t.Context(), queue, []byte(request), false, Client{}))(t)
		}
		var pages []int
		for q := (RequestsQuery{}); ; {
			page := must(w.Requests(t.Context(), queue, q))(t)
			for _, r := range page.Requests {
				if len(r.JSON) < size {
					t.Errorf("%s has %d bytes", r.URL, len(r.JSON))
				}
			}
			if pages = append(pages, len(page.Requests)); page.Next == "" {
				break
			}
			q.Cursor = page.Next
		}
		if !slices.Equal(pages, []int{3, 2}) {
			t.Errorf("pages of %v requests", pages)
		}
	})
}

func TestNoRequestIsHandledTwice(t *testing.T) {
	t.Parallel()
	db := storagetest.OpenFile(t)
	w := open(t, Config{DB: db})
	queue := w.make(t, RequestQueue, "")
	const n = 200
	var urls []string
	for i := range n {
		urls = append(urls, fmt.Sprint("u", i))
	}
	w.add(t, queue, false, urls...)
	var handled sync.Map
	var count atomic.Int64
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			c := Client{Key: fmt.Sprint("consumer", i)}
			for {
				h, err := w.LockHead(t.Context(), queue, 5, time.Hour, c)
				if err != nil {
					t.Error(err)
					return
				}
				if len(h.Requests) == 0 && !h.HasLocked {
					return
				}
				for _, r := range h.Requests {
					if other, twice := handled.LoadOrStore(r.ID, c.Key); twice {
						t.Errorf("%s is handled by %s and by %s", r.URL, other, c.Key)
					}
					raw := fmt.Appendf(nil, `{"url":%q,"handledAt":"2026-01-31T12:00:00Z"}`, r.URL)
					if _, err := w.UpdateRequest(t.Context(), queue, r.ID, raw, false, c); err != nil {
						t.Error(err)
					}
					count.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if st := w.get(t, RequestQueue, queue); count.Load() != n || st.Handled != n || st.Pending != 0 || !st.HadMultipleClients {
		t.Errorf("%d handled, %+v", count.Load(), st)
	}
}

func TestRequestsAreFoundByTheirIndexes(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	for name, query := range map[string]string{
		"one": oneRequest, "page": afterRequest + inIDOrder + "$3", "filtered": pendingRequest + inIDOrder + "$6", "head": headQuery,
		"free": firstFree, "run": freeQuery,
	} {
		storagetest.SearchesOnly(t, db, name, query)
	}
	if plan := storagetest.QueryPlan(t, db, anyLocked); !strings.Contains(plan, "queue_requests_locked") {
		t.Error(plan)
	}
}

func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"url":"u","uniqueKey":"k","retryCount":1,"handledAt":"2026-01-31T12:00:00Z","x":[1]}`))
	f.Add([]byte(`{"url":"u","url":"v","":{}}`))
	w := open(f, Config{})
	queue := w.make(f, RequestQueue, "")
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := w.AddRequest(t.Context(), queue, raw, false, alice)
		if err != nil {
			if !errtypes.Is(err, errtypes.Invalid) {
				t.Fatal(err)
			}
			return
		}
		r := must(w.GetRequest(t.Context(), queue, a.ID))(t)
		again := must(w.UpdateRequest(t.Context(), queue, a.ID, r.JSON, false, alice))(t)
		if !json.Valid(r.JSON) || again.ID != a.ID {
			t.Fatalf("%s: %s", raw, r.JSON)
		}
		done(t, w.DeleteRequest(t.Context(), queue, a.ID, alice))
	})
}
