package sessions

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
)

// shownAt is the last of stills, oldest first, that is not after a time.
func shownAt(all []still, t time.Time) (shown int) {
	for i, s := range all {
		if !s.at.After(t) {
			shown = i
		}
	}
	return shown
}

// screening is a sequence of frames of random rhythm: bursts, rests, and
// whatever is between; each with a picture of its own size.
func screening(r *rand.Rand) (all []still) {
	at := noon
	for range 1 + r.IntN(120) {
		switch r.IntN(4) {
		case 0:
			at = at.Add(time.Duration(r.IntN(100)) * time.Millisecond)
		case 1:
			at = at.Add(time.Duration(r.IntN(1500)) * time.Millisecond)
		case 2:
			at = at.Add(time.Duration(r.IntN(20)) * time.Second)
		default:
			at = at.Add(time.Duration(1+r.IntN(4)) * 500 * time.Millisecond)
		}
		all = append(all, still{at: at, frame: browser.Frame{Data: make([]byte, 1+r.IntN(300))}})
	}
	return all
}

// Whatever comes and however little may be kept: what is shown at any time was on
// the screen less than one interval before. So what stood longer is kept, with
// its own time.
func TestWhatIsShownWasOnTheScreen(t *testing.T) {
	t.Parallel()
	checked := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 12))
		frames := screening(r)
		l := Limits{MaxFrames: 2 + r.IntN(150), MaxRecording: 500 + r.IntN(40_000)}.withDefaults()
		f := newFrames(l)
		for i, s := range frames {
			f.add(s)
			if f.kept[len(f.kept)-1].at != s.at || len(f.kept) > l.MaxFrames || f.size > l.MaxRecording {
				t.Fatalf("seed %d: after %d: %d frames of %d bytes", seed, i, len(f.kept), f.size)
			}
		}
		if f.kept[0].at != frames[0].at { // hardly two fit in
			continue
		}
		checked++
		for i, next := range frames[1:] {
			if next.at.Equal(frames[i].at) {
				continue
			}
			last := next.at.Add(-1) // the last moment of frame i
			shown := f.kept[shownAt(f.kept, last)]
			gone := frames[shownAt(frames, shown.at)+1].at // from when on it was not there any more
			if shown.at != frames[shownAt(frames, shown.at)].at || last.Sub(gone) >= f.interval {
				t.Fatalf("seed %d, interval %v: at the end of frame %d, %v, what is shown had been gone since %v", seed, f.interval, i, last, gone)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d of 600 had room for two frames", checked)
	}
}

// The page on which a session rests is kept, also while frames are thinned.
func TestThePageOfARestIsKept(t *testing.T) {
	t.Parallel()
	f := newFrames(Limits{MaxFrames: 10}.withDefaults())
	at := func(ms int) time.Time { return noon.Add(time.Duration(ms) * time.Millisecond) }
	add := func(ms int) { f.add(still{at: at(ms), frame: browser.Frame{Data: []byte("x")}}) }
	for _, ms := range []int{0, 100, 500, 60_000, 60_300} {
		add(ms)
	}
	if len(f.kept) != 3 || f.kept[1].at != at(500) || f.kept[2].at != at(60_300) {
		t.Fatalf("%+v", f.kept)
	}
	for i := range 200 {
		add(61_000 + i*300)
	}
	if f.kept[1].at != at(500) {
		t.Errorf("what stood for a minute is gone: %+v", f.kept)
	}
}
