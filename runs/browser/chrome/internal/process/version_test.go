package process

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/child"
)

// wrapper is a script in the place of a browser, and a file that it can write to.
func wrapper(t *testing.T, script string) (path, file string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: the script is of a Unix shell")
	}
	dir := t.TempDir()
	path, file = filepath.Join(dir, "chromium"), filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+strings.ReplaceAll(script, "FILE", file)), 0o700); err != nil {
		t.Fatal(err)
	}
	return path, file
}

func children(t *testing.T) *child.Manager {
	t.Helper()
	m, err := child.Open(child.Options{TempDir: t.TempDir()})
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

// One after the other: while another program is started, a script that has just been
// written can be busy.
func TestVersionOf(t *testing.T) {
	t.Parallel()
	t.Run("is asked once", isAskedOnce)
	t.Run("of a wrapper that hangs", aWrapperThatHangs)
}

// A browser is asked again only when it has been replaced.
func isAskedOnce(t *testing.T) {
	m := children(t)
	path, asked := wrapper(t, "echo $1 >> FILE\necho Chromium 1.2.3.4 built on\n")
	for range 3 {
		if version, err := VersionOf(t.Context(), m, path); version != "1.2.3.4" || err != nil {
			t.Error(version, err)
		}
	}
	if text, err := os.ReadFile(asked); string(text) != "--version\n" || err != nil {
		t.Errorf("it was asked %q, %v", text, err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho 10.20.30.40\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if version, err := VersionOf(t.Context(), m, path); version != "10.20.30.40" || err != nil {
		t.Error(version, err)
	}
	for name, script := range map[string]string{"another program": "echo 7", "one that fails": "echo broken >&2; exit 3"} {
		path, _ := wrapper(t, script)
		if _, err := VersionOf(t.Context(), m, path); !errtypes.Is(err, errtypes.Unavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Who no longer waits for the answer ends the one who was asked, with all that it
// has started.
func aWrapperThatHangs(t *testing.T) {
	m := children(t)
	path, file := wrapper(t, "sleep 600 &\necho $! > FILE.new\nmv FILE.new FILE\nwait\n")
	boom := errors.New("boom")
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := VersionOf(ctx, m, path)
		done <- err
	}()
	var pid []byte
	for len(pid) == 0 && len(done) == 0 {
		pid, _ = os.ReadFile(file)
		runtime.Gosched()
	}
	cancel(boom)
	if err := <-done; !errors.Is(err, boom) {
		t.Error(err)
	}
	if line, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/cmdline"); err == nil && len(line) > 0 {
		t.Errorf("left running: %q", line)
	}
}
