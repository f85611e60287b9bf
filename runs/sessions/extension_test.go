package sessions

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/extensions"
	"github.com/drover-go/drover/storage/projects"
)

// marking is an extension of that name, which writes to pages and whose worker
// answers them.
func marking(name string) map[string]string {
	return map[string]string{
		"manifest.json": fmt.Sprintf(`{"manifest_version":3,"name":%q,"version":"1","permissions":["storage"],"background":{"service_worker":"worker.js"},
			"content_scripts":[{"matches":["<all_urls>"],"js":["mark.js"],"run_at":"document_end"}]}`, name),
		"mark.js":   `chrome.runtime.sendMessage('hello').then(a => { const p = document.createElement('p'); p.textContent = 'marked, and ' + a; document.body.append(p) })`,
		"worker.js": `chrome.runtime.onMessage.addListener((m, who, answer) => answer('the worker says ' + m))`,
	}
}

// withExtensions gives a world a place for extensions.
func withExtensions(w *world) (extensions.Service, error) {
	kept, err := extensions.Open(extensions.Config{DB: w.db, Callers: w.projects, Blobs: blob.NewMemory(clock.System()), Debugger: true})
	w.service.conf.Extensions = kept
	return kept, err
}

func upload(ctx context.Context, kept extensions.Service, files map[string]string) (extensions.Extension, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	var errs []error
	for name, content := range files {
		f, err := z.Create(name)
		if err == nil {
			_, err = f.Write([]byte(content))
		}
		errs = append(errs, err)
	}
	if err := errors.Join(append(errs, z.Close())...); err != nil {
		return extensions.Extension{}, err
	}
	return kept.Upload(ctx, extensions.Upload{Content: &b})
}

// keepExtension is withExtensions for a host that will be killed.
func keepExtension(ctx context.Context, w *world, name string) (id string, err error) {
	kept, err := withExtensions(w)
	if err != nil {
		return "", err
	}
	e, err := upload(ctx, kept, marking(name))
	return e.ID, err
}

// extensionWorld also closes the extensions when the test ends, after the
// sessions.
func extensionWorld(t *testing.T, temp *string, log io.Writer) (*world, extensions.Service) {
	t.Helper()
	w := start(t, setup{log: log, browser: chrometest.Provider(t, func(o *chrome.Options) { *temp = o.TempDir })})
	kept := must(withExtensions(w))(t)
	t.Cleanup(func() {
		if err := kept.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return w, kept
}

// unpackedOf are the directories into which an extension of that name has been
// unpacked by sessions, of whatever process.
func unpackedOf(temp, name string) (found []string) {
	for _, place := range workdir.Places(temp) {
		all, _ := filepath.Glob(filepath.Join(place, "*", "extension", "manifest.json"))
		for _, file := range all {
			if text, _ := os.ReadFile(file); strings.Contains(string(text), name) {
				found = append(found, file)
			}
		}
	}
	return found
}

func TestASessionLoadsItsExtension(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `<title>Here</title><p>a page</p>`) }))
	defer site.Close()
	var temp string
	w, kept := extensionWorld(t, &temp, nil)
	name := ids.New()
	e := must(upload(t.Context(), kept, marking(name)))(t)
	with := w.create(t, Create{Settings: Settings{ExtensionID: e.ID}})
	beside := w.create(t, Create{})
	if n := len(unpackedOf(temp, name)); n != 1 {
		t.Errorf("it is unpacked %d times", n)
	}
	if err := kept.Delete(t.Context(), e.ID); err != nil { // who has it keeps it
		t.Fatal(err)
	}
	for id, want := range map[string]bool{with.ID: true, beside.ID: false} {
		b := w.find(id).browser
		for {
			if _, err := b.Navigate(t.Context(), site.URL); err != nil {
				t.Fatal(err)
			}
			marked := false
			for _, e := range must(b.Snapshot(t.Context()))(t).Elements {
				marked = marked || e.Name == "marked, and the worker says hello"
			}
			if marked && !want {
				t.Error("a session has an extension that it did not name")
			}
			if marked == want {
				break
			}
		}
	}
	processes := browsers(t, temp)
	must(w.Release(t.Context(), with.ID))(t)
	must(w.Release(t.Context(), beside.ID))(t)
	if left := unpackedOf(temp, name); len(left) > 0 {
		t.Errorf("left of the extension: %v", left)
	}
	ended := 0
	for _, p := range processes {
		if strings.Contains(p.cmdline, "extension-debugging") {
			p.waitGone(t)
			ended++
		}
	}
	if ended == 0 {
		t.Error("no process was the session's own")
	}
	var field *errtypes.Error
	if _, err := w.Create(t.Context(), Create{Settings: Settings{ExtensionID: e.ID}}); !errors.As(err, &field) || field.Message != fmt.Sprintf("browserSettings.extensionId names no extension: there is no %q", e.ID) {
		t.Errorf("one that is deleted: %v", err)
	}
}

// What the browser does not load is the caller's error, and leaves nothing.
func TestAnExtensionThatTheBrowserRefuses(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	var temp string
	var heard bytes.Buffer
	w, kept := extensionWorld(t, &temp, &heard)
	name := ids.New()
	files := marking(name)
	files["_locales/en/messages.json"] = `{"a":{"message":"$NONE$"}}`
	files["manifest.json"] = strings.Replace(files["manifest.json"], "{", `{"default_locale":"en",`, 1)
	noTexts := must(upload(t.Context(), kept, files))(t)
	files = marking(name)
	files["manifest.json"] = strings.Replace(files["manifest.json"], "{", `{"minimum_chrome_version":"999",`, 1)
	tooNew := must(upload(t.Context(), kept, files))(t)
	files = marking(name)
	files["manifest.json"] = strings.Replace(files["manifest.json"], "{", `{"default_locale":"en",`, 1)
	files["_locales/en/messages.json"], files["_locales/de/other.json"] = "{}", ""
	elsewhere := must(upload(t.Context(), kept, files))(t)
	for _, c := range []struct{ id, says string }{
		{noTexts.ID, "Variable $NONE$"}, {tooNew.ID, "Chromium version 999"}, {elsewhere.ID, "_locales/de/messages.json"},
	} {
		heard.Reset()
		var field *errtypes.Error
		_, err := w.Create(t.Context(), Create{Settings: Settings{ExtensionID: c.id}})
		if !errors.As(err, &field) || field.Field != "browserSettings.extensionId" || field.Kind != errtypes.Invalid ||
			!strings.Contains(field.Message, "does not load: ") || !strings.Contains(field.Message, c.says) || strings.Contains(field.Message, "/extension") {
			t.Errorf("%v, want one that says %q", err, c.says)
		}
		if !strings.Contains(heard.String(), "level=WARN") || !strings.Contains(heard.String(), c.says) {
			t.Errorf("the log says %q, want %q", heard.String(), c.says)
		}
	}
	if left := unpackedOf(temp, name); len(left) > 0 {
		t.Errorf("left of the extension: %v", left)
	}
	if all := must(w.List(t.Context(), Filter{}))(t); len(all) > 0 {
		t.Errorf("a session that did not begin is there: %+v", all)
	}
}

// A project has none of another's extensions.
func TestAnExtensionOfAnotherProject(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	kept := must(withExtensions(w))(t)
	defer kept.Close(context.Background())
	e := must(upload(t.Context(), kept, marking("x")))(t)
	other := must(w.projects.Create(t.Context(), projects.Create{Name: "other"}))(t)
	if _, err := w.OpenFor(t.Context(), other.ID, Create{Settings: Settings{ExtensionID: e.ID}}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
	for name, c := range map[string]struct {
		ctx   context.Context
		id    string
		field string
	}{
		"its own": {t.Context(), e.ID, ""}, "unknown": {t.Context(), ids.New(), extensionField}, "malformed": {t.Context(), "x", extensionField},
		"another project's": {projects.With(t.Context(), other), e.ID, extensionField},
	} {
		err := w.Check(c.ctx, Settings{ExtensionID: c.id})
		if known := c.field == ""; known != (err == nil) || !known && errtypes.Public(err).Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The same browser, which has no place for them, in the right project.
	if _, err := w.Create(t.Context(), Create{Settings: Settings{ExtensionID: e.ID}}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
}
