package extensions

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
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
	projects projects.Service
	clock    *clock.Manual
	db       *storage.DB
	blobs    blob.Store
	keeper   *retention.Keeper // not started
}

// each runs a test on both forms of storage.
func each(t *testing.T, l Limits, test func(t *testing.T, k *kept)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, open(t, Config{Limits: l})) })
	t.Run("file", func(t *testing.T) {
		blobs, err := blob.NewDir(filepath.Join(t.TempDir(), "extensions"), blob.DirOptions{})
		if err != nil {
			t.Fatal(err)
		}
		test(t, open(t, Config{Limits: l, DB: storagetest.OpenFile(t), Blobs: blobs}))
	})
}

func open(t testing.TB, c Config) *kept {
	t.Helper()
	k := &kept{clock: clock.NewManual(noon)}
	c.Clock = k.clock
	if c.DB == nil {
		c.DB, c.Blobs = storagetest.Open(t), blob.NewMemory(k.clock)
	}
	var err error
	if k.projects, err = projects.New(t.Context(), c.DB, projects.Options{}); err != nil {
		t.Fatal(err)
	}
	c.Callers = k.projects
	k.keeper = retention.NewKeeper(c.DB, retention.Options{Clock: k.clock})
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

func (k *kept) upload(t testing.TB, archive []byte) Extension {
	t.Helper()
	k.clock.Advance(time.Second)
	e, err := k.Upload(t.Context(), Upload{FileName: "x.zip", Content: bytes.NewReader(archive)})
	if err != nil {
		t.Fatal(err)
	}
	return e
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

// agree asserts that rows, blobs and what the usage says are so many and large.
func (k *kept) agree(t testing.TB, files int, size int64) {
	t.Helper()
	var rows, used int
	var rowBytes, usedBytes int64
	err := k.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		if err := q.QueryRow(ctx, `SELECT count(*), coalesce(sum(size), 0) FROM extensions`).Scan(&rows, &rowBytes); err != nil {
			return err
		}
		return q.QueryRow(ctx, `SELECT coalesce(sum(files), 0), coalesce(sum(bytes), 0) FROM extension_usage`).Scan(&used, &usedBytes)
	})
	if err != nil {
		t.Fatal(err)
	}
	blobs, blobBytes := 0, int64(0)
	for b, err := range k.blobs.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		blobs++
		blobBytes += b.Size
	}
	if rows != files || used != files || blobs != files || rowBytes != size || usedBytes != size || blobBytes != size {
		t.Errorf("%d rows of %d bytes, %d used of %d, %d blobs of %d; want %d of %d", rows, rowBytes, used, usedBytes, blobs, blobBytes, files, size)
	}
}

const goodManifest = `{"manifest_version":3,"name":"Marks","version":"1.0"}`

// entry is one of an archive.
type entry struct {
	name, content string
	mode          fs.FileMode
	flags         uint16
	store         bool
}

// zipped makes an archive.
func zipped(t testing.TB, all ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range all {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Flags: e.flags}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		if e.store {
			h.Method = zip.Store
		}
		w, err := z.CreateHeader(h)
		if err == nil && e.content != "" {
			_, err = w.Write([]byte(e.content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withManifest is an archive with a manifest and other files.
func withManifest(t testing.TB, manifest string, more ...entry) []byte {
	t.Helper()
	return zipped(t, append([]entry{{name: "manifest.json", content: manifest}}, more...)...)
}

// crx puts the header of a CRX archive before a ZIP archive.
func crx(version uint32, lengths []uint32, header, archive []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("Cr24"), version)
	for _, n := range lengths {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return append(append(b, header...), archive...)
}

// tree are the files below a directory, with their contents.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			t.Errorf("%s is no file", at)
		}
		text, err := os.ReadFile(at)
		rel, _ := filepath.Rel(dir, at)
		all[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
