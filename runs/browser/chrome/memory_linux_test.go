package chrome_test

import (
	"testing"
	"time"

	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// measuring is a manager of children that are measured often.
func measuring(t *testing.T, temp string) *child.Manager {
	t.Helper()
	o := chrome.Options{TempDir: temp}.ChildOptions()
	o.Every, o.Measure = 50*time.Millisecond, 100*time.Millisecond
	m, err := child.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// What a browser takes is measured as a whole and counted once, with its tabs.
// When a page has taken what there is, spares go, and no session does.
func TestTheMemoryOfABrowserIsMeasured(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it waits until memory is measured")
	const all, large = 800 << 20, 600 << 20
	ledger, err := admission.New(admission.Options{Memory: all, Settle: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	temp := chrometest.TempDir(t)
	children := measuring(t, temp)
	p := chrometest.Provider(t, spares(1), func(o *chrome.Options) { o.TempDir, o.Children, o.Admission = temp, children, ledger })
	srv := pages(t, map[string]string{"/": `<title>small</title>`, "/large": `<title>large</title><script>const held = new Uint8Array(600 << 20).fill(1)</script>`})
	s, other, own := openWith(t, p, browser.Options{}), openWith(t, p, browser.Options{}), openWith(t, p, browser.Options{OwnProcess: true})
	chrome.WaitFilled(p)
	counts := func() bool { return ledger.State().Used == chrome.Memory(s)+chrome.Memory(own) }
	comes(t, "the ledger counts what was measured", counts)
	if used, n := ledger.State().Used, chrome.Spares(p); n != 1 || used < 200<<20 || used >= all {
		t.Fatalf("%d bytes with %d spares", used, n)
	}
	navigate(t, s, srv.URL+"/large")
	comes(t, "the spare goes", func() bool { return chrome.Spares(p) == 0 })
	comes(t, "the ledger counts what the page takes", func() bool { return ledger.State().Used > large && counts() })
	if g, err := ledger.TryReserve(admission.Request{Bytes: all / 2}); g != nil || err != nil {
		t.Errorf("there is room for more: %v, %v", g, err)
	}
	own.Close()
	s.Close() // which is certain to give back what its page has taken
	comes(t, "the ledger counts less", func() bool { return ledger.State().Used < large/2 })
	navigate(t, other, srv.URL+"/")
	p.Close()
	if state := ledger.State(); state.Used != 0 || state.Grants != 0 {
		t.Errorf("left: %+v", state)
	}
	if _, err := children.Dir(); err != nil {
		t.Errorf("the manager was not the provider's to close: %v", err)
	}
}
