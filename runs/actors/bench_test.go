package actors

import (
	"context"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover/storage"
)

// BenchmarkRunSync is from RunSync of a Go Actor to its output, one at a time, on a
// database in a file. Goal: p50 at most 5 ms.
func BenchmarkRunSync(b *testing.B) {
	w := start(b, setup{dir: b.TempDir(), actors: []Definition{echo}, quiet: true})
	once := func() {
		out := must(w.RunSync(b.Context(), "~echo", Start{Input: input(`{"a":1}`)}, ""))(b)
		if got := string(must(io.ReadAll(out))(b)); got != `{"a":1}` {
			b.Fatal(got)
		}
		out.Close()
	}
	once() // the workers run now
	var times []time.Duration
	for b.Loop() {
		from := time.Now()
		once()
		times = append(times, time.Since(from))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
}

// fill makes n runs of an Actor that have ended, every hundredth of them FAILED.
func fill(t testing.TB, w *world, n int) {
	t.Helper()
	r := must(w.Start(t.Context(), "~echo", Start{}))(t)
	err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
			INSERT INTO actor_runs (id, number, project_id, actor_id, job_kind, program_id, program, build_id, build_number, status, options, memory, origin, client_ip, user_agent,
				key_value_store, dataset, request_queue, created_at, ended_at)
			SELECT 'run-' || i, i, project_id, actor_id, job_kind, program_id, program, build_id, build_number, CASE i % 100 WHEN 0 THEN 'FAILED' ELSE 'SUCCEEDED' END, options, memory, origin, client_ip, user_agent,
				key_value_store, dataset, request_queue, created_at + i, created_at + i FROM actor_runs, n WHERE id = $1`, r.ID, n)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// BenchmarkRuns is a page of 1,000 of 100,000 runs. Goal: 10 ms, wherever it is.
func BenchmarkRuns(b *testing.B) {
	w := must(openOn(b.Context(), openFile(b), setup{actors: []Definition{echo}, idle: true, quiet: true}))(b)
	b.Cleanup(func() { w.shutNow(b) })
	fill(b, w, 100_000)
	middle := must(w.Runs(b.Context(), RunFilter{Filter: Filter{Offset: 50_000, Limit: 1}}))(b).Items[0].StartedAt
	for _, f := range []RunFilter{
		{}, {Filter: Filter{Offset: 50_000}}, {Filter: Filter{Offset: 99_000}}, {Filter: Filter{Offset: 50_000, Desc: true}}, {Filter: Filter{Offset: 50_000, Limit: 10}},
		{Filter: Filter{Offset: 50_000}, Actor: "~echo"}, {Statuses: []Status{Failed}}, {Filter: Filter{Offset: 90_000}, Statuses: []Status{Failed, Succeeded}},
		{StartedAfter: middle}, {StartedBefore: middle, Filter: Filter{Offset: 20_000}, Actor: "~echo"}, {StartedAfter: middle, Filter: Filter{Desc: true, Offset: 40_000}, Statuses: []Status{Succeeded}},
	} {
		b.Run(fmt.Sprintf("%d,%v,%s,%v,%v", f.Offset, f.Desc, f.Actor, f.Statuses, !f.StartedAfter.IsZero() || !f.StartedBefore.IsZero()), func(b *testing.B) {
			for b.Loop() {
				if l := must(w.Runs(b.Context(), f))(b); l.Total == 0 || len(l.Items) == 0 {
					b.Fatal(l.Total)
				}
			}
		})
	}
}
