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
	countDelayed = `SELECT kind, count(*) FROM (SELECT kind FROM jobs WHERE state = 'delayed' LIMIT 10000) AS some GROUP BY kind`
	countRunning = `SELECT kind, count(*) FROM jobs WHERE runner IS NOT NULL GROUP BY kind`
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
	if err := countByKind(ctx, q, all, countDelayed, func(d *depth, n int) { d.delayed = n }); err != nil {
		return nil, err
	}
	return all, countByKind(ctx, q, all, countRunning, func(d *depth, n int) { d.running = n })
}

func countByKind(ctx context.Context, q storage.Querier, all map[string]depth, query string, set func(*depth, int)) error {
	type count struct {
		kind string
		n    int
	}
	counts, err := storage.Collect(ctx, q, func(s storage.Scanner) (c count, err error) {
		return c, s.Scan(&c.kind, &c.n)
	}, query)
	for _, c := range counts {
		if d, known := all[c.kind]; known {
			set(&d, c.n)
			all[c.kind] = d
		}
	}
	return err
}
