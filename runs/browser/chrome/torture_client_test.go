package chrome_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
	"github.com/drover-go/drover/runs/browser/chrome/internal/protocolfuzz"
)

// A hostile client sends what was made up for it, many commands at a time, and
// waits for none for long.
type hostile struct {
	t      testing.TB
	pools  *protocolfuzz.Pools
	canary []byte // must not occur in what it hears
	in     chan []byte
	left   chan struct{}
	done   chan error

	mu      sync.Mutex
	next    int64
	pending map[int64]sent
	late    map[int64]sent // was not waited for
	seats   []seat         // protocol sessions, of the first page first
	leaked  []byte
	moved   chan struct{} // of one place: an answer came
	tally   tally
	last    string      // frame, with the time and to what
	auto    chan []byte // what it answers of its own accord
}

// A seat is a protocol session with something, and a sent command one that went
// to such a session.
type (
	seat struct{ id, kind string }
	sent struct {
		protocolfuzz.Step
		kind  string
		frame []byte
	}
)

const (
	inFlight = 64                     // commands at a time
	patience = 400 * time.Millisecond // for one of them, when as many are under way
)

// Read implements [browser.Client].
func (h *hostile) Read(ctx context.Context) ([]byte, error) {
	select {
	case frame := <-h.in:
		return frame, nil
	case frame := <-h.auto:
		return frame, nil
	case <-h.left:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Write implements [browser.Client].
func (h *hostile) Write(_ context.Context, frame []byte) error {
	var r reply
	json.Unmarshal(frame, &r)
	h.mu.Lock()
	defer h.mu.Unlock()
	if bytes.Contains(frame, h.canary) && h.leaked == nil {
		h.leaked = bytes.Clone(frame[:min(len(frame), 2000)])
	}
	if r.Method != "" {
		h.pools.Event(r.Method, r.Params)
		h.onEvent(r)
		return nil
	}
	step, ok := h.pending[r.ID]
	if !ok {
		step = h.late[r.ID]
	}
	delete(h.pending, r.ID)
	delete(h.late, r.ID)
	if step.Method != "" {
		h.tally.count(step.Method, r)
	}
	h.pools.Answer(step.Method, r.Result)
	select {
	case h.moved <- struct{}{}:
	default:
	}
	return nil
}

// A tally is how commands were answered.
type tally struct {
	sent, done, refused, failed int
	deep                        map[string]bool // methods that have succeeded
}

func (c *tally) count(method string, r reply) {
	switch {
	case r.Error == nil:
		c.done++
		if c.deep == nil {
			c.deep = map[string]bool{}
		}
		c.deep[method] = true
	case r.Error.Code == policy.CodeParams:
		c.refused++
	default:
		c.failed++
	}
}

func (c *tally) add(other tally) {
	c.sent, c.done, c.refused, c.failed = c.sent+other.sent, c.done+other.done, c.refused+other.refused, c.failed+other.failed
	if c.deep == nil {
		c.deep = map[string]bool{}
	}
	maps.Copy(c.deep, other.deep)
}

func (c *tally) String() string {
	return fmt.Sprintf("%d commands: %d done, %d with wrong parameters, %d failed, %d unanswered; %d methods succeeded",
		c.sent, c.done, c.refused, c.failed, c.sent-c.done-c.refused-c.failed, len(c.deep))
}

// onEvent keeps its pages going. The lock is held.
func (h *hostile) onEvent(r reply) {
	switch r.Method {
	case "Target.attachedToTarget":
		kind, id := attached(r.Params)
		h.seats = append(h.seats, seat{id, kind})
		h.own(id, "Runtime.runIfWaitingForDebugger", nil)
	case "Target.detachedFromTarget":
		var p struct{ SessionID string }
		json.Unmarshal(r.Params, &p)
		for i, id := range h.seats {
			if id.id == p.SessionID {
				h.seats = append(h.seats[:i:i], h.seats[i+1:]...)
				break
			}
		}
	case "Page.javascriptDialogOpening":
		h.own(r.SessionID, "Page.handleJavaScriptDialog", map[string]any{"accept": true})
	case "Debugger.paused":
		h.own(r.SessionID, "Debugger.resume", nil)
	case "Fetch.requestPaused":
		var p struct{ RequestID string }
		json.Unmarshal(r.Params, &p)
		h.own(r.SessionID, "Fetch.continueRequest", map[string]any{"requestId": p.RequestID})
	}
}

// own sends something that was not made up. The lock is held.
func (h *hostile) own(session, method string, params any) {
	h.next++
	frame, _ := json.Marshal(map[string]any{"id": h.next, "method": method, "params": params, "sessionId": session})
	select {
	case h.auto <- frame:
	default: // it hears more than it can answer
	}
}

// join begins to serve a hostile client.
func join(t testing.TB, s browser.Session, pools *protocolfuzz.Pools, canary string) *hostile {
	h := &hostile{
		t: t, pools: pools, canary: []byte(canary), in: make(chan []byte), left: make(chan struct{}), done: make(chan error, 1),
		pending: map[int64]sent{}, late: map[int64]sent{}, moved: make(chan struct{}, 1), auto: make(chan []byte, 256),
	}
	go func() { h.done <- s.Serve(t.Context(), h) }()
	return h
}

func (h *hostile) leave() {
	close(h.left)
	select {
	case <-h.done:
	case <-time.After(overdue):
		h.t.Fatalf("the connection does not end in %s; sent last: %.2000s", overdue, h.last)
	}
}

// send sends a step; false when the connection has ended, as it may.
func (h *hostile) send(step protocolfuzz.Step) bool {
	h.room(inFlight)
	params := h.pools.Fill(step)
	h.mu.Lock()
	to := seat{kind: "browser"}
	if n := len(h.seats); !step.Root && n > 0 {
		to = h.seats[step.On%n]
	}
	h.next++
	frame, err := json.Marshal(map[string]any{"id": h.next, "method": step.Method, "params": params, "sessionId": to.id})
	if err != nil {
		panic(err)
	}
	h.pending[h.next] = sent{step, to.kind, frame}
	h.tally.sent++
	h.mu.Unlock()
	h.last = fmt.Sprintf("%s %s %s", time.Now().Format("05.000"), to.kind, frame)
	select {
	case h.in <- frame:
		return true
	case err := <-h.done:
		h.done <- err
		return false
	case <-time.After(overdue):
		h.t.Fatalf("no command is taken in %s: %.2000s", overdue, h.last)
		return false
	}
}

// room waits until fewer commands are under way, or gives up what is.
func (h *hostile) room(most int) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		h.mu.Lock()
		n := len(h.pending)
		h.mu.Unlock()
		if n < most {
			return
		}
		select {
		case <-h.moved:
		case err := <-h.done:
			h.done <- err
			return
		case <-timer.C:
			h.mu.Lock()
			for id, step := range h.pending {
				h.late[id] = step
			}
			clear(h.pending)
			h.mu.Unlock()
			return
		}
	}
}

// unanswered are the commands that may have done what has happened.
func (h *hostile) unanswered() []sent {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := maps.Clone(h.late)
	maps.Copy(all, h.pending)
	var list []sent
	for _, id := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[id])
	}
	return list
}

func (h *hostile) leak() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.leaked
}
