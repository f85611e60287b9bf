package execution_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
)

// A parcel is PENDING, then RUNNING, and in the end DELIVERED, LOST or STOPPED.
type parcel struct {
	id, status, cause string
}

// delivery is how it ends.
type delivery struct{ status, cause string }

const (
	createParcels = `CREATE TABLE parcels (id TEXT PRIMARY KEY, status TEXT NOT NULL DEFAULT 'PENDING', cause TEXT, stop INTEGER NOT NULL DEFAULT 0);
		CREATE TABLE receipts (parcel TEXT PRIMARY KEY)`
	returning = ` RETURNING id, status, coalesce(cause, '')`
)

func scanParcel(s storage.Scanner) (p parcel, err error) {
	err = s.Scan(&p.id, &p.status, &p.cause)
	return p, err
}

func findParcel(ctx context.Context, q storage.Querier, id string) (parcel, error) {
	return scanParcel(q.QueryRow(ctx, `SELECT id, status, coalesce(cause, '') FROM parcels WHERE id = $1`, id))
}

func startParcel(ctx context.Context, q storage.Querier, id string, _ time.Time) (parcel, error) {
	return scanParcel(q.QueryRow(ctx, `UPDATE parcels SET status = 'RUNNING' WHERE id = $1 AND status = 'PENDING' AND stop = 0`+returning, id))
}

func stopParcel(ctx context.Context, q storage.Querier, _, id string, _ time.Time) (parcel, error) {
	return scanParcel(q.QueryRow(ctx, `UPDATE parcels SET stop = 1 WHERE id = $1 AND status IN ('PENDING', 'RUNNING')`+returning, id))
}

// endParcel lets a stop win, and writes the one receipt that there is.
func endParcel(ctx context.Context, tx *storage.Tx, id string, d delivery, _ time.Time) (parcel, error) {
	p, err := scanParcel(tx.QueryRow(ctx, `UPDATE parcels SET status = CASE stop WHEN 0 THEN $2 ELSE 'STOPPED' END, cause = $3
		WHERE id = $1 AND status IN ('PENDING', 'RUNNING')`+returning, id, d.status, d.cause))
	if err == nil {
		_, err = tx.Exec(ctx, `INSERT INTO receipts (parcel) VALUES ($1)`, id)
	}
	return p, err
}

func (p parcel) state() execution.State {
	phase := execution.Ended
	switch p.status {
	case "PENDING":
		phase = execution.Waiting
	case "RUNNING":
		phase = execution.Started
	}
	return execution.State{Phase: phase, Status: p.status, Cause: p.cause, Failed: p.status == "LOST"}
}

// broken is how a parcel ends that was not delivered.
func broken(_ parcel, cause error) delivery {
	if errors.Is(cause, jobs.ErrCanceled) {
		return delivery{"STOPPED", "by its sender"}
	}
	return delivery{"LOST", cause.Error()}
}

func deliver(context.Context, execution.Attempt[parcel]) (delivery, error) {
	return delivery{status: "DELIVERED"}, nil
}

// parcels is what makes a domain of all this.
func parcels(db *storage.DB, queue *jobs.Queue, hub *notify.Hub) execution.Config[parcel, delivery] {
	return execution.Config[parcel, delivery]{
		Name: "parcel", DB: db, Jobs: queue, Notify: hub,
		Find: findParcel, Start: startParcel, End: endParcel, RequestStop: stopParcel, State: parcel.state,
		Execute: deliver, Broken: broken,
	}
}

func Example() {
	ctx := context.Background()
	db, err := storage.Open(ctx, storage.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	hub := notify.New(db, notify.Options{})
	defer hub.Close()
	queue := jobs.New(db, hub, jobs.Options{})
	defer queue.Stop(ctx)
	x := execution.New(parcels(db, queue, hub))
	queue.Register("parcel", x.Work, jobs.KindOptions{Workers: 2, Exhausted: x.Exhausted})
	if err := queue.Start(ctx); err != nil {
		fmt.Println(err)
		return
	}

	// A service's Create.
	err = db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		_, tableErr := tx.Exec(ctx, createParcels)
		_, rowErr := tx.Exec(ctx, `INSERT INTO parcels (id) VALUES ('p1')`)
		return errors.Join(tableErr, rowErr, x.Enqueue(ctx, tx, jobs.Insert{ProjectID: "acme", Ref: "p1"}))
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	// A service's Wait.
	err = x.Follow(ctx, "p1", func() (done bool, err error) {
		var p parcel
		err = db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
			p, err = findParcel(ctx, q, "p1")
			return err
		})
		if p.state().Phase == execution.Ended {
			fmt.Println(p.id, p.status)
		}
		return p.state().Phase == execution.Ended, err
	})
	fmt.Println(err)
	// Output:
	// p1 DELIVERED
	// <nil>
}
