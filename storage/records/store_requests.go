package records

import (
	"context"
	"database/sql"
	"errors"

	"github.com/drover-go/drover/storage"
)

// place is where a request stands in its queue: below 0 before all others, the
// newest first; a lock puts it at its own end.
type place struct{ ms, turn int64 }

// at is the place of the one that comes i-th, of those that have got turns.
func (t turns) at(i int64, forefront bool) place {
	p := place{t.ms, t.first + i}
	if forefront {
		return place{-p.ms, -p.turn}
	}
	return p
}

// turns are places at the end of a queue, or before it.
type turns struct{ ms, first int64 }

// noted is the part of an UPDATE of a queue's row that notes the client $1: a
// second key is another client, and so is each call without one.
const noted = `first_client = coalesce(first_client, $1), many_clients = max(many_clients, first_client IS NOT NULL AND (first_client <> $1 OR $1 = ''))`

func noteClient(ctx context.Context, q storage.Querier, queue int64, key string) error {
	_, err := q.Exec(ctx, `UPDATE record_stores SET `+noted+` WHERE number = $2`, key, queue)
	return err
}

// isNew reports whether a client is to be noted.
func (r row) isNew(c Client) bool {
	return !r.HadMultipleClients && (!r.firstClient.Valid || r.firstClient.String != c.Key || c.Key == "")
}

// takeTurns gives n places, whose time never goes back, notes the client and adds a
// change.
func takeTurns(ctx context.Context, q storage.Querier, queue int64, n int, key string, c change, now int64) (t turns, err error) {
	err = q.QueryRow(ctx, `UPDATE record_stores SET `+noted+`, turn = turn + $3, turn_ms = max(turn_ms, $4), `+changed+` WHERE number = $2 RETURNING turn, turn_ms`,
		key, queue, n, now, c.writes, c.deletes, c.bytes, c.items, c.handled, c.modified).Scan(&t.first, &t.ms)
	t.first -= int64(n) - 1
	return t, err
}

// changed is the part of an UPDATE of a queue's row that adds a change, at the time
// $4.
const changed = `writes = writes + $5, deletes = deletes + $6, bytes = bytes + $7, items = items + $8, handled = handled + $9,
	modified_at = CASE WHEN $10 THEN max(modified_at, $4) ELSE modified_at END, accessed_at = max(accessed_at, $4)`

// changeQueue notes a client and adds a change.
func changeQueue(ctx context.Context, q storage.Querier, queue int64, key string, c change, now int64) error {
	_, err := takeTurns(ctx, q, queue, 0, key, c, now)
	return err
}

// lock is who has a request, and until when.
type lock struct {
	until       int64
	client, run string
	front       bool
}

// ownedBy reports whether a client may change a lock; owns says the same in SQL.
func (l lock) ownedBy(c Client) bool {
	return c.RunID != "" && l.run == c.RunID || l.client == c.Key && (c.Key != "" || l.run == c.RunID)
}

// owns is the condition that the client $1 of the run $2 has the lock.
const owns = `(($2 <> '' AND lock_run = $2) OR (lock_client = $1 AND ($1 <> '' OR coalesce(lock_run, '') = $2)))`

func insertRequest(ctx context.Context, q storage.Querier, queue int64, p parsed, at place, l lock) (bool, error) {
	n, err := q.Exec(ctx, `INSERT INTO queue_requests
		(store, id, unique_key, url, method, retry_count, place_ms, place_turn, handled_at, locked_until, lock_client, lock_run, lock_front, bytes, blob, data)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT (store, id) DO NOTHING`,
		queue, p.ID, p.UniqueKey, p.URL, p.Method, p.RetryCount, at.ms, at.turn, handledAt(p), l.until, l.client, nullable(l.run), l.front,
		p.bytes(), nullable(p.rest.blob), nullable(string(p.rest.data)))
	return n == 1, err
}

func handledAt(p parsed) sql.NullInt64 {
	return sql.NullInt64{Int64: storage.Millis(p.HandledAt), Valid: !p.HandledAt.IsZero()}
}

func isHandled(ctx context.Context, q storage.Querier, queue int64, id string) (bool, error) {
	return storage.Column[bool](q.QueryRow(ctx, `SELECT handled_at IS NOT NULL FROM queue_requests WHERE store = $1 AND id = $2`, queue, id))
}

// former is what a request was before it was deleted or replaced.
type former struct {
	deleted
	handled bool
	place   place
	lock    lock
}

// takeRequest deletes a request if there is one.
func takeRequest(ctx context.Context, q storage.Querier, queue int64, id string) (f former, err error) {
	var blob, run sql.NullString
	err = q.QueryRow(ctx, `DELETE FROM queue_requests WHERE store = $1 AND id = $2
		RETURNING bytes, blob, handled_at IS NOT NULL, place_ms, place_turn, locked_until, lock_client, lock_run, lock_front`, queue, id).
		Scan(&f.bytes, &blob, &f.handled, &f.place.ms, &f.place.turn, &f.lock.until, &f.lock.client, &run, &f.lock.front)
	if errors.Is(err, storage.ErrNoRow) {
		return former{}, nil
	}
	f.rows, f.blob, f.lock.run = 1, blob.String, run.String
	return f, err
}

const requestColumns = `id, unique_key, url, method, retry_count, coalesce(handled_at, 0), locked_until, lock_client`

func scanRequest(s storage.Scanner, more ...any) (r Request, err error) {
	var handled, locked int64
	err = s.Scan(append([]any{&r.ID, &r.UniqueKey, &r.URL, &r.Method, &r.RetryCount, &handled, &locked, &r.LockedBy}, more...)...)
	r.HandledAt, r.LockedUntil = storage.Time(handled), storage.Time(locked)
	return r, err
}

func scanWhole(s storage.Scanner) (p parsed, err error) {
	var blob, data sql.NullString
	var size int64
	p.Request, err = scanRequest(s, &blob, &data, &size)
	p.rest = content{data: []byte(data.String), blob: blob.String}
	p.rest.size = size - p.bytes() // size is all that it takes
	return p, err
}

// The ways to read requests.
const (
	wholeRequests  = `SELECT ` + requestColumns + `, blob, data, bytes FROM queue_requests WHERE store = $1`
	oneRequest     = wholeRequests + ` AND id = $2`
	afterRequest   = wholeRequests + ` AND id > $2`
	pendingRequest = afterRequest + ` AND handled_at IS NULL AND (($3 AND locked_until > $5) OR ($4 AND locked_until <= $5))`
	inIDOrder      = ` ORDER BY id LIMIT `
	headQuery      = `SELECT ` + requestColumns + ` FROM queue_requests WHERE store = $1 AND handled_at IS NULL ORDER BY place_ms, place_turn LIMIT $2`
	anyLocked      = `SELECT EXISTS (SELECT 1 FROM queue_requests WHERE store = $1 AND locked_until > 0 AND locked_until > $2)`
)

func findRequest(ctx context.Context, q storage.Querier, queue int64, id string) (parsed, error) {
	p, err := scanWhole(q.QueryRow(ctx, oneRequest, queue, id))
	if errors.Is(err, storage.ErrNoRow) {
		err = noRequest(id)
	}
	return p, err
}

func headRequests(ctx context.Context, q storage.Querier, queue int64, most int) ([]Request, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (Request, error) { return scanRequest(s) }, headQuery, queue, most)
}

func hasLocked(ctx context.Context, q storage.Querier, queue, now int64) (bool, error) {
	return storage.Column[bool](q.QueryRow(ctx, anyLocked, queue, now))
}
