package actors

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/drover-go/drover/storage"
)

// taskRow is a task as it is stored.
type taskRow struct {
	Task
	revision int64
	input    []byte
	blob     string
}

const taskColumns = `t.id, t.project_id, t.actor_id, a.name, t.name, t.details, t.revision, t.input, t.input_blob, t.created_at, t.modified_at, t.total_runs`

func scanTask(s storage.Scanner) (r taskRow, err error) {
	var details string
	var input, blob sql.NullString
	var created, modified int64
	if err := s.Scan(&r.ID, &r.ProjectID, &r.ActorID, &r.ActorName, &r.Name, &details, &r.revision, &input, &blob, &created, &modified, &r.TotalRuns); err != nil {
		return r, err
	}
	r.input, r.blob = []byte(input.String), blob.String
	r.CreatedAt, r.ModifiedAt = storage.Time(created), storage.Time(modified)
	return r, json.Unmarshal([]byte(details), &r.TaskDetails)
}

// scanTaskItem leaves out what a list has not.
func scanTaskItem(s storage.Scanner) (Task, error) {
	r, err := scanTask(s)
	return r.Task, err
}

// insertTask adds a task while the project has fewer than most. It fails with
// [storage.ErrConflict] when the name is taken.
func insertTask(ctx context.Context, q storage.Querier, r taskRow, most int) (fits bool, err error) {
	details, err := detailsText(r.TaskDetails)
	if err != nil {
		return false, err
	}
	n, err := q.Exec(ctx, `INSERT INTO actor_tasks (id, project_id, actor_id, name, name_key, details, revision, input, input_blob, created_at, modified_at)
		SELECT $1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $9
		WHERE EXISTS (SELECT 1 FROM actor_tasks WHERE project_id = $2 AND name_key = $5) OR
			(SELECT count(*) < $10 FROM actor_tasks WHERE project_id = $2)`,
		r.ID, r.ProjectID, r.ActorID, r.Name, keyOf(r.Name), details, orNull(r.input), orNull(r.blob), storage.Millis(r.CreatedAt), most)
	return n > 0, err
}

func hasTask(ctx context.Context, q storage.Querier, projectID, name string) (bool, error) {
	n, err := storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM actor_tasks WHERE project_id = $1 AND name_key = $2`, projectID, keyOf(name)))
	return n > 0, err
}

func findTask(ctx context.Context, q storage.Querier, projectID string, by selector) (taskRow, error) {
	return scanTask(q.QueryRow(ctx, `SELECT `+taskColumns+` FROM actor_tasks t JOIN actors a ON a.id = t.actor_id
		WHERE t.project_id = $1 AND (t.id = $2 OR t.name_key = $3)`, projectID, by.id, by.key))
}

const (
	tasksFrom   = `SELECT t.id, t.project_id, t.actor_id, a.name, t.name, t.details, t.revision, NULL, NULL, t.created_at, t.modified_at, t.total_runs FROM actor_tasks t JOIN actors a ON a.id = t.actor_id WHERE t.project_id = $1 `
	tasksOldest = tasksFrom + `ORDER BY t.created_at, t.id LIMIT $2 OFFSET $3`
	tasksNewest = tasksFrom + `ORDER BY t.created_at DESC, t.id DESC LIMIT $2 OFFSET $3`
)

func listTasks(ctx context.Context, q storage.Querier, projectID string, f Filter) (l List[Task], err error) {
	if err := q.QueryRow(ctx, `SELECT count(*) FROM actor_tasks WHERE project_id = $1`, projectID).Scan(&l.Total); err != nil {
		return l, err
	}
	query := tasksOldest
	if f.Desc {
		query = tasksNewest
	}
	l.Items, err = storage.Collect(ctx, q, scanTaskItem, query, projectID, f.Limit, f.Offset)
	return l, err
}

// replaceTask changes a task that is still as r.revision had it.
func replaceTask(ctx context.Context, q storage.Querier, r taskRow) (done bool, err error) {
	details, err := detailsText(r.TaskDetails)
	if err != nil {
		return false, err
	}
	n, err := q.Exec(ctx, `UPDATE actor_tasks SET revision = revision + 1, name = $3, name_key = $4, details = $5, input = $6, input_blob = $7, modified_at = $8
		WHERE id = $1 AND revision = $2`,
		r.ID, r.revision, r.Name, keyOf(r.Name), details, orNull(r.input), orNull(r.blob), storage.Millis(r.ModifiedAt))
	return n > 0, err
}

func deleteTask(ctx context.Context, q storage.Querier, projectID string, by selector) (done bool, err error) {
	n, err := q.Exec(ctx, `DELETE FROM actor_tasks WHERE project_id = $1 AND (id = $2 OR name_key = $3)`, projectID, by.id, by.key)
	return n > 0, err
}
