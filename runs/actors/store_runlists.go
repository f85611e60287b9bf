package actors

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/rank"
)

// runRanks are the counts of runs.
const runRanks rank.Table = "actor_run_ranks"

// runList is a list of runs: the column that names it, and its value.
type runList struct{ column, id string }

func listRuns(ctx context.Context, q storage.Querier, projectID string, of runList, f RunFilter) (l List[RunInfo], err error) {
	query := rank.Query{List: of.id, Classes: classesOf(f.Statuses), Offset: f.Offset, Limit: f.Limit, Desc: f.Desc}
	if query.Within, err = of.between(ctx, q, projectID, f); err != nil {
		return l, err
	}
	page, err := runRanks.Find(ctx, q, query)
	l.Total, l.Items = page.Total, []RunInfo{}
	if err != nil || page.Limit == 0 {
		return l, err
	}
	text, args := runsPage(of.column, query.Classes, f.Desc, projectID, of.id, page.From, page.To, page.Limit, page.Skip)
	l.Items, err = storage.Collect(ctx, q, scanRunItem, text, args...)
	return l, err
}

// between is the part of a list whose runs were asked for within the times of a
// filter; nil for all of it. The runs of a project are in the order of their times.
func (of runList) between(ctx context.Context, q storage.Querier, projectID string, f RunFilter) (*rank.Part, error) {
	if f.StartedAfter.IsZero() && f.StartedBefore.IsZero() {
		return nil, nil
	}
	part := &rank.Part{From: 0, To: math.MaxInt64, Count: func(ctx context.Context, from, to int64) (int, error) {
		where, args := rank.In("status", classesOf(f.Statuses), of.id, from, to)
		return storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM actor_runs WHERE `+of.column+` = $1 AND number BETWEEN $2 AND $3`+where, args...))
	}}
	if at := f.StartedAfter; !at.IsZero() {
		from, err := numberAt(ctx, q, projectID, storage.Millis(at.Add(time.Millisecond-1)))
		if err != nil {
			return nil, err
		}
		part.From = from
	}
	if at := f.StartedBefore; !at.IsZero() {
		after, err := numberAt(ctx, q, projectID, storage.Millis(at)+1)
		if err != nil {
			return nil, err
		}
		part.To = after - 1
	}
	return part, nil
}

// numberAt is the number of the first run of a project that was asked for at a time or
// later; the greatest of all where there is none.
func numberAt(ctx context.Context, q storage.Querier, projectID string, at int64) (int64, error) {
	n, err := storage.Column[int64](q.QueryRow(ctx, `SELECT number FROM actor_runs WHERE project_id = $1 AND created_at >= $2 ORDER BY created_at, number LIMIT 1`, projectID, at))
	if errors.Is(err, storage.ErrNoRow) {
		return math.MaxInt64, nil
	}
	return n, err
}

// classesOf are statuses as the counts of runs have them.
func classesOf(all []Status) []string {
	classes := make([]string, len(all))
	for i, s := range all {
		classes[i] = string(s)
	}
	return classes
}

// runsPage skips in the index alone, and reads the rows of the page.
func runsPage(column string, classes []string, desc bool, args ...any) (query string, all []any) {
	order := ` ORDER BY number`
	if desc {
		order = ` ORDER BY number DESC`
	}
	where, all := rank.In("status", classes, args...)
	return `SELECT ` + runItemColumns + ` FROM actor_runs WHERE project_id = $1 AND number IN (
		SELECT number FROM actor_runs WHERE ` + column + ` = $2 AND number BETWEEN $3 AND $4` + where + order + ` LIMIT $5 OFFSET $6)` + order, all
}
