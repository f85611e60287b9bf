package models_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/internal/models"
	"github.com/drover-go/drover/runs/model"
)

// turns answers each question with the next of its results, the last for ever.
type turns struct {
	mu    sync.Mutex
	all   []any       // an error, or a text
	paid  model.Usage // beside an error
	asked []model.Request
	at    []time.Time
}

func (m *turns) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := m.all[min(len(m.asked), len(m.all)-1)]
	m.asked, m.at = append(m.asked, r), append(m.at, time.Now())
	switch next := next.(type) {
	case error:
		return model.Response{Usage: m.paid}, next
	case string:
		return model.Response{Content: []model.Part{model.Text(next)}, Usage: model.Usage{Input: 100, Output: 10}}, nil
	}
	<-ctx.Done()
	return model.Response{}, ctx.Err()
}

func fault(kind model.ErrorKind, temporary bool, after time.Duration) *model.Error {
	return &model.Error{Kind: kind, Temporary: temporary, RetryAfter: after, Message: "it says " + string(kind)}
}

func registry(t *testing.T, o models.Options) *models.Registry {
	t.Helper()
	o.Clock = clock.System()
	r, err := models.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func asker(t *testing.T, r *models.Registry, name string, o models.AskerOptions) *models.Asker {
	t.Helper()
	e, err := r.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	o.Clock, o.Logger = clock.System(), slog.New(slog.NewTextHandler(io.Discard, nil))
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	return e.Asker(o)
}

func TestWhatPassesIsAskedAgain(t *testing.T) {
	rate, cut := fault(model.ErrorRate, true, 40*time.Second), fault(model.ErrorCut, true, 0)
	final := fault(model.ErrorAuth, false, 0)
	for name, c := range map[string]struct {
		all   []any
		asked int
		least time.Duration
		want  string
	}{
		"nothing wrong":      {[]any{"x"}, 1, 0, ""},
		"cut thrice":         {[]any{cut, cut, cut, "x"}, 4, 0, ""},
		"cut for ever":       {[]any{cut}, 4, 0, "it says cut"},
		"a delay":            {[]any{rate, "x"}, 2, 40 * time.Second, ""},
		"too long a delay":   {[]any{fault(model.ErrorRate, true, time.Hour), "x"}, 1, 0, "it says rate (it wants to be asked again in 1h0m0s; at most 1m0s is waited)"},
		"a wrong key":        {[]any{final, "x"}, 1, 0, "it says auth"},
		"another error":      {[]any{io.ErrUnexpectedEOF, "x"}, 1, 0, "unexpected EOF"},
		"no answer":          {[]any{nil, "x"}, 2, time.Minute, ""},
		"no answer for ever": {[]any{nil}, 4, 4 * time.Minute, "the model did not answer within 1m0s: context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &turns{all: c.all}
				began := time.Now()
				_, err := asker(t, registry(t, models.Options{Unnamed: m}), "", models.AskerOptions{Retries: 3}).Ask(t.Context(), model.Request{})
				took := time.Since(began)
				if len(m.asked) != c.asked || took < c.least || took > c.least+7*time.Second+time.Duration(c.asked)*time.Millisecond {
					t.Errorf("asked %d times in %v", len(m.asked), took)
				}
				if got := errorText(err); got != c.want {
					t.Errorf("%q", got)
				}
			})
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestAStopIsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := errors.New("stopped")
		for name, all := range map[string][]any{"while it is asked": {nil}, "in a pause": {fault(model.ErrorRate, true, time.Minute)}} {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(30*time.Second, func() { cancel(stop) })
			began := time.Now()
			_, err := asker(t, registry(t, models.Options{Unnamed: &turns{all: all}}), "", models.AskerOptions{Retries: 3}).Ask(ctx, model.Request{})
			if err == nil || time.Since(began) != 30*time.Second {
				t.Errorf("%s: %v after %v", name, err, time.Since(began))
			}
		}
	})
}

func TestTheFallbackIsAskedFromThenOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := &turns{all: []any{"a", fault(model.ErrorOverloaded, true, 0)}}, &turns{all: []any{"b"}}
		r := registry(t, models.Options{Default: "first", Models: map[string]models.Config{
			"first": {Model: first, Fallback: "second"}, "second": {Model: second, Fallback: "first"},
		}})
		a := asker(t, r, "", models.AskerOptions{Retries: 1})
		said := []model.Message{{Role: model.Assistant, Replay: "first's"}}
		for range 2 {
			if _, err := a.Ask(t.Context(), model.Request{Messages: said}); err != nil {
				t.Fatal(err)
			}
		}
		said = append(said, model.Message{Role: model.Assistant, Replay: "second's"})
		if _, err := a.Ask(t.Context(), model.Request{Messages: said}); err != nil {
			t.Fatal(err)
		}
		if len(first.asked) != 3 || len(second.asked) != 2 || a.Entry().Name != "second" {
			t.Errorf("%d, %d, %s", len(first.asked), len(second.asked), a.Entry().Name)
		}
		got := second.asked[1].Messages
		if got[0].Replay != nil || got[1].Replay != "second's" || said[0].Replay != "first's" {
			t.Errorf("%v %v", got, said)
		}
		second.all = []any{fault(model.ErrorAuth, false, 0)}
		if _, err := a.Ask(t.Context(), model.Request{}); err == nil || len(first.asked) != 3 {
			t.Error("it goes round in circles", err, len(first.asked))
		}
	})
}

func TestWhatNoOtherModelWouldAnswerIsNotAskedOfIt(t *testing.T) {
	for _, kind := range []model.ErrorKind{model.ErrorRefused, model.ErrorOverflow, model.ErrorRequest} {
		second := &turns{all: []any{"b"}}
		r := registry(t, models.Options{Default: "first", Models: map[string]models.Config{
			"first": {Model: &turns{all: []any{fault(kind, false, 0)}}, Fallback: "second"}, "second": {Model: second},
		}})
		if _, err := asker(t, r, "first", models.AskerOptions{}).Ask(t.Context(), model.Request{}); err == nil || len(second.asked) != 0 {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// An answer that broke off costs what stands beside its error.
func TestACutAnswerIsAccountedFor(t *testing.T) {
	used := model.Usage{Input: 100, Output: 3}
	m := model.Func(func(context.Context, model.Request) (model.Response, error) {
		return model.Response{Usage: used}, fault(model.ErrorRequest, false, 0)
	})
	r := registry(t, models.Options{Models: map[string]models.Config{"m": {Model: m}}, Default: "m"})
	var spent []models.Spent
	a := asker(t, r, "m", models.AskerOptions{Spent: func(s models.Spent) { spent = append(spent, s) }, Allow: func() error { return nil }})
	if _, err := a.Ask(t.Context(), model.Request{}); err == nil {
		t.Fatal("answered")
	}
	if len(spent) != 1 || spent[0].Usage != used {
		t.Errorf("%+v", spent)
	}
}

func TestEachQuestionIsAccountedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cut := fault(model.ErrorCut, true, 0)
		m := &turns{all: []any{cut, "x"}, paid: model.Usage{Input: 100, Output: 3}}
		r := registry(t, models.Options{Models: map[string]models.Config{"m": {Model: m}}, Default: "m", Prices: model.Prices{{Model: "m", Input: 2, Output: 10}}})
		var spent []models.Spent
		left := 2
		a := asker(t, r, "m", models.AskerOptions{
			Retries: 3, Spent: func(s models.Spent) { spent = append(spent, s) },
			Allow: func() error {
				if left--; left < 0 {
					return errtypes.New(errtypes.Conflict, "nothing left")
				}
				return nil
			},
		})
		if _, err := a.Ask(t.Context(), model.Request{}); err != nil {
			t.Fatal(err)
		}
		want := []models.Spent{
			{Model: "m", Usage: model.Usage{Input: 100, Output: 3}, Cost: 230, Priced: true},
			{Model: "m", Usage: model.Usage{Input: 100, Output: 10}, Cost: 300, Priced: true},
		}
		if diff := cmp.Diff(want, spent); diff != "" {
			t.Error(diff)
		}
		if _, err := a.Ask(t.Context(), model.Request{}); !errtypes.Is(err, errtypes.Conflict) || len(m.asked) != 2 {
			t.Error(err)
		}
	})
}

func TestTheRateIsShared(t *testing.T) {
	for name, c := range map[string]struct {
		rate model.Rate
		want time.Duration // of ten questions
	}{
		"any":      {model.Rate{}, 0},
		"requests": {model.Rate{Requests: 6}, 90 * time.Second},
		"tokens":   {model.Rate{Tokens: 220}, 4 * time.Minute}, // 110 each
	} {
		synctest.Test(t, func(t *testing.T) {
			m := &turns{all: []any{"x"}}
			r := registry(t, models.Options{Models: map[string]models.Config{"m": {Model: m, Rate: c.rate}}, Default: "m"})
			began := time.Now()
			var all sync.WaitGroup
			for range 10 {
				all.Go(func() {
					if _, err := asker(t, r, "", models.AskerOptions{}).Ask(t.Context(), model.Request{Task: string(make([]byte, 440))}); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if got := time.Since(began); got != c.want {
				t.Errorf("%s: %v", name, got)
			}
		})
	}
}

func TestFewAreAskedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		m := model.Func(func(ctx context.Context, _ model.Request) (model.Response, error) {
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			time.Sleep(time.Second)
			return model.Response{}, nil
		})
		r := registry(t, models.Options{Models: map[string]models.Config{"m": {Model: m, Rate: model.Rate{AtOnce: 3}}}, Default: "m"})
		began := time.Now()
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { _, _ = asker(t, r, "", models.AskerOptions{}).Ask(t.Context(), model.Request{}) })
		}
		all.Wait()
		if got := time.Since(began); most.Load() != 3 || got != 4*time.Second {
			t.Errorf("%d at once, %v", most.Load(), got)
		}
	})
}

func TestWhatTheProviderWantsHoldsEverybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &turns{all: []any{fault(model.ErrorRate, true, 20*time.Second), "x"}}
		r := registry(t, models.Options{Unnamed: m})
		var all sync.WaitGroup
		began := time.Now()
		for i := range 3 {
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Second)
				if _, err := asker(t, r, "", models.AskerOptions{Retries: 1}).Ask(t.Context(), model.Request{}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for i, at := range m.at[1:] {
			if at.Sub(began) < 20*time.Second {
				t.Errorf("question %d came after %v", i+2, at.Sub(began))
			}
		}
	})
}

func TestWhatIsNoRegistry(t *testing.T) {
	m := &turns{all: []any{"x"}}
	for want, o := range map[string]models.Options{
		`Models has a name that is not 1 to 200 bytes: ""`:                {Unnamed: m, Models: map[string]models.Config{"": {Model: m}}},
		`Models.a has no Model`:                                           {Unnamed: m, Models: map[string]models.Config{"a": {}}},
		`Models.a.Rate must not be negative`:                              {Unnamed: m, Models: map[string]models.Config{"a": {Model: m, Rate: model.Rate{Tokens: -1}}}},
		`Models.a.Fallback must be the name of another model: "a" is not`: {Unnamed: m, Models: map[string]models.Config{"a": {Model: m, Fallback: "a"}}},
		`DefaultModel must be the name of one of Models: "b" is not`:      {Default: "b", Models: map[string]models.Config{"a": {Model: m}}},
		`Prices must not be negative: that of "x" is`:                     {Unnamed: m, Prices: model.Prices{{Model: "x", Output: -1}}},
	} {
		if _, err := models.New(o); errorText(err) != want {
			t.Errorf("%q instead of %q", errorText(err), want)
		}
	}
	r := registry(t, models.Options{Unnamed: m, Models: map[string]models.Config{"b": {Model: m}, "a": {Model: m}}})
	if _, err := r.Find("c"); errorText(err) != `model is none that this service offers: "c"; there is a, b` {
		t.Error(err)
	}
}
