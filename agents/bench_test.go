package agents

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/keyset"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

const (
	million  = 1_000_000
	pageSize = 20
)

// millionAgents is the service on a file with a million rows, a millisecond
// apart.
func millionAgents(b *testing.B) (*service, projects.Project) {
	b.Helper()
	db := storagetest.OpenFile(b)
	callers, err := projects.New(b.Context(), db, projects.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s, err := New(b.Context(), db, callers, Options{})
	if err != nil {
		b.Fatal(err)
	}
	p, _ := callers.Current(b.Context())
	err = db.Write(b.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
			INSERT INTO agents (id, project_id, name, system_prompt, result_schema, created_at, updated_at)
			SELECT 'agent-' || i, $1, 'Agent ' || i, 'You read prices and report them in euros.',
				'{"type":"object","properties":{"price":{"type":"number"}},"required":["price"]}', i, i FROM n`, p.ID, million)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return s.(*service), p
}

// BenchmarkMillion measures the calls on a million agents. Its goal: the
// medians of page 1 and page 10,000 are within 1.3 of each other.
func BenchmarkMillion(b *testing.B) {
	s, p := millionAgents(b)
	b.Run("create", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Create(b.Context(), Create{Name: "x"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("get", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Get(b.Context(), fmt.Sprint("agent-", 1+rand.N(million))); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("list", func(b *testing.B) { benchmarkPages(b, s, p) })
}

// benchmarkPages takes the two pages in turn, so that the machine's moods hit
// both alike.
func benchmarkPages(b *testing.B, s *service, p projects.Project) {
	end := storage.Time(million) // what the other benchmarks create is newer
	deep := s.cursorAt(b, p, end, million-pageSize*9_999)
	var first, last []time.Duration
	page := func(f Filter) time.Duration {
		f.EndAt, f.Limit = end, pageSize
		start := time.Now()
		got, err := s.List(b.Context(), f)
		took := time.Since(start)
		if err != nil || len(got.Agents) != pageSize {
			b.Fatal(len(got.Agents), err)
		}
		return took
	}
	for b.Loop() {
		first = append(first, page(Filter{}))
		last = append(last, page(Filter{Cursor: deep}))
	}
	b.ReportMetric(float64(median(first).Microseconds()), "µs/page-1")
	b.ReportMetric(float64(median(last).Microseconds()), "µs/page-10000")
	b.ReportMetric(float64(median(last))/float64(median(first)), "page-10000/page-1")
}

// cursorAt is the cursor behind the row created at ms, as List would return it.
func (s *service) cursorAt(b *testing.B, p projects.Project, end time.Time, ms int64) string {
	b.Helper()
	w, err := s.cursors.Window(keyset.Filter{EndAt: end, Limit: 1}, "agents", p.ID)
	if err != nil {
		b.Fatal(err)
	}
	rows := []int64{ms + 1, ms}
	_, cursor := keyset.Cut(w, rows, func(ms int64) keyset.Position {
		return keyset.Position{At: ms, ID: fmt.Sprint("agent-", ms)}
	})
	return cursor
}

func median(all []time.Duration) time.Duration {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
