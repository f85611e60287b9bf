package contexts

import (
	"bytes"
	"context"
	"crypto/rsa"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// world is a service that is open, and what it stands on.
type world struct {
	*service
	projects projects.Service
	blobs    blob.Store
	dir      string // of the blobs; empty in memory
	clock    *clock.Manual
	keeper   *retention.Keeper // not started
	log      *bytes.Buffer
}

// pairs are made as those of a service are, each once.
var (
	pairs = [4]func() (*rsa.PrivateKey, error){
		sync.OnceValues(newPair), sync.OnceValues(newPair), sync.OnceValues(newPair), sync.OnceValues(newPair),
	}
	turn atomic.Uint32
)

// oneOfFew returns a pair that only every fourth context has, too.
func oneOfFew() (*rsa.PrivateKey, error) { return pairs[turn.Add(1)%uint32(len(pairs))]() }

// each runs a test on both forms of storage.
func each(t *testing.T, c Config, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		test(t, open(t, "", c))
	})
	t.Run("file", func(t *testing.T) {
		test(t, open(t, t.TempDir(), c))
	})
}

// open opens a service, in memory where dir is empty. Its clock stands still.
func open(t testing.TB, dir string, c Config) *world {
	t.Helper()
	w := &world{log: &bytes.Buffer{}, clock: clock.NewManual(noon)}
	c.Clock, c.Logger = w.clock, slog.New(slog.NewTextHandler(w.log, nil))
	if c.DB = storagetest.Open(t); dir == "" {
		w.blobs = blob.NewMemory(c.Clock)
	} else {
		c.DB = storagetest.OpenWith(t, storage.Options{Dir: dir})
		w.dir = filepath.Join(dir, "contexts")
		w.blobs = must(blob.NewDir(w.dir, blob.DirOptions{}))(t)
	}
	c.Blobs = w.blobs
	if c.Keys == nil {
		c.Keys = seal.NewRing(seal.NewKey())
	}
	w.projects = must(projects.New(t.Context(), c.DB, projects.Options{}))(t)
	c.Callers = w.projects
	w.keeper = retention.NewKeeper(c.DB, retention.Options{Clock: c.Clock})
	c.Reaper, c.Keeper = reaper.New(c.DB, reaper.Options{}), w.keeper
	c.newPair = oneOfFew
	w.service = must(New(c))(t).(*service)
	return w
}

// must returns what a call returned, and ends the test when it failed.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// fails ends the test when an error is not of the kind.
func fails(t testing.TB, err error, kind errtypes.Kind) {
	t.Helper()
	if !errtypes.Is(err, kind) {
		t.Fatalf("%v, want kind %v", err, kind)
	}
}

func (w *world) create(t testing.TB, name string) Context {
	t.Helper()
	c := Create{}
	if name != "" {
		c.Name = &name
	}
	return must(w.Create(t.Context(), c))(t)
}

// use opens a context and frees it at the end.
func (w *world) use(t testing.TB, id, holder string, persist bool) *Lease {
	t.Helper()
	l := must(w.service.Open(t.Context(), Use{ContextID: id, Holder: holder, Persist: persist}))(t)
	t.Cleanup(func() { l.Free(context.Background()) })
	return l
}

// save is a session that leaves one file behind.
func (w *world) save(t testing.TB, id, content string) {
	t.Helper()
	l := w.use(t, id, "session", true)
	must(l.Restore(t.Context(), t.TempDir()))(t)
	must(l.Save(t.Context(), folder(t, content)))(t)
	if err := l.Free(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// cookies is the one file of a folder.
const cookies = "Default/Cookies"

// folder is a profile of one file.
func folder(t testing.TB, content string) string {
	t.Helper()
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "Default"), 0o700), os.WriteFile(filepath.Join(dir, cookies), []byte(content), 0o600)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// saved is what a session reads of the version that counts; empty for none.
func (w *world) saved(t testing.TB, id string) (string, Restored) {
	t.Helper()
	dir := t.TempDir()
	got := must(w.use(t, id, "reader", false).Restore(t.Context(), dir))(t)
	content, err := os.ReadFile(filepath.Join(dir, cookies))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(content), got
}

// files are the blobs on disk, oldest first.
func (w *world) files(t testing.TB) (all []string) {
	t.Helper()
	err := filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (w *world) count(t testing.TB) (n int) {
	t.Helper()
	for range w.blobs.All(t.Context()) {
		n++
	}
	return n
}

// file is where a version lies.
func (w *world) file(t testing.TB, key string) string {
	t.Helper()
	for _, path := range w.files(t) {
		if filepath.Base(path) == key {
			return path
		}
	}
	t.Fatalf("there is no file of version %s", key)
	return ""
}

// row is a context as it lies in the database.
func (w *world) row(t testing.TB, id string) row {
	t.Helper()
	return must(w.find(t.Context(), id))(t)
}
