package actors

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// Charges of many at once are all counted, and those that come again once.
func TestCharges(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		paid := Func("paid", func(ctx context.Context, a *Run) error {
			var all sync.WaitGroup
			failed := make(chan error, 40)
			for i := range cap(failed) {
				all.Go(func() { // each comes twice
					failed <- a.Charge(ctx, Charge{Event: "page", Count: 2, Key: fmt.Sprint(i / 2)})
				})
			}
			all.Wait()
			close(failed)
			for err := range failed {
				if err != nil {
					return err
				}
			}
			return a.Charge(ctx, Charge{Event: "end"})
		}, FuncOptions{})
		w := startOn(t, db, setup{actors: []Definition{paid}})
		r := w.run(t, "~paid", Start{})
		if want := map[string]int64{"page": 40, "end": 1}; r.Status != Succeeded || !maps.Equal(r.Charged, want) {
			t.Errorf("%s %s: %v, want %v", r.Status, r.StatusMessage, r.Charged, want)
		}
		fails(t, w.Charge(t.Context(), r.ID, Charge{Event: "page", Count: 3, Key: "1"}), errtypes.Invalid, errtypes.TypeInvalidIdempotencyKey, "another charge")
		fails(t, w.Charge(t.Context(), r.ID, Charge{Event: "page"}), errtypes.Forbidden, errtypes.TypeJobFinished, "SUCCEEDED")
		if err := w.Charge(t.Context(), r.ID, Charge{Event: "page", Count: 2, Key: "1"}); err != nil {
			t.Error(err) // it was made while the run went on
		}
		fails(t, w.Charge(w.other(t), r.ID, Charge{Event: "page"}), errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no run")
		if err := w.DeleteRun(t.Context(), r.ID); err != nil {
			t.Error(err)
		}
	})
}

func TestChargesThatAreRefused(t *testing.T) {
	t.Parallel()
	w := startOn(t, storagetest.Open(t), setup{actors: []Definition{echo}, idle: true})
	r := must(w.Start(t.Context(), "~echo", Start{}))(t)
	for name, c := range map[string]struct {
		charge Charge
		is     errtypes.Type
		says   string
	}{
		"of nothing":          {Charge{}, "", "eventName is required"},
		"with a long name":    {Charge{Event: strings.Repeat("x", 101)}, "", "eventName"},
		"of the platform":     {Charge{Event: "apify-actor-start"}, errtypes.TypeCannotChargeVendorEvent, "by the platform"},
		"below 0":             {Charge{Event: "x", Count: -1}, "", "count"},
		"of too many":         {Charge{Event: "x", Count: 1_000_000_001}, "", "count"},
		"with a key too long": {Charge{Event: "x", Key: strings.Repeat("x", 201)}, errtypes.TypeInvalidIdempotencyKey, "200"},
	} {
		err := w.Charge(t.Context(), r.ID, c.charge)
		if got := errtypes.Public(err); got.Type != c.is || !strings.Contains(got.Message, c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := range 100 {
		if err := w.Charge(t.Context(), r.ID, Charge{Event: fmt.Sprint("e", i)}); err != nil {
			t.Fatal(err)
		}
	}
	fails(t, w.Charge(t.Context(), r.ID, Charge{Event: "one more"}), errtypes.Forbidden, errtypes.TypeTooManyValues, "100 different events")
}
