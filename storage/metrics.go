package storage

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/drover-go/drover/internal/telemetry"
)

// metrics are what is counted of a database.
type metrics struct {
	reads, writes, busy *telemetry.Counter
	waits, lasts        *telemetry.Histogram
}

// writeBuckets are for what should take less than a millisecond, in seconds.
var writeBuckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

func newMetrics(o Options) metrics {
	t := o.Telemetry
	readSizes(t, o.Dir)
	return metrics{
		reads:  t.Counter("drover_database_reads_total", "Read transactions."),
		writes: t.Counter("drover_database_writes_total", "Write transactions, by what became of them: committed, or rolled_back.", "outcome"),
		busy:   t.Counter("drover_database_busy_total", "Transactions that failed because another process kept the database for too long."),
		waits:  t.Histogram("drover_database_writer_wait_seconds", "How long a write transaction waited for the one writer.", writeBuckets),
		lasts:  t.Histogram("drover_database_write_seconds", "How long a write transaction kept the one writer.", writeBuckets),
	}
}

// readSizes tells how large the files are. A database in memory has none.
func readSizes(t *telemetry.Telemetry, dir string) {
	if dir == "" {
		return
	}
	const file, wal = "drover_database_file_bytes", "drover_database_wal_bytes"
	t.Read(time.Second, func(_ context.Context, r *telemetry.Report) {
		for name, path := range map[string]string{file: fileName, wal: fileName + "-wal"} {
			if info, err := os.Stat(filepath.Join(dir, path)); err == nil {
				r.Value(name, float64(info.Size()))
			}
		}
	},
		telemetry.Metric{Name: file, Help: "Size of the database file.", Kind: telemetry.GaugeKind},
		telemetry.Metric{Name: wal, Help: "Size of the write-ahead log.", Kind: telemetry.GaugeKind})
}

// began notes how long a transaction has waited for the writer; what it returns,
// how long it has kept it.
func (m *metrics) began(asked time.Time) (ended func()) {
	if m.waits == nil {
		return func() {}
	}
	begun := time.Now()
	m.waits.Seconds(begun.Sub(asked))
	return func() { m.lasts.Seconds(time.Since(begun)) }
}

func (m *metrics) wrote(err error) {
	if err == nil {
		m.writes.Inc("committed")
		return
	}
	m.writes.Inc("rolled_back")
	m.failed(err)
}

func (m *metrics) read(err error) {
	m.reads.Inc()
	m.failed(err)
}

// failed counts an error that says that another process was in the way.
func (m *metrics) failed(err error) {
	var e *sqlite.Error
	if errors.As(err, &e) && (e.Code()&0xff == sqlite3.SQLITE_BUSY || e.Code()&0xff == sqlite3.SQLITE_LOCKED) {
		m.busy.Inc()
	}
}
