package drover

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/masterkey"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/storage/backup"
)

// Backup writes all data, as they are at one moment, to w: the database and the
// files that it names. Everything goes on meanwhile, also other processes on the
// same data; one backup at a time. It is whole if there is no error: an archive
// that was broken off is refused by [Restore]. What is under way when it is made,
// such as a run, ends in the restored data as it does when its process dies.
//
// The master key is not in it unless backup.Options.MasterKey says so: keep a copy
// elsewhere. Error kinds: Invalid for an option, Conflict during another backup and
// for data that is damaged (a file that a row names is missing), Unavailable
// without room for a copy of the database, and whatever w fails with.
func (d *Drover) Backup(ctx context.Context, w io.Writer, o backup.Options) (_ backup.Info, err error) {
	defer errtypes.Wrap(&err, "drover.Backup")
	ctx, leave, err := d.backups.Enter(ctx)
	if err != nil {
		return backup.Info{}, err
	}
	defer leave()
	if o.MasterKey && (d.opts.MasterKey != "" || d.opts.Data == InMemory) {
		return backup.Info{}, errtypes.Field("MasterKey", "is not kept in a file: it is the host's, and stays with it")
	}
	return backup.Write(ctx, d.backupSource(), w, o)
}

func (d *Drover) backupSource() backup.Source {
	s := backup.Source{DB: d.db, Clock: d.opts.Clock, MasterKey: func() ([]byte, error) {
		return os.ReadFile(filepath.Join(d.opts.Data, masterkey.FileName))
	}}
	for _, o := range d.keeper.Blobs() {
		s.Stores = append(s.Stores, backup.Store{Folder: d.stores[o.Blobs], Orphans: o})
	}
	return s
}

// errClosing is the answer to a backup that Close cuts off.
var errClosing = errtypes.New(errtypes.Unavailable, "the service is closing")

// openBackups comes after the database, which is closed once backups have ended.
func (d *Drover) openBackups(context.Context) error {
	d.backups = lifecycle.NewCalls(errClosing)
	d.open.push("backups", func(ctx context.Context) error {
		d.backups.Close(ctx)
		return nil
	})
	return nil
}

// sweepBackups removes the copies of databases that processes have left that died
// during a backup.
func (d *Drover) sweepBackups() {
	if d.opts.Data != InMemory {
		workdir.Sweep(d.opts.Data, backup.TempPrefix, d.opts.Logger, nil)
	}
}

// Restore makes the data directory dir of a backup that r yields. It must not be
// there, or be empty; backup.ReadOptions.Replace has another one moved aside. The
// directory appears when all is written and checked, hashes, the database, and that
// every file that a row names is there; whatever happens before that, there is
// none. A backup of an older version is brought up to date when it is opened, with
// the master key that the data had. Error kinds: Invalid for what is no backup, or
// not a whole one, and for an option, Conflict for a directory that is in use or
// not empty and for a backup of a newer version, TooLarge, Unavailable for a disk
// without room.
func Restore(ctx context.Context, r io.Reader, dir string, o backup.ReadOptions) (_ backup.Restored, err error) {
	defer errtypes.Wrap(&err, "drover.Restore")
	if dir == InMemory || dir == "" {
		return backup.Restored{}, errtypes.Field("dir", "must name a directory")
	}
	return backup.Restore(ctx, r, dir, folders, o)
}

// VerifyBackup checks a backup as [Restore] does, and restores nothing. Error
// kinds: those of Restore that are about the backup.
func VerifyBackup(ctx context.Context, r io.Reader, o backup.ReadOptions) (_ backup.Info, err error) {
	defer errtypes.Wrap(&err, "drover.VerifyBackup")
	return backup.Verify(ctx, r, folders, o)
}
