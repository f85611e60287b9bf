package page

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
)

// An observer passes on what happens in a session to who asked for it, from a
// goroutine of its own: events are noted on the goroutines that read the
// browser's messages, which nobody may hold up. A nil observer observes
// nothing.
type observer struct {
	clock clock.Clock
	tell  func(browser.Event)
	limit Limits

	mu      sync.Mutex
	queue   []noted
	dropped int
	second  int64 // of the events counted
	count   int
	closed  bool
	wake    chan struct{}
	gone    chan struct{}
}

// noted is an event that waits to be told.
type noted struct {
	at     time.Time
	tab    string
	method string
	params any
}

func newObserver(o Options, tell func(browser.Event)) *observer {
	if tell == nil {
		return nil
	}
	w := &observer{clock: o.Clock, tell: tell, limit: o.Limits, wake: make(chan struct{}, 1), gone: make(chan struct{})}
	go w.run()
	return w
}

// note keeps an event. One that matters is told however many there are.
func (w *observer) note(tab, method string, params any) {
	if w != nil {
		w.keep(tab, method, params, w.limit.Events)
	}
}

// fits counts an event that is one of many; false if there are too many, and
// then it is only counted.
func (w *observer) fits() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now := w.clock.Now().Unix(); now != w.second {
		w.second, w.count = now, 0
	}
	w.count++
	if w.count > w.limit.EventRate || len(w.queue) >= w.limit.Events/2 {
		w.dropped++
		return false
	}
	return true
}

// drop counts an event that nobody is told of.
func (w *observer) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dropped++
}

func (w *observer) keep(tab, method string, params any, limit int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || len(w.queue) >= limit {
		w.dropped++
		return
	}
	w.queue = append(w.queue, noted{w.clock.Now(), tab, method, params})
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// run tells of the events until close.
func (w *observer) run() {
	defer close(w.gone)
	for range w.wake {
		for {
			batch := w.take()
			if len(batch) == 0 {
				break
			}
			for _, n := range batch {
				w.pass(n)
			}
		}
	}
}

// take returns what waits, and what was dropped as an event of its own.
func (w *observer) take() []noted {
	w.mu.Lock()
	defer w.mu.Unlock()
	batch := w.queue
	w.queue = nil
	if w.dropped > 0 {
		batch = append(batch, noted{at: w.clock.Now(), method: browser.EventsDropped, params: map[string]any{"count": w.dropped}})
		w.dropped = 0
	}
	return batch
}

func (w *observer) pass(n noted) {
	params, err := json.Marshal(n.params)
	if err != nil {
		params = json.RawMessage("{}")
	}
	w.tell(browser.Event{Time: n.at, Tab: n.tab, Method: n.method, Params: params})
}

// close tells of what is left and waits for that.
func (w *observer) close() {
	if w == nil {
		return
	}
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.wake)
	}
	w.mu.Unlock()
	<-w.gone
	for _, n := range w.take() {
		w.pass(n)
	}
}
