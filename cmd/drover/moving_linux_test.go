package main

import (
	"archive/tar"
	"bytes"
	"crypto/rand"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/runs/browser/chrome"
)

// mover runs commands on data of its own, with a temporary directory of its own.
type mover struct {
	t         *testing.T
	dir, temp string
}

func (m mover) command(args ...string) *exec.Cmd {
	cmd := exec.Command("drover", args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "TMPDIR="+m.temp, masterKeyVariable+"=", formerMasterKeysVariable+"=")
	return cmd
}

func (m mover) run(args ...string) string {
	m.t.Helper()
	out, err := m.command(args...).Output()
	if err != nil {
		m.t.Fatalf("%v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// half is the beginning of a tar file, more than a pipe holds.
func half(t *testing.T, name string) []byte {
	t.Helper()
	var file bytes.Buffer
	w := tar.NewWriter(&file)
	if err := w.WriteHeader(&tar.Header{Name: "Default/" + name, Typeflag: tar.TypeReg, Size: 1 << 20, Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, 512<<10)); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// importing is an import of standard input that has begun to unpack a file and
// waits for more.
func (m mover) importing(id, name string) (cmd *exec.Cmd, stdin io.Closer, said *bytes.Buffer) {
	m.t.Helper()
	cmd, said = m.command("contexts", "import", id, "-"), &bytes.Buffer{}
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = in.Write(half(m.t, name))
	}
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { cmd.Process.Kill(); in.Close() })
	return cmd, in, said
}

// clear reports where a file of that name lies in the clear.
func (m mover) clear(name string) (found []string) {
	m.t.Helper()
	for _, place := range workdir.Places(m.temp) {
		all, err := filepath.Glob(filepath.Join(place, "drover-context-*", "profile", "Default", name))
		if err != nil {
			m.t.Fatal(err)
		}
		found = append(found, all...)
	}
	return found
}

// serve opens the data as a process does that stays, until it has removed a file
// that lies in the clear. Commands that come and go remove nothing.
func (m mover) serve(name string) {
	m.t.Helper()
	d, err := drover.Open(m.t.Context(), drover.Options{Data: filepath.Join(m.dir, "drover-data"), Chromium: chrome.Options{TempDir: m.temp}})
	if err != nil {
		m.t.Fatal(err)
	}
	defer d.Close()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for begun := time.Now(); len(m.clear(name)) > 0 && time.Since(begun) < time.Minute; {
		<-tick.C
	}
}

func TestAnImportEndsWithASignalAndLeavesNothingInTheClear(t *testing.T) {
	testlevel.Long(t, "it kills processes")
	for name, sig := range map[string]syscall.Signal{"interrupted": syscall.SIGINT, "killed": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			m, file := mover{t, t.TempDir(), t.TempDir()}, rand.Text()
			m.run("keys", "create")
			id := m.run("contexts", "create")
			cmd, _, said := m.importing(id, file)
			if len(m.clear(file)) != 1 {
				t.Fatal("nothing is unpacked: the test shows nothing")
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if cmd.Wait(); cmd.ProcessState.Success() || sig == syscall.SIGINT && !cmd.ProcessState.Exited() {
				t.Errorf("%v, %s", cmd.ProcessState, said)
			}
			if sig == syscall.SIGKILL {
				m.serve(file)
			}
			if left := m.clear(file); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
			if list := m.run("contexts", "list"); !strings.Contains(list, "never") {
				t.Error(list)
			}
		})
	}
}

func TestAPipeThatNobodyOpensEndsWithASignal(t *testing.T) {
	m := mover{t, t.TempDir(), t.TempDir()}
	m.run("keys", "create")
	id := m.run("contexts", "create")
	pipe := filepath.Join(m.dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := m.command("contexts", "import", id, pipe)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns when it is opened for reading
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if cmd.Wait(); !cmd.ProcessState.Exited() || cmd.ProcessState.Success() {
		t.Error(cmd.ProcessState)
	}
}

// The profile of a browser that runs is not copied under its hands.
func TestTheProfileOfABrowserThatRunsIsNotImported(t *testing.T) {
	here, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	for to, refused := range map[string]bool{
		here + "-" + strconv.Itoa(os.Getpid()):      true,
		here + "-" + strconv.Itoa(dead.Process.Pid): false,
		"elsewhere-1": true,
		"elsewhere-" + strconv.Itoa(dead.Process.Pid): true,
		here + "-none": false,
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "Default"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(dir, singletonLock)); err != nil {
			t.Fatal(err)
		}
		r, err := openProfile(t.Context(), dir)
		if err == nil {
			io.Copy(io.Discard, r)
			r.Close()
		}
		if (err != nil) != refused {
			t.Errorf("%s: %v", to, err)
		}
	}
}
