package actors

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/drover-go/drover/storage"
)

const actorColumns = `id, project_id, name, details, registered, created_at, modified_at, total_runs, total_builds, last_run_at`

func scanActor(s storage.Scanner) (a Actor, err error) {
	var details string
	var created, modified int64
	var lastRun sql.NullInt64
	if err := s.Scan(&a.ID, &a.ProjectID, &a.Name, &details, &a.Registered, &created, &modified, &a.Stats.Runs, &a.Stats.Builds, &lastRun); err != nil {
		return Actor{}, err
	}
	a.Stats.LastRunAt = orZero(lastRun)
	a.CreatedAt, a.ModifiedAt = storage.Time(created), storage.Time(modified)
	return a, json.Unmarshal([]byte(details), &a.Details)
}

// detailsText is what a row holds of details. The names of their fields are stored.
func detailsText(details any) (string, error) {
	encoded, err := json.Marshal(details)
	return string(encoded), err
}

// insertActor adds an Actor while the project has fewer than most. It fails with
// [storage.ErrConflict] when the name is taken.
func insertActor(ctx context.Context, q storage.Querier, a Actor, most int) (fits bool, err error) {
	details, err := detailsText(a.Details)
	if err != nil {
		return false, err
	}
	n, err := q.Exec(ctx, `INSERT INTO actors (id, project_id, name, name_key, details, created_at, modified_at, registered)
		SELECT $1, $2, $3, $4, $5, $6, $6, $8
		WHERE EXISTS (SELECT 1 FROM actors WHERE project_id = $2 AND name_key = $4) OR
			(SELECT count(*) < $7 FROM actors WHERE project_id = $2 AND registered = 0)`,
		a.ID, a.ProjectID, a.Name, keyOf(a.Name), details, storage.Millis(a.CreatedAt), most, a.Registered)
	return n > 0, err
}

func findActor(ctx context.Context, q storage.Querier, projectID string, by selector) (Actor, error) {
	return scanActor(q.QueryRow(ctx, `SELECT `+actorColumns+` FROM actors WHERE project_id = $1 AND (id = $2 OR name_key = $3)`, projectID, by.id, by.key))
}

// actorOrders are the orders of the list, each with an index.
var actorOrders = map[Order][2]string{
	ByCreation: {`created_at, id`, `created_at DESC, id DESC`},
	ByLastRun:  {`coalesce(last_run_at, 0), created_at, id`, `coalesce(last_run_at, 0) DESC, created_at DESC, id DESC`},
}

func listActors(ctx context.Context, q storage.Querier, projectID string, f Filter) (l List[Actor], err error) {
	if err := q.QueryRow(ctx, `SELECT count(*) FROM actors WHERE project_id = $1`, projectID).Scan(&l.Total); err != nil {
		return l, err
	}
	order := actorOrders[f.Order][0]
	if f.Desc {
		order = actorOrders[f.Order][1]
	}
	l.Items, err = storage.Collect(ctx, q, scanActor, `SELECT `+actorColumns+` FROM actors WHERE project_id = $1 ORDER BY `+order+` LIMIT $2 OFFSET $3`, projectID, f.Limit, f.Offset)
	return l, err
}

func updateActor(ctx context.Context, q storage.Querier, a Actor) error {
	details, err := detailsText(a.Details)
	if err != nil {
		return err
	}
	_, err = q.Exec(ctx, `UPDATE actors SET name = $2, name_key = $3, details = $4, modified_at = $5 WHERE id = $1`,
		a.ID, a.Name, keyOf(a.Name), details, storage.Millis(a.ModifiedAt))
	return err
}

func touchActor(ctx context.Context, q storage.Querier, id string, now time.Time) error {
	_, err := q.Exec(ctx, `UPDATE actors SET modified_at = $2 WHERE id = $1`, id, storage.Millis(now))
	return err
}

func deleteActor(ctx context.Context, q storage.Querier, id string) error {
	_, err := q.Exec(ctx, `DELETE FROM actors WHERE id = $1`, id)
	return err
}
