package queue

import (
	"context"
	"database/sql"
	"io"
	"log/slog"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	_ "modernc.org/sqlite"
)

type args struct {
	Number int `json:"number"`
}

func (args) Kind() string { return "bench" }

// newRiver returns an engine on River, which has no way to be told of new jobs
// on SQLite: it looks for them every poll.
func newRiver(b *testing.B, poll time.Duration, work func(number int)) engine {
	b.Helper()
	db := openRiver(b)
	ws := river.NewWorkers()
	river.AddWorker(ws, river.WorkFunc(func(_ context.Context, j *river.Job[args]) error {
		work(j.Args.Number)
		return nil
	}))
	client, err := river.NewClient(riversqlite.New(db), &river.Config{
		Queues:            map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: workers}},
		Workers:           ws,
		FetchPollInterval: poll,
		FetchCooldown:     min(poll, river.FetchCooldownDefault),
		Logger:            slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		b.Fatal(err)
	}
	return engine{
		enqueue: func(number int) {
			if _, err := client.Insert(context.Background(), args{number}, nil); err != nil {
				b.Fatal(err)
			}
		},
		start: func() {
			if err := client.Start(context.Background()); err != nil {
				b.Fatal(err)
			}
		},
		stop: func() {
			if err := client.Stop(context.Background()); err != nil {
				b.Error(err)
			}
		},
	}
}

// openRiver opens a database for River as Drover opens its own: the pragmas are
// those of package storage. River asks for a single connection.
func openRiver(b *testing.B) *sql.DB {
	b.Helper()
	name := url.URL{Scheme: "file", Opaque: filepath.Join(b.TempDir(), "river.db"), RawQuery: url.Values{
		"_txlock": {"immediate"},
		"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)"},
	}.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		b.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	b.Cleanup(func() { _ = db.Close() })
	m, err := rivermigrate.New(riversqlite.New(db), nil)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := m.Migrate(context.Background(), rivermigrate.DirectionUp, nil); err != nil {
		b.Fatal(err)
	}
	return db
}
