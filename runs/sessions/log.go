package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/joblog"
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
	Params json.RawMessage `json:",omitempty"`
	// FrameID and LoaderID are those of Params, where it has them.
	FrameID, LoaderID string
}

// noteMethod is the method of entries that Drover itself makes.
const noteMethod = "Drover.note"

// logOf is whose log it is.
func logOf(r row) joblog.Owner {
	return joblog.Owner{Kind: "session", Ref: r.ID, ProjectID: r.ProjectID}
}

// logOptions keep at least what newest leaves.
func (l Limits) logOptions() joblog.Options {
	return joblog.Options{MaxLines: int64(l.MaxLogEntries), MaxBytes: int64(l.MaxLog)}
}

// A sessionLog writes what happens into the log of a session. A nil one writes
// nothing.
type sessionLog struct {
	to   *joblog.Log
	most int // bytes of an entry

	mu    sync.Mutex
	pages map[string]int
}

func newSessionLog(l Limits, to *joblog.Log) *sessionLog {
	if to == nil {
		return nil
	}
	return &sessionLog{to: to, most: l.MaxLog, pages: map[string]int{}}
}

// note writes something that Drover itself has to say.
func (g *sessionLog) note(at time.Time, text string) {
	if g != nil {
		g.to.AppendAt(at, joblog.System, text)
	}
}

// entryCost is what an entry takes beside its params, roughly.
const entryCost = 200

// add never waits for anything but another add. An event lies in the log as its
// method, page and params.
func (g *sessionLog) add(e browser.Event) {
	if g == nil || len(e.Params)+entryCost > g.most {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.to.AppendAt(e.Time, joblog.Event, fmt.Sprintf("%s %d\n%s", e.Method, g.page(e.Tab), e.Params))
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

// logEntry makes an entry of one of a session's log.
func logEntry(id string, e joblog.Entry) LogEntry {
	if e.Stream == joblog.System {
		return LogEntry{Method: noteMethod, SessionID: id, Time: e.Time, Params: message(e.Text)}
	}
	head, params, _ := strings.Cut(e.Text, "\n")
	method, page, _ := strings.Cut(head, " ")
	entry := LogEntry{Method: method, SessionID: id, Time: e.Time}
	entry.Page, _ = strconv.Atoi(page) // which is a number
	if params != "" {
		entry.Params = json.RawMessage(params)
		entry.FrameID, entry.LoaderID = frameAndLoader(entry.Params)
	}
	return entry
}

func message(text string) json.RawMessage { return encoded(map[string]string{"message": text}) }

func frameAndLoader(params json.RawMessage) (frame, loader string) {
	var ids struct {
		FrameID  string `json:"frameId"`
		LoaderID string `json:"loaderId"`
	}
	_ = json.Unmarshal(params, &ids) // what has none, or is none, says nothing
	return ids.FrameID, ids.LoaderID
}

// newest leaves the newest entries, within a number and a size.
func (l Limits) newest(all []LogEntry) []LogEntry {
	from, size := len(all), 0
	for from > 0 && len(all)-from < l.MaxLogEntries {
		if size += len(all[from-1].Params) + entryCost; size > l.MaxLog {
			break
		}
		from--
	}
	return slices.Clip(all[from:])
}

// observe takes what the browser tells, without the secrets in it.
func (l *live) observe(e browser.Event) {
	if l.privacy.hides() {
		return
	}
	e = l.cleanEvent(e)
	l.log.add(e)
	l.rec.observe(e)
}

// Logs implements [Service].
func (s *service) Logs(ctx context.Context, id string) (_ []LogEntry, err error) {
	defer errtypes.Wrap(&err, "sessions.Logs(%q)", id)
	r, err := s.get(ctx, id)
	if err != nil {
		return nil, err
	}
	switch {
	case r.Settings.NoLog:
		return []LogEntry{}, nil
	case r.logKey != "": // written by a former version
		return read[LogEntry](ctx, s, r.logKey)
	}
	all, err := s.loggedAnywhere(ctx, r)
	return s.conf.Limits.newest(all), err
}

// loggedAnywhere is what the log of a session has, with what the process that
// has the session has not written yet. If that does not answer, what it wrote
// has to do.
func (s *service) loggedAnywhere(ctx context.Context, r row) ([]LogEntry, error) {
	if _, elsewhere := s.ownerOf(r); elsewhere && r.Status == Running {
		all, err := fromOwner(ctx, s, r, "logs", func(now row) ([]LogEntry, error) { return s.logged(ctx, now) })
		if !errtypes.Is(err, errtypes.Unavailable) {
			return all, err
		}
	}
	return s.logged(ctx, r)
}

// logged is what the log of a session has as far as this process knows: nothing
// where a former version had the session.
func (s *service) logged(ctx context.Context, r row) ([]LogEntry, error) {
	all := []LogEntry{}
	for e, err := range s.conf.Logs.Entries(ctx, logOf(r).ID(), 0) {
		if errtypes.Is(err, errtypes.NotFound) {
			break
		}
		if err != nil {
			return nil, err
		}
		all = append(all, logEntry(r.ID, e))
	}
	if r.lost() {
		all = append(all, LogEntry{Method: noteMethod, SessionID: r.ID, Time: r.EndedAt, Params: logLost})
	}
	return all, nil
}
