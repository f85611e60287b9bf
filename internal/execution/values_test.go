package execution_test

import (
	"context"
	"log/slog"
	"runtime"
	"strconv"
	"testing"

	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func newValues(t *testing.T, db *storage.DB, hub *notify.Hub) *execution.Values[string] {
	t.Helper()
	v := execution.NewValues[string](execution.ValuesConfig{
		Name: "parcel", DB: db, Notify: hub, Logger: slog.New(slog.DiscardHandler),
		Over: func(ctx context.Context, q storage.Querier, id string) (bool, error) {
			p, err := findParcel(ctx, q, id)
			return p.state().Phase == execution.Ended, err
		},
	})
	t.Cleanup(func() { v.Close(past()) })
	return v
}

func TestValuesAreDroppedBeforeAnybodyLearnsOfTheEnd(t *testing.T) {
	t.Parallel()
	var values *execution.Values[string]
	d := open(t, setup{idle: true, config: func(c *execution.Config[parcel, delivery]) {
		values = newValues(t, c.DB, c.Notify)
		c.Release = values.Drop
		c.Check = func(p parcel) error {
			if v, ok := values.Get(p.id); !ok || v != "secret" {
				return errBoom
			}
			return nil
		}
	}})
	id := "p1"
	values.Keep(id, "secret")
	d.write(func(ctx context.Context, tx *storage.Tx) error {
		return send(ctx, tx, d.x, jobs.Insert{Ref: id, Owner: d.db.InstanceID()})
	})
	values.Stored(id)
	values.Stored("none")
	d.start()
	d.until(id, "DELIVERED")
	if _, ok := values.Get(id); ok {
		t.Error("the values outlive the row")
	}
	d.finished()
}

func TestValuesOfARowThatEndsElsewhereAreDropped(t *testing.T) {
	t.Parallel()
	db := storagetest.OpenFile(t)
	d := open(t, setup{db: db, idle: true})
	values := newValues(t, db, d.hub)
	other := storagetest.OpenWith(t, storage.Options{Dir: db.Dir()})
	stays, goes := d.send(jobs.Insert{}), d.send(jobs.Insert{})
	for _, id := range []string{stays, goes} {
		values.Keep(id, "secret")
		values.Stored(id)
	}
	values.Keep("not stored yet", "secret")
	err := other.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE parcels SET status = 'LOST' WHERE id = $1`, goes)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for held := true; held; runtime.Gosched() { // the test's own time bounds it
		_, held = values.Get(goes)
	}
	for _, id := range []string{stays, "not stored yet"} {
		if _, ok := values.Get(id); !ok {
			t.Errorf("the values of %s are dropped", id)
		}
	}
}

// Rows that come and go leave nothing behind. It is not parallel: it counts all
// objects there are.
func TestWatchingLeavesNothing(t *testing.T) {
	db := storagetest.Open(t)
	hub := notify.New(db, notify.Options{})
	defer hub.Close()
	asked := make(chan struct{})
	v := execution.NewValues[string](execution.ValuesConfig{
		Name: "parcel", DB: db, Notify: hub, Logger: slog.New(slog.DiscardHandler),
		Over: func(context.Context, storage.Querier, string) (bool, error) { asked <- struct{}{}; return true, nil },
	})
	defer v.Close(past())
	comeAndGo := func(rows int) {
		for i := range rows {
			id := strconv.Itoa(i)
			v.Keep(id, "secret")
			v.Stored(id)
			<-asked
			for held := true; held; runtime.Gosched() {
				_, held = v.Get(id)
			}
			for range 20 { // until it waits for nothing, as a rule
				runtime.Gosched()
			}
		}
	}
	comeAndGo(100)
	before := objects()
	const rows = 5000
	comeAndGo(rows)
	if more := objects() - before; more > rows/5 {
		t.Errorf("%d objects are left of %d rows", more, rows)
	}
}

func objects() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapObjects)
}
