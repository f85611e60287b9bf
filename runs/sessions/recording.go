package sessions

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
)

// RecordingEvent is one event of a recording. The tag in its Data says what it
// is: a frame of the screen, a step of an agent, an event of the browser that
// changed what is seen, or that something was left out (truncated).
type RecordingEvent struct {
	// Type is 5. Over the wire they have the types of rrweb: see [Wire].
	Type      int             `json:"type"`
	Time      time.Time       `json:"time"`
	SessionID string          `json:"sessionId"`
	Data      json.RawMessage `json:"data"`
}

// A recorder keeps frames, steps, events and acts in memory until the session
// ends, each within limits of their own: a step is never pushed out by frames,
// nor the address of a page by clicks. Frames become fewer (frames.go), of events
// and acts the newest are kept, steps beyond their limits are left out; where
// something other than a frame is missing, one event says so.
type recorder struct {
	limits  Limits
	clock   clock.Clock
	session string
	on      bool

	mu     sync.Mutex
	frames *frames
	steps  marks
	events marks
	acts   marks     // of clients: clicks and keys
	full   time.Time // when something was left out for the first time
}

func newRecorder(l Limits, c clock.Clock, session string, on bool) *recorder {
	return &recorder{
		limits: l, clock: c, session: session, on: on, frames: newFrames(l),
		steps: marks{most: l.MaxSteps, bytes: l.MaxStepBytes}, events: marks{most: l.MaxEvents, bytes: l.MaxStepBytes},
		acts: marks{most: l.MaxActs, bytes: l.MaxStepBytes},
	}
}

// frame keeps a picture.
func (r *recorder) frame(f browser.Frame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock.Now()
	r.frames.add(still{at: now, frame: f})
	r.missed(now, r.frames.refused)
}

// step keeps what was done. It must hold no secret.
func (r *recorder) step(what any) {
	data, err := json.Marshal(map[string]any{"tag": "step", "payload": what})
	if !r.on || err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock.Now()
	r.missed(now, !r.steps.add(r.event(now, data)))
}

// observe keeps what happened in the browser, if it belongs there.
func (r *recorder) observe(e browser.Event) {
	if !r.on || !belongs(e) {
		return
	}
	data, err := json.Marshal(eventData[eventPayload]{"event", eventPayload{e.Method, e.Tab, e.Params}})
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := &r.events
	if isAct(e) {
		kept = &r.acts
	}
	r.missed(e.Time, !kept.push(r.event(e.Time, data)))
}

// stepsSince returns the steps after the first n.
func (r *recorder) stepsSince(n int) []RecordingEvent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]RecordingEvent{}, r.steps.all[n:]...)
}

func (r *recorder) event(at time.Time, data json.RawMessage) RecordingEvent {
	return RecordingEvent{customEvent, at, r.session, data}
}

// missed notes when something was left out.
func (r *recorder) missed(at time.Time, missed bool) {
	if missed && r.full.IsZero() {
		r.full = at
	}
}

// all returns everything in the order in which it happened.
func (r *recorder) all() []RecordingEvent {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := append([]RecordingEvent{}, slices.Concat(r.events.all, r.acts.all, r.steps.all)...)
	for _, s := range r.frames.kept {
		all = append(all, r.event(s.at, s.data()))
	}
	if !r.full.IsZero() {
		all = append(all, r.event(r.full, json.RawMessage(`{"tag":"truncated","payload":{}}`)))
	}
	slices.SortStableFunc(all, func(a, b RecordingEvent) int { return a.Time.Compare(b.Time) })
	return all
}

// recordPause is how long a screen that cannot be shown is left alone.
const recordPause = time.Second

// record keeps the frames of the session's current tab until the session ends.
func (l *live) record() {
	for l.ctx.Err() == nil {
		err := l.browser.Screencast(l.ctx, browser.ScreencastOptions{}, l.keepFrame)
		if errtypes.Is(err, errtypes.Unavailable) { // there is no screen, and will be none
			return
		}
		if clock.Sleep(l.ctx, l.conf.Clock, recordPause) != nil {
			return
		}
	}
}
