package downloads

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// kept is a service that is open, and what it stands on.
type kept struct {
	*service
	db       *storage.DB
	projects projects.Service
	blobs    blob.Store
	clock    *clock.Manual
	log      *bytes.Buffer
	keeper   *retention.Keeper // not started
}

// each runs a test on both forms of storage.
func each(t *testing.T, c Config, test func(t *testing.T, k *kept)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		c.DB, c.Blobs = storagetest.Open(t), nil
		test(t, open(t, c))
	})
	t.Run("file", func(t *testing.T) {
		c.DB, c.Blobs = storagetest.OpenFile(t), dirStore(t, t.TempDir())
		test(t, open(t, c))
	})
}

func dirStore(t testing.TB, dir string) blob.Store {
	t.Helper()
	s, err := blob.NewDir(filepath.Join(dir, "downloads"), blob.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// open opens a service in memory where the config does not say otherwise. Its
// clock stands still.
func open(t testing.TB, c Config) *kept {
	t.Helper()
	k := &kept{log: &bytes.Buffer{}}
	if c.Clock == nil {
		c.Clock = clock.NewManual(noon)
	}
	k.clock = c.Clock.(*clock.Manual)
	if c.DB == nil {
		c.DB = storagetest.Open(t)
	}
	if c.Blobs == nil {
		c.Blobs = blob.NewMemory(c.Clock)
	}
	var err error
	if k.projects, err = projects.New(t.Context(), c.DB, projects.Options{}); err != nil {
		t.Fatal(err)
	}
	c.Callers, c.Logger = k.projects, slog.New(slog.NewTextHandler(k.log, nil))
	k.keeper = retention.NewKeeper(c.DB, retention.Options{Clock: c.Clock, Logger: slog.New(slog.NewTextHandler(k.log, nil))})
	c.Keeper = k.keeper
	s, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	k.service, k.db, k.blobs = s.(*service), c.DB, c.Blobs
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return k
}

// store keeps a file a second after the one before.
func (k *kept) store(t testing.TB, session, name, content string) Download {
	t.Helper()
	k.clock.Advance(time.Second)
	d, err := k.Store(t.Context(), New{SessionID: session, Filename: name, Content: strings.NewReader(content)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// as returns a context for calls of another project.
func (k *kept) as(t testing.TB, name string) context.Context {
	t.Helper()
	if _, err := k.projects.Create(t.Context(), projects.Create{Name: name}); err != nil {
		t.Fatal(err)
	}
	ctx, err := k.projects.In(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

func (k *kept) content(t testing.TB, id string) string {
	t.Helper()
	r, _, err := k.service.Open(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// counts are what is really there: rows, blobs and the bytes of both, beside
// what the usage says.
type counts struct {
	Rows, Blobs         int
	RowBytes, BlobBytes int64
	Used                usage
}

func (k *kept) counts(t testing.TB) (c counts) {
	t.Helper()
	err := k.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		if err := q.QueryRow(ctx, `SELECT count(*), coalesce(sum(size), 0) FROM downloads`).Scan(&c.Rows, &c.RowBytes); err != nil {
			return err
		}
		return q.QueryRow(ctx, `SELECT coalesce(sum(files), 0), coalesce(sum(bytes), 0) FROM download_usage`).Scan(&c.Used.files, &c.Used.bytes)
	})
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range k.blobs.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		c.Blobs++
		c.BlobBytes += e.Size
	}
	return c
}

// agree fails unless rows, blobs and usage are the given number and bytes.
func (k *kept) agree(t testing.TB, n int, size int64) {
	t.Helper()
	if got, want := k.counts(t), (counts{n, n, size, size, usage{int64(n), size}}); got != want {
		t.Errorf("there are %+v, want %+v", got, want)
	}
}

var session, other = ids.New(), ids.New()
