package storage

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/drover-go/drover/errtypes"
)

//go:embed migrations/sqlite/*.sql
var migrationFiles embed.FS

// applicationID marks a file as a database of Drover ("DRVR"), so that another
// program's database is not taken for one.
const applicationID = 0x44525652

// migration is one step of the schema. Its number is its place in the list.
type migration struct {
	name string
	sql  string
}

// migrations returns the ordered list. A file that has been released is never
// changed: a new one is added behind it.
func migrations() []migration {
	names, err := fs.Glob(migrationFiles, "migrations/sqlite/*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	list := make([]migration, len(names))
	for i, name := range names { // Glob sorts
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			panic(err) // embedded
		}
		list[i] = migration{name: name, sql: string(text)}
	}
	return list
}

// migrate brings the schema up to the end of the list. Each step is one
// transaction, so that a crash leaves a whole number of steps behind. Others may
// be migrating the same file, for longer than one write waits on a busy machine.
func migrate(ctx context.Context, pool *sql.DB, list []migration) error {
	for busy := 0; ; {
		done, err := migrateStep(ctx, pool, list)
		switch {
		case errtypes.Is(err, errtypes.Unavailable) && busy < migrateTries && ctx.Err() == nil:
			busy++
		case err != nil || done:
			return err
		default:
			busy = 0
		}
	}
}

// migrateTries is how often a step is tried again that found the database busy,
// each time for as long as a write waits.
const migrateTries = 6

func migrateStep(ctx context.Context, pool *sql.DB, list []migration) (done bool, err error) {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return false, convert(ctx, err)
	}
	defer tx.Rollback()
	version, err := schemaVersion(ctx, tx, len(list))
	if err != nil || version == len(list) {
		return true, err
	}
	step := list[version]
	if _, err := tx.ExecContext(ctx, step.sql); err != nil {
		return false, fmt.Errorf("migration %s: %w", step.name, convert(ctx, err))
	}
	stamp := fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", version+1, applicationID)
	if _, err := tx.ExecContext(ctx, stamp); err != nil {
		return false, convert(ctx, err)
	}
	return false, convert(ctx, tx.Commit())
}

// schemaVersion returns how many steps the file has, and refuses a file that
// is not ours to migrate.
func schemaVersion(ctx context.Context, tx *sql.Tx, known int) (int, error) {
	var version, app, tables int
	for query, dest := range map[string]*int{
		"PRAGMA user_version":                &version,
		"PRAGMA application_id":              &app,
		"SELECT count(*) FROM sqlite_schema": &tables,
	} {
		if err := tx.QueryRowContext(ctx, query).Scan(dest); err != nil {
			return 0, convert(ctx, err)
		}
	}
	switch {
	case app != applicationID && (app != 0 || version != 0 || tables != 0):
		return 0, errtypes.New(errtypes.Conflict, "the database was made by another program")
	case version > known:
		return 0, errtypes.New(errtypes.Conflict,
			"the database was made by a newer version of Drover: its schema is %d, this version knows %d; run that version or a newer one", version, known)
	}
	return version, nil
}
