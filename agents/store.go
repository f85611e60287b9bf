package agents

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/drover-go/drover/internal/keyset"
	"github.com/drover-go/drover/storage"
)

const columns = `id, name, system_prompt, result_schema, created_at, updated_at`

func scanAgent(s storage.Scanner) (Agent, error) {
	var a Agent
	var prompt, schema sql.NullString
	var created, updated int64
	err := s.Scan(&a.ID, &a.Name, &prompt, &schema, &created, &updated)
	a.SystemPrompt = prompt.String
	if schema.Valid {
		a.ResultSchema = json.RawMessage(schema.String)
	}
	a.CreatedAt, a.UpdatedAt = storage.Time(created), storage.Time(updated)
	return a, err
}

func insertAgent(ctx context.Context, q storage.Querier, projectID string, a Agent) error {
	_, err := q.Exec(ctx, `INSERT INTO agents (project_id, `+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		projectID, a.ID, a.Name, storage.Text(a.SystemPrompt), storage.Text(a.ResultSchema),
		storage.Millis(a.CreatedAt), storage.Millis(a.UpdatedAt))
	return err
}

func findAgent(ctx context.Context, q storage.Querier, projectID, id string) (Agent, error) {
	return scanAgent(q.QueryRow(ctx, `SELECT `+columns+` FROM agents WHERE id = $1 AND project_id = $2`, id, projectID))
}

const listQuery = `SELECT ` + columns + ` FROM agents
	WHERE project_id = $1 AND created_at >= $2 AND (created_at, id) < ($3, $4)
	ORDER BY created_at DESC, id DESC LIMIT $5`

func listAgents(ctx context.Context, q storage.Querier, projectID string, w keyset.Window) ([]Agent, error) {
	return storage.Collect(ctx, q, scanAgent, listQuery, projectID, w.Start, w.Before.At, w.Before.ID, w.Fetch())
}

func updateAgent(ctx context.Context, q storage.Querier, projectID, id string, u Update, now time.Time) (Agent, error) {
	return scanAgent(q.QueryRow(ctx, `UPDATE agents SET
			name = coalesce($3, name), system_prompt = coalesce($4, system_prompt),
			result_schema = coalesce($5, result_schema), updated_at = $6
		WHERE id = $1 AND project_id = $2 RETURNING `+columns,
		id, projectID, u.Name, u.SystemPrompt, storage.Text(u.ResultSchema), storage.Millis(now)))
}

func deleteAgent(ctx context.Context, q storage.Querier, projectID, id string) error {
	_, err := q.Exec(ctx, `DELETE FROM agents WHERE id = $1 AND project_id = $2`, id, projectID)
	return err
}
