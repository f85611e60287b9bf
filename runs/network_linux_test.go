package runs

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/sessions"
)

// networkServiceOf is the number of the network service of the browser whose
// files are below a directory.
func networkServiceOf(t *testing.T, dir string) int {
	t.Helper()
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		line, _ := os.ReadFile(file)
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil &&
			strings.Contains(string(line), dir) && strings.Contains(string(line), "network.mojom.NetworkService") {
			return pid
		}
	}
	t.Fatal("no network service runs")
	return 0
}

// A run whose browser has lost its network service ends at once and says so, as
// its session does. The next has another browser.
func TestANetworkServiceThatIsKilledEndsTheRun(t *testing.T) {
	site := openSite(t)
	var temp string
	w := start(t, setup{browser: chrometest.Provider(t, func(o *chrome.Options) { temp = o.TempDir })})
	r := w.hold(t, site)
	if err := syscall.Kill(networkServiceOf(t, temp), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	const cause = "the network service of this session's browser ended unexpectedly"
	got := w.wait(t, r.ID)
	if got.Status != Failed || got.Cause.Code != CauseBrowser || !strings.HasPrefix(got.Cause.Message, cause) {
		t.Errorf("the run: %s %+v", got.Status, got.Cause)
	}
	s, err := w.records.Get(t.Context(), got.SessionID)
	if err != nil || s.Status != sessions.Failed || s.Cause.Code != sessions.CauseBrowser || !strings.HasPrefix(s.Cause.Message, cause) {
		t.Errorf("the session: %s %+v, %v", s.Status, s.Cause, err)
	}
	if next := w.do(t, Create{Task: "Go to " + site.URL + " and return the title"}); next.Status != Completed {
		t.Errorf("the next run: %s %+v", next.Status, next.Cause)
	}
}
