package actors

import (
	"context"
	"database/sql"
	"errors"

	"github.com/drover-go/drover/storage"
)

// nextNumber counts the builds of a version.
func nextNumber(ctx context.Context, q storage.Querier, actorID string, n number) (last int, err error) {
	err = q.QueryRow(ctx, `INSERT INTO actor_build_numbers (actor_id, major, minor, last) VALUES ($1, $2, $3, 1)
		ON CONFLICT (actor_id, major, minor) DO UPDATE SET last = last + 1 RETURNING last`, actorID, n.major, n.minor).Scan(&last)
	return last, err
}

// insertMade keeps what a build has made.
func insertMade(ctx context.Context, q storage.Querier, id string, row []byte, blob string) error {
	_, err := q.Exec(ctx, `INSERT INTO actor_builds (id, made, made_blob) VALUES ($1, $2, $3)`, id, orNull(row), orNull(blob))
	return err
}

// findMade returns what a build has made; nothing where there is none.
func findMade(ctx context.Context, q storage.Querier, id string) (row []byte, blob string, err error) {
	var text, key sql.NullString
	err = q.QueryRow(ctx, `SELECT made, made_blob FROM actor_builds WHERE id = $1`, id).Scan(&text, &key)
	if errors.Is(err, storage.ErrNoRow) {
		return nil, "", nil
	}
	return []byte(text.String), key.String, err
}

// actorIs reports whether there is an Actor of the id.
func actorIs(ctx context.Context, q storage.Querier, id string) (bool, error) {
	var one int
	err := q.QueryRow(ctx, `SELECT 1 FROM actors WHERE id = $1`, id).Scan(&one)
	if errors.Is(err, storage.ErrNoRow) {
		return false, nil
	}
	return err == nil, err
}

// setTag has a tag of an Actor name a build.
func setTag(ctx context.Context, q storage.Querier, actorID, tag, buildID string) error {
	_, err := q.Exec(ctx, `INSERT INTO actor_tags (actor_id, tag, build_id) VALUES ($1, $2, $3)
		ON CONFLICT (actor_id, tag) DO UPDATE SET build_id = excluded.build_id`, actorID, tag, buildID)
	return err
}

func deleteTag(ctx context.Context, q storage.Querier, actorID, tag string) error {
	_, err := q.Exec(ctx, `DELETE FROM actor_tags WHERE actor_id = $1 AND tag = $2`, actorID, tag)
	return err
}

// tagRow is a tag and what of its build is shown.
type tagRow struct {
	tag, id  string
	number   int
	finished int64
}

func listTags(ctx context.Context, q storage.Querier, actorID string) ([]tagRow, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (r tagRow, err error) {
		err = s.Scan(&r.tag, &r.id, &r.number, &r.finished)
		return r, err
	}, `SELECT t.tag, b.id, b.number, b.ended_at FROM actor_tags t JOIN builds b ON b.id = t.build_id WHERE t.actor_id = $1 ORDER BY t.tag`, actorID)
}

// buildRow is what of a build is needed to run it.
type buildRow struct {
	id, status string
	number     int
}

func scanBuildRow(s storage.Scanner) (r buildRow, err error) {
	err = s.Scan(&r.id, &r.status, &r.number)
	return r, err
}

func findTagged(ctx context.Context, q storage.Querier, actorID, tag string) (buildRow, error) {
	return scanBuildRow(q.QueryRow(ctx, `SELECT b.id, b.status, b.number FROM actor_tags t JOIN builds b ON b.id = t.build_id WHERE t.actor_id = $1 AND t.tag = $2`, actorID, tag))
}

func findNumbered(ctx context.Context, q storage.Querier, actorID string, number int) (buildRow, error) {
	return scanBuildRow(q.QueryRow(ctx, `SELECT id, status, number FROM builds WHERE owner_id = $1 AND number = $2`, actorID, number))
}

// findBuildOf returns a build of an Actor by its id.
func findBuildOf(ctx context.Context, q storage.Querier, actorID, id string) (buildRow, error) {
	return scanBuildRow(q.QueryRow(ctx, `SELECT id, status, number FROM builds WHERE owner_id = $1 AND id = $2 AND number IS NOT NULL`, actorID, id))
}

// needsBuild reports whether a build has made a program that may be run.
func needsBuild(ctx context.Context, q storage.Querier, id string) (bool, error) {
	var one int
	err := q.QueryRow(ctx, `SELECT 1 FROM actor_builds WHERE id = $1`, id).Scan(&one)
	if errors.Is(err, storage.ErrNoRow) {
		return false, nil
	}
	return err == nil, err
}
