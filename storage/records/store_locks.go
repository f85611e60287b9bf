package records

import (
	"cmp"
	"context"
	"slices"

	"github.com/drover-go/drover/storage"
)

// firstFree are the places of the first requests that are neither handled nor
// locked. What has a lock stands behind $3, or before all.
const firstFree = `SELECT rowid AS found, place_ms, place_turn FROM queue_requests
	WHERE store = $1 AND handled_at IS NULL AND locked_until <= $2 AND place_ms <= $3 ORDER BY place_ms, place_turn LIMIT $4`

// lockQuery locks the first requests that are free, in one statement, so that none
// is given to two. Their new turns are in the order of the old places. What came
// from the forefront returns there.
const lockQuery = `UPDATE queue_requests SET locked_until = $5, lock_client = $6, lock_run = $7, place_turn = $8 + nth,
	place_ms = CASE WHEN queue_requests.place_ms < 0 THEN -$5 ELSE $5 END, lock_front = queue_requests.place_ms < 0
	FROM (SELECT found, row_number() OVER (ORDER BY place_ms, place_turn) AS nth FROM (` + firstFree + `))
	WHERE queue_requests.rowid = found RETURNING ` + requestColumns + `, place_turn`

// locked is a request and its turn.
type locked struct {
	Request
	turn int64
}

func lockHead(ctx context.Context, q storage.Querier, st row, now int64, most int, l lock) ([]Request, error) {
	all, err := storage.Collect(ctx, q, func(s storage.Scanner) (l locked, err error) {
		l.Request, err = scanRequest(s, &l.turn)
		return l, err
	}, lockQuery, st.number, now, max(now, st.turns.ms), most, l.until, l.client, nullable(l.run), st.turns.first)
	slices.SortFunc(all, func(a, b locked) int { return cmp.Compare(a.turn, b.turn) })
	requests := make([]Request, len(all))
	for i, l := range all {
		requests[i] = l.Request
	}
	if err == nil && len(all) > 0 {
		_, err = q.Exec(ctx, `UPDATE record_stores SET turn = turn + $2 WHERE number = $1`, st.number, len(all))
	}
	return requests, err
}

// held is the condition that the client has a lock, after $3.
const held = ` AND handled_at IS NULL AND locked_until > 0 AND locked_until > $3 AND ` + owns

// prolong gives a lock another end.
func prolong(ctx context.Context, q storage.Querier, queue int64, id string, c Client, until int64, forefront bool, now int64) (bool, error) {
	n, err := q.Exec(ctx, `UPDATE queue_requests SET locked_until = $6, place_ms = CASE WHEN $7 THEN -$6 ELSE $6 END, lock_front = $7
		WHERE store = $4 AND id = $5`+held, c.Key, c.RunID, now, queue, id, until, forefront)
	return n == 1, err
}

// unlock ends a lock and puts the request to a place.
func unlock(ctx context.Context, q storage.Querier, queue int64, id string, c Client, at place, now int64) (bool, error) {
	n, err := q.Exec(ctx, `UPDATE queue_requests SET locked_until = 0, lock_client = '', lock_run = NULL, lock_front = 0, place_ms = $6, place_turn = $7
		WHERE store = $4 AND id = $5`+held, c.Key, c.RunID, now, queue, id, at.ms, at.turn)
	return n == 1, err
}

// expired is what becomes of a lock that ends now.
const expired = `UPDATE queue_requests SET locked_until = 0, lock_client = '', lock_run = NULL, lock_front = 0,
	place_ms = CASE WHEN lock_front THEN -$3 ELSE $3 END`

func unlockAll(ctx context.Context, q storage.Querier, queue int64, c Client, now int64) (int64, error) {
	return q.Exec(ctx, expired+` WHERE store = $4`+held, c.Key, c.RunID, now, queue)
}

const freeQuery = `UPDATE queue_requests SET locked_until = 0, lock_client = '', lock_run = NULL, lock_front = 0,
	place_ms = CASE WHEN lock_front THEN -$2 ELSE $2 END WHERE lock_run = $1 AND handled_at IS NULL AND locked_until > $2 + 0`

func freeLocks(ctx context.Context, q storage.Querier, run string, now int64) (int64, error) {
	return q.Exec(ctx, freeQuery, run, now)
}
