package sessions

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/drover-go/drover/runs/browser"
)

// LogEntry is one thing that happened in the browser of a session.
type LogEntry struct {
	// Method is the name of a CDP event, or "Drover.note".
	Method string
	// Page numbers the tabs of the session from 0, in the order in which they
	// were heard of.
	Page      int
	SessionID string
	Time      time.Time
	// Params are those of the event, an object. Secrets of headers are left
	// out, those of addresses masked.
	Params json.RawMessage
	// FrameID and LoaderID are those of Params, where it has them.
	FrameID, LoaderID string
}

// A sessionLog keeps the newest entries, within a number and a size.
type sessionLog struct {
	limits  Limits
	session string
	on      bool

	mu      sync.Mutex
	entries []LogEntry
	count   uint64 // of all entries, also those that have gone
	size    int
	pages   map[string]int
}

func newSessionLog(l Limits, session string, on bool) *sessionLog {
	return &sessionLog{limits: l, session: session, on: on, pages: map[string]int{}}
}

// note writes something that Drover itself has to say.
func (g *sessionLog) note(at time.Time, text string) {
	params, err := json.Marshal(map[string]string{"message": text})
	if err == nil {
		g.add(browser.Event{Time: at, Method: "Drover.note", Params: params})
	}
}

// entryCost is what an entry takes beside its params, roughly.
const entryCost = 200

// add never waits for anything but another add.
func (g *sessionLog) add(e browser.Event) {
	if !g.on || len(e.Params)+entryCost > g.limits.MaxLog {
		return
	}
	entry := LogEntry{Method: e.Method, SessionID: g.session, Time: e.Time, Params: e.Params}
	entry.FrameID, entry.LoaderID = frameAndLoader(e.Params)
	g.mu.Lock()
	defer g.mu.Unlock()
	entry.Page = g.page(e.Tab)
	g.entries = append(g.entries, entry)
	g.count++
	g.size += len(e.Params) + entryCost
	for len(g.entries) > g.limits.MaxLogEntries || g.size > g.limits.MaxLog {
		g.size -= len(g.entries[0].Params) + entryCost
		g.entries[0] = LogEntry{} // so that its memory is free before the array grows
		g.entries = g.entries[1:]
	}
}

// maxPages bounds the tabs that have numbers of their own; a page can open and
// close any number.
const maxPages = 10_000

func (g *sessionLog) page(tab string) int {
	n, known := g.pages[tab]
	if !known && tab != "" && len(g.pages) < maxPages {
		n = len(g.pages)
		g.pages[tab] = n
	}
	return n
}

func (g *sessionLog) all() []LogEntry {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]LogEntry{}, g.entries...)
}

// since returns the entries after the first n, as far as they are still there,
// and how many there have been.
func (g *sessionLog) since(n uint64) ([]LogEntry, uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	fresh := min(g.count-n, uint64(len(g.entries)))
	return append([]LogEntry{}, g.entries[uint64(len(g.entries))-fresh:]...), g.count
}

func frameAndLoader(params json.RawMessage) (frame, loader string) {
	var ids struct {
		FrameID  string `json:"frameId"`
		LoaderID string `json:"loaderId"`
	}
	_ = json.Unmarshal(params, &ids) // what has none, or is none, says nothing
	return ids.FrameID, ids.LoaderID
}

// observe takes what the browser tells, without the secrets in it.
func (l *live) observe(e browser.Event) {
	e = l.cleanEvent(e)
	l.log.add(e)
	l.rec.observe(e)
}
