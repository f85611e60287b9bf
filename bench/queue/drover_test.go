package queue

import (
	"context"
	"strconv"
	"testing"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// newDrover returns an engine on Drover's queue.
func newDrover(b *testing.B, work func(number int)) engine {
	b.Helper()
	db := storagetest.OpenFile(b)
	hub := notify.New(db, notify.Options{})
	q := jobs.New(db, hub, jobs.Options{})
	q.Register("bench", func(_ context.Context, j jobs.Job) error {
		number, err := strconv.Atoi(j.Ref)
		if err == nil {
			work(number)
		}
		return err
	}, jobs.KindOptions{Workers: workers})
	return engine{
		enqueue: func(number int) {
			err := db.Write(context.Background(), func(ctx context.Context, tx *storage.Tx) error {
				_, _, err := q.Enqueue(ctx, tx, jobs.Insert{Kind: "bench", ProjectID: "p", Ref: strconv.Itoa(number)})
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		},
		start: func() {
			if err := q.Start(context.Background()); err != nil {
				b.Fatal(err)
			}
		},
		stop: func() {
			if err := q.Stop(context.Background()); err != nil {
				b.Error(err)
			}
			_ = hub.Close()
		},
	}
}
