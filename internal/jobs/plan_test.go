package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// statements are all that the queue runs, with how many parameters each has.
var statements = map[string]struct {
	query  string
	params int
}{
	"insertReady":   {insertReady, 11},
	"insertDelayed": {insertDelayed, 11},
	"claimJobs":     {fmt.Sprintf(claimJobs, 4), 2},
	"readyByID":     {readyByID, 2},
	"firstReady":    {firstReady, 3},
	"firstOfShares": {firstOfShares, 4},
	"of projects":   {firstOfProjects, 5},
	"leaseReady":    {leaseReady, 2},
	"anyReady":      {anyReady, 2},
	"forget":        {forget, 3},
	"runAgain":      {runAgain, 3},
	"putBackJob":    {putBackJob, 7},
	"countReady":    {countReady, 1},
	"oldestReady":   {oldestReady, 1},
	"kindsDelayed":  {kindsDelayed, 0},
	"kindsRunning":  {kindsRunning, 0},
	"cancelWaiting": {cancelWaiting, 2},
	"cancelRunning": {cancelRunning, 2},
	"dueJobs":       {dueJobs, 1},
	"readyJob":      {readyJob, 4},
	"firstDue":      {firstDue, 0},
	"beatJobs":      {beatJobs, 1},
	"beatLease":     {beatLease, 3},
	"canceledJobs":  {canceledJobs, 1},
	"foreignLeases": {foreignLeases, 1},
	"stopLease":     {stopLease, 4},
	"stopOwn":       {stopOwn, 1},
	"ownLeases":     {ownLeases, 1},
	"orphans":       {orphans, 0},
	"readopt":       {readopt, 0},
	// What the database does with the jobs of an instance that goes.
	"the end of an instance": {`DELETE FROM instances WHERE id = $1`, 1},
}

// TestNoStatementScansOrSorts reads the plan of every statement. A scan or a
// sort would make it slower with each job that waits.
func TestNoStatementScansOrSorts(t *testing.T) {
	db := storagetest.Open(t)
	for name, s := range statements {
		for _, step := range plan(t, db, s.query, s.params) {
			if scansJobs(step) || sorts(step) && name != "claimJobs" && name != "firstReady" && name != "firstOfShares" && name != "of projects" { // which sort what their limits have left
				t.Errorf("%s: %s", name, step)
			}
		}
	}
}

// scansJobs: the index of orphans may be walked from end to end, as it holds
// only what the statement wants.
func scansJobs(step string) bool {
	return strings.HasPrefix(step, "SCAN jobs") && !strings.Contains(step, "jobs_orphaned")
}

func sorts(step string) bool { return strings.Contains(step, "TEMP B-TREE") }

func plan(t *testing.T, db *storage.DB, query string, params int) (steps []string) {
	t.Helper()
	args := make([]any, params)
	for i := range args {
		args[i] = 1
	}
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) (err error) {
		steps, err = storage.Collect(ctx, tx, func(s storage.Scanner) (step string, err error) {
			err = s.Scan(new(int), new(int), new(int), &step)
			return step, err
		}, "EXPLAIN QUERY PLAN "+query, args...)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return steps
}

func TestScanAndSortAreSeen(t *testing.T) {
	db := storagetest.Open(t)
	steps := plan(t, db, `SELECT id FROM jobs WHERE created_at = $1 ORDER BY ref`, 1)
	if !slices.ContainsFunc(steps, scansJobs) || !slices.ContainsFunc(steps, sorts) {
		t.Errorf("no scan or no sort in %q", steps)
	}
}

// BenchmarkWaiting prints how much longer a claim of 4 jobs and an insert take
// with 50,000 jobs waiting than with 500, as the ratio of the medians.
func BenchmarkWaiting(b *testing.B) {
	for name, op := range map[string]func(context.Context, *storage.DB, *storage.Tx, int) error{
		"claim": func(ctx context.Context, db *storage.DB, tx *storage.Tx, _ int) error {
			_, err := claim(ctx, tx, "k", db.InstanceID(), 4)
			return err
		},
		"insert": func(ctx context.Context, _ *storage.DB, tx *storage.Tx, i int) error {
			_, _, err := insertJob(ctx, tx, fmt.Sprint(i), Insert{Kind: "k", ProjectID: "p", Key: fmt.Sprint(i)}, time.Now())
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			few, many := storagetest.Open(b), storagetest.Open(b)
			fill(b, few, 500)
			fill(b, many, 50_000)
			var took [2][]time.Duration
			for i := 0; b.Loop(); i++ {
				for k, db := range []*storage.DB{few, many} {
					took[k] = append(took[k], timed(b, db, func(ctx context.Context, tx *storage.Tx) error { return op(ctx, db, tx, i) }))
				}
			}
			b.ReportMetric(float64(median(took[1]))/float64(median(took[0])), "50000:500")
		})
	}
}

// timed runs fn in a transaction that is taken back, so that nothing changes.
func timed(b *testing.B, db *storage.DB, fn func(context.Context, *storage.Tx) error) (took time.Duration) {
	b.Helper()
	undo := errors.New("undo")
	err := db.Write(b.Context(), func(ctx context.Context, tx *storage.Tx) error {
		begun := time.Now()
		if err := fn(ctx, tx); err != nil {
			return err
		}
		took = time.Since(begun)
		return undo
	})
	if err != undo {
		b.Fatal(err)
	}
	return took
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// fill makes n jobs wait, as many again for another instance.
func fill(t testing.TB, db *storage.DB, n int) {
	t.Helper()
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO instances (id, started_at) VALUES ('other', 0) ON CONFLICT DO NOTHING`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < $1)
			INSERT INTO jobs (id, kind, project_id, ref, key, owner, pinned, state, turn, run_at, max_attempts, created_at)
			SELECT $2 || i, 'k', 'p', '', $2 || i, '', CASE WHEN i % 2 = 0 THEN 'other' END, 'ready', i / 2, 0, 0, 0 FROM numbers`,
			2*n, fmt.Sprintf("job-%d-", n))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
