package publish

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/functions/internal/nodejs"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/testlevel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// publisher makes programs as the user of the test.
func publisher(t *testing.T, c Config) *Publisher {
	t.Helper()
	testlevel.External()
	tools, err := nodejs.Find(nodejs.Tools{})
	if err != nil {
		testlevel.Missing(t, "NODE: %v", err)
	}
	c.Node, c.Npm, c.Pnpm = tools.Node, tools.Npm, tools.Pnpm
	if c.Dependencies == "" {
		c.Dependencies = filepath.Join(t.TempDir(), "dependencies")
	}
	if c.Children, err = child.Open(child.Options{TempDir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Children.Close(); err != nil {
			t.Error(err)
		}
	})
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// lines are the log of a build.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, line)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.all, "\n") + "\n"
}

// bundled bundles the files of a program with the entry point index.ts.
func bundled(t *testing.T, p *Publisher, files map[string]string) (dir, out string, log *lines, err error) {
	t.Helper()
	dir, log = program(t, files), &lines{}
	out, err = p.bundle(t.Context(), dir, "index.ts", log.add)
	return dir, out, log, err
}

// program is a directory with files.
func program(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// node runs a file and returns what it prints.
func node(t *testing.T, p *Publisher, dir, file string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), p.conf.Node, filepath.Join(dir, filepath.FromSlash(file)))
	run.Dir = dir
	text, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return strings.TrimSpace(string(text))
}

// archived are files as they are published.
func archived(t *testing.T, files map[string]string) io.Reader {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(files[name]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}
