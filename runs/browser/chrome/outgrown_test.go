package chrome_test

import (
	"os"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// hoarding is a page that stores eight megabytes, again and again.
const hoarding = `<title>hoard</title><script>
	const piece = new Uint8Array(8 << 20)
	const fill = async () => {
		const store = await caches.open('c')
		for (let i = 0; ; i++) {
			for (let at = 0; at < piece.length; at += 65536) crypto.getRandomValues(piece.subarray(at, at + 65536))
			await store.put('/' + i, new Response(piece))
		}
	}
	fill()
</script>`

func TestAPageThatStoresWithoutEnd(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "hundreds of megabytes on disk")
	srv := pages(t, map[string]string{"/": hoarding})
	for name, o := range map[string]browser.Options{
		"with a profile that goes": {OwnProcess: true},
		"with a stored profile":    {Profile: &browser.Profile{Dir: t.TempDir()}},
	} {
		t.Run(name, func(t *testing.T) {
			if o.Profile != nil {
				testlevel.Long(t, "the same with a stored profile")
			}
			p := chrometest.Provider(t, func(o *chrome.Options) { o.Limits.ProfileBytes = 64 << 20 })
			other := openSession(t, p, browser.Options{})
			s := openWith(t, p, o)
			pid := chrome.SessionPID(s)
			navigate(t, s, srv.URL+"/")
			<-s.Done()
			if err := s.Err(); !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(errtypes.Public(err).Message, "stored more than 67108864 bytes") {
				t.Error(err)
			}
			waitGone(t, pid)
			if _, err := other.Page(t.Context()); err != nil {
				t.Errorf("another session: %v", err)
			}
			if err := s.Close(); err == nil && o.Profile != nil {
				t.Error("the profile passes for whole")
			}
			if o.Profile == nil {
				return
			}
			if _, err := os.Stat(o.Profile.Dir); err != nil {
				t.Errorf("the caller's directory: %v", err)
			}
		})
	}
}
