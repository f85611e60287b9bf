package webhooks

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/drover-go/drover/storage"
)

// dispatchRow is a dispatch as it is stored.
type dispatchRow struct {
	Dispatch
	number  int64
	host    string // set on insertion alone
	headers string // in JSON
	body    []byte
	bodyKey string
	waits   bool
	tries   int
}

const dispatchColumns = `number, id, project_id, webhook_id, event, object, coalesce(event_data, ''), coalesce(headers, ''), body_key, status, waits, tries, created_at, next_at, finished_at`

// scanDispatch reads dispatchColumns and what stands behind them.
func scanDispatch(s storage.Scanner, more ...any) (r dispatchRow, err error) {
	var data string
	var created, next, finished int64
	dest := []any{&r.number, &r.ID, &r.ProjectID, &r.WebhookID, &r.Event, &r.Object, &data, &r.headers, &r.bodyKey, &r.Status, &r.waits, &r.tries, &created, &next, &finished}
	if err := s.Scan(append(dest, more...)...); err != nil {
		return r, err
	}
	r.CreatedAt, r.NextAt, r.FinishedAt = storage.Time(created), storage.Time(next), storage.Time(finished)
	if data == "" {
		return r, nil
	}
	return r, json.Unmarshal([]byte(data), &r.EventData)
}

// match is a webhook that an event is for, and what is needed to make its dispatch.
type match struct {
	Webhook
	userID string
	active int // dispatches of the project
}

const matching = `SELECT ` + columns + `, p.user_id, coalesce((SELECT active FROM webhook_loads WHERE project_id = $1), 0)
	FROM webhook_events e JOIN webhooks w ON w.id = e.webhook_id JOIN projects p ON p.id = w.project_id
	WHERE e.project_id = $1 AND e.event = $2 AND e.run_id IN ('', $3) AND e.actor_id IN ('', $4) AND e.task_id IN ('', $5)
	ORDER BY w.created_at, w.id`

// asked reports whether a webhook asks for events of a type. Most events nobody asks for: this is
// all that they cost. A statement that returns rows takes several times as long as one that
// counts what it has changed, so this one changes what it finds to what it is.
func asked(ctx context.Context, q storage.Querier, e Event) (bool, error) {
	n, err := q.Exec(ctx, `UPDATE webhook_events SET actor_id = actor_id WHERE project_id = $1 AND event = $2 AND run_id IN ('', $3)`,
		e.ProjectID, e.Type, e.Run)
	return n > 0, err
}

// matches are the webhooks that an event is for, the oldest first.
func matches(ctx context.Context, q storage.Querier, e Event) ([]match, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (m match, err error) {
		m.Webhook, err = scanWebhook(s, &m.userID, &m.active)
		return m, err
	}, matching, e.ProjectID, e.Type, e.Run, e.Actor, e.Task)
}

// target is what [match] is for a webhook that was found already.
func target(ctx context.Context, q storage.Querier, w Webhook) (m match, err error) {
	m.Webhook = w
	err = q.QueryRow(ctx, `SELECT p.user_id, coalesce((SELECT active FROM webhook_loads WHERE project_id = $1), 0) FROM projects p WHERE p.id = $1`, w.ProjectID).Scan(&m.userID, &m.active)
	return m, err
}

// insertDispatch writes a dispatch behind all others, and says whether it waits for one
// of the same object.
func insertDispatch(ctx context.Context, q storage.Querier, r *dispatchRow) error {
	data := ""
	if r.EventData != nil {
		text, err := json.Marshal(r.EventData)
		if err != nil {
			return err
		}
		data = string(text)
	}
	if r.body == nil {
		r.body = []byte{}
	}
	row := q.QueryRow(ctx, `INSERT INTO webhook_dispatches (id, project_id, webhook_id, event, object, event_data, headers, body, body_key, status, created_at, next_at, finished_at, host, waits)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, EXISTS (SELECT 1 FROM webhook_dispatches WHERE webhook_id = $3 AND object = $5 AND status = 'ACTIVE'))
		RETURNING number, waits`,
		r.ID, r.ProjectID, r.WebhookID, r.Event, r.Object, storage.Text(data), storage.Text(r.headers), r.body, r.bodyKey, r.Status,
		storage.Millis(r.CreatedAt), storage.Millis(r.NextAt), storage.Millis(r.FinishedAt), r.host)
	if err := row.Scan(&r.number, &r.waits); err != nil {
		return err
	}
	_, err := q.Exec(ctx, `UPDATE webhooks SET dispatches = dispatches + 1 WHERE id = $1`, r.WebhookID)
	return err
}

const manyActive = `SELECT 1 FROM webhook_dispatches WHERE project_id = $1 AND host = $2 AND status = 'ACTIVE' LIMIT 1 OFFSET $3 + 0`

// hasActive reports whether at least n dispatches of a project to a host, 1 or more, are
// under way.
func hasActive(ctx context.Context, q storage.Querier, projectID, host string, n int) (bool, error) {
	_, err := storage.Column[int](q.QueryRow(ctx, manyActive, projectID, host, n-1))
	if err == storage.ErrNoRow {
		return false, nil
	}
	return err == nil, err
}

func findDispatch(ctx context.Context, q storage.Querier, projectID, id string) (dispatchRow, error) {
	return scanDispatch(q.QueryRow(ctx, `SELECT `+dispatchColumns+` FROM webhook_dispatches WHERE id = $1 AND project_id = $2`, id, projectID))
}

// loadDispatch reads a dispatch with its body.
func loadDispatch(ctx context.Context, q storage.Querier, id string) (r dispatchRow, err error) {
	var body []byte
	r, err = scanDispatch(q.QueryRow(ctx, `SELECT `+dispatchColumns+`, body FROM webhook_dispatches WHERE id = $1`, id), &body)
	r.body = body
	return r, err
}

// ofStandard are the webhooks of [Standard] of a project, which are few; those of
// [Platform] may be as many as runs.
const ofStandard = `(SELECT id FROM webhooks WHERE project_id = $1 AND protocol = 'standard')`

// listed says which dispatches a list has: $1 is the project, $2 the webhook, $3 the
// status. A count reads an index, and no rows: these are long.
func (f Filter) listed() string {
	var where string
	switch f.Protocol {
	case Standard:
		where = ` AND webhook_id IN ` + ofStandard
	case Platform:
		where = ` AND webhook_id NOT IN ` + ofStandard
	}
	of := `$2 = '' AND project_id = $1`
	if f.Webhook != "" {
		of = `webhook_id = $2 AND $1 <> ''` // which is one of the project
	}
	if f.Status != "" {
		return of + ` AND status = $3` + where
	}
	return of + ` AND $3 = ''` + where
}

// listDispatches lists dispatches of a project; the webhook of a filter is one of it.
func listDispatches(ctx context.Context, q storage.Querier, projectID string, f Filter) (l List[Dispatch], err error) {
	by := []any{projectID, f.Webhook, f.Status}
	from := ` FROM webhook_dispatches WHERE ` + f.listed()
	l.Limit = f.Limit
	if l.Total, err = storage.Column[int](q.QueryRow(ctx, `SELECT count(*)`+from, by...)); err != nil {
		return l, err
	}
	order := ` ORDER BY number`
	if f.Desc {
		order += ` DESC`
	}
	l.Items, err = storage.Collect(ctx, q, func(s storage.Scanner) (Dispatch, error) {
		r, err := scanDispatch(s)
		return r.Dispatch, err
	}, `SELECT `+dispatchColumns+from+order+` LIMIT $4 + 0 OFFSET $5 + 0`, append(by, f.Limit, f.Offset)...)
	return l, err
}

func attemptsOf(ctx context.Context, q storage.Querier, dispatch string) ([]Attempt, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (a Attempt, err error) {
		var started, finished int64
		err = s.Scan(&started, &finished, &a.ResponseStatus, &a.ResponseBody, &a.Error)
		a.StartedAt, a.FinishedAt = storage.Time(started), storage.Time(finished)
		return a, err
	}, `SELECT a.started_at, a.finished_at, a.status, a.body, a.error FROM webhook_dispatches d JOIN webhook_attempts a ON a.dispatch = d.number
		WHERE d.id = $1 ORDER BY a.number`, dispatch)
}

func countAttempts(ctx context.Context, q storage.Querier, number int64) (int, error) {
	return storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM webhook_attempts WHERE dispatch = $1`, number))
}

// insertAttempt adds what became of a request behind those before it.
func insertAttempt(ctx context.Context, q storage.Querier, number int64, a Attempt) error {
	_, err := q.Exec(ctx, `INSERT INTO webhook_attempts (dispatch, number, started_at, finished_at, status, body, error)
		VALUES ($1, (SELECT coalesce(max(number), 0) + 1 FROM webhook_attempts WHERE dispatch = $1), $2, $3, $4, $5, $6)`,
		number, storage.Millis(a.StartedAt), storage.Millis(a.FinishedAt), a.ResponseStatus, a.ResponseBody, a.Error)
	return err
}

// putOff has a dispatch wait for its next attempt.
func putOff(ctx context.Context, q storage.Querier, number int64, next time.Time) error {
	_, err := q.Exec(ctx, `UPDATE webhook_dispatches SET tries = tries + 1, next_at = $2 WHERE number = $1 AND status = 'ACTIVE'`, number, storage.Millis(next))
	return err
}

// finish ends a dispatch that is active.
func finish(ctx context.Context, q storage.Querier, number int64, s Status, now time.Time) error {
	_, err := q.Exec(ctx, `UPDATE webhook_dispatches SET status = $2, tries = tries + 1, finished_at = $3 WHERE number = $1 AND status = 'ACTIVE'`,
		number, s, storage.Millis(now))
	return err
}

// releaseNext lets the dispatch go that waits for others of its object, and returns
// its id; [storage.ErrNoRow] if there is none.
func releaseNext(ctx context.Context, q storage.Querier, webhook, object string) (id string, err error) {
	return storage.Column[string](q.QueryRow(ctx, `UPDATE webhook_dispatches SET waits = 0
		WHERE number = (SELECT min(number) FROM webhook_dispatches WHERE webhook_id = $1 AND object = $2 AND status = 'ACTIVE' AND waits = 1)
		RETURNING id`, webhook, object))
}

// again makes a dispatch that has ended active, behind those of its object that are.
func again(ctx context.Context, q storage.Querier, number int64, now time.Time) (waits, done bool, err error) {
	err = q.QueryRow(ctx, `UPDATE webhook_dispatches SET status = 'ACTIVE', tries = 0, next_at = $2, finished_at = 0,
			waits = EXISTS (SELECT 1 FROM webhook_dispatches o WHERE o.webhook_id = webhook_dispatches.webhook_id AND o.object = webhook_dispatches.object AND o.status = 'ACTIVE')
		WHERE number = $1 AND status <> 'ACTIVE' RETURNING waits`, number, storage.Millis(now)).Scan(&waits)
	if err == storage.ErrNoRow {
		return false, false, nil
	}
	return waits, err == nil, err
}

// firstEnded is when the dispatch ended that ended first; [storage.ErrNoRow] if none has.
func firstEnded(ctx context.Context, q storage.Querier) (time.Time, error) {
	ms, err := storage.Column[sql.NullInt64](q.QueryRow(ctx, `SELECT min(finished_at) FROM webhook_dispatches WHERE finished_at > 0`))
	if err == nil && !ms.Valid {
		err = storage.ErrNoRow
	}
	return storage.Time(ms.Int64), err
}

// deleteEnded deletes dispatches that have ended before a time, some of them, and
// returns the keys of their blobs.
func deleteEnded(ctx context.Context, q storage.Querier, before time.Time, most int) (keys []string, err error) {
	return storage.Collect(ctx, q, storage.Column[string], `DELETE FROM webhook_dispatches WHERE number IN (
		SELECT number FROM webhook_dispatches WHERE finished_at > 0 AND finished_at < $1 ORDER BY finished_at LIMIT $2 + 0) RETURNING body_key`, storage.Millis(before), most)
}

// dropSpent removes the ad hoc webhooks of a run that have sent nothing and are for
// nothing that may follow its end.
func dropSpent(ctx context.Context, q storage.Querier, run string) error {
	_, err := q.Exec(ctx, `DELETE FROM webhooks WHERE ad_hoc_run = $1 AND dispatches = 0 AND NOT EXISTS (
		SELECT 1 FROM webhook_events WHERE webhook_id = webhooks.id AND event = 'ACTOR.RUN.RESURRECTED')`, run)
	return err
}
