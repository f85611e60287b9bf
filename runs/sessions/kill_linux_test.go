package sessions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sys/unix"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/storage"
)

// What is killed here is at work: a client is connected, the page moves and is
// cast and recorded, a file is being downloaded, another was uploaded.

// rounds is how often a test kills: three times as in the issue, once in a quick
// test, as often as it is told in make torture.
func rounds() int { return testlevel.Rounds(1, 3) }

// endsSoon waits for the end of a client's connection, which must not take as
// long as a time-out would.
func endsSoon(t *testing.T, c *cdp) (err error) {
	t.Helper()
	timer := time.AfterFunc(10*time.Second, func() { t.Error("the client's connection goes on"); c.conn.CloseNow() })
	defer timer.Stop()
	for err == nil {
		_, _, err = c.conn.Read(t.Context())
	}
	return err
}

// kill kills those of the processes that it is asked for.
func kill(t *testing.T, all []process, which func(cmdline string) bool) {
	t.Helper()
	killed := 0
	for _, p := range all {
		if !which(p.cmdline) {
			continue
		}
		killed++
		if err := unix.PidfdSendSignal(p.fd, unix.SIGKILL, nil, 0); err != nil && !errors.Is(err, unix.ESRCH) {
			t.Fatal(err)
		}
	}
	if killed == 0 {
		t.Fatal("there is nothing to kill")
	}
}

func isRenderer(cmdline string) bool { return strings.Contains(cmdline, "--type=renderer") }

func isMain(cmdline string) bool { return !strings.Contains(cmdline, "--type=") }

// busySession is a session at work in this process.
func busySession(t *testing.T, w *world) (Session, *cdp) {
	t.Helper()
	s := w.create(t, Create{KeepAlive: true})
	if err := w.Upload(t.Context(), s.ID, Upload{"up.txt", strings.NewReader("uploaded")}); err != nil {
		t.Fatal(err)
	}
	c := connectCDP(t, s.ConnectURL)
	c.work(movingSite(t))
	return s, c
}

// The session outlives its page, and its client hears of that.
func TestARendererThatIsKilled(t *testing.T) {
	t.Parallel()
	for range rounds() {
		var temp string
		w := start(t, setup{downloads: true, browser: chrometest.Provider(t, func(o *chrome.Options) { temp = o.TempDir })})
		s, c := busySession(t, w)
		kill(t, browsers(t, temp), isRenderer)
		c.until("Inspector.targetCrashed")
		site := movingSite(t)
		c.send("Page.navigate", map[string]any{"url": site.URL + "/"})
		c.until("Page.loadEventFired")
		if page, err := w.find(s.ID).browser.Navigate(t.Context(), site.URL+"/again"); err != nil || page.Title != "Moving" {
			t.Errorf("%+v, %v", page, err)
		}
		released := make(chan error, 1)
		go func() { _, err := w.Release(t.Context(), s.ID); released <- err }()
		if closed := gone(t, c.conn); closed.Code != websocket.StatusGoingAway {
			t.Errorf("%v", closed)
		}
		if err := <-released; err != nil {
			t.Fatal(err)
		}
		w.ended(t, s.ID, Completed, "")
		nothingOf(t, w, s.ID, temp)
	}
}

// nothingOf holds that a session has left no files.
func nothingOf(t *testing.T, w *world, id, temp string) {
	t.Helper()
	if left, _ := filepath.Glob(filepath.Join(temp, "*", "session-*")); len(left) > 0 {
		t.Errorf("left of the session: %v", left)
	}
	if _, err := os.Stat(w.filesOf(id)); !os.IsNotExist(err) {
		t.Errorf("what was uploaded is left: %v", err)
	}
}

func TestABrowserThatIsKilled(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it kills processes")
	for range rounds() {
		var temp string
		w := start(t, setup{downloads: true, browser: chrometest.Provider(t, func(o *chrome.Options) { temp = o.TempDir })})
		idle := w.create(t, Create{})
		busy, c := busySession(t, w)
		all := browsers(t, temp)
		kill(t, all, isMain)
		var closed websocket.CloseError
		if err := endsSoon(t, c); !errors.As(err, &closed) || closed.Code != websocket.StatusGoingAway || !strings.Contains(closed.Reason, "the session has ended: the browser") {
			t.Errorf("the client was told %v", err)
		}
		w.ended(t, idle.ID, Failed, CauseBrowser)
		w.ended(t, busy.ID, Failed, CauseBrowser)
		for _, p := range all {
			p.waitGone(t)
		}
		nothingOf(t, w, busy.ID, temp)
		next := w.create(t, Create{})
		must(w.Release(t.Context(), next.ID))(t)
	}
}

func TestABusySessionWhoseHostIsKilled(t *testing.T) {
	testlevel.Long(t, "it kills processes")
	for range rounds() {
		t.Run("with data", func(t *testing.T) { killBusyHost(t, t.TempDir()) })
		t.Run("in memory", func(t *testing.T) { killBusyHost(t, inMemory) })
	}
}

func killBusyHost(t *testing.T, dir string) {
	t.Helper()
	h := startHost(t, dir)
	id, address := h.open()
	h.create() // one that nobody is connected to
	var beside *world
	if dir != inMemory {
		beside = start(t, setup{dir: dir, browser: &quickBrowser{}})
		if s := must(beside.Get(t.Context(), id))(t); s.Status != Running || s.SigningKey == "" {
			t.Fatalf("while its host lives: %+v", s)
		}
	}
	c := connectCDP(t, address)
	c.work(movingSite(t))
	listening := listeners(t, h.cmd.Process.Pid)
	if len(listening) < 4 || len(browsers(t, h.temp)) == 0 { // the endpoint's, two sessions' proxies, the one that denies
		t.Errorf("the host listens at %d addresses", len(listening))
	}
	h.kill()
	endsSoon(t, c)
	for inode := range listening {
		if listens(t)[inode] {
			t.Error("a listener of the dead host is left")
		}
	}
	if beside != nil {
		beside.ended(t, id, Failed, CauseHostLost)
		noneRuns(t, beside)
	}
	nextStart(t, h, dir)
}

// Who goes on knows what the sessions of a dead process had carried, says what
// is lost, and removes what its browsers left, without anybody starting anew.
func TestASurvivorClearsUpAfterADeadProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := startHost(t, dir)
	w := start(t, setup{dir: dir, browser: chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = h.temp })})
	id, address := h.open()
	c := connectCDP(t, address)
	c.work(movingSite(t))
	carried := int64(0)
	for carried == 0 { // until the test's own time is over
		carried = must(w.Get(t.Context(), id))(t).ProxyBytes
	}
	var logs []LogEntry
	for len(logs) < 3 { // until it is written
		logs = must(w.Logs(t.Context(), id))(t)
	}
	tabs := must(w.Tabs(t.Context(), id))(t)
	if len(logs) < 3 || len(tabs) != 1 || tabs[0].Title != "Moving" || len(must(w.Recording(t.Context(), id))(t)) == 0 {
		t.Errorf("while its process lives: %d entries, %+v", len(logs), tabs)
	}
	if err := w.Upload(t.Context(), id, Upload{"more.txt", strings.NewReader("from the other process")}); err != nil {
		t.Error(err)
	}
	h.kill()
	if s := w.ended(t, id, Failed, CauseHostLost); s.ProxyBytes < carried {
		t.Errorf("it had carried %d bytes, and now %d", carried, s.ProxyBytes)
	}
	const lost = "the process that had the session died"
	now := must(w.Logs(t.Context(), id))(t)
	if n := len(now) - 1; n < len(logs) || !reflect.DeepEqual(now[:len(logs)], logs) || !strings.Contains(string(now[n].Params), lost) {
		t.Errorf("of the log there was %+v, and now is %+v", logs, now)
	}
	if all := must(w.Recording(t.Context(), id))(t); len(all) != 1 || !strings.Contains(string(all[0].Data), lost) {
		t.Errorf("%+v", all)
	}
	if _, err := w.Tabs(t.Context(), id); err == nil || !strings.Contains(err.Error(), lost) {
		t.Error(err)
	}
	if err := w.Upload(t.Context(), id, Upload{"x", strings.NewReader("x")}); err == nil || !strings.Contains(err.Error(), lost) {
		t.Error(err)
	}
	w.keeper.Do(t.Context())
	if n := logParts(t, w); n > 1 {
		t.Errorf("%d parts of the log are left in rows", n)
	}
	if again := must(w.Logs(t.Context(), id))(t); !reflect.DeepEqual(again, now) {
		t.Errorf("sealed the log is %+v", again)
	}
	if left := must(os.ReadDir(h.temp))(t); len(left) > 0 {
		t.Errorf("the dead process has left %v", left)
	}
	nothingOf(t, w, id, h.temp)
}

// logParts counts the rows that logs lie in.
func logParts(t *testing.T, w *world) (n int) {
	t.Helper()
	err := w.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT count(*) FROM job_log_parts`).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// nextStart holds that nothing is left when the next process has started.
func nextStart(t *testing.T, h *host, dir string) {
	t.Helper()
	if left := must(os.ReadDir(h.temp))(t); len(left) == 0 {
		t.Error("the dead host should have left something to remove")
	}
	chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = h.temp })
	t.Setenv("TMPDIR", h.temp)
	if dir == inMemory {
		start(t, setup{browser: &quickBrowser{}})
	} else {
		w := start(t, setup{dir: dir, browser: &quickBrowser{}})
		noneRuns(t, w)
		if left, _ := filepath.Glob(filepath.Join(dir, "sessions", "*")); len(left) > 0 {
			t.Errorf("left of what was uploaded: %v", left)
		}
	}
	if left := must(os.ReadDir(h.temp))(t); len(left) > 0 {
		t.Errorf("the next start leaves %v", left)
	}
}

func noneRuns(t *testing.T, w *world) {
	t.Helper()
	for _, s := range must(w.List(t.Context(), Filter{}))(t) {
		if s.Status != Failed {
			t.Errorf("%s is %s", s.ID, s.Status)
		}
	}
}

// listens are the TCP listeners of the machine, by inode.
func listens(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		data, _ := os.ReadFile(file) // there may be no IPv6
		for line := range bytes.Lines(data) {
			if f := strings.Fields(string(line)); len(f) > 9 && f[3] == "0A" {
				all[f[9]] = true
			}
		}
	}
	return all
}

// listeners are those of a process.
func listeners(t *testing.T, pid int) map[string]bool {
	t.Helper()
	all, own := listens(t), map[string]bool{}
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, file := range files {
		link, _ := os.Readlink(file)
		inode, ok := strings.CutPrefix(link, "socket:[")
		if inode = strings.TrimSuffix(inode, "]"); ok && all[inode] {
			own[inode] = true
		}
	}
	return own
}
