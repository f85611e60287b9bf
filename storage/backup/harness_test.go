package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/storagetest"
)

var folders = []string{"downloads", "records"}

// source is data with so many blobs in the folder "downloads".
func sourceWith(t testing.TB, blobs ...string) Source {
	t.Helper()
	dir := t.TempDir()
	db := storagetest.OpenWith(t, storage.Options{Dir: dir})
	store, err := blob.NewDir(filepath.Join(dir, "downloads"), blob.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO projects (id, user_id, name, username, created_at) VALUES ('p', 'u', 'n', 'n', 1)`); err != nil {
			return err
		}
		for i, text := range blobs {
			info, err := store.Put(ctx, strings.NewReader(text), 0)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `INSERT INTO job_logs (id, project_id, blob_key) VALUES ($1, 'p', $2)`, fmt.Sprint(i), info.Key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return Source{DB: db, Clock: clock.System(), Stores: []Store{{"downloads", retention.Orphans{Columns: retention.Columns{"job_logs.blob_key"}, Blobs: store}}}}
}

func written(t testing.TB, s Source, o Options) []byte {
	t.Helper()
	var to bytes.Buffer
	if _, err := Write(t.Context(), s, &to, o); err != nil {
		t.Fatal(err)
	}
	return to.Bytes()
}

// part is a file of a backup as a test changes it.
type part struct {
	tar.Header
	content string
	// as it is: else its hash and size are made right.
	asIs bool
}

// parts takes a backup apart with nothing but the usual packages.
func parts(t testing.TB, archive []byte) (all []part) {
	t.Helper()
	z, err := zstd.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		if h.PAXRecords[hashRecord] != hex.EncodeToString(sum[:]) || h.Size != int64(len(text)) {
			t.Errorf("%s: %v", h.Name, h.PAXRecords)
		}
		all = append(all, part{Header: *h, content: string(text)})
	}
}

// join makes a backup of parts whose hashes, sizes and end are right, whatever else
// was changed.
func join(t testing.TB, all []part) []byte {
	t.Helper()
	d := newDigest()
	var to bytes.Buffer
	z, err := zstd.NewWriter(&to)
	if err != nil {
		t.Fatal(err)
	}
	out := tar.NewWriter(z)
	for _, p := range all {
		if p.Name == endName && !p.asIs {
			text, _ := json.Marshal(d.tail())
			p.content = string(text)
		}
		sum := sha256.Sum256([]byte(p.content))
		h := p.Header
		h.PAXRecords = maps.Clone(h.PAXRecords)
		if !p.asIs {
			h.Size = int64(len(p.content))
			h.PAXRecords[hashRecord] = hex.EncodeToString(sum[:])
		}
		if h.Typeflag != tar.TypeReg {
			h.Size, p.content = 0, ""
		}
		if err := out.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(out, p.content); err != nil {
			t.Fatal(err)
		}
		d.add(h.Name, h.Size, sum)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return to.Bytes()
}

// changed returns parts of which one was changed.
func changed(all []part, i int, change func(*part)) []part {
	all = slices.Clone(all)
	all[i].PAXRecords = maps.Clone(all[i].PAXRecords)
	change(&all[i])
	return all
}

// headed returns parts whose head was changed.
func headed(t testing.TB, all []part, change func(*head)) []part {
	t.Helper()
	var h head
	if err := json.Unmarshal([]byte(all[0].content), &h); err != nil {
		t.Fatal(err)
	}
	change(&h)
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return changed(all, 0, func(p *part) { p.content = string(text) })
}
