package conformance

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/disktest"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/projects"
)

// pathWorld is a service whose paths on the host can be told from all else.
type pathWorld struct {
	*drover.Drover
	root, data string
	key        string
	handler    http.Handler
}

func newPathWorld(t *testing.T, root, program string, provider browser.Provider) *pathWorld {
	t.Helper()
	w := &pathWorld{root: root, data: filepath.Join(root, "data")}
	o := drover.Options{Data: w.data, RequireProject: true, Workers: drover.WorkersNever, Logger: discard, Browser: provider}
	o.Chromium.ExecPath, o.Chromium.TempDir = program, root
	w.Drover = must(drover.Open(t.Context(), o))(t)
	t.Cleanup(func() { w.Close() }) // which may fail where nothing can be written
	w.key = newKey(t, w.Projects, projects.Default)
	w.handler = httpadapter.New(w.Drover, httpadapter.Options{Logger: discard})
	return w
}

// fails asks, and holds that it is refused in words that name no path.
func (w *pathWorld) fails(t *testing.T, method, path, contentType, body string) {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("X-SVC-API-Key", w.key)
	r.Header.Set("Accept", "application/octet-stream, application/json;q=0.9, */*;q=0.1")
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	rec := httptest.NewRecorder()
	func() {
		defer func() { _ = recover() }() // of an answer that is broken off
		w.handler.ServeHTTP(rec, r)
	}()
	said := fmt.Sprint(rec.Header()) + rec.Body.String()
	if (rec.Code < 400 || rec.Code == http.StatusInternalServerError) && !strings.Contains(path, "/downloads") {
		t.Errorf("%s %s: %d %s", method, path, rec.Code, rec.Body)
	}
	for _, of := range []string{w.root, os.TempDir() + "/", "drover.db", "unfinished", "/usr/"} {
		if strings.Contains(said, of) {
			t.Errorf("%s %s: %d names %q: %s", method, path, rec.Code, of, said)
		}
	}
}

func fileForm(t *testing.T, name string, content []byte) (contentType, body string) {
	t.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	part := must(m.CreateFormFile("file", name))(t)
	_, _ = part.Write(content)
	m.Close()
	return m.FormDataContentType(), b.String()
}

const asJSON = "application/json"

func TestNoAnswerNamesThePathOfAProgram(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	script := func(name, body string) string {
		path := filepath.Join(root, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, program := range map[string]string{
		"missing":    filepath.Join(root, "nowhere", "chromium"),
		"broken":     script("broken", `echo "$0: lost" >&2; exit 127`),
		"no browser": script("trash", `echo "$0"; cat`),
		"a posing":   script("posing", `[ "$1" = --version ] && echo Chromium 156.0.1.2 && exit; echo "$0 $*" >&2; exit 1`),
		"no program": root,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newPathWorld(t, t.TempDir(), program, nil)
			w.root = root
			w.fails(t, "POST", "/v1/sessions", asJSON, `{}`)
			w.fails(t, "POST", "/v1/sessions", asJSON, `{"browserSettings":{"ownProcess":true}}`)
			w.fails(t, "POST", "/v1/fetch", asJSON, `{"url":"https://example.com/","render":true}`)
		})
	}
}

// broken asks for all that reads or writes a file of the data.
func (w *pathWorld) broken(t *testing.T, download, session string) {
	t.Helper()
	zipped, body := fileForm(t, "x.zip", []byte("PK\x03\x04 no archive"))
	w.fails(t, "POST", "/v1/extensions", zipped, body)
	zipped, body = fileForm(t, "x.pem", []byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"))
	w.fails(t, "POST", "/v1/certificates", zipped, body)
	w.fails(t, "GET", "/v1/downloads/"+download, "", "")
	w.fails(t, "GET", "/v1/sessions/"+session+"/downloads", "", "")
}

func (w *pathWorld) download(t *testing.T) (id, session string) {
	t.Helper()
	session = ids.New()
	ctx := must(w.Projects.In(t.Context(), projects.Default))(t)
	d := must(w.Downloads.Store(ctx, downloads.New{SessionID: session, Filename: "f.txt", Content: strings.NewReader("content")}))(t)
	return d.ID, session
}

func TestNoAnswerNamesThePathOfAFile(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(t *testing.T, path string){
		"gone":        func(t *testing.T, path string) { check(t, os.Remove(path)) },
		"a directory": func(t *testing.T, path string) { check(t, os.Remove(path)); check(t, os.Mkdir(path, 0o700)) },
		"too short":   func(t *testing.T, path string) { check(t, os.Truncate(path, 1)) },
		"a loop":      func(t *testing.T, path string) { check(t, os.Remove(path)); check(t, os.Symlink(path, path)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newPathWorld(t, t.TempDir(), "", nil)
			id, session := w.download(t)
			harmed := 0
			err := filepath.WalkDir(filepath.Join(w.data, "downloads"), func(path string, e fs.DirEntry, err error) error {
				if err == nil && !e.IsDir() {
					harm(t, path)
					harmed++
				}
				return err
			})
			if check(t, err); harmed != 1 {
				t.Fatalf("%d files", harmed)
			}
			w.broken(t, id, session)
		})
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Folders that are gone or are files, and a full disk.
func TestNoAnswerNamesThePathOfWhatCannotBeWritten(t *testing.T) {
	t.Parallel()
	t.Run("folders that are files", func(t *testing.T) {
		t.Parallel()
		w := newPathWorld(t, t.TempDir(), "", nil)
		id, session := w.download(t)
		for _, folder := range []string{"downloads", "extensions", "recordings", "contexts"} {
			check(t, os.RemoveAll(filepath.Join(w.data, folder)))
			check(t, os.WriteFile(filepath.Join(w.data, folder), nil, 0o600))
		}
		w.broken(t, id, session)
		w.fails(t, "GET", "/healthz", "", "")
		contentType, body := fileForm(t, "x.zip", goodExtension(t))
		w.fails(t, "POST", "/v1/extensions", contentType, body)
	})
	t.Run("a full disk", func(t *testing.T) {
		t.Parallel()
		provider := chrometest.Provider(t)
		disk := disktest.Small(t, 4)
		w := newPathWorld(t, disk, "", provider)
		id, session := w.download(t)
		disktest.Fill(t, filepath.Join(disk, "filler"))
		w.broken(t, id, session)
		w.fails(t, "GET", "/healthz", "", "")
		large := strings.Repeat("x", 60_000)
		w.fails(t, "POST", "/v1/agents", asJSON, `{"name":"x","systemPrompt":"`+large+`"}`)
		w.fails(t, "POST", "/v1/agents/runs", asJSON, `{"task":"`+large+`"}`)
		w.fails(t, "POST", "/v1/sessions", asJSON, `{"browserSettings":{"extensionId":"`+ids.New()+`"}}`)
		contentType, body := fileForm(t, "x.zip", goodExtension(t))
		w.fails(t, "POST", "/v1/extensions", contentType, body)
	})
	t.Run("a database that is gone", func(t *testing.T) {
		t.Parallel()
		w := newPathWorld(t, t.TempDir(), "", nil)
		id, session := w.download(t)
		check(t, w.Drover.Shutdown(context.Background()))
		w.broken(t, id, session)
		w.fails(t, "POST", "/v1/sessions", asJSON, `{}`)
		w.fails(t, "GET", "/healthz", "", "")
	})
}

func goodExtension(t *testing.T) []byte {
	return []byte(zipOf(t, map[string]string{"manifest.json": `{"manifest_version":3,"name":"x","version":"1"}`, "large.bin": strings.Repeat("x", 100_000)}))
}
