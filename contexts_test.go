package drover_test

import (
	"bytes"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage/contexts"
	"github.com/drover-go/drover/storage/projects"
)

// hostLog is what a host logs.
type hostLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *hostLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *hostLog) bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.text.Bytes())
}

// withChromium opens the data of a host that logs everything there.
func withChromium(t *testing.T, dir string, log io.Writer) *drover.Drover {
	t.Helper()
	chrometest.RequireChromium(t)
	d, err := drover.Open(t.Context(), hostOptions(dir, log))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func hostOptions(dir string, log io.Writer) drover.Options {
	o := drover.Options{Data: dir, AllowPrefixes: loopback}
	if log != nil {
		o.Logger = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return o
}

// session opens a session of the project default with a context.
func session(t *testing.T, d *drover.Drover, id string, persist bool) browser.Session {
	t.Helper()
	project, err := d.Projects.Get(t.Context(), projects.Default)
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Sessions.OpenFor(t.Context(), project.ID, sessions.Create{Settings: sessions.Settings{Context: &sessions.ContextRef{ID: id, Persist: persist}}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// visits has one session with the context open a page and end.
func visits(t *testing.T, d *drover.Drover, id string, persist bool, url string) string {
	t.Helper()
	s := session(t, d, id, persist)
	title, err := said(t.Context(), s, url)
	if err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	return title
}

// Every kind of state is there in the next process, and the secret in it is
// nowhere in the clear.
func TestAContextKeepsEveryKindOfStateAcrossProcessesAndNothingInTheClear(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	site, dir, log := newCanarySite(t), t.TempDir(), &hostLog{}
	d := withChromium(t, dir, log)
	c, err := d.Contexts.Create(t.Context(), contexts.Create{})
	if err != nil {
		t.Fatal(err)
	}
	s := session(t, d, c.ID, true)
	if title, err := said(t.Context(), s, site.URL+"/make"); title != "all is made" || err != nil {
		t.Fatalf("%q, %v", title, err)
	}
	hasNone(t, "while the session runs", dir, site.secret, log)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	hasNone(t, "after its end", dir, site.secret, log)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}

	d = withChromium(t, dir, log)
	for range 2 { // what is only read stays as it is
		if title := visits(t, d, c.ID, false, site.URL+"/look"); title != allFound {
			t.Errorf("in the next process: %q", title)
		}
	}
	if title := visits(t, d, c.ID, true, site.URL+"/look"); title != allFound {
		t.Errorf("%q", title)
	}
	if title := visits(t, d, c.ID, true, site.URL+"/look"); title != allFound {
		t.Errorf("after it was saved again: %q", title)
	}
	hasNone(t, "in the end", dir, site.secret, log)

	var export bytes.Buffer // where it is to be found: the search is one that finds
	if _, err := d.Contexts.Export(t.Context(), c.ID, &export); err != nil || !contains(export.Bytes(), site.secret) {
		t.Errorf("the secret is not in an export either: %v", err)
	}
}

func TestAContextThatIsOnlyReadIsNeverWritten(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	site, dir := newCanarySite(t), t.TempDir()
	d := withChromium(t, dir, nil)
	c, err := d.Contexts.Create(t.Context(), contexts.Create{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if title := visits(t, d, c.ID, false, site.URL+"/make"); title != "all is made" {
			t.Errorf("%q", title)
		}
	}
	if title := visits(t, d, c.ID, false, site.URL+"/look"); title != "found:." {
		t.Errorf("%q", title)
	}
	if got, err := d.Contexts.Get(t.Context(), c.ID); err != nil || !got.SavedAt.IsZero() {
		t.Errorf("%+v, %v", got, err)
	}
	if entries, err := filepath.Glob(filepath.Join(dir, "contexts", "*", "*")); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

// contains looks for a text in both forms that browsers keep texts in.
func contains(data []byte, text string) bool {
	var wide []byte
	for _, c := range utf16.Encode([]rune(text)) {
		wide = append(wide, byte(c), byte(c>>8))
	}
	return bytes.Contains(data, []byte(text)) || bytes.Contains(data, wide)
}

// hasNone holds that a secret is nowhere in the data and in what was logged.
func hasNone(t *testing.T, when, dir, secret string, log *hostLog) {
	t.Helper()
	if found := filesWith(t, dir, secret); len(found) > 0 {
		t.Errorf("%s the secret is in %v", when, found)
	}
	if contains(log.bytes(), secret) {
		t.Errorf("%s the secret was logged:\n%s", when, log.bytes())
	}
	if len(filesWith(t, dir, "SQLite format 3")) == 0 {
		t.Errorf("%s there is nothing to look at", when)
	}
	for file := range tree(t, dir) {
		if chromes := []string{"Local State", "Cookies", "Preferences"}; slices.Contains(chromes, filepath.Base(file)) {
			t.Errorf("%s a profile lies in the data directory: %s", when, file)
		}
	}
}

// filesWith are the files below a folder that hold a text.
func filesWith(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	for file, content := range tree(t, dir) {
		if contains(content, text) {
			found = append(found, file)
		}
	}
	return found
}

// tree reads what is below a folder. Files may go meanwhile.
func tree(t *testing.T, dir string) func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return nil
			}
			content, err := os.ReadFile(path)
			if err == nil && !yield(path, content) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
