//go:build unix

package schedules

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

// BenchmarkIdleSchedules is what 100,000 schedules cost that are due some other day, in
// percent of a core. Goal: under 1.
func BenchmarkIdleSchedules(b *testing.B) {
	db := storagetest.OpenWith(b, storage.Options{Dir: b.TempDir()})
	w := &world{db: db, runs: newRuns(b, db)}
	w.Scheduler = must(New(Config{
		DB: db, Callers: must(projects.New(b.Context(), db, projects.Options{}))(b), Launchers: map[ActionType]Launcher{RunActor: w.runs}, Clock: clock.System(),
	}))(b)
	s := w.make(b, "@yearly")
	must(0, db.Write(b.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
			INSERT INTO schedules (id, project_id, name, name_key, settings, revision, cursor, next_at, created_at, modified_at)
			SELECT 'schedule-' || i, project_id, 'name-' || i, 'name-' || i, settings, 1, cursor, next_at + i, created_at, modified_at FROM schedules, n WHERE id = $1`, s.ID)
		return err
	}))(b)
	must(0, w.Start(b.Context()))(b)
	defer w.Close(context.Background())
	for b.Loop() {
		before, from := processorTime(b), time.Now()
		time.Sleep(20 * time.Second)
		b.ReportMetric(100*float64(processorTime(b)-before)/float64(time.Since(from)), "%core")
		b.ReportMetric(0, "ns/op")
	}
}

func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
