package execution_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestWhatWaitsStopsAtOnce(t *testing.T) {
	t.Parallel()
	var released atomic.Value
	d := open(t, setup{idle: true, config: func(c *execution.Config[parcel, delivery]) { c.Release = func(id string) { released.Store(id) } }})
	for _, in := range []jobs.Insert{{}, {Delay: time.Hour}} {
		id := d.send(in)
		if p := d.cancel(id); p.status != "STOPPED" || p.cause != "by its sender" || released.Load() != id {
			t.Errorf("%+v", p)
		}
	}
	d.finished()
}

func TestAStopWinsOverEveryOtherEnd(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]error{"delivered": nil, "failed": errBoom, "retry": execution.Retry(errBoom)} {
		c := newCourier()
		d := open(t, setup{config: c.config(repeatable)})
		id := d.send(jobs.Insert{})
		ctx, _ := c.held()
		if p := d.cancel(id); p.status != "RUNNING" {
			t.Errorf("%s: %+v", name, p)
		}
		<-ctx.Done()
		if cause := context.Cause(ctx); cause != jobs.ErrCanceled {
			t.Errorf("%s: cause %v", name, cause)
		}
		d.cancel(id) // a second one changes nothing
		c.answer <- answer
		d.until(id, "STOPPED")
		d.finished()
	}
}

func TestWhatHasEndedIsNotStopped(t *testing.T) {
	t.Parallel()
	d := open(t, setup{})
	id := d.send(jobs.Insert{})
	d.until(id, "DELIVERED")
	for _, id := range []string{id, "none"} {
		if _, err := d.tryCancel(id); !errors.Is(err, storage.ErrNoRow) {
			t.Errorf("%s: %v", id, err)
		}
	}
	d.finished()
}

func TestAStopBetweenClaimAndStartIsNotLost(t *testing.T) {
	t.Parallel()
	looks, goOn := make(chan struct{}), make(chan struct{})
	d := open(t, setup{config: func(c *execution.Config[parcel, delivery]) {
		c.Check = func(parcel) error { looks <- struct{}{}; <-goOn; return nil }
		c.Execute = func(context.Context, execution.Attempt[parcel]) (delivery, error) { panic("it is executed") }
	}})
	id := d.send(jobs.Insert{})
	<-looks
	if p := d.cancel(id); p.status != "STOPPED" {
		t.Errorf("%+v", p)
	}
	close(goOn)
	d.finished()
}

func TestAStopThatIsNotedWithoutAnEndEndsTheRow(t *testing.T) {
	t.Parallel()
	d := open(t, setup{idle: true})
	id := d.send(jobs.Insert{})
	d.write(func(ctx context.Context, tx *storage.Tx) error {
		_, err := stopParcel(ctx, tx, "", id, time.Time{})
		return err
	})
	d.start()
	d.until(id, "STOPPED")
	d.finished()
}

func TestAStopThatBreaksOffTheLookIsNotLost(t *testing.T) {
	t.Parallel()
	looks := make(chan struct{})
	var looked atomic.Bool
	d := open(t, setup{db: storagetest.OpenFile(t), idle: true, config: func(c *execution.Config[parcel, delivery]) {
		c.Find = func(ctx context.Context, q storage.Querier, id string) (parcel, error) {
			if looked.Swap(true) {
				return findParcel(ctx, q, id)
			}
			close(looks)
			<-ctx.Done()
			return parcel{}, ctx.Err()
		}
	}})
	id := d.send(jobs.Insert{})
	d.write(func(ctx context.Context, tx *storage.Tx) error { // as if its process had died
		_, err := startParcel(ctx, tx, id, time.Time{})
		return err
	})
	d.start()
	<-looks
	if p := d.cancel(id); p.status != "RUNNING" {
		t.Errorf("%+v", p)
	}
	d.until(id, "STOPPED")
	d.finished()
}

// graceful is a parcel whose stops leave time until by says.
func graceful(t *testing.T) (d *depot, c *courier, clk *clock.Manual, by *atomic.Int64) {
	c, clk, by = newCourier(), clock.NewManual(time.Unix(1000, 0)), &atomic.Int64{}
	by.Store(1030)
	d = open(t, setup{config: c.config(repeatable, func(conf *execution.Config[parcel, delivery]) {
		conf.Clock, conf.State = clk, func(p parcel) execution.State {
			s := p.state()
			s.StopBy = time.Unix(by.Load(), 0)
			return s
		}
	})})
	return d, c, clk, by
}

func TestAGracefulStopLetsTheWorkEndByItself(t *testing.T) {
	t.Parallel()
	d, c, _, _ := graceful(t)
	id := d.send(jobs.Insert{})
	ctx, a := c.held()
	select {
	case <-a.Asked:
		t.Error("asked before the stop")
	default:
	}
	d.cancel(id)
	<-a.Asked
	if ctx.Err() != nil {
		t.Error("the context has ended")
	}
	c.answer <- nil
	d.until(id, "STOPPED")
	d.finished()
}

func TestAGracefulStopEndsWithItsTime(t *testing.T) {
	t.Parallel()
	d, c, clk, _ := graceful(t)
	id := d.send(jobs.Insert{})
	ctx, a := c.held()
	d.cancel(id)
	<-a.Asked
	clk.WaitForTimers(1)
	clk.Advance(29 * time.Second)
	if ctx.Err() != nil {
		t.Error("the context has ended early")
	}
	clk.Advance(time.Second)
	<-ctx.Done()
	if cause := context.Cause(ctx); cause != jobs.ErrCanceled {
		t.Errorf("cause %v", cause)
	}
	c.answer <- context.Canceled
	d.until(id, "STOPPED")
	d.finished()
}

func TestALaterStopLeavesLessTime(t *testing.T) {
	t.Parallel()
	d, c, _, by := graceful(t)
	id := d.send(jobs.Insert{})
	ctx, a := c.held()
	d.cancel(id)
	<-a.Asked
	by.Store(0)
	d.cancel(id)
	<-ctx.Done()
	c.answer <- nil
	d.until(id, "STOPPED")
	d.finished()
}

func TestAClosingHostDoesNotWaitForAGracefulStop(t *testing.T) {
	t.Parallel()
	d, c, _, _ := graceful(t)
	id := d.send(jobs.Insert{})
	ctx, a := c.held()
	d.cancel(id)
	<-a.Asked
	stopped := make(chan struct{})
	go func() { d.stop(past()); close(stopped) }()
	<-ctx.Done()
	c.answer <- nil
	<-stopped
	if p := d.get(id); p.status != "STOPPED" {
		t.Errorf("%+v", p)
	}
	d.finished()
}

// A database that is busy when a stop is heard of, and again later, takes nothing of
// the time away that the stop has left.
func TestAStopOnABusyDatabase(t *testing.T) {
	t.Parallel()
	var busy atomic.Int32
	c, clk := newCourier(), clock.NewManual(time.Unix(1000, 0))
	d := open(t, setup{config: c.config(repeatable, func(conf *execution.Config[parcel, delivery]) {
		conf.Clock, conf.State = clk, func(p parcel) execution.State {
			s := p.state()
			s.StopBy = time.Unix(1030, 0)
			return s
		}
		conf.Find = func(ctx context.Context, q storage.Querier, id string) (parcel, error) {
			if busy.Add(-1) >= 0 {
				return parcel{}, errtypes.New(errtypes.Unavailable, "the database is busy")
			}
			return findParcel(ctx, q, id)
		}
	})})
	id := d.send(jobs.Insert{})
	ctx, a := c.held()
	busy.Store(2)
	d.cancel(id)
	for range 2 { // it is tried again
		clk.WaitForTimers(1)
		clk.Advance(time.Second)
	}
	select {
	case <-a.Asked:
	case <-ctx.Done():
		t.Fatalf("broken off: %v", context.Cause(ctx))
	}
	clk.WaitForTimers(1)
	busy.Store(3) // for as long as it is tried
	d.hub.Publish("parcel/" + id)
	for left := int32(2); left >= 0; left-- {
		for busy.Load() > left {
			runtime.Gosched()
		}
		if left > 0 {
			clk.WaitForTimers(1)
			clk.Advance(time.Second)
		}
	}
	clk.WaitForTimers(1)
	if ctx.Err() != nil {
		t.Fatalf("broken off: %v", context.Cause(ctx))
	}
	clk.Advance(time.Minute)
	<-ctx.Done()
	c.answer <- nil
	d.until(id, "STOPPED")
	d.finished()
}
