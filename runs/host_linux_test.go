package runs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/storage"
)

// host is another process that executes runs on the same file.
type host struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.Writer
	out  *bufio.Scanner
	temp string
}

func startHost(t *testing.T, dir string, idle bool, more ...string) *host {
	t.Helper()
	chrometest.RequireChromium(t)
	temp, err := os.MkdirTemp("", "dr") // t.TempDir is too long for a browser's sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(temp) })
	h := &host{t: t, cmd: exec.Command(os.Args[0]), temp: temp}
	h.cmd.Env = append(os.Environ(), hostEnv+"="+dir, hostEnv+"_TEMP="+h.temp)
	h.cmd.Env = append(h.cmd.Env, more...)
	if idle {
		h.cmd.Env = append(h.cmd.Env, hostEnv+"_IDLE=1")
	}
	h.cmd.Stderr = os.Stderr
	if h.in, err = h.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	h.out = bufio.NewScanner(out)
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.kill)
	return h
}

// create has the host make a run and returns its id.
func (h *host) create(task string) string {
	h.t.Helper()
	fmt.Fprintln(h.in, task)
	if !h.out.Scan() || strings.HasPrefix(h.out.Text(), "failed") {
		h.t.Fatalf("the host says %q, %v", h.out.Text(), h.out.Err())
	}
	return h.out.Text()
}

// kill is kill -9. It returns when the browsers of the host are gone, too:
// nobody but the system ends them.
func (h *host) kill() {
	if h.cmd.ProcessState != nil {
		return
	}
	left := h.browsers()
	h.cmd.Process.Kill()
	h.cmd.Wait()
	left.waitGone(h.t)
}

// suspend stops the process without ending it.
func (h *host) suspend() {
	if err := h.cmd.Process.Signal(unix.SIGSTOP); err != nil {
		h.t.Fatal(err)
	}
}

// processes are held by descriptors, so that their numbers mean them for good.
type processes []unix.PollFd

// browsers are the processes of the host's browsers: those that name its
// directory, and their children.
func (h *host) browsers() (all processes) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	parents, ours := map[int]int{}, map[int]bool{}
	for _, file := range files {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		line, _ := os.ReadFile(file)
		parents[pid] = parentOf(pid)
		ours[pid] = strings.Contains(string(line), h.temp)
	}
	for pid := range parents {
		for p := pid; p > 1 && !ours[pid]; p = parents[p] {
			ours[pid] = ours[p]
		}
		if !ours[pid] {
			continue
		}
		if fd, err := unix.PidfdOpen(pid, 0); err == nil {
			h.t.Cleanup(func() { unix.Close(fd) })
			all = append(all, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
		}
	}
	return all
}

func parentOf(pid int) (parent int) {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	if fields := strings.Fields(rest); len(fields) > 1 {
		parent, _ = strconv.Atoi(fields[1])
	}
	return parent
}

// waitGone waits until all have ended.
func (p processes) waitGone(t *testing.T) {
	t.Helper()
	for i := range p {
		n, err := 0, error(unix.EINTR)
		for errors.Is(err, unix.EINTR) {
			n, err = unix.Poll(p[i:i+1], 30_000)
		}
		if n != 1 {
			t.Errorf("a browser of the dead host lives on: %v", err)
		}
	}
}

func TestARunWhoseHostIsKilled(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it kills processes")
	site := openSite(t)
	dir := t.TempDir()
	w := start(t, setup{dir: dir, browser: &quickBrowser{}})
	for name, stop := range map[string]bool{"lost": false, "stopped before": true} {
		t.Run(name, func(t *testing.T) {
			h := startHost(t, dir, false)
			id := h.create("secret Go to " + site.URL + "/hang") // its values keep it with the host
			<-site.held
			// Both processes work on the file: the living host keeps its run.
			if r, err := w.Get(t.Context(), id); err != nil || r.Status != Running {
				t.Fatalf("%+v, %v", r, err)
			}
			want := Cause{CauseHeartbeatLost, "the process that executed the run died"}
			if stop {
				want = Cause{CauseStopped, stoppedMessage}
				// The host must not get to hear of the stop.
				h.suspend()
				if r, err := w.Stop(t.Context(), id); err != nil || r.Status != Running {
					t.Fatalf("%+v, %v", r, err)
				}
			}
			if len(h.browsers()) == 0 {
				t.Error("the host has no browser")
			}
			h.kill()
			r := w.wait(t, id)
			if r.Cause == nil || *r.Cause != want || (r.Status == Stopped) != stop {
				t.Errorf("%s %+v", r.Status, r.Cause)
			}
			if all := lines(w.conversation(t, id)); !strings.HasPrefix(all[len(all)-1], "tool-result navigate error-text: ") {
				t.Errorf("%q", all)
			}
		})
	}
}

func TestARunWhoseHostIsKilledInEachPhase(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it kills processes")
	for _, where := range phases {
		if where == inATool { // TestARunWhoseHostIsKilled
			continue
		}
		t.Run(where, func(t *testing.T) {
			p := heldAt(t, where)
			dir := t.TempDir()
			h := startHost(t, dir, false, hostEnv+"_MODEL="+p.URL+"/v1", hostEnv+"_HOOK="+where)
			w := start(t, setup{dir: dir, browser: &quickBrowser{}})
			id := h.create("secret x")
			p.reach(t, w, id, where)
			h.kill()
			if r := w.wait(t, id); r.Status != Failed || r.Cause.Code != CauseHeartbeatLost || r.Pause != nil {
				t.Errorf("%s %+v", r.Status, r.Cause)
			}
			p.mustHaveClosed(t, where)
			w.conversation(t, id)
		})
	}
}

func TestABrowserThatIsKilledEndsItsRun(t *testing.T) {
	t.Parallel()
	site := openSite(t)
	var temp string
	w := start(t, setup{browser: chrometest.Provider(t, func(o *chrome.Options) { temp = o.TempDir })})
	r := w.hold(t, site)
	for _, p := range (&host{t: t, temp: temp}).browsers() {
		if err := unix.PidfdSendSignal(int(p.Fd), unix.SIGKILL, nil, 0); err != nil && !errors.Is(err, unix.ESRCH) {
			t.Fatal(err)
		}
	}
	if got := w.wait(t, r.ID); got.Status != Failed || got.Cause.Code != CauseBrowser {
		t.Errorf("%s %+v", got.Status, got.Cause)
	}
	w.conversation(t, r.ID)
	if got := w.do(t, Create{Task: "Go to " + site.URL + " and return the title"}); got.Status != Completed {
		t.Errorf("the next run: %s %+v", got.Status, got.Cause)
	}
}

func TestARunThatItsHostNeverBegan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := startHost(t, dir, true)
	plainRun, secretRun := h.create("Go to https://a.example and return the title"), h.create("secret Go to https://a.example and return the title")
	w := start(t, setup{dir: dir, browser: &quickBrowser{}})
	if r := w.wait(t, plainRun); r.Status != Completed {
		t.Errorf("a run without variables: %s %+v", r.Status, r.Cause)
	}
	if r, err := w.Get(t.Context(), secretRun); err != nil || r.Status != Pending {
		t.Errorf("while its host lives: %s, %v", r.Status, err)
	}
	h.kill()
	if r := w.wait(t, secretRun); r.Status != Failed || r.Cause.Code != CauseVariablesLost {
		t.Errorf("a run with variables: %s %+v", r.Status, r.Cause)
	}
}

func TestStopReachesTheProcessThatExecutes(t *testing.T) {
	t.Parallel()
	site := openSite(t)
	dir := t.TempDir()
	w := start(t, setup{dir: dir, browser: &quickBrowser{}, idle: true})
	h := startHost(t, dir, false)
	id := h.create("Go to " + site.URL + "/hang")
	<-site.held
	if r, err := w.Stop(t.Context(), id); err != nil || r.ID != id {
		t.Fatal(err)
	}
	if r := w.wait(t, id); r.Status != Stopped {
		t.Errorf("%s %+v", r.Status, r.Cause)
	}
	if all := lines(w.conversation(t, id)); all[len(all)-1] != "tool-result navigate error-text: stopped" {
		t.Errorf("%q", all)
	}
}

func TestAttemptsThatAreUsedUpEndTheRun(t *testing.T) {
	t.Parallel()
	w := quick(t, setup{idle: true})
	for cause, code := range map[error]string{io.ErrClosedPipe: CauseInternal, jobs.ErrLeaseLost: CauseHeartbeatLost} {
		r := w.create(t, Create{Task: "x"})
		err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			return w.executor.Exhausted(ctx, tx, jobs.Job{Kind: jobKind, Ref: r.ID}, cause)
		})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := w.Get(t.Context(), r.ID); got.Status != Failed || got.Cause.Code != code {
			t.Errorf("%v: %s %+v", cause, got.Status, got.Cause)
		}
	}
}
