package sessions

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/drover-go/drover/runs/browser"
)

// Frames are kept of a whole session within a number and a size. What
// stood on the screen is kept with the time at which it came, unless it stood so
// shortly that what is shown in its place was seen less than one interval
// before. Where there are too many, the interval doubles, so that what is left
// covers the session evenly, however long it lasts. The newest frame is always
// among them, and so is each that stood for an interval or longer.
type frames struct {
	limits   Limits
	interval time.Duration
	kept     []still // the last is the newest of all, and stands on the screen
	size     int     // of kept
	refused  bool    // a frame was larger than all may be
}

// still is a frame and when it came.
type still struct {
	at    time.Time
	until time.Time // when the next came, kept or not; none has where it is zero
	frame browser.Frame
}

func newFrames(l Limits) *frames { return &frames{limits: l, interval: l.FrameInterval} }

// frameCost is what a frame takes in a recording beside its picture, roughly.
const frameCost = 100

func (s still) cost() int { return base64.StdEncoding.EncodedLen(len(s.frame.Data)) + frameCost }

func (f *frames) add(s still) {
	if s.cost() > f.limits.MaxRecording {
		f.refused = true
		return
	}
	if n := len(f.kept); n > 0 {
		f.kept[n-1].until = s.at
		if n > 1 && !f.missed(f.kept[n-2], s) {
			f.size -= f.kept[n-1].cost()
			f.kept = f.kept[:n-1]
		}
	}
	f.kept = append(f.kept, s)
	f.size += s.cost()
	for len(f.kept) > f.limits.MaxFrames || f.size > f.limits.MaxRecording {
		f.thin()
	}
}

// missed reports whether something would be missed if nothing were shown between
// two frames: the first would stand for an interval longer than it did.
func (f *frames) missed(shown, next still) bool { return next.at.Sub(shown.until) >= f.interval }

// thin doubles the interval and drops what is not missed by then. Of two frames
// the newest is left.
func (f *frames) thin() {
	thinned, last := f.kept[:1], len(f.kept)-1
	if last == 1 {
		thinned = f.kept[:0]
	} else {
		f.interval *= 2
	}
	for i := 1; i < last; i++ {
		if f.missed(thinned[len(thinned)-1], f.kept[i+1]) {
			thinned = append(thinned, f.kept[i])
		}
	}
	thinned = append(thinned, f.kept[last])
	clear(f.kept[len(thinned):])
	f.kept, f.size = thinned, 0
	for _, s := range thinned {
		f.size += s.cost()
	}
}

type framePayload struct {
	PageID   string `json:"pageId,omitempty"`
	MIMEType string `json:"mimeType"`
	Data     []byte `json:"data"` // base64 in JSON
	// Width and Height of the page in CSS pixels; 0 where they are not known.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
}

func (s still) data() json.RawMessage {
	return encoded(eventData[framePayload]{"frame", framePayload{s.frame.Tab, "image/jpeg", s.frame.Data, s.frame.Width, s.frame.Height}})
}
