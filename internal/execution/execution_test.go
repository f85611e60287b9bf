package execution_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

var errBoom = errors.New("boom")

func atOnce(int) time.Duration { return 0 }

func TestARowIsExecutedAndEndsOnce(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		d := open(t, setup{db: db})
		for range 20 {
			d.until(d.send(jobs.Insert{}), "DELIVERED")
		}
		d.finished()
	})
}

func TestAnErrorEndsTheRow(t *testing.T) {
	t.Parallel()
	for name, work := range map[string]func() error{
		"boom":                   func() error { return errBoom },
		"execution: panic: boom": func() error { panic("boom") },
	} {
		d := open(t, setup{config: func(c *execution.Config[parcel, delivery]) {
			repeatable(c)
			c.Execute = func(context.Context, execution.Attempt[parcel]) (delivery, error) { return delivery{}, work() }
		}})
		if p := d.until(d.send(jobs.Insert{}), "LOST"); p.cause != name {
			t.Errorf("%+v, want %s", p, name)
		}
		d.finished()
	}
}

func TestWorkIsRetriedUntilNoAttemptIsLeft(t *testing.T) {
	t.Parallel()
	c := newCourier()
	d := open(t, setup{config: c.config(repeatable), kind: jobs.KindOptions{MaxAttempts: 3, Backoff: atOnce}})
	for _, good := range []bool{true, false} {
		id := d.send(jobs.Insert{})
		for attempt := 1; attempt <= 3; attempt++ {
			_, a := c.held()
			if a.Job.Attempt != attempt || a.Row.status != "RUNNING" {
				t.Errorf("attempt %d is %+v", attempt, a)
			}
			if good && attempt == 3 {
				c.answer <- nil
			} else {
				c.answer <- execution.Retry(fmt.Errorf("attempt %d: %w", attempt, errBoom))
			}
		}
		if good {
			d.until(id, "DELIVERED")
		} else if p := d.until(id, "LOST"); p.cause != "attempt 3: boom" {
			t.Errorf("%+v", p)
		}
	}
	d.finished()
}

func TestARowWaitsBetweenItsAttempts(t *testing.T) {
	t.Parallel()
	c := newCourier()
	d := open(t, setup{config: c.config(repeatable), kind: jobs.KindOptions{Backoff: func(int) time.Duration { return time.Hour }}})
	id := d.send(jobs.Insert{})
	c.held()
	c.answer <- execution.Retry(errBoom)
	d.until(id, "PENDING")
	d.stop(context.Background()) // the job is written back
	if p := d.cancel(id); p.status != "STOPPED" {
		t.Errorf("%+v", p)
	}
	d.finished()
}

func TestWorkThatMayNotBeRepeatedIsNotRetried(t *testing.T) {
	t.Parallel()
	c := newCourier()
	d := open(t, setup{config: c.config(), kind: jobs.KindOptions{Backoff: atOnce}})
	id := d.send(jobs.Insert{})
	c.held()
	c.answer <- execution.Retry(errBoom)
	if p := d.until(id, "LOST"); p.cause != "boom" {
		t.Errorf("%+v", p)
	}
	d.finished()
}

func TestTheDeadlineBreaksOff(t *testing.T) {
	t.Parallel()
	c, begun := clock.NewManual(time.Unix(1000, 0)), make(chan string)
	d := open(t, setup{config: func(conf *execution.Config[parcel, delivery]) {
		conf.Clock, conf.Execute, conf.State = c, untilBroken(begun), func(p parcel) execution.State {
			s := p.state()
			s.Deadline = time.Unix(1060, 0)
			return s
		}
	}})
	id := d.send(jobs.Insert{})
	<-begun
	c.Advance(59 * time.Second)
	if p := d.get(id); p.status != "RUNNING" {
		t.Errorf("%+v", p)
	}
	c.Advance(time.Second)
	if p := d.until(id, "LOST"); p.cause != execution.ErrTimedOut.Error() {
		t.Errorf("%+v", p)
	}
	if p := d.until(d.send(jobs.Insert{}), "LOST"); p.cause != execution.ErrTimedOut.Error() { // it is not begun
		t.Errorf("%+v", p)
	}
	d.finished()
}

func TestARowThatCannotBeExecutedHereIsNotStarted(t *testing.T) {
	t.Parallel()
	released := make(chan string, 1)
	d := open(t, setup{config: func(c *execution.Config[parcel, delivery]) {
		c.Check = func(parcel) error { return errBoom }
		c.Start = func(context.Context, storage.Querier, string, time.Time) (parcel, error) { panic("it is started") }
		c.Release = func(id string) { released <- id }
	}})
	id := d.send(jobs.Insert{})
	if p := d.until(id, "LOST"); p.cause != "boom" || <-released != id {
		t.Errorf("%+v", p)
	}
	d.finished()
}

func TestAClosingHostCutsOff(t *testing.T) {
	t.Parallel()
	begun := make(chan string)
	d := open(t, setup{config: func(c *execution.Config[parcel, delivery]) { c.Execute = untilBroken(begun) }})
	id := d.send(jobs.Insert{})
	<-begun
	d.stop(past())
	if p := d.get(id); p.status != "LOST" || p.cause != jobs.ErrStopping.Error() {
		t.Errorf("%+v", p)
	}
	d.finished()
}

func TestWhatAClosingHostCutOffIsRepeatedByTheNext(t *testing.T) {
	t.Parallel()
	begun := make(chan string)
	d := open(t, setup{kind: jobs.KindOptions{MaxAttempts: 1}, config: func(c *execution.Config[parcel, delivery]) {
		repeatable(c)
		c.Execute = untilBroken(begun)
	}})
	id := d.send(jobs.Insert{})
	for range 3 { // it does not count as an attempt
		<-begun
		d.stop(past())
		if p := d.get(id); p.status != "PENDING" {
			t.Errorf("%+v", p)
		}
		d.start()
	}
	<-begun
	d.cancel(id)
	d.until(id, "STOPPED")
	d.finished()
}

func TestAnEndThatMeetsABusyDatabaseIsWrittenAgain(t *testing.T) {
	t.Parallel()
	db := storagetest.OpenWith(t, storage.Options{Dir: t.TempDir(), BusyTimeout: time.Millisecond})
	other := storagetest.OpenWith(t, storage.Options{Dir: db.Dir()})
	c, clk := newCourier(), clock.NewManual(time.Unix(1000, 0))
	d := open(t, setup{db: db, config: c.config(func(conf *execution.Config[parcel, delivery]) { conf.Clock = clk })})
	id := d.send(jobs.Insert{})
	c.held()
	err := other.Write(t.Context(), func(context.Context, *storage.Tx) error {
		c.answer <- nil
		clk.WaitForTimers(1) // the first try has failed
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	clk.Advance(time.Second)
	d.until(id, "DELIVERED")
	d.finished()
}

func TestAnEndThatCannotBeWrittenIsLost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config func(*execution.Config[parcel, delivery])
		status string
		cause  string
		works  int
	}{
		"once":       {func(*execution.Config[parcel, delivery]) {}, "LOST", execution.ErrEndLost.Error(), 1},
		"repeatable": {repeatable, "DELIVERED", "", 2},
	} {
		works, fail := 0, true
		abandoned := ""
		d := open(t, setup{kind: jobs.KindOptions{Workers: 1, Backoff: atOnce}, config: func(conf *execution.Config[parcel, delivery]) {
			c.config(conf)
			conf.Execute = func(ctx context.Context, a execution.Attempt[parcel]) (delivery, error) {
				works++
				return deliver(ctx, a)
			}
			conf.Abandoned = func(_ context.Context, _ *storage.Tx, p parcel, _ error) error { abandoned = p.id; return errBoom }
			conf.End = func(ctx context.Context, tx *storage.Tx, id string, e delivery, now time.Time) (parcel, error) {
				p, err := endParcel(ctx, tx, id, e, now)
				if fail {
					fail = false
					err = errBoom
				}
				return p, err
			}
		}})
		id := d.send(jobs.Insert{})
		if p := d.until(id, c.status); p.cause != c.cause {
			t.Errorf("%s: %+v", name, p)
		}
		d.finished()
		if works != c.works || (abandoned == id) != (c.works == 1) {
			t.Errorf("%s: worked %d times, abandoned %q", name, works, abandoned)
		}
	}
}

func TestWhoHasLostItsLeaseWritesNothing(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"PENDING", "RUNNING"} {
		d := open(t, setup{idle: true, config: func(c *execution.Config[parcel, delivery]) {
			repeatable(c)
			c.Abandoned = func(context.Context, *storage.Tx, parcel, error) error { t.Error("another has the row"); return nil }
			c.Execute = func(context.Context, execution.Attempt[parcel]) (delivery, error) { panic("another has the row") }
		}})
		id := d.send(jobs.Insert{})
		d.write(func(ctx context.Context, tx *storage.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE parcels SET status = $1`, status)
			return err
		})
		if err := d.x.Work(t.Context(), jobs.Job{Kind: "parcel", Ref: id}); !errors.Is(err, jobs.ErrLeaseLost) {
			t.Errorf("%s: %v", status, err)
		}
		if p := d.get(id); p.status != status {
			t.Errorf("%s: %+v", status, p)
		}
	}
}

func TestALeaseThatIsLostWhileTheWorkIsDone(t *testing.T) {
	t.Parallel()
	c := newCourier()
	d := open(t, setup{config: c.config(repeatable)})
	id := d.send(jobs.Insert{})
	for _, answer := range []error{nil, errBoom, execution.Retry(errBoom)} {
		c.held()
		d.write(func(ctx context.Context, tx *storage.Tx) error { // as another instance takes it
			_, err := tx.Exec(ctx, `UPDATE jobs SET state = 'ready', runner = NULL, lease_lost = 1`)
			return err
		})
		c.answer <- answer
		d.stop(context.Background())
		if p := d.get(id); p.status != "RUNNING" {
			t.Errorf("%v: %+v", answer, p)
		}
		d.start()
	}
	c.held()
	c.answer <- nil
	d.until(id, "DELIVERED")
	d.finished()
}

func TestAttemptsThatAreUsedUpEndTheRow(t *testing.T) {
	t.Parallel()
	released := ""
	d := open(t, setup{idle: true, config: func(c *execution.Config[parcel, delivery]) { c.Release = func(id string) { released = id } }})
	exhaust := func(id string, cause error) {
		d.write(func(ctx context.Context, tx *storage.Tx) error {
			return d.x.Exhausted(ctx, tx, jobs.Job{Kind: "parcel", Ref: id}, cause)
		})
		if released != id {
			t.Errorf("released %q", released)
		}
	}
	for _, cause := range []error{errBoom, jobs.ErrLeaseLost} {
		id := d.send(jobs.Insert{})
		exhaust(id, cause)
		if p := d.get(id); p.status != "LOST" || !strings.HasSuffix(p.cause, ": "+cause.Error()) {
			t.Errorf("%+v", p)
		}
		exhaust(id, errBoom) // it has ended
	}
	exhaust("none", errBoom)
}

// A started row that nobody brings to an end is cleaned up after in the transaction
// that ends it; one that waited has left nothing.
func TestAttemptsThatAreUsedUpLeaveNothing(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]int{"RUNNING": 1, "PENDING": 0} {
		abandoned := 0
		d := open(t, setup{idle: true, config: func(c *execution.Config[parcel, delivery]) {
			c.Abandoned = func(ctx context.Context, tx *storage.Tx, p parcel, cause error) error {
				if !errors.Is(cause, execution.ErrExhausted) || p.state().Phase != execution.Started {
					t.Errorf("%+v: %v", p, cause)
				}
				abandoned++
				_, err := tx.Exec(ctx, `UPDATE parcels SET id = id WHERE id = $1`, p.id)
				return err
			}
		}})
		id := d.send(jobs.Insert{})
		for range 2 { // the second time it has ended
			d.write(func(ctx context.Context, tx *storage.Tx) error {
				if _, err := tx.Exec(ctx, `UPDATE parcels SET status = $1 WHERE status = 'PENDING'`, status); err != nil {
					return err
				}
				return d.x.Exhausted(ctx, tx, jobs.Job{Kind: "parcel", Ref: id}, errBoom)
			})
		}
		if p := d.get(id); p.status != "LOST" || abandoned != want {
			t.Errorf("%s: %+v, cleaned up %d times", status, p, abandoned)
		}
	}
}

// Every end is logged, once.
func TestEveryEndIsLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	d := open(t, setup{idle: true, config: func(c *execution.Config[parcel, delivery]) {
		c.Logger = slog.New(slog.NewTextHandler(&log, nil))
	}})
	stopped, exhausted := d.send(jobs.Insert{}), d.send(jobs.Insert{})
	d.cancel(stopped)
	d.write(func(ctx context.Context, tx *storage.Tx) error {
		return d.x.Exhausted(ctx, tx, jobs.Job{Kind: "parcel", Ref: exhausted}, errBoom)
	})
	for id, status := range map[string]string{stopped: "STOPPED", exhausted: "LOST"} {
		if line := "id=" + id + " status=" + status; strings.Count(log.String(), line) != 1 {
			t.Errorf("%q is not logged once: %s", line, log.String())
		}
	}
}

func TestAJobWithoutARowOrOfOneThatHasEndedIsDone(t *testing.T) {
	t.Parallel()
	var released []string
	d := open(t, setup{idle: true, config: func(c *execution.Config[parcel, delivery]) {
		c.Release = func(id string) { released = append(released, id) }
	}})
	id := d.send(jobs.Insert{})
	d.cancel(id)
	for _, ref := range []string{id, "none"} {
		if err := d.x.Work(t.Context(), jobs.Job{Kind: "parcel", Ref: ref}); err != nil {
			t.Errorf("%s: %v", ref, err)
		}
	}
	if fmt.Sprint(released) != fmt.Sprint([]string{id, id, "none"}) {
		t.Errorf("released %v", released)
	}
}

func TestWhoFollowsLeavesWithTheHubAndTheContext(t *testing.T) {
	t.Parallel()
	d := open(t, setup{idle: true})
	never := func() (bool, error) { return false, nil }
	if err := d.x.Follow(past(), "x", never); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := d.x.Follow(t.Context(), "x", func() (bool, error) { return false, errBoom }); err != errBoom {
		t.Error(err)
	}
	done := make(chan error)
	go func() { done <- d.x.Follow(t.Context(), "x", never) }()
	d.hub.Close()
	if err := <-done; !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
}

func TestARowThatWaitsAfterADeathIsWeighedAgain(t *testing.T) {
	t.Parallel()
	ledger, err := admission.New(admission.Options{Memory: 1})
	if err != nil {
		t.Fatal(err)
	}
	c := newCourier()
	d := open(t, setup{idle: true, config: c.config(repeatable), kind: jobs.KindOptions{Admission: jobs.Memory(ledger)}})
	id := d.send(jobs.Insert{Weight: 1})
	d.write(func(ctx context.Context, tx *storage.Tx) error { // as if its process had died
		_, err := tx.Exec(ctx, `UPDATE jobs SET state = 'running', attempt = 1, lease = 1, runner = $1`, d.db.InstanceID())
		return err
	})
	d.start()
	if _, a := c.held(); ledger.State().Used != 1 || a.Job.LeaseLost || a.Job.Attempt != 2 {
		t.Errorf("%+v with %+v", a.Job, ledger.State())
	}
	c.answer <- nil
	d.until(id, "DELIVERED")
	d.finished()
	if ledger.State().Used != 0 {
		t.Error("the place is not given back")
	}
}

// What has to happen with a start happens with it, once, or there is no start.
func TestWhatHappensWithAStart(t *testing.T) {
	t.Parallel()
	fail := true
	d := open(t, setup{kind: jobs.KindOptions{Workers: 1, Backoff: atOnce}, config: func(c *execution.Config[parcel, delivery]) {
		c.Started = func(ctx context.Context, tx *storage.Tx, was, p parcel) error {
			if was.status != "PENDING" || p.status != "RUNNING" {
				t.Errorf("from %+v to %+v", was, p)
			}
			_, err := tx.Exec(ctx, `INSERT INTO works (parcel) VALUES ($1)`, p.id)
			if fail {
				err = errors.Join(err, errBoom)
			}
			fail = false
			return err
		}
	}})
	d.write(func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `CREATE TABLE works (parcel TEXT NOT NULL)`)
		return err
	})
	d.until(d.send(jobs.Insert{}), "DELIVERED")
	if n := d.works(); n != 1 || fail {
		t.Errorf("what happens with a start happened %d times", n)
	}
	d.finished()
}
