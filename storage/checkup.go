package storage

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// File is a database file that nobody writes: a [DB.Snapshot]. It is opened for
// reading only, and nothing is made beside it.
type File struct {
	pool *sql.DB
	// Schema is how many migrations it has.
	Schema int
}

// SchemaVersion is how many migrations this version of Drover knows.
func SchemaVersion() int { return len(migrations()) }

// OpenFile opens a database file, which nobody may write meanwhile. It brings
// nothing up to date. Error kinds: Conflict for a file that a newer version or
// another program made, Unavailable for one that cannot be read.
func OpenFile(ctx context.Context, path string) (_ *File, err error) {
	defer errtypes.Wrap(&err, "storage.OpenFile")
	name, err := fileURL(path, url.Values{
		"mode": {"ro"}, "immutable": {"1"},
		"_pragma": {"query_only(1)", "trusted_schema(0)", "cell_size_check(1)", "temp_store(FILE)"}, "_dqs": {"0"},
	})
	if err != nil {
		return nil, err
	}
	pool, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, convert(ctx, err)
	}
	pool.SetMaxOpenConns(2) // a walk, and what is asked during it
	f := &File{pool: pool}
	if f.Schema, err = f.version(ctx); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Close closes the file.
func (f *File) Close() error { return f.pool.Close() }

func (f *File) version(ctx context.Context) (int, error) {
	tx, err := f.pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, convert(ctx, err)
	}
	defer tx.Rollback()
	version, err := schemaVersion(ctx, tx, SchemaVersion())
	if _, known := errors.AsType[*errtypes.Error](err); err != nil && !known {
		err = unsound(ctx, err)
	}
	if err == nil && version == 0 {
		err = errtypes.New(errtypes.Conflict, "the file is not a database of Drover")
	}
	return version, err
}

// Check reads the whole file and reports whether it is sound: its pages, indexes
// and constraints, the rows that rows refer to, and that it brings no code of its
// own (triggers, views, virtual tables). Error kind Conflict for one that is not.
func (f *File) Check(ctx context.Context) (err error) {
	defer errtypes.Wrap(&err, "storage.Check")
	if err := f.checkCode(ctx); err != nil {
		return err
	}
	for text, err := range f.Texts(ctx, "PRAGMA integrity_check(1)") {
		if err != nil {
			return unsound(ctx, err)
		}
		if text != "ok" {
			return errtypes.New(errtypes.Conflict, "the database is damaged: %s", text)
		}
	}
	for table, err := range f.Texts(ctx, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`) {
		if err != nil {
			return unsound(ctx, err)
		}
		return errtypes.New(errtypes.Conflict, "the database is damaged: a row of %s refers to one that is not there", table)
	}
	return nil
}

// unsound explains a file that cannot even be read through.
func unsound(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return errtypes.New(errtypes.Conflict, "the database is damaged").WithCause(err)
}

const codeQuery = `SELECT type || ' ' || name || char(10) || coalesce(sql, '') FROM sqlite_schema WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL%' ORDER BY 1`

// checkCode compares what SQLite would run by itself with what the migrations
// make of a new database.
func (f *File) checkCode(ctx context.Context) error {
	has, err := collectTexts(f.Texts(ctx, codeQuery))
	if err != nil {
		return unsound(ctx, err)
	}
	want, err := codeOf(ctx, f.Schema)
	if err != nil {
		return err
	}
	for _, one := range has {
		if !want[one] {
			name, _, _ := strings.Cut(one, "\n")
			return errtypes.New(errtypes.Conflict, "the database has a %s that Drover does not make", name)
		}
		delete(want, one)
	}
	for _, one := range slices.Sorted(maps.Keys(want)) {
		name, _, _ := strings.Cut(one, "\n")
		return errtypes.New(errtypes.Conflict, "the database lacks the %s of Drover", name)
	}
	return nil
}

// codeOf returns the triggers and views of a database that has so many migrations.
func codeOf(ctx context.Context, schema int) (map[string]bool, error) {
	name, err := dataSource(Options{})
	if err != nil {
		return nil, err
	}
	pool, err := openPool(ctx, name, nil, nil, 1)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	if err := migrate(ctx, pool, migrations()[:schema]); err != nil {
		return nil, err
	}
	all, err := collectTexts((&File{pool: pool}).Texts(ctx, codeQuery))
	code := map[string]bool{}
	for _, one := range all {
		code[one] = true
	}
	return code, err
}

// Texts yields the one column of a query.
func (f *File) Texts(ctx context.Context, query string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		rows, err := f.pool.QueryContext(ctx, query)
		if err != nil {
			yield("", convert(ctx, err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var text string
			err := rows.Scan(&text)
			if !yield(text, convert(ctx, err)) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield("", convert(ctx, err))
		}
	}
}

func collectTexts(all iter.Seq2[string, error]) (texts []string, err error) {
	for text, err := range all {
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}
