package storage

import (
	"context"

	"github.com/drover-go/drover/errtypes"
)

// ForeignVersion returns a number that changes when somebody else has
// committed to the database: another process, or another opening in this one.
// What this opening commits does not change it. Only two numbers of the same
// opening can be compared, and only for equality. It costs some ten
// microseconds; a database in memory, which nobody else can open, answers 0.
func (db *DB) ForeignVersion(ctx context.Context) (version int64, err error) {
	defer errtypes.Wrap(&err, "storage.ForeignVersion")
	if db.opts.Dir == "" {
		return 0, nil
	}
	if _, err := db.enter(ctx); err != nil {
		return 0, err
	}
	// On the connection that writes: SQLite counts the commits of every
	// connection but the asking one.
	if err := db.writer.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version); err != nil {
		return 0, db.beginError(ctx, err)
	}
	return version, nil
}
