package sessions

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/deadline"
)

// RecordingEvent is one event of a recording.
type RecordingEvent struct {
	// Type is 5, which the format calls a custom event.
	Type      int             `json:"type"`
	Time      time.Time       `json:"time"`
	SessionID string          `json:"sessionId"`
	Data      json.RawMessage `json:"data"`
}

// customEvent is the type of all events of ours.
const customEvent = 5

// A recorder keeps frames and steps in memory until the session ends, within
// its limits. What comes beyond them is left out, and the last event says so.
type recorder struct {
	limits  Limits
	clock   clock.Clock
	session string
	on      bool

	mu            sync.Mutex
	events        []RecordingEvent
	frames, steps int
	size          int
	lastFrame     time.Time
	full          bool
}

func newRecorder(l Limits, c clock.Clock, session string, on bool) *recorder {
	return &recorder{limits: l, clock: c, session: session, on: on}
}

type frameData struct {
	Tag     string       `json:"tag"`
	Payload framePayload `json:"payload"`
}

type framePayload struct {
	PageID   string `json:"pageId,omitempty"`
	MIMEType string `json:"mimeType"`
	Data     []byte `json:"data"` // base64 in JSON
}

// frame keeps a picture, unless it follows the last one too soon.
func (r *recorder) frame(f browser.Frame) {
	now := r.clock.Now()
	r.mu.Lock()
	tooSoon := r.frames > 0 && now.Sub(r.lastFrame) < r.limits.FrameInterval
	r.mu.Unlock()
	if tooSoon {
		return
	}
	data, err := json.Marshal(frameData{"frame", framePayload{f.Tab, "image/jpeg", f.Data}})
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.frames < r.limits.MaxFrames && r.keep(now, data) {
		r.frames++
		r.lastFrame = now
	} else {
		r.overflow(now)
	}
}

// step keeps what was done. It must hold no secret.
func (r *recorder) step(what any) {
	data, err := json.Marshal(map[string]any{"tag": "step", "payload": what})
	if !r.on || err != nil {
		return
	}
	now := r.clock.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.steps < r.limits.MaxSteps && r.keep(now, data) {
		r.steps++
	} else {
		r.overflow(now)
	}
}

func (r *recorder) keep(now time.Time, data json.RawMessage) bool {
	if r.size+len(data) > r.limits.MaxRecording {
		return false
	}
	r.size += len(data)
	r.events = append(r.events, RecordingEvent{customEvent, now, r.session, data})
	return true
}

// overflow says once that there is more than was kept.
func (r *recorder) overflow(now time.Time) {
	if !r.full {
		r.full = true
		r.events = append(r.events, RecordingEvent{customEvent, now, r.session, json.RawMessage(`{"tag":"truncated","payload":{}}`)})
	}
}

func (r *recorder) all() []RecordingEvent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]RecordingEvent{}, r.events...)
}

// recordPause is how long a screen that cannot be shown is left alone.
const recordPause = time.Second

// record keeps the frames of the session's current tab until the session ends.
func (l *live) record() {
	for l.ctx.Err() == nil {
		err := l.browser.Screencast(l.ctx, browser.ScreencastOptions{}, func(f browser.Frame) error {
			l.rec.frame(f)
			return nil
		})
		if errtypes.Is(err, errtypes.Unavailable) { // there is no screen, and will be none
			return
		}
		if deadline.Sleep(l.ctx, l.conf.Clock, recordPause) != nil {
			return
		}
	}
}
