package records

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
)

// oracle is the memory storage of the public crawler, in a process of its own.
type oracle struct {
	in  io.Writer
	out *bufio.Scanner
}

func newOracle(t *testing.T) *oracle {
	t.Helper()
	cmd := exec.Command("node", "queue.js")
	cmd.Dir, cmd.Stderr = npmtest.Dir(t, "npm"), os.Stderr
	in, out := must(cmd.StdinPipe())(t), must(cmd.StdoutPipe())(t)
	done(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	o := &oracle{in: in, out: bufio.NewScanner(out)}
	o.out.Buffer(nil, 1<<20)
	return o
}

// move is an operation on both.
type move struct {
	At        int64    `json:"at"`
	Op        string   `json:"op"`
	URLs      []string `json:"urls,omitempty"`
	ID        string   `json:"id,omitempty"`
	Seconds   float64  `json:"seconds,omitempty"`
	Forefront bool     `json:"forefront"`
	Handled   bool     `json:"handled"`
}

// said is what the oracle answers. Orders are the places of requests: null for
// one that is handled, below 0 for the forefront, a time in the future for a lock.
type said struct {
	Result struct {
		ProcessedRequests []struct {
			RequestID         string
			WasAlreadyPresent bool
			WasAlreadyHandled bool
		}
		Items                                []struct{ ID string }
		WasAlreadyPresent, WasAlreadyHandled bool
	}
	Orders                                                      map[string]*int64
	PendingRequestCount, TotalRequestCount, HandledRequestCount int64
}

func (o *oracle) play(t *testing.T, m move) (s said) {
	t.Helper()
	if _, err := fmt.Fprintln(o.in, string(must(json.Marshal(m))(t))); err != nil {
		t.Fatal(err)
	}
	if !o.out.Scan() {
		t.Fatalf("the oracle has ended: %v", o.out.Err())
	}
	done(t, json.Unmarshal(o.out.Bytes(), &s))
	return s
}

// The queue is held against the public implementation in what both define: ids,
// deduplication, what locks hide and until when, and the order, which there is
// a number. Where that leaves ties (the requests of one call) ours has an order,
// too.
func TestAQueueIsAsThePublicImplementation(t *testing.T) {
	t.Parallel()
	o := newOracle(t)
	w := open(t, Config{})
	queue := w.make(t, RequestQueue, "")
	r := rand.New(rand.NewPCG(5, 6))
	at := noon.UnixMilli()
	for i := range testlevel.Of(300, 3000) {
		step := time.Duration(1+r.IntN(500)) * time.Millisecond
		w.clock.Advance(step)
		at += step.Milliseconds()
		m := randomMove(r)
		m.At = at
		want := o.play(t, m)
		got := w.playMove(t, queue, m)
		if text := fmt.Sprintf("%d: %+v", i, m); !sameAnswer(t, m, got, want) || !w.sameQueue(t, queue, want) {
			t.Fatal(text)
		}
	}
}

func randomMove(r *rand.Rand) move {
	urls := make([]string, 1+r.IntN(3))
	for i := range urls {
		urls[i] = fmt.Sprintf("http://example.com/%d", r.IntN(15))
	}
	m := move{URLs: urls, ID: RequestID(urls[0]), Forefront: r.IntN(3) == 0}
	switch n := r.IntN(10); {
	case n < 3:
		m.Op = "add"
	case n < 5:
		m.Op, m.Seconds = "lock", float64(1+r.IntN(2000))/1000
	case n < 8:
		m.Op, m.Handled = "update", r.IntN(3) == 0
	case n < 9:
		m.Op = "unlock"
	default:
		m.Op = "nothing" // and no deletions: it fails at what was deleted of the forefront
	}
	return m
}

// answer is what an operation returned.
type answer struct {
	added  []Added
	locked []string
}

func (w *world) playMove(t *testing.T, queue string, m move) (a answer) {
	t.Helper()
	switch m.Op {
	case "add":
		var batch []json.RawMessage
		for _, url := range m.URLs {
			batch = append(batch, NewRequest(url))
		}
		a.added = must(w.AddRequests(t.Context(), queue, batch, m.Forefront, alice))(t)
	case "lock":
		h := must(w.LockHead(t.Context(), queue, MaxBatch, time.Duration(math.Round(m.Seconds*1000))*time.Millisecond, alice))(t)
		for _, r := range h.Requests {
			a.locked = append(a.locked, r.ID)
		}
	case "update":
		raw := fmt.Appendf(nil, `{"url":%q}`, m.URLs[0])
		if m.Handled {
			raw = fmt.Appendf(nil, `{"url":%q,"handledAt":"2026-01-31T12:00:00.000Z"}`, m.URLs[0])
		}
		a.added = []Added{must(w.UpdateRequest(t.Context(), queue, m.ID, raw, m.Forefront, alice))(t)}
	case "unlock":
		done(t, w.Unlock(t.Context(), queue, m.ID, m.Forefront, alice))
	}
	return a
}

func sameAnswer(t *testing.T, m move, got answer, want said) bool {
	t.Helper()
	var locked []string
	for _, item := range want.Result.Items {
		locked = append(locked, item.ID)
	}
	slices.Sort(locked)
	slices.Sort(got.locked)
	ok := slices.Equal(got.locked, locked)
	for i, p := range want.Result.ProcessedRequests {
		a := got.added[i]
		ok = ok && a.ID == p.RequestID && a.WasPresent == p.WasAlreadyPresent && a.WasHandled == p.WasAlreadyHandled
	}
	if m.Op == "update" {
		ok = ok && got.added[0].WasPresent == want.Result.WasAlreadyPresent && got.added[0].WasHandled == want.Result.WasAlreadyHandled
	}
	if !ok {
		t.Errorf("got %+v, want %+v", got, want.Result)
	}
	return ok
}

// sameQueue holds the requests, their order and the counts against the oracle's.
// Its counts of handled requests miss those that go back; ours are told from the
// requests.
func (w *world) sameQueue(t *testing.T, queue string, want said) bool {
	t.Helper()
	left := maps.Clone(want.Orders)
	last := int64(math.MinInt64)
	for _, r := range must(w.service.Head(t.Context(), queue, maxHead, alice))(t).Requests {
		order := left[r.ID]
		if delete(left, r.ID); order == nil || *order < last {
			t.Errorf("%s has the place %v behind %d", r.URL, order, last)
			return false
		}
		last = *order
	}
	var handled int64
	for id, order := range left {
		if handled++; order != nil {
			t.Errorf("%s is not there", id)
			return false
		}
	}
	st := w.get(t, RequestQueue, queue)
	ok := st.Items == want.TotalRequestCount && st.Handled == handled && st.Pending == st.Items-handled
	if !ok {
		t.Errorf("%+v, want %+v", st, want)
	}
	return ok
}
