package drover_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/backup"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/records"
)

// runsEachSecond are started while backups are made, by the clock: one that is late
// delays none.
const runsEachSecond = 50

// punctual is an Actor whose run tells when it began.
type punctual struct {
	mu    sync.Mutex
	due   map[string]time.Time
	late  []time.Duration
	ended sync.WaitGroup
}

func (p *punctual) actor() actors.Definition {
	return actors.Func("punctual", func(ctx context.Context, a *actors.Run) error {
		var in struct{ Name string }
		if err := a.Input(&in); err != nil {
			return err
		}
		p.mu.Lock()
		p.late = append(p.late, time.Since(p.due[in.Name]))
		p.mu.Unlock()
		p.ended.Done()
		return a.Push(ctx, in)
	}, actors.FuncOptions{})
}

// during starts runs until the end is closed and returns how late they were, in
// order.
func (p *punctual) during(b *testing.B, d *drover.Drover, end <-chan struct{}) []time.Duration {
	p.late, p.due = nil, map[string]time.Time{}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for due, n := time.Now(), 0; ; n++ {
		due = due.Add(time.Second / runsEachSecond)
		timer.Reset(time.Until(due)) // at once for one that is late
		select {
		case <-end:
			p.ended.Wait()
			slices.Sort(p.late)
			return p.late
		case <-timer.C:
		}
		name := fmt.Sprint(n)
		p.mu.Lock()
		p.due[name] = due
		p.mu.Unlock()
		p.ended.Add(1)
		go func() {
			if _, err := d.Actors.Start(context.Background(), "~punctual", actors.Start{Input: &actors.Input{Body: fmt.Appendf(nil, `{"Name": %q}`, name), ContentType: "application/json"}}); err != nil {
				b.Error(err)
				p.ended.Done()
			}
		}()
	}
}

// fillGigabyte stores 700 downloads of a megabyte, and 300 MB of records that lie
// in rows. Half of it is noise, half a text.
func fillGigabyte(b *testing.B, d *drover.Drover) {
	noise := rand.NewChaCha8([32]byte{1})
	content := func(size int) string {
		half := make([]byte, size/2)
		noise.Read(half)
		return string(half) + strings.Repeat("2026-11-27T07:00:00.000Z INFO a line of a log, number 12345\n", size/120)
	}
	for i := range 700 {
		if _, err := d.Downloads.Store(b.Context(), downloads.New{SessionID: fmt.Sprint(i), Content: strings.NewReader(content(1 << 20))}); err != nil {
			b.Fatal(err)
		}
	}
	s, _, err := d.Records.Create(b.Context(), records.KeyValueStore, records.New{Name: "large"})
	for i := 0; i < 6000 && err == nil; i++ {
		_, err = d.Records.PutRecord(b.Context(), s.ID, records.NewRecord{Key: fmt.Sprint(i), ContentType: "application/octet-stream", Content: strings.NewReader(content(50 << 10))})
	}
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkBackup makes backups of a gigabyte while 50 runs a second go on, in
// turns with as long a time without one, and restores the last.
func BenchmarkBackup(b *testing.B) {
	p, from := &punctual{}, b.TempDir()
	d, err := drover.Open(b.Context(), drover.Options{
		Data: from, Workers: drover.WorkersAlways, Actors: []actors.Definition{p.actor()}, Logger: slog.New(slog.DiscardHandler),
		ActorLimits: actors.Limits{MaxUnfinished: 100_000}, Downloads: downloads.Limits{MaxBytes: 8 << 30, MaxFiles: 100_000},
	})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	fillGigabyte(b, d)
	file := filepath.Join(b.TempDir(), "archive")
	var with, without []time.Duration
	var took time.Duration
	var info backup.Info
	for b.Loop() {
		done := make(chan struct{})
		start := time.Now()
		go func() {
			defer close(done)
			if info, err = toFile(b, d, file); err != nil {
				b.Error(err)
			}
		}()
		with = append(with, p.during(b, d, done)...)
		took += time.Since(start)
		rest := make(chan struct{})
		time.AfterFunc(time.Since(start), func() { close(rest) })
		without = append(without, p.during(b, d, rest)...)
	}
	size := float64(info.DatabaseBytes + info.FileBytes)
	b.ReportMetric(size*float64(b.N)/took.Seconds()/1e6, "MB/s")
	b.ReportMetric(size/1e6, "MB")
	for name, all := range map[string][]time.Duration{"with": with, "without": without} {
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms-"+name)
		b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms-"+name)
	}
	d.Close()
	restoreGigabyte(b, from, file)
}

func toFile(b *testing.B, d *drover.Drover, file string) (backup.Info, error) {
	f, err := os.Create(file)
	if err != nil {
		return backup.Info{}, err
	}
	defer f.Close()
	return d.Backup(b.Context(), f, backup.Options{})
}

// restoreGigabyte restores what was backed up beside runs, then compares a backup
// at rest with its data.
func restoreGigabyte(b *testing.B, from, file string) {
	restore := func() string {
		f, err := os.Open(file)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		dir := filepath.Join(b.TempDir(), "restored")
		start := time.Now()
		r, err := drover.Restore(b.Context(), f, dir, backup.ReadOptions{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.DatabaseBytes+r.FileBytes)/time.Since(start).Seconds()/1e6, "MB/s-restored")
		return dir
	}
	restore()
	d, err := drover.Open(b.Context(), drover.Options{Data: from, Workers: drover.WorkersNever, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	if _, err := toFile(b, d, file); err != nil {
		b.Fatal(err)
	}
	dir := restore()
	if diff := cmp.Diff(tableSums(b, from), tableSums(b, dir)); diff != "" {
		b.Errorf("rows differ:\n%s", diff)
	}
	if diff := cmp.Diff(blobFiles(b, from), blobFiles(b, dir)); diff != "" {
		b.Errorf("files differ:\n%s", diff)
	}
}

// tableSums are hashes of all rows of each table, but instances.
func tableSums(b *testing.B, dir string) map[string]string {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "drover.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	sums := map[string]string{}
	for _, table := range column(b, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'instances'`) {
		rows, err := db.Query(`SELECT * FROM "` + table + `"`)
		if err != nil {
			b.Fatal(err)
		}
		sums[table] = sumOf(b, rows)
	}
	return sums
}

func sumOf(b *testing.B, rows *sql.Rows) string {
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		b.Fatal(err)
	}
	sum, n := sha256.New(), 0
	for ; rows.Next(); n++ {
		values, into := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			b.Fatal(err)
		}
		for _, v := range values {
			fmt.Fprintf(sum, "%t %d ", v == nil, len(v))
			sum.Write(v)
		}
	}
	return fmt.Sprintf("%d rows, %x", n, sum.Sum(nil))
}
