package sessions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/contexts"
	"github.com/drover-go/drover/storage/projects"
)

// rememberingSite has pages whose title is what the browser remembers, one of
// which puts something in there first: /set/VALUE.
func rememberingSite(t testing.TB) *httptest.Server {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		set := ""
		if dir, value := path.Split(r.URL.Path); dir == "/set/" {
			set = fmt.Sprintf("document.cookie = 'c=%s; path=/'; localStorage.l = '%s';", value, value)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<script>%s document.title = document.cookie + ' ' + localStorage.l</script>`, set)
	}))
	t.Cleanup(site.Close)
	return site
}

// remembers is the title of the site for a value; empty for none.
func remembers(value string) string {
	if value == "" {
		return "undefined"
	}
	return "c=" + value + " " + value
}

// visit opens a session with the context, and returns what a page of the site
// says there.
func (w *world) visit(t testing.TB, use *ContextRef, url string) (Session, string) {
	t.Helper()
	s := w.create(t, Create{KeepAlive: true, Settings: Settings{Context: use}})
	page := must(w.find(s.ID).browser.Navigate(t.Context(), url))(t)
	return s, strings.TrimSpace(page.Title)
}

// once is a visit that ends.
func (w *world) once(t testing.TB, use *ContextRef, url string) (string, Session) {
	t.Helper()
	s, title := w.visit(t, use, url)
	return title, must(w.Release(t.Context(), s.ID))(t)
}

// says reports whether the log of a session has a note with the text.
func (w *world) says(t testing.TB, id, text string) bool {
	t.Helper()
	for _, e := range must(w.Logs(t.Context(), id))(t) {
		if e.Method == "Drover.note" && strings.Contains(string(e.Params), text) {
			return true
		}
	}
	return false
}

func (w *world) newContext(t testing.TB) string {
	t.Helper()
	return must(w.contexts.Create(t.Context(), contexts.Create{}))(t).ID
}

func TestAContextOutlivesItsSessions(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	site := rememberingSite(t)
	w := start(t, setup{contexts: true, browser: chrometest.Provider(t)})
	id := w.newContext(t)
	reading, saving := &ContextRef{ID: id}, &ContextRef{ID: id, Persist: true}

	for _, c := range []struct {
		use       *ContextRef
		path, now string
	}{
		{reading, "/", ""},
		{saving, "/set/one", "one"},
		{reading, "/", "one"},
		{reading, "/set/two", "two"}, // is forgotten
		{saving, "/", "one"},
		{saving, "/set/three", "three"}, // right after the one before
		{reading, "/", "three"},
		{nil, "/", ""},
	} {
		title, s := w.once(t, c.use, site.URL+c.path)
		if title != remembers(c.now) || s.Status != Completed {
			t.Errorf("%+v: %q, %s", c, title, s.Status)
		}
		if kept := c.use == saving; w.says(t, s.ID, "the context was saved") != kept {
			t.Errorf("%+v: the log: %+v", c, must(w.Logs(t.Context(), s.ID))(t))
		}
		if c.use != nil && (s.Settings.Context == nil || *s.Settings.Context != *c.use) {
			t.Errorf("the record has %+v", s.Settings.Context)
		}
	}
}

func TestOneSessionSavesAContext(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	site := rememberingSite(t)
	w := start(t, setup{contexts: true, browser: chrometest.Provider(t)})
	id := w.newContext(t)
	saving := &ContextRef{ID: id, Persist: true}
	s, _ := w.visit(t, saving, site.URL+"/set/one")
	_, err := w.Create(t.Context(), Create{Settings: Settings{Context: saving}})
	if !errtypes.Is(err, errtypes.Conflict) || !strings.Contains(err.Error(), s.ID) {
		t.Error(err)
	}
	if all := must(w.List(t.Context(), Filter{}))(t); len(all) != 1 {
		t.Errorf("the refused session left a record: %+v", all)
	}
	if title, _ := w.once(t, &ContextRef{ID: id}, site.URL); title != remembers("") {
		t.Errorf("who reads sees what was not saved yet: %q", title)
	}
	if s := must(w.contexts.Get(t.Context(), id))(t); s.InUseBy == "" {
		t.Errorf("%+v", s)
	}
	must(w.Release(t.Context(), s.ID))(t)
	if title, _ := w.once(t, saving, site.URL); title != remembers("one") {
		t.Errorf("%q", title)
	}
}

func TestContextsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	w := start(t, setup{contexts: true, browser: chrometest.Provider(t)})
	mine := w.newContext(t)
	must(w.projects.Create(t.Context(), projects.Create{Name: "other"}))(t)
	other := must(w.projects.In(t.Context(), "other"))(t)
	for name, c := range map[string]struct {
		ctx context.Context
		id  string
	}{"unknown": {t.Context(), "0197f3a0-0000-7000-8000-000000000000"}, "malformed": {t.Context(), "x"}, "another project's": {other, mine}} {
		settings := Settings{Context: &ContextRef{ID: c.id}}
		_, err := w.Create(c.ctx, Create{Settings: settings})
		for _, err := range []error{err, w.Check(c.ctx, settings)} {
			if e := errtypes.Public(err); e.Kind != errtypes.Invalid || e.Field != "browserSettings.context.id" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	without := start(t, setup{contexts: true, browser: &quickBrowser{}})
	err := without.Check(t.Context(), Settings{Context: &ContextRef{ID: without.newContext(t)}})
	if e := errtypes.Public(err); e.Kind != errtypes.Invalid || e.Field != "browserSettings.context" {
		t.Error(err)
	}
}

func TestAContextDeletedInUseIsNotSaved(t *testing.T) {
	t.Parallel()
	site := rememberingSite(t)
	w := start(t, setup{dir: t.TempDir(), contexts: true, browser: chrometest.Provider(t)})
	id := w.newContext(t)
	s, _ := w.visit(t, &ContextRef{ID: id, Persist: true}, site.URL+"/set/one")
	if err := w.contexts.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if s := must(w.Release(t.Context(), s.ID))(t); s.Status != Completed {
		t.Errorf("%+v", s)
	}
	if !w.says(t, s.ID, "the context was not saved: it was deleted meanwhile") {
		t.Errorf("the log does not say so: %+v", must(w.Logs(t.Context(), s.ID))(t))
	}
	if left := filesIn(t, w.archives); len(left) > 0 {
		t.Errorf("left of the context: %v", left)
	}
}

// filesIn are the files below a folder.
func filesIn(t testing.TB, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}

func TestADamagedContextIsTheOneBefore(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	site := rememberingSite(t)
	var log bytes.Buffer
	w := start(t, setup{dir: t.TempDir(), contexts: true, browser: chrometest.Provider(t), log: &log})
	id := w.newContext(t)
	saving := &ContextRef{ID: id, Persist: true}
	w.once(t, saving, site.URL+"/set/one")
	before := filesIn(t, w.archives)
	w.once(t, saving, site.URL+"/set/two")
	for _, file := range filesIn(t, w.archives) {
		if strings.Contains(strings.Join(before, " "), file) {
			continue
		}
		content := must(os.ReadFile(file))(t)
		content[len(content)/2] ^= 1
		if err := errors.Join(os.Chmod(file, 0o600), os.WriteFile(file, content, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	title, s := w.once(t, saving, site.URL)
	if title != remembers("one") {
		t.Errorf("%q", title)
	}
	if !w.says(t, s.ID, "is damaged, so the one before it is used") || !strings.Contains(log.String(), "damaged") {
		t.Errorf("%+v\n%s", must(w.Logs(t.Context(), s.ID))(t), log.String())
	}
	if title, s := w.once(t, saving, site.URL); title != remembers("one") || w.says(t, s.ID, "damaged") {
		t.Errorf("after it was saved again: %q", title)
	}
}

// full is a store that has no room left.
type full struct{ blob.Store }

func (full) Put(_ context.Context, r io.Reader, _ int64) (blob.Info, error) {
	_, err := io.CopyN(io.Discard, r, 1000)
	return blob.Info{}, errors.Join(errtypes.New(errtypes.Unavailable, "no space is left for the file"), err)
}

func TestAContextThatCannotBeSaved(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	site := rememberingSite(t)
	var log bytes.Buffer
	w := start(t, setup{contexts: true, browser: chrometest.Provider(t), log: &log,
		keeping: func(s blob.Store) blob.Store { return full{s} }})
	saving := &ContextRef{ID: w.newContext(t), Persist: true}
	_, s := w.once(t, saving, site.URL+"/set/one")
	if s.Status != Completed || !w.says(t, s.ID, "was not saved, and is what it was before: no space is left") {
		t.Errorf("%s, %+v", s.Status, must(w.Logs(t.Context(), s.ID))(t))
	}
	if !strings.Contains(log.String(), "no space is left") {
		t.Error(log.String())
	}
	if title, _ := w.once(t, saving, site.URL); title != remembers("") {
		t.Errorf("%q", title)
	}
}

// A session that does not come to begin leaves neither a directory nor a hold.
func TestASessionThatDoesNotBeginLetsGoOfItsContext(t *testing.T) {
	t.Parallel()
	real := chrometest.Provider(t)
	b := &failingProfiles{profiles: real, err: errtypes.New(errtypes.Unavailable, "no browser can be started")}
	w := start(t, setup{contexts: true, browser: b})
	id := w.newContext(t)
	for range 2 {
		_, err := w.Create(t.Context(), Create{Settings: Settings{Context: &ContextRef{ID: id, Persist: true}}})
		if !errtypes.Is(err, errtypes.Unavailable) || errtypes.Is(err, errtypes.Conflict) {
			t.Error(err)
		}
	}
	if b.dir == "" {
		t.Fatal("it was not asked for the profile")
	}
	if _, err := os.Stat(b.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the profile is left: %v", err)
	}
	if c := must(w.contexts.Get(t.Context(), id))(t); c.InUseBy != "" {
		t.Errorf("%+v", c)
	}
}

// failingProfiles opens no session, and notes what profile it was to have.
type failingProfiles struct {
	profiles
	err error
	dir string
}

func (b *failingProfiles) Open(_ context.Context, o browser.Options) (browser.Session, error) {
	if o.Profile != nil {
		b.dir = o.Profile.Dir
	}
	return nil, b.err
}
