package mux

import (
	"testing"

	"github.com/chromedp/cdproto/target"
)

// A page that the browser stops a second time keeps nobody waiting for the first.
func TestAPageThatIsStoppedTwiceBeginsOnce(t *testing.T) {
	t.Parallel()
	v := &Clients{conns: map[*conn]struct{}{}, holds: map[target.ID]*Hold{}}
	info := &target.Info{TargetID: "one", Type: "page"}
	first, second := v.Hold(info), v.Hold(info)
	v.Begun(info.TargetID)
	for name, h := range map[string]*Hold{"first": first, "second": second} {
		select {
		case <-h.begun:
		default:
			t.Errorf("who waits for the %s stop waits on", name)
		}
	}
}
