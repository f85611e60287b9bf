package execution_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(hostEnv); dir != "" {
		if err := hostMain(dir, os.Getenv(hostEnv+"_STATE")); err != nil {
			fmt.Println("failed", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// depot is the domain of the example at work.
type depot struct {
	t     *testing.T
	db    *storage.DB
	hub   *notify.Hub
	queue *jobs.Queue
	x     *execution.Executor[parcel, delivery]
}

// setup is what a test wants to be different.
type setup struct {
	db     *storage.DB // default in memory
	config func(c *execution.Config[parcel, delivery])
	kind   jobs.KindOptions
	queue  jobs.Options
	idle   bool // the workers are not started
}

func open(t *testing.T, o setup) *depot {
	t.Helper()
	if o.db == nil {
		o.db = storagetest.Open(t)
	}
	d := &depot{t: t, db: o.db, hub: notify.New(o.db, notify.Options{})}
	t.Cleanup(func() { d.hub.Close() })
	d.queue = jobs.New(d.db, d.hub, o.queue)
	t.Cleanup(func() { d.stop(past()) })
	d.write(func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, createParcels)
		return err
	})
	c := parcels(d.db, d.queue, d.hub)
	if o.config != nil {
		o.config(&c)
	}
	d.x = execution.New(c)
	o.kind.Exhausted = d.x.Exhausted
	d.queue.Register("parcel", d.x.Work, o.kind)
	if !o.idle {
		d.start()
	}
	return d
}

// past is a context that has ended.
func past() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func (d *depot) start() {
	d.t.Helper()
	if err := d.queue.Start(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
}

func (d *depot) stop(ctx context.Context) {
	d.t.Helper()
	if err := d.queue.Stop(ctx); err != nil {
		d.t.Error(err)
	}
}

func (d *depot) write(fn func(ctx context.Context, tx *storage.Tx) error) {
	d.t.Helper()
	if err := d.db.Write(context.Background(), fn); err != nil {
		d.t.Fatal(err)
	}
}

// send makes a parcel with its job.
func (d *depot) send(in jobs.Insert) (id string) {
	d.t.Helper()
	in.Ref = ids.New()
	d.write(func(ctx context.Context, tx *storage.Tx) error { return send(ctx, tx, d.x, in) })
	return in.Ref
}

func send(ctx context.Context, tx *storage.Tx, x *execution.Executor[parcel, delivery], in jobs.Insert) error {
	_, err := tx.Exec(ctx, `INSERT INTO parcels (id) VALUES ($1)`, in.Ref)
	return errors.Join(err, x.Enqueue(ctx, tx, in))
}

func (d *depot) get(id string) (p parcel) {
	d.t.Helper()
	err := d.db.Read(context.Background(), func(ctx context.Context, q storage.Querier) (err error) {
		p, err = findParcel(ctx, q, id)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

// until waits for a status, or for any end.
func (d *depot) until(id, status string) (p parcel) {
	d.t.Helper()
	err := d.x.Follow(d.t.Context(), id, func() (bool, error) {
		p = d.get(id)
		return p.status == status || p.state().Phase == execution.Ended, nil
	})
	if err != nil || p.status != status {
		d.t.Errorf("%+v, want %s; %v", p, status, err)
	}
	return p
}

// cancel stops a parcel, which must be in time.
func (d *depot) cancel(id string) (p parcel) {
	d.t.Helper()
	p, err := d.tryCancel(id)
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

func (d *depot) tryCancel(id string) (p parcel, err error) {
	err = d.db.Write(context.Background(), func(ctx context.Context, tx *storage.Tx) error {
		p, err = d.x.Stop(ctx, tx, "", id)
		return err
	})
	return p, err
}

// works is how often work was done, in a database with a table for that.
func (d *depot) works() (n int) {
	d.t.Helper()
	err := d.db.Read(context.Background(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT count(*) FROM works`).Scan(&n)
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return n
}

// finished stops the workers; then no job may be left, and each parcel has one
// receipt.
func (d *depot) finished() {
	d.t.Helper()
	d.stop(context.Background())
	var left, open int
	err := d.db.Read(context.Background(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT (SELECT count(*) FROM jobs),
			(SELECT count(*) FROM parcels) - (SELECT count(*) FROM receipts)`).Scan(&left, &open)
	})
	if err != nil || left != 0 || open != 0 {
		d.t.Errorf("%d jobs are left, %d parcels have no receipt, %v", left, open, err)
	}
}

// repeatable lets the work be repeated.
func repeatable(c *execution.Config[parcel, delivery]) {
	c.Requeue = func(ctx context.Context, q storage.Querier, id string, _ time.Time) (parcel, error) {
		return scanParcel(q.QueryRow(ctx, `UPDATE parcels SET status = 'PENDING' WHERE id = $1 AND status = 'RUNNING' AND stop = 0`+returning, id))
	}
}

// courier is work that a test steps through.
type courier struct {
	got    chan execution.Attempt[parcel]
	ctx    chan context.Context
	answer chan error // nil: it is delivered
}

func newCourier() *courier {
	return &courier{make(chan execution.Attempt[parcel]), make(chan context.Context, 1), make(chan error)}
}

func (c *courier) execute(ctx context.Context, a execution.Attempt[parcel]) (delivery, error) {
	c.ctx <- ctx
	c.got <- a
	err := <-c.answer
	return delivery{status: "DELIVERED"}, err
}

// held takes the next attempt and its context.
func (c *courier) held() (context.Context, execution.Attempt[parcel]) { return <-c.ctx, <-c.got }

func (c *courier) config(more ...func(*execution.Config[parcel, delivery])) func(*execution.Config[parcel, delivery]) {
	return func(conf *execution.Config[parcel, delivery]) {
		conf.Execute = c.execute
		for _, f := range more {
			f(conf)
		}
	}
}

// untilBroken is work that lasts until its context ends.
func untilBroken(begun chan<- string) func(context.Context, execution.Attempt[parcel]) (delivery, error) {
	return func(ctx context.Context, a execution.Attempt[parcel]) (delivery, error) {
		begun <- a.Row.id
		<-ctx.Done()
		return delivery{}, ctx.Err()
	}
}
