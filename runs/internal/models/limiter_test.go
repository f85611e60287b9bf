package models_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drover-go/drover/runs/internal/models"
	"github.com/drover-go/drover/runs/model"
)

// Runs that were stopped while they waited hold up nobody.
func TestWhoGivesUpWaitsForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &turns{all: []any{"x"}}
		r := registry(t, models.Options{Models: map[string]models.Config{"m": {Model: m, Rate: model.Rate{Requests: 6}}}, Default: "m"})
		ask := func(ctx context.Context) error {
			_, err := asker(t, r, "", models.AskerOptions{}).Ask(ctx, model.Request{})
			return err
		}
		if err := ask(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		for range 100 {
			go func() { _ = ask(ctx) }()
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		began := time.Now()
		for i := range 2 {
			if err := ask(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got, want := time.Since(began), time.Duration(i+1)*10*time.Second; got != want {
				t.Errorf("question %d came after %v, not %v", i, got, want)
			}
		}
	})
}

// Tokens that were expected and not used are given back; more than were expected
// are paid by the next ones.
func TestTokensAreCountedAsTheyWereUsed(t *testing.T) {
	for name, c := range map[string]struct {
		used int64
		want time.Duration // of the third question, expected to have 1000 tokens
	}{
		"none":          {0, 0},
		"a part":        {100, 12 * time.Second},
		"as expected":   {1000, 2 * time.Minute},
		"more than fit": {5000, 2 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var at []time.Time
				m := model.Func(func(context.Context, model.Request) (model.Response, error) {
					at = append(at, time.Now())
					return model.Response{Usage: model.Usage{Input: c.used}}, nil
				})
				r := registry(t, models.Options{Models: map[string]models.Config{"m": {Model: m, Rate: model.Rate{Tokens: 1000}}}, Default: "m"})
				a := asker(t, r, "", models.AskerOptions{})
				for range 3 {
					if _, err := a.Ask(t.Context(), model.Request{Task: string(make([]byte, 4000))}); err != nil {
						t.Fatal(err)
					}
				}
				if got := at[2].Sub(at[0]); got != c.want {
					t.Errorf("%v instead of %v", got, c.want)
				}
			})
		})
	}
}

// A question that failed and cost nothing is one, and leaves the cost known.
func TestQuestionsThatFailedCount(t *testing.T) {
	r := registry(t, models.Options{Unnamed: &turns{all: []any{fault(model.ErrorAuth, false, 0)}}})
	var spent []models.Spent
	a := asker(t, r, "", models.AskerOptions{Spent: func(s models.Spent) { spent = append(spent, s) }})
	if _, err := a.Ask(t.Context(), model.Request{}); err == nil {
		t.Fatal("answered")
	}
	if len(spent) != 1 || !spent[0].Priced || spent[0].Cost != 0 || spent[0].Usage != (model.Usage{}) {
		t.Errorf("%+v", spent)
	}
}
