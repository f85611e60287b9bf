package backup

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/storage"
)

// extraction takes a backup apart and checks it.
type extraction struct {
	o       ReadOptions
	folders []string
	dir     string // gets the files
	keep    bool   // all files; else only the database

	archive *archive
	head    head
	made    string // the last folder that was made
}

func (x *extraction) run(ctx context.Context, r io.Reader) (Info, error) {
	a, err := openArchive(ctx, r, x.o.Passphrase)
	if err != nil {
		return Info{}, err
	}
	defer a.close()
	x.archive = a
	if err := x.files(ctx); err != nil {
		return Info{}, err
	}
	info := x.head.info()
	info.Encrypted, info.Bytes = a.encrypted, a.from.n
	return info, nil
}

func (x *extraction) files(ctx context.Context) error {
	if err := x.readHead(); err != nil {
		return err
	}
	db, err := x.database(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if x.head.MasterKey {
		e, err := x.archive.want(keyName, maxKey)
		if err == nil {
			err = x.file(e, keyName, func(int64) {})
		}
		if err != nil {
			return err
		}
	}
	if err := x.blobs(ctx, db); err != nil {
		return err
	}
	return x.archive.end()
}

// readHead reads what is in the backup, and whether that is for us.
func (x *extraction) readHead() error {
	if err := x.archive.json(headName, &x.head); err != nil {
		return err
	}
	switch h, known := x.head, storage.SchemaVersion(); {
	case h.Format < 1:
		return damaged("%s is not what Drover writes", headName)
	case h.Format > format:
		return errtypes.New(errtypes.Conflict, "the backup was made by a newer version of Drover: its format is %d, this version knows %d", h.Format, format)
	case h.Schema > known:
		return errtypes.New(errtypes.Conflict, "the backup was made by a newer version of Drover: its schema is %d, this version knows %d; run that version or a newer one", h.Schema, known)
	}
	if err := x.head.validate(x.folders); err != nil {
		return err
	}
	return x.room()
}

// room refuses what would not fit, before anything of it is written.
func (x *extraction) room() error {
	need := x.head.Database
	if x.keep || x.o.MaxBytes > 0 {
		need += x.head.Bytes
	}
	if most := x.o.MaxBytes; most > 0 && need > most {
		return errtypes.New(errtypes.TooLarge, "the backup comes to %d bytes when it is unpacked; at most %d are allowed", need, most)
	}
	if free, known := workdir.Free(x.dir); known && uint64(need) > free {
		return errtypes.New(errtypes.Unavailable, "the backup comes to %d bytes when it is unpacked, and the disk of %s has %d left", need, x.dir, free)
	}
	return nil
}

func (x *extraction) database(ctx context.Context) (*storage.File, error) {
	e, err := x.archive.want(databaseName, x.head.Database)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(x.dir, databaseName)
	if err := x.write(e, path, func(n int64) { tell(x.o.Progress, "database", n, e.size) }); err != nil {
		return nil, err
	}
	tell(x.o.Progress, "check database", 0, 0)
	db, err := storage.OpenFile(ctx, path)
	if err != nil {
		return nil, err
	}
	if err = db.Check(ctx); err == nil && (db.Schema != x.head.Schema || e.size != x.head.Database) {
		err = damaged("%s is of another database", headName)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// blobs walks the files beside the rows that name them.
func (x *extraction) blobs(ctx context.Context, db *storage.File) error {
	next, stop := iter.Pull2(names(ctx, db, x.head.Stores))
	defer stop()
	var files, done int64
	for n, err, ok := next(); ok; n, err, ok = next() {
		if err != nil {
			return damaged("its rows do not say which files they name").WithCause(err)
		}
		e, err := x.archive.next()
		if err != nil {
			return err
		}
		if b, isBlob := asBlob(e.name); !isBlob || b != n {
			return damaged("it lacks a file that a row names, in %s", n.folder)
		}
		if files, done = files+1, done+e.size; files > x.head.Files || done > x.head.Bytes {
			return damaged("it has more than it says")
		}
		before := done - e.size
		if err := x.file(e, filepath.FromSlash(e.name), func(n int64) { tell(x.o.Progress, "files", before+n, x.head.Bytes) }); err != nil {
			return err
		}
	}
	if files != x.head.Files || done != x.head.Bytes {
		return damaged("it has less than it says")
	}
	return nil
}

// file writes a file to its place, or reads it through where nothing is kept.
func (x *extraction) file(e entry, name string, told func(int64)) error {
	if !x.keep {
		return x.archive.copy(io.Discard, e, told)
	}
	path := filepath.Join(x.dir, name)
	if folder := filepath.Dir(path); folder != x.made {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return unwritable(err)
		}
		x.made = folder
	}
	return x.write(e, path, told)
}

func (x *extraction) write(e entry, path string, told func(int64)) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return unwritable(err)
	}
	err = x.archive.copy(diskWriter{f}, e, told)
	if closed := f.Close(); err == nil && closed != nil {
		err = unwritable(closed)
	}
	return err
}

// diskWriter says of an error that the disk is at fault.
type diskWriter struct{ f *os.File }

func (d diskWriter) Write(p []byte) (int, error) {
	n, err := d.f.Write(p)
	if err != nil {
		err = unwritable(err)
	}
	return n, err
}
