//go:build unix

package functions

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/osuser/osusertest"
)

// fakeNode is a program that says what it is told to, and how to tell it something else.
func fakeNode(t *testing.T, script string) (path string, become func(script string)) {
	t.Helper()
	path = filepath.Join(osusertest.Shared(t), "node")
	become = func(script string) {
		t.Helper()
		syscall.ForkLock.RLock() // a file that is written cannot be executed, and a child that begins has it open
		defer syscall.ForkLock.RUnlock()
		next := path + ".next"
		if err := os.WriteFile(next, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(next, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(next, path); err != nil {
			t.Fatal(err)
		}
	}
	become(script)
	return path, become
}

func TestNodeJSThatCannotRunPrograms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, want string }{
		"an old one":        {"echo v18.20.4", "v18.20.4, and programs need version 20 or later"},
		"one of other days": {"echo v0.12.18", "v0.12.18, and programs need"},
		"another program":   {"echo hello", "no Node.js: it does not say its version"},
		"one that fails":    {"echo broken >&2; exit 127", "does not start"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node, _ := fakeNode(t, c.script)
			w := start(t, setup{programs: &ProgramOptions{Node: node}, work: t.TempDir()})
			_, err := w.Publish(t.Context(), Publish{Entrypoint: "index.js", Archive: archive(t, nil)})
			if !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(errtypes.Public(err).Message, c.want) {
				t.Error(err)
			}
			if n := count(t, w.sources); n != 0 {
				t.Errorf("%d archives", n)
			}
			_, version, err := NodeFound(t.Context(), ProgramOptions{Node: node})
			if !errtypes.Is(err, errtypes.Unavailable) || (version != "") != strings.HasPrefix(c.want, "v") {
				t.Errorf("%q %v", version, err)
			}
		})
	}
}

// What was published is not run by an older Node.js, and is again by a newer one.
func TestANodeJSThatIsReplaced(t *testing.T) {
	t.Parallel()
	real, err := exec.LookPath("node")
	if err != nil {
		t.Skip(err)
	}
	good := "exec " + real + ` "$@"`
	node, become := fakeNode(t, good)
	w := publishing(t, setup{programs: &ProgramOptions{Node: node}})
	w.program(t, one)
	become("echo v19.9.0")
	w.programs.node.ok = false // as if the host had started again
	const want = "v19.9.0, and programs need version 20 or later"
	if _, err := w.Invoke(t.Context(), "one", Invoke{}); !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), want) {
		t.Error(err)
	}
	// Whatever waited when the host started is not run by it, either.
	if err := w.programs.begin(t.Context()); !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
	become(good)
	if inv := w.do(t, "one", Invoke{}); inv.Status != Completed {
		t.Errorf("%+v %+v\n%s", inv, inv.Cause, w.log(t, inv))
	}
	if b := w.program(t, one); b.Status != builds.Succeeded {
		t.Errorf("%+v", b)
	}
}
