package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/drover-go/drover/storage"
)

// The only SQL of the queue. A statement that changes a job says in its WHERE
// what it takes for granted, so that it is right with several writers, too. A
// claim on a database that has them adds FOR UPDATE SKIP LOCKED.

const jobColumns = `id, kind, project_id, ref, key, owner, owner <> '' AND pinned IS NULL,
	attempt, max_attempts, lease_lost, lease, weight, share, created_at`

// scanJob reads jobColumns and what stands behind them.
func scanJob(s storage.Scanner, more ...any) (j Job, err error) {
	var created int64
	dest := []any{&j.ID, &j.Kind, &j.ProjectID, &j.Ref, &j.Key, &j.Owner, &j.OwnerLost,
		&j.Attempt, &j.MaxAttempts, &j.LeaseLost, &j.lease, &j.Weight, &j.Share, &created}
	err = s.Scan(append(dest, more...)...)
	j.CreatedAt = storage.Time(created)
	return j, err
}

// nextTurn is the turn of a job that becomes ready now: the one served next,
// or the one after the last of its project, whichever is later. $1 is the
// kind, $2 the project, $3 the owner.
const nextTurn = `(SELECT max(turn) FROM (
	SELECT min(turn) AS turn FROM (
		SELECT min(turn) AS turn FROM jobs WHERE state = 'ready' AND kind = $1 AND pinned IS NULL
		UNION ALL SELECT min(turn) FROM jobs WHERE state = 'ready' AND kind = $1 AND pinned = $3) AS served
	UNION ALL SELECT max(turn) + 1 FROM jobs WHERE kind = $1 AND project_id = $2
	UNION ALL SELECT 0) AS turns)`

const insertStart = `INSERT INTO jobs
	(kind, project_id, owner, pinned, id, ref, key, run_at, max_attempts, created_at, weight, share, state, turn)
	VALUES ($1, $2, $3, (SELECT id FROM instances WHERE id = $3), $4, $5, $6, $7, $8, $9, $10, $11, `

// insertEnd: a job whose key is taken by one that is canceled, but whose
// worker has not returned, is remembered in that row; see removeJob.
const insertEnd = `)
	ON CONFLICT (kind, key) DO UPDATE SET again = jobs.again + jobs.canceled
	RETURNING ` + jobColumns + `, again`

const (
	insertReady   = insertStart + `'ready', ` + nextTurn + insertEnd
	insertDelayed = insertStart + `'delayed', 0` + insertEnd
)

// insertJob writes the job, or finds the unfinished one with its key.
func insertJob(ctx context.Context, q storage.Querier, id string, in Insert, now time.Time) (Job, bool, error) {
	query, runAt := insertReady, now
	if due := in.due(now); !due.IsZero() {
		query, runAt = insertDelayed, due
	}
	var again int
	row := q.QueryRow(ctx, query, in.Kind, in.ProjectID, in.Owner, id, in.Ref, in.Key,
		storage.Millis(runAt), in.MaxAttempts, storage.Millis(now), in.Weight, in.Share)
	j, err := scanJob(row, &again)
	return j, j.ID == id || again == 1, err
}

// claimJobs has the limit in its text: as a parameter it would make SQLite
// prepare the statement twice.
const claimJobs = `UPDATE jobs
	SET state = 'running', runner = $2, lease = lease + 1, attempt = attempt + 1, canceled = 0
	WHERE state = 'ready' AND id IN (SELECT id FROM (
		SELECT id, turn FROM (SELECT id, turn FROM jobs
			WHERE state = 'ready' AND kind = $1 AND pinned IS NULL ORDER BY turn, id LIMIT %[1]d) AS anybodys
		UNION ALL SELECT id, turn FROM (SELECT id, turn FROM jobs
			WHERE state = 'ready' AND kind = $1 AND pinned = $2 ORDER BY turn, id LIMIT %[1]d) AS own
		ORDER BY turn, id LIMIT %[1]d) AS first)
	RETURNING ` + jobColumns + `, turn`

// claim leases up to n jobs of the kind to the instance, in their turn.
func claim(ctx context.Context, q storage.Querier, kind, instance string, n int) ([]Job, error) {
	turns := map[string]int64{}
	all, err := storage.Collect(ctx, q, func(s storage.Scanner) (Job, error) {
		var turn int64
		j, err := scanJob(s, &turn)
		turns[j.ID] = turn
		return j, err
	}, fmt.Sprintf(claimJobs, n), kind, instance)
	slices.SortFunc(all, func(a, b Job) int {
		return cmp.Or(cmp.Compare(turns[a.ID], turns[b.ID]), cmp.Compare(a.ID, b.ID))
	})
	return all, err
}

const (
	readyByID = `SELECT ` + jobColumns + ` FROM jobs
		WHERE id = $1 AND state = 'ready' AND (pinned IS NULL OR pinned = $2)`
	// A bare parameter of LIMIT has SQLite compile the statement anew for each value.
	firstReady = `SELECT ` + jobColumns + ` FROM (
		SELECT * FROM (SELECT * FROM jobs
			WHERE state = 'ready' AND kind = $1 AND pinned IS NULL ORDER BY turn, id LIMIT $3 + 0) AS anybodys
		UNION ALL SELECT * FROM (SELECT * FROM jobs
			WHERE state = 'ready' AND kind = $1 AND pinned = $2 ORDER BY turn, id LIMIT $3 + 0) AS own) AS first
		ORDER BY turn, id LIMIT $3 + 0`
	// firstOfShares looks at [ofShare] jobs of each share, however many of them wait, and leaves out
	// those in the list $4.
	firstOfShares = `WITH RECURSIVE shares (name) AS (
			SELECT min(share) FROM jobs WHERE state = 'ready' AND kind = $1
			UNION ALL SELECT (SELECT min(share) FROM jobs WHERE state = 'ready' AND kind = $1 AND share > shares.name) FROM shares WHERE name IS NOT NULL)
		SELECT ` + jobColumns + ` FROM shares CROSS JOIN jobs AS first ON first.id IN (
			SELECT id FROM jobs WHERE state = 'ready' AND kind = $1 AND share = shares.name AND (pinned IS NULL OR pinned = $2)
				ORDER BY turn, id LIMIT 4)
		WHERE shares.name NOT IN (SELECT value FROM json_each($4))
		ORDER BY turn, id LIMIT $3 + 0`
	leaseReady = `UPDATE jobs
		SET state = 'running', runner = $2, lease = lease + 1, attempt = attempt + 1, canceled = 0
		WHERE id = $1 AND state = 'ready' RETURNING ` + jobColumns
)

// findReady returns a job that waits for this instance or anybody;
// [storage.ErrNoRow] if it does not.
func findReady(ctx context.Context, q storage.Querier, id, instance string) (Job, error) {
	return scanJob(q.QueryRow(ctx, readyByID, id, instance))
}

// readyJobs returns the first n of a kind that wait, in their turn, but none of the
// shares that are full. Where it returns fewer, more may wait of the shares of which it
// returns [ofShare], and of no others.
func readyJobs(ctx context.Context, q storage.Querier, kind, instance string, n int, full []string) ([]Job, error) {
	scan := func(s storage.Scanner) (Job, error) { return scanJob(s) }
	if len(full) == 0 {
		return storage.Collect(ctx, q, scan, firstReady, kind, instance, n)
	}
	front, err := storage.Collect(ctx, q, scan, firstReady, kind, instance, atFront)
	open := notOf(full, front)
	if err != nil || len(open) >= n || len(front) < atFront {
		return open[:min(n, len(open))], err
	}
	return storage.Collect(ctx, q, scan, firstOfShares, kind, instance, n, storage.List(full))
}

const (
	// atFront is how many jobs are looked at before their shares are.
	atFront = 32
	// ofShare is how many are looked at of each share then.
	ofShare = 4
)

// withMore are the shares of which [ofShare] jobs are among those at least, or more.
func withMore(all []Job) (shares []string) {
	n := map[string]int{}
	for _, j := range all {
		if n[j.Share]++; n[j.Share] == ofShare && j.Share != "" {
			shares = append(shares, j.Share)
		}
	}
	return shares
}

// firstOfProjects is the first job that waits of each project but those in the list $5, of
// no share in the list $4. Projects are skipped from one to the next, so that it takes as
// long however many jobs of each wait.
var firstOfProjects = func() string {
	const waits = ` FROM jobs WHERE state = 'ready' AND weight > 0 AND kind = $1 AND pinned`
	of := func(name, pinned string) (projects, first string) {
		return name + `(project) AS (SELECT min(project_id)` + waits + pinned + `
			UNION ALL SELECT (SELECT min(project_id)` + waits + pinned + ` AND project_id > project) FROM ` + name + ` WHERE project IS NOT NULL)`,
			`SELECT (SELECT id` + waits + pinned + ` AND project_id = project AND share NOT IN (SELECT value FROM json_each($4)) ORDER BY turn, id LIMIT 1)
			FROM ` + name + ` WHERE project IS NOT NULL AND project NOT IN (SELECT value FROM json_each($5))`
	}
	anybodys, first := of("anybodys", " IS NULL")
	own, firstOwn := of("own", " = $2")
	return `WITH RECURSIVE ` + anybodys + `, ` + own + `
		SELECT ` + jobColumns + ` FROM jobs WHERE id IN (` + first + ` UNION ALL ` + firstOwn + `) ORDER BY turn, id LIMIT $3 + 0`
}()

// firstReadyOf returns the first job that waits of each project but those that are passed
// over, and of no share that is full; at most n, in their turn.
func firstReadyOf(ctx context.Context, q storage.Querier, kind, instance string, n int, full, passed []string) ([]Job, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (Job, error) { return scanJob(s) },
		firstOfProjects, kind, instance, n, storage.List(full), storage.List(passed))
}

// leaseJob leases a job that waits to the instance.
func leaseJob(ctx context.Context, q storage.Querier, id, instance string) (Job, error) {
	return scanJob(q.QueryRow(ctx, leaseReady, id, instance))
}

const anyReady = `SELECT
	EXISTS (SELECT 1 FROM jobs WHERE state = 'ready' AND kind = $1 AND pinned IS NULL)
	OR EXISTS (SELECT 1 FROM jobs WHERE state = 'ready' AND kind = $1 AND pinned = $2)`

// isReady reports whether a claim of the kind would find a job.
func isReady(ctx context.Context, q storage.Querier, kind, instance string) (bool, error) {
	return storage.Column[bool](q.QueryRow(ctx, anyReady, kind, instance))
}

const (
	leased   = ` WHERE id = $1 AND lease = $2 AND runner = $3`
	forget   = `DELETE FROM jobs` + leased + ` AND again = 0`
	runAgain = `UPDATE jobs SET state = 'ready', runner = NULL, attempt = 0, canceled = 0, again = 0, lease_lost = 0` + leased
)

// remains says what is left of a job.
type remains uint8

const (
	lost    remains = iota // it is no longer ours to change
	gone                   // nothing
	ready                  // it waits for a worker
	delayed                // it waits for its time
)

// removeJob removes a job that is done, or makes a new one of it if it was
// enqueued again after its cancel.
func removeJob(ctx context.Context, q storage.Querier, j Job, instance string) (remains, error) {
	for _, step := range []struct {
		query string
		left  remains
	}{{forget, gone}, {runAgain, ready}} {
		n, err := q.Exec(ctx, step.query, j.ID, j.lease, instance)
		if err != nil || n > 0 {
			return step.left, err
		}
	}
	return lost, nil
}

// A cancel that its worker may not have seen is not lost with the attempt: the
// job is ready at once.
const putBackJob = `UPDATE jobs
	SET state = CASE WHEN canceled = 1 THEN 'ready' ELSE $4 END, run_at = $5, attempt = attempt - $6,
		lease_lost = CASE WHEN $7 = 1 THEN 0 ELSE lease_lost END, runner = NULL, canceled = 0, again = 0` + leased + `
	RETURNING state = 'ready'`

// putBack is how a job goes on waiting.
type putBack struct {
	at      time.Time // zero: ready at once
	uncount bool      // the attempt does not count
	settle  bool      // an earlier lost lease no longer matters
}

func putJobBack(ctx context.Context, q storage.Querier, j Job, instance string, p putBack) (remains, error) {
	state := "delayed"
	if p.at.IsZero() {
		state = "ready"
	}
	var isReady bool
	err := q.QueryRow(ctx, putBackJob, j.ID, j.lease, instance, state,
		storage.Millis(p.at), bit(p.uncount), bit(p.settle)).Scan(&isReady)
	switch {
	case errors.Is(err, storage.ErrNoRow):
		return lost, nil
	case isReady:
		return ready, err
	}
	return delayed, err
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

const (
	cancelWaiting = `DELETE FROM jobs WHERE kind = $1 AND key = $2 AND state <> 'running'`
	cancelRunning = `UPDATE jobs SET canceled = 1, again = 0
		WHERE kind = $1 AND key = $2 AND state = 'running' RETURNING id, lease`
)

// leaseID names one attempt of a job.
type leaseID struct {
	job   string
	lease int64
}

// cancelJob removes a job that waits, or marks one that runs and returns its
// lease.
func cancelJob(ctx context.Context, q storage.Querier, kind, key string) (l leaseID, running bool, err error) {
	err = q.QueryRow(ctx, cancelRunning, kind, key).Scan(&l.job, &l.lease)
	if errors.Is(err, storage.ErrNoRow) {
		_, err = q.Exec(ctx, cancelWaiting, kind, key)
		return l, false, err
	}
	return l, err == nil, err
}

const anyJob = `SELECT EXISTS (SELECT 1 FROM jobs)`

func hasJobs(ctx context.Context, q storage.Querier) (bool, error) {
	return storage.Column[bool](q.QueryRow(ctx, anyJob))
}
