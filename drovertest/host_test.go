package drovertest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/docstest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// TestTheGuideIsAModule builds the two programs of docs/testing-hosts.md as a
// module that is not this one, which can import nothing internal, and runs the
// tests in it.
func TestTheGuideIsAModule(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a module of its own is built and linked")
	chrometest.RequireChromium(t)
	programs := docstest.Blocks(t, "../docs/testing-hosts.md")
	if len(programs) != 2 {
		t.Fatalf("the guide has %d programs", len(programs))
	}
	dir := t.TempDir()
	write(t, dir, "prices.go", programs[0].Source)
	write(t, dir, "prices_test.go", programs[1].Source)
	writeModule(t, dir)
	cmd := exec.Command("go", "test", "-v", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS") != 3 {
		t.Errorf("%v\n%s", err, out)
	}
}

// writeModule requires what this module does, in the same versions.
func writeModule(t *testing.T, dir string) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	mod := strings.Replace(read(t, "../go.mod"), "module github.com/drover-go/drover\n", "module example.com/prices\n", 1)
	write(t, dir, "go.mod", mod+"\nrequire github.com/drover-go/drover v0.0.0\n\nreplace github.com/drover-go/drover => "+root+"\n")
	write(t, dir, "go.sum", read(t, "../go.sum"))
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
