package jobs

import (
	"context"
	"database/sql"
	"time"

	"github.com/drover-go/drover/storage"
)

// depth is how many jobs of a kind there are, and since when the oldest is ready.
type depth struct {
	ready, delayed, running int
	oldest                  time.Time // zero without a ready one
}

// Each of these walks along an index, and no further than its limit.
const (
	countReady = `SELECT count(*) FROM (SELECT 1 FROM jobs WHERE state = 'ready' AND kind = $1 LIMIT 100000) AS some`
	// A job that was delayed is ready since run_at, which a wall clock may have put
	// into the future.
	oldestReady = `SELECT min(CASE WHEN run_at > created_at THEN run_at ELSE created_at END)
		FROM (SELECT run_at, created_at FROM jobs WHERE state = 'ready' AND kind = $1 ORDER BY pinned, turn, id LIMIT 1000) AS next`
	kindsDelayed = `SELECT kind FROM jobs WHERE state = 'delayed' AND run_at >= 0 LIMIT 10000`
	kindsRunning = `SELECT kind FROM jobs WHERE runner > ''`
)

// depths counts the jobs of these kinds.
func depths(ctx context.Context, q storage.Querier, kinds []string) (map[string]depth, error) {
	all := map[string]depth{}
	for _, kind := range kinds {
		var d depth
		var oldest sql.NullInt64
		if err := q.QueryRow(ctx, countReady, kind).Scan(&d.ready); err != nil {
			return nil, err
		}
		if err := q.QueryRow(ctx, oldestReady, kind).Scan(&oldest); err != nil {
			return nil, err
		}
		d.oldest = storage.Time(oldest.Int64)
		all[kind] = d
	}
	if err := countKinds(ctx, q, all, kindsDelayed, func(d *depth) { d.delayed++ }); err != nil {
		return nil, err
	}
	return all, countKinds(ctx, q, all, kindsRunning, func(d *depth) { d.running++ })
}

// countKinds counts the jobs of each kind that a statement finds. To have the
// database group them would sort them, or walk through all jobs.
func countKinds(ctx context.Context, q storage.Querier, all map[string]depth, query string, count func(*depth)) error {
	kinds, err := storage.Collect(ctx, q, func(s storage.Scanner) (kind string, err error) { return kind, s.Scan(&kind) }, query)
	for _, kind := range kinds {
		if d, known := all[kind]; known {
			count(&d)
			all[kind] = d
		}
	}
	return err
}
