package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/time/rate"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal/stream"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

// TempPrefix is what the names of directories begin with that have the copy of a
// database.
const TempPrefix = ".backup-"

// Write writes a backup. It is of one moment: that when the database is copied,
// and every blob that the copy names is in it, or there is an error and no backup.
// Nobody waits for it. Blobs that are deleted meanwhile stay on disk until its end,
// where nobody else sees them; one backup at a time. Error kinds: Invalid for an
// option, Conflict during another backup and for data that is damaged, Unavailable
// without room for the copy, and whatever w fails with.
func Write(ctx context.Context, s Source, w io.Writer, o Options) (info Info, err error) {
	defer errtypes.Wrap(&err, "backup.Write")
	if err := o.Validate(); err != nil {
		return Info{}, err
	}
	b := &writing{Source: s, o: o, digest: newDigest()}
	if o.MaxRate > 0 {
		b.pace = rate.NewLimiter(rate.Limit(o.MaxRate), leastRate)
	}
	b.Stores = slices.SortedFunc(slices.Values(s.Stores), func(a, b Store) int { return strings.Compare(a.Folder, b.Folder) })
	dir, err := workdir.New(b.tempDir(), TempPrefix)
	if err != nil {
		return Info{}, errtypes.New(errtypes.Unavailable, "there is no place for a copy of the database").WithCause(err)
	}
	defer func() { err = errors.Join(err, dir.Remove()) }()
	defer func() { err = errors.Join(err, b.release()) }()
	if err := b.take(ctx, filepath.Join(dir.Path(), databaseName)); err != nil {
		return Info{}, err
	}
	return b.write(ctx, w)
}

// writing is a backup that is being written.
type writing struct {
	Source
	o      Options
	holds  map[string]blob.Hold // by folder
	path   string               // of the copy
	copy   *storage.File
	head   head
	tar    *tar.Writer
	digest *digest
	pace   *rate.Limiter // nil for none
	small  bytes.Buffer
	done   int64 // bytes of blobs
}

func (b *writing) tempDir() string {
	for _, dir := range []string{b.o.TempDir, b.DB.Dir()} {
		if dir != "" {
			return dir
		}
	}
	return os.TempDir()
}

// take holds the blobs, then copies the database: no blob that the copy names can
// go from here on.
func (b *writing) take(ctx context.Context, path string) error {
	b.holds, b.path = map[string]blob.Hold{}, path
	for _, s := range b.Stores {
		hold, err := s.Blobs.Hold(ctx)
		if err != nil {
			return err
		}
		b.holds[s.Folder] = hold
	}
	b.head = head{Format: format, CreatedAt: b.Clock.Now().UTC().Truncate(time.Millisecond), MasterKey: b.o.MasterKey}
	err := b.DB.Snapshot(ctx, path, func(done, total int64) { tell(b.o.Progress, "copy database", done, total) })
	if err != nil {
		return err
	}
	if b.copy, err = storage.OpenFile(ctx, path); err != nil {
		return err
	}
	return b.count(ctx)
}

func (b *writing) release() (err error) {
	if b.copy != nil {
		err = b.copy.Close()
	}
	for _, h := range b.holds {
		err = errors.Join(err, h.Release())
	}
	return err
}

// count looks at all that will be written, before anything is.
func (b *writing) count(ctx context.Context) error {
	file, err := os.Stat(b.path)
	if err != nil {
		return err
	}
	b.head.Schema, b.head.Database = b.copy.Schema, file.Size()
	for _, s := range b.Stores {
		b.head.Stores = append(b.head.Stores, headOfOnes{s.Folder, s.Columns})
	}
	for n, err := range names(ctx, b.copy, b.head.Stores) {
		if err != nil {
			return err
		}
		r, err := b.open(ctx, n)
		if err != nil {
			return err
		}
		b.head.Files++
		b.head.Bytes += r.Size()
		r.Close()
	}
	return nil
}

// open opens a blob. One that is not there was lost before: a backup without it
// would pass for whole.
func (b *writing) open(ctx context.Context, n named) (blob.Reader, error) {
	r, err := b.holds[n.folder].Open(ctx, n.key)
	if errtypes.Is(err, errtypes.NotFound) {
		return nil, errtypes.New(errtypes.Conflict, "the data is damaged: a row names the file %s/%s, which is not there", n.folder, n.key)
	}
	return r, err
}

// write writes the copy and the blobs that it names.
func (b *writing) write(ctx context.Context, to io.Writer) (Info, error) {
	count := &counter{w: to}
	inner, closeInner, err := b.encrypted(count)
	if err != nil {
		return Info{}, err
	}
	// One goroutine: the rest of the machine is the service's.
	packed, err := zstd.NewWriter(inner, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return Info{}, err
	}
	b.tar = tar.NewWriter(yielding{packed})
	if err := b.files(ctx); err != nil {
		return Info{}, err
	}
	for _, end := range []func() error{b.tar.Close, packed.Close, closeInner} {
		if err := end(); err != nil {
			return Info{}, err
		}
	}
	info := b.head.info()
	info.Bytes, info.Encrypted = count.n, b.o.Passphrase != ""
	return info, nil
}

func (b *writing) encrypted(w io.Writer) (io.Writer, func() error, error) {
	if b.o.Passphrase == "" {
		return w, func() error { return nil }, nil
	}
	e, err := stream.NewWriter(w, b.o.Passphrase)
	if err != nil {
		return nil, nil, err
	}
	return e, e.Close, nil
}

func (b *writing) files(ctx context.Context) error {
	if err := b.json(headName, b.head); err != nil {
		return err
	}
	if err := b.database(ctx); err != nil {
		return err
	}
	if b.o.MasterKey {
		key, err := b.MasterKey()
		if err != nil {
			return err
		}
		if err := b.bytes(keyName, key); err != nil {
			return err
		}
	}
	for n, err := range names(ctx, b.copy, b.head.Stores) {
		if err != nil {
			return err
		}
		if err := b.blob(ctx, n); err != nil {
			return err
		}
	}
	return b.json(endName, b.digest.tail())
}
