package chrome_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

func asError[T error](err error, into *T) bool { return errors.As(err, into) }

// hostEnv makes the test binary play a host: its value is the TempDir.
const hostEnv = "DROVER_CHROME_TEST_HOST"

// hostMain opens four sessions, one in a process of its own and one with a stored
// profile, each with a busy page, says so, and waits to be killed.
func hostMain() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<script>setInterval(() => fetch('/'), 20)</script>`)
	}))
	var profile *workdir.Dir
	err := func() error {
		p, err := chrome.New(chrome.Options{TempDir: os.Getenv(hostEnv), Gate: chrometest.LocalGate(), Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			return err
		}
		if profile, err = p.ProfileDir(math.MaxInt64); err != nil { // in TempDir
			return err
		}
		for _, o := range []browser.Options{{}, {}, {OwnProcess: true}, {Profile: &browser.Profile{Dir: profile.Path()}}} {
			s, err := p.Open(context.Background(), o)
			if err != nil {
				return err
			}
			if _, err := s.Navigate(context.Background(), srv.URL); err != nil {
				return err
			}
		}
		return nil
	}()
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	fmt.Println("ready")
	defer runtime.KeepAlive(profile) // it is its owner's while it is held
	select {}
}

// startHost starts a host and returns it when its sessions are open.
func startHost(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), hostEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "ready" {
		t.Fatalf("the host says %q, %v", line, err)
	}
	return cmd
}

func TestAKilledHostLeavesNothing(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it kills processes")
	chrometest.RequireChromium(t)
	needsProc(t)
	dir := chrometest.TempDir(t)
	host := startHost(t, dir)
	pids := chrome.ProcessesUsing(dir)
	if len(pids) < 3 {
		t.Fatalf("only %d processes run", len(pids))
	}
	// A start beside a living host leaves it alone.
	before := entries(t, dir)
	beside := chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = dir })
	if after := entries(t, dir); len(before) != 2 || len(after) != 2 {
		t.Fatalf("before %v, after %v", before, after)
	}
	beside.Close()

	host.Process.Kill()
	host.Wait()
	for _, pid := range pids {
		waitGone(t, pid)
	}
	if left := chrome.ProcessesUsing(dir); len(left) > 0 {
		t.Errorf("processes %v live on", left)
	}
	if after := entries(t, dir); len(after) != 2 {
		t.Errorf("the profiles should be there still: %v", after)
	}
	chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = dir })
	if after := entries(t, dir); len(after) != 0 {
		t.Errorf("the next start leaves %v", after)
	}
}

// What goes on without its host and without its browser is ended by the next start.
func TestWhatAKilledHostLeavesRunning(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it kills processes")
	chrometest.RequireChromium(t)
	needsProc(t)
	dir := chrometest.TempDir(t)
	host := startHost(t, dir)
	for _, pid := range chrome.ProcessesUsing(dir) {
		if p, err := os.FindProcess(pid); err == nil {
			p.Signal(syscall.SIGSTOP) // it notices nothing
		}
	}
	host.Process.Kill()
	host.Wait()
	if left := chrome.ProcessesUsing(dir); len(left) == 0 {
		t.Fatal("there is nothing to end")
	}
	chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = dir })
	if left := chrome.ProcessesUsing(dir); len(left) > 0 {
		t.Errorf("processes %v live on", left)
	}
	if after := entries(t, dir); len(after) != 0 {
		t.Errorf("the next start leaves %v", after)
	}
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// needsProc skips a test that looks for processes where they cannot be listed.
func needsProc(t testing.TB) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: processes are only listed on Linux")
	}
}
