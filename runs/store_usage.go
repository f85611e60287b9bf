package runs

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/drover-go/drover/storage"
)

func setUsage(ctx context.Context, q storage.Querier, id string, u Usage, now time.Time) error {
	raw, err := json.Marshal(u)
	if err != nil {
		return err
	}
	_, err = q.Exec(ctx, `UPDATE agent_runs SET usage = $2, updated_at = $3 WHERE id = $1 AND status = 'RUNNING'`, id, string(raw), storage.Millis(now))
	return err
}

// addUsed adds to what a project has used on a day.
func addUsed(ctx context.Context, q storage.Querier, projectID string, day int64, u Usage) error {
	_, err := q.Exec(ctx, `INSERT INTO model_usage (project_id, day, tokens, cost) VALUES ($1, $2, $3, $4)
		ON CONFLICT (project_id, day) DO UPDATE SET tokens = model_usage.tokens + excluded.tokens, cost = model_usage.cost + excluded.cost`,
		projectID, day, u.Tokens.Total(), u.Cost)
	return err
}

func usedOn(ctx context.Context, q storage.Querier, projectID string, day int64) (tokens, cost int64, err error) {
	err = q.QueryRow(ctx, `SELECT tokens, cost FROM model_usage WHERE project_id = $1 AND day = $2`, projectID, day).Scan(&tokens, &cost)
	if errors.Is(err, storage.ErrNoRow) {
		err = nil
	}
	return tokens, cost, err
}

// firstUsed is when the oldest day ended of which something is known.
func firstUsed(ctx context.Context, q storage.Querier) (time.Time, error) {
	var first int64
	err := q.QueryRow(ctx, `SELECT day FROM model_usage ORDER BY day LIMIT 1`).Scan(&first)
	return time.Unix((first+1)*int64(day/time.Second), 0), err
}

// deleteUsed deletes at most limit days that ended before a time.
func deleteUsed(ctx context.Context, q storage.Querier, before time.Time, limit int) (int, error) {
	n, err := q.Exec(ctx, `DELETE FROM model_usage WHERE (project_id, day) IN
		(SELECT project_id, day FROM model_usage WHERE day < $1 ORDER BY day LIMIT $2)`, dayOf(before), limit)
	return int(n), err
}
