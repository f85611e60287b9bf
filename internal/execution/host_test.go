package execution_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
)

// hostEnv makes the test binary a host of parcels on the data directory it
// names; with _STATE behind it, it says in which state the host is held.
const hostEnv = "DROVER_EXECUTION_TEST_HOST"

// hostMain sends a parcel, prints its id, and then the state in which it holds
// it until the process is killed or its standard input ends.
func hostMain(dir, state string) error {
	ctx := context.Background()
	db, err := storage.Open(ctx, storage.Options{Dir: dir, BusyTimeout: time.Minute})
	if err != nil {
		return err
	}
	hub := notify.New(db, notify.Options{})
	queue := jobs.New(db, hub, jobs.Options{})
	hold := func(at string) {
		if at == state {
			fmt.Println(state)
			io.Copy(io.Discard, os.Stdin)
		}
	}
	c := parcels(db, queue, hub)
	c.Execute = func(ctx context.Context, a execution.Attempt[parcel]) (delivery, error) {
		hold("started")
		if err := work(ctx, db, a.Row.id); err != nil {
			return delivery{}, err
		}
		hold("executing")
		return deliver(ctx, a)
	}
	c.End = func(ctx context.Context, tx *storage.Tx, id string, e delivery, now time.Time) (parcel, error) {
		p, err := endParcel(ctx, tx, id, e, now)
		hold("ending")
		return p, err
	}
	x := execution.New(c)
	queue.Register("parcel", x.Work, jobs.KindOptions{Exhausted: x.Exhausted})
	in := jobs.Insert{Ref: "p1"}
	if state == "pending" {
		in.Owner = db.InstanceID() // nobody else begins it while this process lives
	} else if err := queue.Start(ctx); err != nil {
		return err
	}
	if err := db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error { return send(ctx, tx, x, in) }); err != nil {
		return err
	}
	hold("pending")
	select {}
}

// work leaves a trace each time that it is done.
func work(ctx context.Context, db *storage.DB, id string) error {
	return db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO works (parcel) VALUES ($1)`, id)
		return err
	})
}
