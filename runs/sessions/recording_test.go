package sessions

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
)

// tagged are the events of a recording that have a tag, as seconds after noon.
func tagged(t *testing.T, all []RecordingEvent, tag string) (at []int) {
	t.Helper()
	for _, e := range all {
		var d struct{ Tag string }
		if err := json.Unmarshal(e.Data, &d); err != nil || e.Type != 5 || e.SessionID != "s" {
			t.Errorf("%+v %v", e, err)
		}
		if d.Tag == tag {
			at = append(at, int(e.Time.Sub(noon)/time.Second))
		}
	}
	return at
}

// However long a session lasts, its frames cover it from the first to the last.
func TestFramesAreThinnedEvenly(t *testing.T) {
	t.Parallel()
	for _, l := range []Limits{{MaxFrames: 8}, {MaxRecording: 8 * (frameCost + 8)}} {
		c := clock.NewManual(noon)
		r := newRecorder(l.withDefaults(), c, "s", true)
		for i := range 1000 {
			r.frame(browser.Frame{Tab: "T1", Data: []byte("jpeg")})
			at := tagged(t, r.all(), "frame")
			if len(at) > 8 || at[0] != 0 || at[len(at)-1] != i || !slices.IsSorted(at) {
				t.Fatalf("after %d s: %v", i, at)
			}
			if i >= 8 && len(at) < 4 {
				t.Errorf("after %d s there are only %v", i, at)
			}
			for n := 1; n < len(at)-1; n++ { // but for the newest they are as far apart
				if at[n]-at[n-1] != at[1] {
					t.Fatalf("after %d s: %v", i, at)
				}
			}
			c.Advance(time.Second)
		}
		if at := tagged(t, r.all(), "truncated"); at != nil {
			t.Errorf("nothing is left out, and it says so at %v", at)
		}
	}
}

func TestFramesThatComeTooSoon(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	r := newRecorder(Limits{}.withDefaults(), c, "s", true)
	for i := range 25 {
		r.frame(browser.Frame{Data: fmt.Append(nil, i)})
		c.Advance(100 * time.Millisecond)
	}
	all := r.all()
	if at := tagged(t, all, "frame"); fmt.Sprint(at) != "[0 1 2 2]" {
		t.Error(at)
	}
	var last eventData[framePayload]
	if err := json.Unmarshal(all[len(all)-1].Data, &last); err != nil || string(last.Payload.Data) != "24" {
		t.Errorf("the last frame is %s, %v", last.Payload.Data, err)
	}
}

func TestFramesOfAnySize(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	r := newRecorder(Limits{MaxRecording: 1000}.withDefaults(), c, "s", true)
	for _, size := range []int{500, 5000, 600, 10, 10, 650} {
		r.frame(browser.Frame{Data: make([]byte, size)})
		c.Advance(time.Second)
	}
	all := r.all()
	at := tagged(t, all, "frame")
	if at[len(at)-1] != 5 || fmt.Sprint(tagged(t, all, "truncated")) != "[1]" {
		t.Errorf("%v", at)
	}
}

// Neither frames nor what a page does push out what an agent did.
func TestStepsAreNeverPushedOut(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	l := Limits{MaxFrames: 4, MaxSteps: 3, MaxEvents: 2}.withDefaults()
	r := newRecorder(l, c, "s", true)
	for i := range 50 {
		if i%20 == 0 {
			r.step(map[string]any{"tool": "click", "n": i})
		}
		r.frame(browser.Frame{Data: []byte("jpeg")})
		r.observe(browser.Event{Time: c.Now(), Tab: "T1", Method: "Page.frameNavigated", Params: json.RawMessage(`{"frame":{"url":"https://a.example/"}}`)})
		r.observe(browser.Event{Time: c.Now(), Tab: "T1", Method: "Page.frameNavigated", Params: json.RawMessage(`{"frame":{"parentId":"F"}}`)})
		r.observe(browser.Event{Time: c.Now(), Tab: "T1", Method: "Network.responseReceived", Params: json.RawMessage(`{}`)})
		c.Advance(time.Second)
	}
	all := r.all()
	if !slices.IsSortedFunc(all, func(a, b RecordingEvent) int { return a.Time.Compare(b.Time) }) {
		t.Error("not in order of time")
	}
	for tag, want := range map[string]string{"step": "[0 20 40]", "event": "[48 49]", "truncated": "[2]"} {
		if got := fmt.Sprint(tagged(t, all, tag)); got != want {
			t.Errorf("%s: %s, want %s", tag, got, want)
		}
	}
	r.step("a fourth")
	r.step(strings.Repeat("x", 2<<20))
	if got := tagged(t, r.all(), "step"); len(got) != 3 {
		t.Error(got)
	}
	small := newRecorder(Limits{MaxStepBytes: 300}.withDefaults(), c, "s", true)
	for range 9 {
		small.step(strings.Repeat("x", 100))
		small.observe(browser.Event{Time: c.Now(), Method: "Target.targetCrashed", Params: json.RawMessage(`"` + strings.Repeat("x", 100) + `"`)})
		small.observe(browser.Event{Time: c.Now(), Method: "Target.targetCrashed", Params: json.RawMessage(`"` + strings.Repeat("x", 400) + `"`)})
	}
	if n, m := len(tagged(t, small.all(), "step")), len(tagged(t, small.all(), "event")); n != 2 || m != 1 {
		t.Errorf("%d steps, %d events", n, m)
	}
}
