package actors

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// Account is what a project may have and use, and what it has and uses.
type Account struct {
	// From and To are the month that is under way, of UTC.
	From, To time.Time
	// MaxActors, MaxTasks and MaxRuns are how many of them a project may have, of runs
	// those that have not ended; MaxMemory is what those may take together, in MB, 0 for
	// no limit.
	MaxActors, MaxTasks, MaxRuns, MaxMemory int
	// Actors, Tasks, Runs and Memory are what it has of them.
	Actors, Tasks, Runs, Memory int
	// MaxUSD is how much the project wants to be charged a month at the most; 0 where it
	// has not said. Nothing is charged here: it is kept for those who ask.
	MaxUSD float64
	// Retention is how long runs are kept after their end; below 0 for ever.
	Retention time.Duration
	// Days are those of the month on which runs were asked for.
	Days []DayUsage
}

// DayUsage is what the runs have taken that were asked for on a day, as far as they are
// kept.
type DayUsage struct {
	Day time.Time
	// ComputeUnits are gigabytes of memory times hours.
	ComputeUnits float64
}

// ComputeUnits are those of all days.
func (a Account) ComputeUnits() (sum float64) {
	for _, d := range a.Days {
		sum += d.ComputeUnits
	}
	return sum
}

func (s *service) Account(ctx context.Context, at time.Time) (a Account, err error) {
	defer errtypes.Wrap(&err, "actors.Account")
	if at.IsZero() {
		at = s.now()
	}
	at = at.UTC()
	l := s.conf.Limits
	a = Account{
		From:      time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC),
		MaxActors: l.PerProject, MaxTasks: l.Tasks, MaxRuns: l.MaxUnfinished, MaxMemory: l.MaxMemory, Retention: s.conf.Retention,
	}
	a.To = a.From.AddDate(0, 1, 0)
	project, err := s.current(ctx)
	if err != nil {
		return a, err
	}
	return a, s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error { return readAccount(ctx, q, project.ID, &a) })
}

func (s *service) SetMaxUSD(ctx context.Context, usd float64) (err error) {
	defer errtypes.Wrap(&err, "actors.SetMaxUSD")
	const most = 1e9
	if !(usd >= 0 && usd <= most) {
		return errtypes.Field("maxMonthlyUsageUsd", "must be from 0 to %d", int(most))
	}
	project, err := s.current(ctx)
	if err != nil {
		return err
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO actor_accounts (project_id, max_usd) VALUES ($1, $2) ON CONFLICT (project_id) DO UPDATE SET max_usd = $2`, project.ID, usd)
		return err
	})
}

func readAccount(ctx context.Context, q storage.Querier, projectID string, a *Account) (err error) {
	err = q.QueryRow(ctx, `SELECT max_usd FROM actor_accounts WHERE project_id = $1`, projectID).Scan(&a.MaxUSD)
	if err != nil && !errors.Is(err, storage.ErrNoRow) {
		return err
	}
	if err = q.QueryRow(ctx, `SELECT (SELECT count(*) FROM actors WHERE project_id = $1), (SELECT count(*) FROM actor_tasks WHERE project_id = $1)`,
		projectID).Scan(&a.Actors, &a.Tasks); err != nil {
		return err
	}
	if a.Runs, a.Memory, err = unfinished(ctx, q, projectID); err != nil {
		return err
	}
	const day = 24 * time.Hour
	a.Days, err = storage.Collect(ctx, q, func(s storage.Scanner) (d DayUsage, err error) {
		var number int64
		var megabyteMillis float64
		err = s.Scan(&number, &megabyteMillis)
		return DayUsage{time.UnixMilli(number * day.Milliseconds()).UTC(), megabyteMillis / 1024 / float64(time.Hour.Milliseconds())}, err
	}, `SELECT created_at / $4, sum(1.0 * memory * ran_ms) FROM actor_runs WHERE project_id = $1 AND created_at >= $2 AND created_at < $3 GROUP BY 1 ORDER BY 1`,
		projectID, storage.Millis(a.From), storage.Millis(a.To), day.Milliseconds())
	return err
}
