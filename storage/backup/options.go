package backup

import (
	"cmp"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal/stream"
	"github.com/drover-go/drover/storage"
)

// Info says what is in a backup.
type Info struct {
	// CreatedAt is the time of the clock when the database was copied.
	CreatedAt time.Time
	// Schema is how many migrations the database has.
	Schema int
	// DatabaseBytes is the size of the database, FileBytes that of all other
	// files together.
	DatabaseBytes, FileBytes int64
	// Files is how many files there are beside the database: downloads, records,
	// logs, ….
	Files int64
	// MasterKey is whether the master key is in it.
	MasterKey bool
	// Encrypted is whether it is encrypted under a passphrase.
	Encrypted bool
	// Bytes is the size of the backup itself.
	Bytes int64
}

// Progress says how far a backup or restore has come.
type Progress struct {
	// Stage is what is being done: "copy database", "read database", "files" and,
	// of a restore, "database", "check database", "files", "write to disk".
	Stage string
	// Done and Total are bytes of the stage; Total is 0 where it is not known.
	Done, Total int64
}

// Options configure a backup. The zero value is useful.
type Options struct {
	// Passphrase encrypts the backup, at least 12 bytes. Default none: whoever can
	// read the backup can read downloads, records and results in it. What is sealed
	// in the database (contexts, certificates, secrets) stays so either way.
	Passphrase string
	// MasterKey puts the master key of the data directory into the backup. It takes
	// a Passphrase, and a key that is in the file there: one that the host gives
	// stays with the host. Default false: keep a copy of the key elsewhere, without
	// it what is sealed is lost.
	MasterKey bool
	// MaxRate is how many bytes of the data are read a second at most, so that the
	// service has the rest of the disk. At least 64 KiB. Default 0: no limit.
	MaxRate int64
	// TempDir has the copy of the database until it is written out: as much room as
	// the database takes. Default the data directory, or the system's for one in
	// memory.
	TempDir string
	// Progress is called now and then, by one goroutine at a time. Default nothing.
	Progress func(Progress)
}

// Validate returns an error of kind Invalid that names the field at fault.
func (o Options) Validate() error {
	if err := checkPassphrase(o.Passphrase); err != nil {
		return err
	}
	switch {
	case o.MasterKey && o.Passphrase == "":
		return errtypes.Field("MasterKey", "is put only into an encrypted backup: give a Passphrase")
	case o.MaxRate < 0 || o.MaxRate > 0 && o.MaxRate < leastRate:
		return errtypes.Field("MaxRate", "must be 0, or at least %d bytes a second", leastRate)
	}
	return nil
}

func checkPassphrase(text string) error {
	if text != "" && len(text) < stream.MinPassphrase {
		return errtypes.Field("Passphrase", "must have at least %d bytes", stream.MinPassphrase)
	}
	return nil
}

// ReadOptions configure what reads a backup. The zero value is useful.
type ReadOptions struct {
	// Passphrase opens an encrypted backup. Default none.
	Passphrase string
	// MaxBytes is how much a backup may come to when it is unpacked. Default the
	// room that the disk has left, where that can be told; else no limit.
	MaxBytes int64
	// TempDir has the database while a backup is verified. Default the system's. A
	// restore works beside its target.
	TempDir string
	// Replace moves a data directory that is not empty aside, once all is restored:
	// it is called as before, with ".before-restore-" and the time behind it.
	// Nothing of it is deleted. Default false: such a directory is refused.
	Replace bool
	// Clock says what time the name of a directory that is moved aside has. Default
	// the system's.
	Clock clock.Clock
	// Progress is called now and then, by one goroutine at a time. Default nothing.
	Progress func(Progress)
}

// Validate returns an error of kind Invalid that names the field at fault.
func (o ReadOptions) Validate() error {
	if o.MaxBytes < 0 {
		return errtypes.Field("MaxBytes", "must not be below 0")
	}
	return checkPassphrase(o.Passphrase)
}

func (o ReadOptions) withDefaults() ReadOptions {
	o.Clock = cmp.Or(o.Clock, clock.System())
	return o
}

// Restored says what a restore has made.
type Restored struct {
	Info
	// Before is where the data lies that was there before; empty if there was none.
	Before string
}

// Source is what a backup is of.
type Source struct {
	DB *storage.DB
	// Stores are where the blobs are, in any order.
	Stores []Store
	// MasterKey returns the text of the file with the master keys.
	MasterKey func() ([]byte, error)
	Clock     clock.Clock
}

// Store is a store of blobs, and where the rows name them.
type Store struct {
	// Folder is its name in the data directory.
	Folder string
	retention.Orphans
}

// leastRate is the lowest MaxRate: what is read at a time.
const leastRate = 64 << 10
