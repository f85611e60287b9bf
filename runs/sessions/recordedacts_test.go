package sessions

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
)

// However much is clicked and typed, a frame keeps the address of its page; and
// however much is loaded, what was clicked stays.
func TestClicksDoNotPushOutAddresses(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	r := newRecorder(Limits{MaxEvents: 3, MaxActs: 5}.withDefaults(), c, "s", true)
	happens := func(method, params string) {
		r.observe(browser.Event{Time: c.Now(), Tab: "T1", Method: method, Params: json.RawMessage(params)})
		c.Advance(time.Second)
	}
	const first = "https://a.example/first"
	happens("Page.frameNavigated", `{"frame":{"url":"`+first+`"}}`)
	r.frame(browser.Frame{Tab: "T1", Data: []byte("jpeg")})
	for range 3 {
		happens("Input.dispatchMouseEvent", `{"type":"mousePressed"}`)
		happens("Input.dispatchKeyEvent", `{"type":"keyDown"}`)
		happens("Input.insertText", `{}`)
	}
	if got := replayOf("s", r.all()).Frames; len(got) != 1 || got[0].URL != first {
		t.Errorf("%+v", got)
	}
	for range 9 {
		happens("Page.frameNavigated", `{"frame":{"url":"https://a.example/next"}}`)
	}
	all := r.all()
	acts := slices.DeleteFunc(slices.Clone(all), func(e RecordingEvent) bool {
		return !isAct(browser.Event{Method: parsed[eventData[eventPayload]](e.Data).Payload.Method})
	})
	if len(acts) != 5 || len(tagged(t, all, "event")) != 5+3 || len(tagged(t, all, "truncated")) != 1 {
		t.Errorf("%d acts of %d events", len(acts), len(all))
	}
}
