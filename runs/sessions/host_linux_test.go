package sessions

import (
	"bufio"
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

	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// host is another process that has sessions on the same file.
type host struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.Writer
	out  *bufio.Scanner
	temp string
}

func startHost(t *testing.T, dir string) *host {
	t.Helper()
	chrometest.RequireChromium(t)
	temp, err := os.MkdirTemp("", "ds") // t.TempDir is too long for a browser's sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(temp) })
	h := &host{t: t, cmd: exec.Command(os.Args[0]), temp: temp}
	h.cmd.Env = append(os.Environ(), hostEnv+"="+dir, hostEnv+"_TEMP="+temp, "TMPDIR="+temp)
	h.cmd.Stderr = os.Stderr
	h.in = must(h.cmd.StdinPipe())(t)
	h.out = bufio.NewScanner(must(h.cmd.StdoutPipe())(t))
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.kill)
	return h
}

// create has the host open a session and returns its id.
func (h *host) create() string {
	h.t.Helper()
	id, _ := h.open()
	return id
}

// open also returns where clients connect.
func (h *host) open() (id, address string) {
	h.t.Helper()
	fmt.Fprintln(h.in)
	if !h.out.Scan() || strings.HasPrefix(h.out.Text(), "failed") {
		h.t.Fatalf("the host says %q, %v", h.out.Text(), h.out.Err())
	}
	id, address, _ = strings.Cut(h.out.Text(), " ")
	return id, address
}

// kill is kill -9. It returns when the browsers of the host are gone, too:
// nobody but the system ends them.
func (h *host) kill() {
	if h.cmd.ProcessState != nil {
		return
	}
	left := browsers(h.t, h.temp)
	h.cmd.Process.Kill()
	h.cmd.Wait()
	for _, p := range left {
		p.waitGone(h.t)
	}
}

// process is held by a descriptor, so that its number means it for good.
type process struct {
	fd      int
	cmdline string
}

// browsers are the processes whose command line names a directory.
func browsers(t *testing.T, dir string) (all []process) {
	t.Helper()
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			continue
		}
		line, _ := os.ReadFile(file)
		if !strings.Contains(string(line), dir) {
			unix.Close(fd)
			continue
		}
		t.Cleanup(func() { unix.Close(fd) })
		all = append(all, process{fd, string(line)})
	}
	return all
}

func (p process) waitGone(t *testing.T) {
	t.Helper()
	n, err := 0, error(unix.EINTR)
	for errors.Is(err, unix.EINTR) {
		n, err = unix.Poll([]unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}}, 30_000)
	}
	if n != 1 {
		t.Errorf("a browser of the dead host lives on: %v", err)
	}
}

// Who opens the data next finds no session RUNNING, though nobody looks.
func TestTheNextProcessEndsWhatADeadOneLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := startHost(t, dir)
	id := h.create()
	h.kill()
	w := start(t, setup{dir: dir, browser: &quickBrowser{}})
	var ms int64
	if err := queryEnd(t, w, id, &ms); err != nil || ms == 0 {
		t.Errorf("%d, %v", ms, err)
	}
}

func TestReleaseReachesTheProcessThatHasTheSession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := startHost(t, dir)
	w := start(t, setup{dir: dir, browser: &quickBrowser{}})
	id := h.create()
	if s := must(w.Release(t.Context(), id))(t); s.Status != Completed {
		t.Errorf("%+v", s)
	}
}
