package records

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage/storagetest"
)

// modelQueue is a queue as a list of requests in their order, which is sorted
// anew whenever a lock expires.
type modelQueue struct {
	now      int64
	requests []*modelRequest // those that are not locked, in order; handled ones apart
	locked   []*modelRequest
	handled  map[string]bool
	turns    int
}

type modelRequest struct {
	url    string
	until  int64
	front  bool
	client Client
	turn   int // of its lock
}

// expire returns the locks that have ended to the queue: in the order in which
// they ended, each behind what was added before.
func (m *modelQueue) expire() {
	slices.SortFunc(m.locked, func(a, b *modelRequest) int {
		if a.until == b.until && a.front && b.front {
			return b.turn - a.turn // each is put before the one before
		}
		return cmp.Or(int(a.until-b.until), a.turn-b.turn)
	})
	for len(m.locked) > 0 && m.locked[0].until <= m.now {
		r := m.locked[0]
		m.locked = m.locked[1:]
		m.put(r, r.front)
	}
}

func (m *modelQueue) put(r *modelRequest, front bool) {
	r.until, r.front = 0, front
	if front {
		m.requests = slices.Insert(m.requests, 0, r)
	} else {
		m.requests = append(m.requests, r)
	}
}

func (m *modelQueue) find(url string) (r *modelRequest, locked bool) {
	for _, r := range m.requests {
		if r.url == url {
			return r, false
		}
	}
	for _, r := range m.locked {
		if r.url == url {
			return r, true
		}
	}
	return nil, false
}

func (m *modelQueue) remove(url string) {
	is := func(r *modelRequest) bool { return r.url == url }
	m.requests, m.locked = slices.DeleteFunc(m.requests, is), slices.DeleteFunc(m.locked, is)
}

func (m *modelQueue) order() string {
	var urls []string
	for _, r := range m.requests {
		urls = append(urls, r.url)
	}
	return strings.Join(urls, " ")
}

// Random operations are held against the model. Time goes on between any two.
func TestAQueueIsAsItsModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testlevel.Of(2, 10)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := open(t, Config{DB: storagetest.Open(t)})
			g := &game{world: w, t: t, r: rand.New(rand.NewPCG(seed, 7)), queue: w.make(t, RequestQueue, ""), m: modelQueue{now: noon.UnixMilli(), handled: map[string]bool{}}}
			for i := range 400 {
				step := time.Duration(1+g.r.IntN(40)) * 7 * time.Millisecond
				w.clock.Advance(step)
				g.m.now += step.Milliseconds()
				g.m.expire()
				did := g.play()
				g.compare(fmt.Sprintf("step %d: %s", i, did))
			}
		})
	}
}

type game struct {
	*world
	t     *testing.T
	r     *rand.Rand
	queue string
	m     modelQueue
}

func (g *game) url() string { return fmt.Sprint("u", g.r.IntN(12)) }

func (g *game) client() Client {
	return []Client{alice, bob, {"carol", "run"}, {"dan", "run"}}[g.r.IntN(4)]
}

func (g *game) play() string {
	c, url, front := g.client(), g.url(), g.r.IntN(3) == 0
	switch g.r.IntN(8) {
	case 0, 1:
		g.addOne(url, front, c)
		return "add " + url
	case 2, 3:
		g.lockSome(1+g.r.IntN(3), time.Duration(1+g.r.IntN(60))*11*time.Millisecond, c)
		return "lock"
	case 4:
		g.update(url, front, g.r.IntN(3) == 0, c)
		return "update " + url
	case 5:
		g.prolongOne(url, time.Duration(1+g.r.IntN(60))*11*time.Millisecond, front, c)
		return "prolong " + url
	case 6:
		g.unlockOne(url, front, c)
		return "unlock " + url
	}
	if g.r.IntN(4) == 0 {
		done(g.t, g.DeleteRequest(g.t.Context(), g.queue, RequestID(url), c))
		g.m.remove(url)
		delete(g.m.handled, url)
		return "delete " + url
	}
	return "nothing"
}

func (g *game) addOne(url string, front bool, c Client) {
	a := must(g.AddRequest(g.t.Context(), g.queue, NewRequest(url), front, c))(g.t)
	r, _ := g.m.find(url)
	if a.WasPresent != (r != nil || g.m.handled[url]) || a.WasHandled != g.m.handled[url] {
		g.t.Errorf("%+v", a)
	}
	if !a.WasPresent {
		g.m.put(&modelRequest{url: url}, front)
	}
}

func (g *game) lockSome(n int, d time.Duration, c Client) {
	h := must(g.LockHead(g.t.Context(), g.queue, n, d, c))(g.t)
	n = min(n, len(g.m.requests))
	for i, r := range g.m.requests[:n] {
		g.m.turns++
		r.until, r.client, r.turn = g.m.now+d.Milliseconds(), c, g.m.turns
		if i >= len(h.Requests) || h.Requests[i].URL != r.url {
			g.t.Fatalf("locked %s, want %s", order(h.Requests), g.m.order())
		}
		g.m.locked = append(g.m.locked, r)
	}
	g.m.requests = g.m.requests[n:]
	if len(h.Requests) != n || h.HasLocked != (len(g.m.locked) > 0) {
		g.t.Errorf("%+v", h)
	}
}

func (r *modelRequest) ownedBy(c Client) bool {
	return r.client.Key == c.Key || r.client.RunID != "" && r.client.RunID == c.RunID
}

func (g *game) update(url string, front, handle bool, c Client) {
	raw := fmt.Appendf(nil, `{"url":%q}`, url)
	if handle {
		raw = fmt.Appendf(nil, `{"url":%q,"handledAt":"2026-01-31T12:00:00Z"}`, url)
	}
	a := must(g.UpdateRequest(g.t.Context(), g.queue, RequestID(url), json.RawMessage(raw), front, c))(g.t)
	r, locked := g.m.find(url)
	if a.WasHandled != g.m.handled[url] || a.WasPresent != (r != nil || a.WasHandled) {
		g.t.Errorf("%+v", a)
	}
	switch {
	case handle:
		g.m.remove(url)
		g.m.handled[url] = true
	case locked && !r.ownedBy(c):
	default:
		g.m.remove(url)
		delete(g.m.handled, url)
		g.m.put(&modelRequest{url: url}, front)
	}
}

func (g *game) prolongOne(url string, d time.Duration, front bool, c Client) {
	_, err := g.Prolong(g.t.Context(), g.queue, RequestID(url), d, front, c)
	r, locked := g.m.find(url)
	if (err == nil) != (locked && r.ownedBy(c)) {
		g.t.Errorf("prolong %s: %v", url, err)
	}
	if err == nil {
		r.until, r.front = g.m.now+d.Milliseconds(), front
	}
}

func (g *game) unlockOne(url string, front bool, c Client) {
	err := g.Unlock(g.t.Context(), g.queue, RequestID(url), front, c)
	r, locked := g.m.find(url)
	if (err != nil) != (locked && !r.ownedBy(c)) {
		g.t.Errorf("unlock %s: %v", url, err)
	}
	if err == nil && locked {
		g.m.remove(url)
		g.m.put(r, front)
	}
}

// compare holds what is free, and in which order, and the counts against the model.
func (g *game) compare(did string) {
	g.t.Helper()
	var free []string
	for _, r := range must(g.service.Head(g.t.Context(), g.queue, 0, alice))(g.t).Requests {
		if r.LockedUntil.IsZero() {
			free = append(free, r.URL)
		}
	}
	if got, want := strings.Join(free, " "), g.m.order(); got != want {
		g.t.Fatalf("%s: %q, want %q", did, got, want)
	}
	st := g.get(g.t, RequestQueue, g.queue)
	if st.Handled != int64(len(g.m.handled)) || st.Pending != int64(len(g.m.requests)+len(g.m.locked)) {
		g.t.Fatalf("%s: %+v", did, st)
	}
}
