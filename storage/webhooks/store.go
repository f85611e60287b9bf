package webhooks

import (
	"context"
	"database/sql"
	"time"

	"github.com/drover-go/drover/internal/keyset"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
)

const columns = `w.id, w.project_id, w.protocol, w.url, w.actor_id, w.task_id, w.run_id, w.settings, w.ad_hoc_run IS NOT NULL, coalesce(w.idempotency_key, ''), w.dispatches, w.created_at, w.modified_at`

// withLast are the columns and what there is of the newest dispatch.
const withLast = `SELECT ` + columns + `, coalesce(d.status, ''), coalesce(d.finished_at, 0) FROM webhooks w
	LEFT JOIN webhook_dispatches d ON d.number = (SELECT max(number) FROM webhook_dispatches WHERE webhook_id = w.id)`

// scanWebhook reads columns and what stands behind them.
func scanWebhook(s storage.Scanner, more ...any) (w Webhook, err error) {
	var settings string
	var created, modified int64
	dest := []any{&w.ID, &w.ProjectID, &w.Protocol, &w.URL, &w.Condition.Actor, &w.Condition.Task, &w.Condition.Run, &settings, &w.AdHoc, &w.IdempotencyKey, &w.Dispatches, &created, &modified}
	if err := s.Scan(append(dest, more...)...); err != nil {
		return w, err
	}
	w.CreatedAt, w.ModifiedAt = storage.Time(created), storage.Time(modified)
	return w, w.setText(settings)
}

func scanWithLast(s storage.Scanner) (w Webhook, err error) {
	var last LastDispatch
	var finished int64
	if w, err = scanWebhook(s, &last.Status, &finished); err == nil && last.Status != "" {
		last.FinishedAt = storage.Time(finished)
		w.Last = &last
	}
	return w, err
}

func adHocRun(w Webhook) sql.NullString {
	return sql.NullString{String: w.Condition.Run, Valid: w.AdHoc}
}

// insertWebhook adds a webhook while there are fewer than the limits say. It fails with
// [storage.ErrConflict] for a second one of [Standard] with the same URL.
func insertWebhook(ctx context.Context, q storage.Querier, w Webhook, l Limits) (fits bool, err error) {
	n, err := q.Exec(ctx, `INSERT INTO webhooks (id, project_id, protocol, url, actor_id, task_id, run_id, settings, ad_hoc_run, idempotency_key, created_at, modified_at)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11
		WHERE CASE WHEN $9 IS NULL THEN
			(SELECT count(*) < $12 FROM webhooks WHERE project_id = $2 AND ad_hoc_run IS NULL) OR
			($3 = 'standard' AND EXISTS (SELECT 1 FROM webhooks WHERE project_id = $2 AND protocol = 'standard' AND url = $4))
		ELSE (SELECT count(*) < $13 FROM webhooks WHERE ad_hoc_run = $9) END`,
		w.ID, w.ProjectID, w.Protocol, w.URL, w.Condition.Actor, w.Condition.Task, w.Condition.Run, w.text(), adHocRun(w),
		storage.Text(w.IdempotencyKey), storage.Millis(w.CreatedAt), l.PerProject, l.PerRun)
	if err != nil || n == 0 {
		return false, err
	}
	return true, insertEvents(ctx, q, w)
}

// insertEvents writes what the webhook is for, as it is looked up.
func insertEvents(ctx context.Context, q storage.Querier, w Webhook) error {
	for _, e := range w.Events {
		_, err := q.Exec(ctx, `INSERT INTO webhook_events (project_id, event, run_id, webhook_id, actor_id, task_id) VALUES ($1, $2, $3, $4, $5, $6)`,
			w.ProjectID, e, w.Condition.Run, w.ID, w.Condition.Actor, w.Condition.Task)
		if err != nil {
			return err
		}
	}
	return nil
}

func updateWebhook(ctx context.Context, q storage.Querier, w Webhook) error {
	_, err := q.Exec(ctx, `UPDATE webhooks SET url = $2, actor_id = $3, task_id = $4, run_id = $5, settings = $6, modified_at = $7 WHERE id = $1`,
		w.ID, w.URL, w.Condition.Actor, w.Condition.Task, w.Condition.Run, w.text(), storage.Millis(w.ModifiedAt))
	if err != nil {
		return err
	}
	if _, err := q.Exec(ctx, `DELETE FROM webhook_events WHERE webhook_id = $1`, w.ID); err != nil {
		return err
	}
	return insertEvents(ctx, q, w)
}

func find(ctx context.Context, q storage.Querier, projectID, id string) (Webhook, error) {
	return scanWithLast(q.QueryRow(ctx, withLast+` WHERE w.id = $1 AND w.project_id = $2`, id, projectID))
}

func findByKey(ctx context.Context, q storage.Querier, projectID, key string) (Webhook, error) {
	return scanWithLast(q.QueryRow(ctx, withLast+` WHERE w.project_id = $1 AND w.idempotency_key = $2`, projectID, key))
}

func deleteWebhook(ctx context.Context, q storage.Querier, projectID, id string) (done bool, err error) {
	n, err := q.Exec(ctx, `DELETE FROM webhooks WHERE id = $1 AND project_id = $2`, id, projectID)
	return n > 0, err
}

// The lists of webhooks. Ad hoc ones, which are as many as runs, are only in those of a run.
const (
	listed = ` WHERE w.project_id = $1 AND ($2 = '' OR w.protocol = $2) AND ($3 = '' OR w.actor_id = $3) AND ($4 = '' OR w.task_id = $4)`

	lasting = listed + ` AND $5 = '' AND w.ad_hoc_run IS NULL`
	ofRun   = listed + ` AND w.run_id = $5 AND w.run_id <> ''`

	paged = ` WHERE w.project_id = $1 AND w.protocol = 'standard' AND w.ad_hoc_run IS NULL AND (w.created_at, w.id) < ($2, $3)
		ORDER BY w.created_at DESC, w.id DESC LIMIT $4 + 0`
)

func listWebhooks(ctx context.Context, q storage.Querier, projectID string, f Filter) (l List[Webhook], err error) {
	by, where := []any{projectID, f.Protocol, f.Actor, f.Task, f.Run}, lasting
	if f.Run != "" {
		where = ofRun
	}
	l.Limit = f.Limit
	if l.Total, err = storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM webhooks w`+where, by...)); err != nil {
		return l, err
	}
	order := ` ORDER BY w.created_at, w.id`
	if f.Desc {
		order = ` ORDER BY w.created_at DESC, w.id DESC`
	}
	l.Items, err = storage.Collect(ctx, q, scanWithLast, withLast+where+order+` LIMIT $6 + 0 OFFSET $7 + 0`, append(by, f.Limit, f.Offset)...)
	return l, err
}

func pageWebhooks(ctx context.Context, q storage.Querier, projectID string, w keyset.Window) ([]Webhook, error) {
	return storage.Collect(ctx, q, scanWithLast, withLast+paged, projectID, w.Before.At, w.Before.ID, w.Fetch())
}

func insertSecret(ctx context.Context, q storage.Querier, id, webhook string, sealed []byte, now time.Time) error {
	_, err := q.Exec(ctx, `INSERT INTO webhook_secrets (id, webhook_id, sealed, created_at) VALUES ($1, $2, $3, $4)`, id, webhook, sealed, storage.Millis(now))
	return err
}

// endSecrets has the secrets of a webhook count until a time; those of which it has come
// are gone.
func endSecrets(ctx context.Context, q storage.Querier, webhook string, until, now time.Time) error {
	_, err := q.Exec(ctx, `UPDATE webhook_secrets SET ends_at = $2 WHERE webhook_id = $1 AND (ends_at IS NULL OR ends_at > $2)`, webhook, storage.Millis(until))
	if err != nil {
		return err
	}
	_, err = q.Exec(ctx, `DELETE FROM webhook_secrets WHERE webhook_id = $1 AND ends_at <= $2`, webhook, storage.Millis(now))
	return err
}

// dropFormer removes the secrets of a webhook but the newest one and so many before it.
func dropFormer(ctx context.Context, q storage.Querier, webhook string, former int) error {
	_, err := q.Exec(ctx, `DELETE FROM webhook_secrets WHERE webhook_id = $1 AND id NOT IN (
		SELECT id FROM webhook_secrets WHERE webhook_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 + 1)`, webhook, former)
	return err
}

// secretsOf are those that count, the newest first.
func secretsOf(ctx context.Context, q storage.Querier, webhook string, now time.Time) ([]seal.Sealed, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (k seal.Sealed, err error) {
		err = s.Scan(&k.ID, &k.Key)
		return k, err
	}, `SELECT id, sealed FROM webhook_secrets WHERE webhook_id = $1 AND (ends_at IS NULL OR ends_at > $2) ORDER BY created_at DESC, id DESC`, webhook, storage.Millis(now))
}
