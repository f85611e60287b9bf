package sessions

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/drover-go/drover/runs/browser"
)

// A film keeps the frames of a whole session within a number and a size: where
// there are too many, every second one is dropped and the time between two
// doubles, so that what is left covers the session evenly, however long it
// lasts. The newest frame is always among them.
type film struct {
	limits   Limits
	interval time.Duration // between two of those kept, at least
	kept     []still
	newest   still // came too soon after the last of kept
	size     int   // of kept
	refused  bool  // a frame was larger than all may be
}

// still is a frame and when it came.
type still struct {
	at    time.Time
	frame browser.Frame
}

func newFilm(l Limits) *film { return &film{limits: l, interval: l.FrameInterval} }

// frameCost is what a frame takes in a recording beside its picture, roughly.
const frameCost = 100

func (s still) cost() int {
	if s.frame.Data == nil {
		return 0
	}
	return base64.StdEncoding.EncodedLen(len(s.frame.Data)) + frameCost
}

func (f *film) add(s still) {
	if s.cost() > f.limits.MaxRecording {
		f.refused = true
		return
	}
	if n := len(f.kept); n == 0 || s.at.Sub(f.kept[n-1].at) >= f.interval {
		f.kept = append(f.kept, s)
		f.size += s.cost()
		f.newest = still{}
	} else {
		f.newest = s
	}
	for f.over() {
		f.thin()
	}
}

func (f *film) over() bool {
	n := len(f.kept)
	if f.newest.frame.Data != nil {
		n++
	}
	return n > f.limits.MaxFrames || f.size+f.newest.cost() > f.limits.MaxRecording
}

// thin drops every second frame. The last one is the newest if no other is.
func (f *film) thin() {
	if last := f.kept[len(f.kept)-1]; f.newest.frame.Data == nil && len(f.kept)%2 == 0 {
		f.newest = last
	}
	thinned, size := f.kept[:0], 0
	for i, s := range f.kept {
		if i%2 == 0 && len(f.kept) > 1 {
			thinned = append(thinned, s)
			size += s.cost()
		}
	}
	clear(f.kept[len(thinned):])
	f.kept, f.size = thinned, size
	f.interval *= 2
}

// all returns the frames as they stand in a recording, oldest first.
func (f *film) all() []still {
	all := append([]still{}, f.kept...)
	if f.newest.frame.Data != nil {
		all = append(all, f.newest)
	}
	return all
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

func (s still) data() json.RawMessage {
	data, _ := json.Marshal(frameData{"frame", framePayload{s.frame.Tab, "image/jpeg", s.frame.Data}}) // of strings: it cannot fail
	return data
}
