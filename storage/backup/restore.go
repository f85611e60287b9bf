package backup

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/disk"
	"github.com/drover-go/drover/internal/workdir"
)

// Restore makes a data directory of a backup. folders are those that a data
// directory has. All is checked before the directory is there: the hashes, the
// database, that each blob which a row names is in the backup and no other. Whoever
// dies on the way leaves none; the next restore removes what it left. Error kinds:
// Invalid for what is no backup, or not a whole one, and for an option, Conflict
// for a directory that is in use or not empty, for a backup of a newer version, and
// for one of a database that was damaged already, TooLarge, Unavailable for a disk
// without room.
func Restore(ctx context.Context, r io.Reader, dir string, folders []string, o ReadOptions) (_ Restored, err error) {
	defer errtypes.Wrap(&err, "backup.Restore(%q)", dir)
	if err := o.Validate(); err != nil {
		return Restored{}, err
	}
	p, err := findPlace(dir, o.withDefaults())
	if err != nil {
		return Restored{}, err
	}
	defer func() { err = errors.Join(err, p.own.Remove()) }()
	x := &extraction{o: o, folders: folders, dir: p.staging(), keep: true}
	info, err := x.run(ctx, r)
	if err != nil {
		return Restored{}, err
	}
	tell(o.Progress, "write to disk", 0, 0)
	if err := syncTree(x.dir); err != nil {
		return Restored{}, unwritable(err)
	}
	before, err := p.settle()
	return Restored{info, before}, err
}

// Verify checks a backup as [Restore] does, and keeps nothing: of its files only
// the database is written, into a directory for the time being. Error kinds: those
// of Restore.
func Verify(ctx context.Context, r io.Reader, folders []string, o ReadOptions) (_ Info, err error) {
	defer errtypes.Wrap(&err, "backup.Verify")
	if err := o.Validate(); err != nil {
		return Info{}, err
	}
	temp := o.TempDir
	if temp == "" {
		temp = os.TempDir()
	}
	own, err := workdir.New(temp, verifyPrefix)
	if err != nil {
		return Info{}, unwritable(err)
	}
	defer func() { err = errors.Join(err, own.Remove()) }()
	x := &extraction{o: o, folders: folders, dir: filepath.Join(own.Path(), "data")}
	if err := os.Mkdir(x.dir, 0o700); err != nil {
		return Info{}, unwritable(err)
	}
	return x.run(ctx, r)
}

const verifyPrefix = "drover-verify-"

// unwritable is the error of files that cannot be written.
func unwritable(err error) error {
	if disk.IsFull(err) {
		return errtypes.New(errtypes.Unavailable, "no space is left on the disk").WithCause(err)
	}
	return errtypes.New(errtypes.Unavailable, "the files cannot be written").WithCause(err)
}
