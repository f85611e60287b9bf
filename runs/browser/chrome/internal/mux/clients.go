package mux

import (
	"reflect"
	"slices"
	"sync"
	"time"

	cdpio "github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/target"
)

// Limits bound what external clients of a session may use; chrome.Clients, which
// has the same fields, says what each is.
type Limits struct {
	Max, Message, Queue, Unread, Contexts int
	Dialog, Hold                          time.Duration
}

// Clients are the external clients of a session, and the targets that they
// can see. The browser would show each of them every target of every session,
// and stop every new page for it; so they are shown what the session knows.
type Clients struct {
	s        Session
	o        Options
	pictures *Pictures
	typed    typedInto

	mu        sync.Mutex
	targets   []*target.Info // in the order in which they came
	tab       *target.Info   // came last, so the next target is what is in it
	conns     map[*conn]struct{}
	holds     map[target.ID]*Hold
	traces    map[cdpio.StreamHandle]*traceFilter // streams that can be read
	permitted map[string]string                   // files of the machine by the names that clients know
}

// NewClients returns those of a session, of which there are none yet.
func NewClients(s Session, p *Pictures, o Options) *Clients {
	return &Clients{
		s: s, o: o, pictures: p, conns: map[*conn]struct{}{}, holds: map[target.ID]*Hold{},
		traces: map[cdpio.StreamHandle]*traceFilter{}, permitted: map[string]string{},
	}
}

// The methods below run on the goroutine that reads the browser's messages.

// Created hears of a new target.
func (v *Clients) Created(info *target.Info) {
	v.mu.Lock()
	defer v.mu.Unlock()
	tab := v.tab
	v.tab = nil
	switch {
	case info.Type == "tab":
		v.tab = info
		return
	case tab != nil && info.Type == "page":
		v.add(tab)
	}
	if v.serves(info.Type) {
		v.add(info)
	}
}

// add is called with the lock held.
func (v *Clients) add(info *target.Info) {
	if v.index(info.TargetID) >= 0 {
		return
	}
	v.targets = append(v.targets, info)
	for c := range v.conns {
		c.onCreated(info)
	}
}

// served are the types of targets that clients may see, tabs of pages beside
// them. The browser's own surfaces, pages with rights that others have not, are
// in the same browser context.
var served = []string{"page", "iframe", "worker", "service_worker", "shared_worker", "background_page", "webview", "auction_worklet", "worklet", "shared_storage_worklet"}

// serves reports whether clients may see targets of a type. Chromium 156 ends
// when somebody attaches to a shared worker that is about to end, as it does
// with its last page, so where others use the browser no client sees any.
func (v *Clients) serves(kind string) bool {
	return slices.Contains(served, kind) && (v.s.Alone() || kind != "shared_worker")
}

// Changed hears what a target has become.
func (v *Clients) Changed(info *target.Info) {
	v.mu.Lock()
	defer v.mu.Unlock()
	i := v.index(info.TargetID)
	if i < 0 {
		return
	}
	before := *v.targets[i]
	v.targets[i] = info
	before.Attached = info.Attached // by whom is another matter
	if reflect.DeepEqual(&before, info) {
		return
	}
	for c := range v.conns {
		c.tellChanged(info)
	}
}

// Destroyed hears that a target has ended.
func (v *Clients) Destroyed(id target.ID) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.release(id)
	i := v.index(id)
	if i < 0 {
		return
	}
	info := v.targets[i]
	v.targets = slices.Delete(v.targets, i, i+1)
	for c := range v.conns {
		c.tell(info, "Target.targetDestroyed", map[string]target.ID{"targetId": id})
		c.forget(id)
	}
}

// Crashed hears that the process of a target has ended unasked.
func (v *Clients) Crashed(ev *target.EventTargetCrashed) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if i := v.index(ev.TargetID); i >= 0 {
		for c := range v.conns {
			c.tell(v.targets[i], "Target.targetCrashed", ev)
		}
	}
}

// index is called with the lock held.
func (v *Clients) index(id target.ID) int {
	return slices.IndexFunc(v.targets, func(t *target.Info) bool { return t.TargetID == id })
}

// find returns a target that a context of the session has; nil for others.
func (v *Clients) find(id target.ID) *target.Info {
	v.mu.Lock()
	defer v.mu.Unlock()
	if i := v.index(id); i >= 0 {
		return v.targets[i]
	}
	return nil
}

// pages counts the pages of all contexts of the session, and what clients have
// hidden.
func (v *Clients) pages() (n int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, t := range v.targets {
		if t.Type == "page" || t.Type == hiddenType {
			n++
		}
	}
	return n
}

// join counts a client in; false when there are enough.
func (v *Clients) join(c *conn, most int) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.conns) >= most {
		return false
	}
	v.conns[c] = struct{}{}
	return true
}

// leave counts a client out; no page waits for it any more.
func (v *Clients) leave(c *conn) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.conns, c)
	for id := range v.holds {
		v.saw(c, id)
	}
}
