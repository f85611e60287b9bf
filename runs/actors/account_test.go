package actors

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

func TestAnAccountSaysWhatAProjectHasAndUses(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{echo}, limits: Limits{PerProject: 7}, retention: time.Hour})
	taskOf(t, w, CreateTask{Actor: "~echo", Name: "echo-task"})
	r := w.run(t, "~echo", Start{Options: RunOptions{Memory: 2048}, Input: input(`1`)})
	if err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE actor_runs SET ran_ms = 1800000 WHERE id = $1`, r.ID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	a := must(w.Account(t.Context(), time.Time{}))(t)
	if a.MaxActors != 7 || a.Actors != 1 || a.Tasks != 1 || a.Runs != 0 || a.Retention != time.Hour || a.MaxUSD != 0 || a.ComputeUnits() != 1 {
		t.Errorf("%+v", a)
	}
	if len(a.Days) != 1 || !a.Days[0].Day.Equal(r.StartedAt.UTC().Truncate(24*time.Hour)) {
		t.Errorf("%+v", a.Days)
	}
	// Another month has a run of its own.
	before := must(w.Account(t.Context(), a.From.Add(-time.Second)))(t)
	if len(before.Days) != 0 || !before.To.Equal(a.From) || before.From.Day() != 1 {
		t.Errorf("%+v", before)
	}
	if err := w.SetMaxUSD(t.Context(), 12.5); err != nil {
		t.Fatal(err)
	}
	if err := w.SetMaxUSD(t.Context(), 15); err != nil {
		t.Fatal(err)
	}
	if got := must(w.Account(t.Context(), time.Time{}))(t); got.MaxUSD != 15 {
		t.Errorf("%+v", got)
	}
	for _, usd := range []float64{-1, math.NaN(), math.Inf(1)} {
		fails(t, w.SetMaxUSD(t.Context(), usd), errtypes.Invalid, "", "maxMonthlyUsageUsd")
	}
}
