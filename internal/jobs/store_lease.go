package jobs

import (
	"context"
	"time"

	"github.com/drover-go/drover/storage"
)

// The SQL about time: delays, heartbeats and leases.

const (
	dueJobs = `SELECT id, kind, project_id, owner FROM jobs
		WHERE state = 'delayed' AND run_at <= $1 ORDER BY run_at, id LIMIT 100`
	readyJob = `UPDATE jobs SET state = 'ready', turn = ` + nextTurn + ` WHERE id = $4 AND state = 'delayed'`
	firstDue = `SELECT COALESCE(min(run_at), 0) FROM jobs WHERE state = 'delayed'`
)

// promote makes jobs ready whose time has come, each with a turn of its own,
// and returns their kinds. It stops at a hundred, to be called again.
func promote(ctx context.Context, q storage.Querier, now time.Time) (kinds []string, err error) {
	type due struct{ id, kind, project, owner string }
	all, err := storage.Collect(ctx, q, func(s storage.Scanner) (d due, err error) {
		err = s.Scan(&d.id, &d.kind, &d.project, &d.owner)
		return d, err
	}, dueJobs, storage.Millis(now))
	for _, d := range all {
		if _, err := q.Exec(ctx, readyJob, d.kind, d.project, d.owner, d.id); err != nil {
			return nil, err
		}
		kinds = append(kinds, d.kind)
	}
	return kinds, err
}

// nextDue returns when the next delayed job is due; zero without one.
func nextDue(ctx context.Context, q storage.Querier) (time.Time, error) {
	var ms int64
	err := q.QueryRow(ctx, firstDue).Scan(&ms)
	return storage.Time(ms), err
}

const beatJobs = `UPDATE jobs SET beat = beat + 1 WHERE runner = $1 RETURNING id, lease, canceled`

// held is a lease that this instance has, as the database knows it.
type held struct {
	leaseID
	canceled bool
}

// beat counts up all leases of the instance and returns them.
func beat(ctx context.Context, q storage.Querier, instance string) ([]held, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (h held, err error) {
		err = s.Scan(&h.job, &h.lease, &h.canceled)
		return h, err
	}, beatJobs, instance)
}

const beatLease = `UPDATE jobs SET beat = beat + 1` + leased

// beatOne counts up one lease, and reports whether the instance has it.
func beatOne(ctx context.Context, q storage.Querier, j Job, instance string) (bool, error) {
	n, err := q.Exec(ctx, beatLease, j.ID, j.lease, instance)
	return n > 0, err
}

const canceledJobs = `SELECT id, lease FROM jobs WHERE runner = $1 AND canceled = 1`

// canceledOf returns the leases of the instance whose jobs somebody canceled.
func canceledOf(ctx context.Context, q storage.Querier, instance string) ([]leaseID, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (l leaseID, err error) {
		err = s.Scan(&l.job, &l.lease)
		return l, err
	}, canceledJobs, instance)
}

// pulse is the lease of another instance at one moment.
type pulse struct {
	leaseID
	runner string
	beat   int64
}

const foreignLeases = `SELECT id, lease, runner, beat FROM jobs WHERE runner < $1
	UNION ALL SELECT id, lease, runner, beat FROM jobs WHERE runner > $1`

func foreignPulses(ctx context.Context, q storage.Querier, instance string) ([]pulse, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (p pulse, err error) {
		err = s.Scan(&p.job, &p.lease, &p.runner, &p.beat)
		return p, err
	}, foreignLeases, instance)
}

const (
	stopLease = `UPDATE jobs SET runner = NULL WHERE id = $1 AND lease = $2 AND runner = $3 AND beat = $4`
	stopOwn   = `UPDATE jobs SET runner = NULL WHERE runner = $1`
	ownLeases = `SELECT EXISTS (SELECT 1 FROM jobs WHERE runner = $1)`
	orphans   = `SELECT EXISTS (SELECT 1 FROM jobs WHERE state = 'running' AND runner IS NULL)`
	readopt   = `UPDATE jobs SET state = 'ready', lease_lost = 1, canceled = 0, again = 0
		WHERE state = 'running' AND runner IS NULL RETURNING kind`
)

// takeLease ends a lease whose counter still stands where it stood.
func takeLease(ctx context.Context, q storage.Querier, p pulse) (bool, error) {
	n, err := q.Exec(ctx, stopLease, p.job, p.lease, p.runner, p.beat)
	return n > 0, err
}

// hasLeases reports whether the instance has any.
func hasLeases(ctx context.Context, q storage.Querier, instance string) (bool, error) {
	return storage.Column[bool](q.QueryRow(ctx, ownLeases, instance))
}

// takeOwnLeases ends what an earlier queue of this instance left behind.
func takeOwnLeases(ctx context.Context, q storage.Querier, instance string) error {
	_, err := q.Exec(ctx, stopOwn, instance)
	return err
}

// hasOrphans reports whether a job has lost its lease.
func hasOrphans(ctx context.Context, q storage.Querier) (bool, error) {
	return storage.Column[bool](q.QueryRow(ctx, orphans))
}

// recoverOrphans makes the jobs ready again that have lost their lease, and
// returns their kinds. They keep their turn, which comes first.
func recoverOrphans(ctx context.Context, q storage.Querier) ([]string, error) {
	return storage.Collect(ctx, q, storage.Column[string], readopt)
}
