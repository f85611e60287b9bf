package models

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
)

// The pauses before a model is asked again: twice as long each time, at random
// below that, so that runs which failed together do not come back together.
const (
	firstPause   = time.Second
	longestPause = 30 * time.Second
)

// longestDelay is the longest time to wait that a provider may ask for.
const longestDelay = time.Minute

// errTooSlow is the cause with which the context of one question ends.
var errTooSlow = errors.New("models: the model did not answer in time")

// An Asker puts the questions of one conversation: again where one fails for a
// passing reason, and to the fallback of its model where that fails for good. It
// is for one goroutine.
type Asker struct {
	entry *Entry
	opts  AskerOptions
	// begun is how many messages there were when the entry came in: what an
	// earlier one wants back means nothing to it.
	begun int
	// failed are those that were given up.
	failed []*Entry
}

// AskerOptions configure [Entry.Asker].
type AskerOptions struct {
	// Retries is how often a question is put again. Default 0: never.
	Retries int
	// Timeout bounds one question. Required.
	Timeout time.Duration
	// Allow is asked before each question; its error is that of Ask. Default
	// allows everything.
	Allow func() error
	// Spent hears what each question has used, a failed one, too. Default
	// nobody does.
	Spent func(Spent)
	// Clock is the source of time. Required.
	Clock clock.Clock
	// Logger hears of questions that fail. Required.
	Logger *slog.Logger
}

// Spent is what one question has used.
type Spent struct {
	Model string // the name of the model
	Usage model.Usage
	// Cost is in millionths. Priced says that it is known.
	Cost   int64
	Priced bool
}

// Asker returns what asks the model in one conversation.
func (e *Entry) Asker(o AskerOptions) *Asker {
	if o.Allow == nil {
		o.Allow = func() error { return nil }
	}
	if o.Spent == nil {
		o.Spent = func(Spent) {}
	}
	return &Asker{entry: e, opts: o}
}

// Entry returns the model that is asked now.
func (a *Asker) Entry() *Entry { return a.entry }

// Ask returns the answer to a question. The error is that of Allow, of the
// context, or what the model said the last time.
func (a *Asker) Ask(ctx context.Context, r model.Request) (model.Response, error) {
	for {
		answer, err := a.insist(ctx, r)
		if err == nil || !a.fallBack(ctx, err, len(r.Messages)) {
			return answer, err
		}
	}
}

// fallBack takes the fallback, if there is one that may help.
func (a *Asker) fallBack(ctx context.Context, err error, messages int) bool {
	e, ok := errors.AsType[*model.Error](err)
	if !ok || ctx.Err() != nil || a.entry.fallback == nil || !helps(e) || slices.Contains(a.failed, a.entry.fallback) {
		return false
	}
	a.failed = append(a.failed, a.entry)
	a.opts.Logger.Warn("runs: the model fails; its fallback is asked from now on", "model", a.entry.Name, "fallback", a.entry.fallback.Name, "error", e.Message)
	a.entry, a.begun = a.entry.fallback, messages
	return true
}

// helps reports whether another model may answer where one has failed so.
func helps(e *model.Error) bool {
	switch e.Kind {
	case model.ErrorRefused, model.ErrorOverflow, model.ErrorRequest:
		return false
	}
	return e.Temporary || e.Kind != model.ErrorOther
}

// insist asks one model, again while that may help.
func (a *Asker) insist(ctx context.Context, r model.Request) (model.Response, error) {
	r.Messages = a.withoutForeign(r.Messages)
	for try := 0; ; try++ {
		answer, err := a.once(ctx, r)
		if err == nil {
			return answer, nil
		}
		e, ok := errors.AsType[*model.Error](err)
		if !ok || !e.Temporary || ctx.Err() != nil || try >= a.opts.Retries {
			return model.Response{}, err
		}
		if e.RetryAfter > longestDelay {
			return model.Response{}, tooLong(e)
		}
		pause := pauseBefore(try, e.RetryAfter)
		a.opts.Logger.Info("runs: the model is asked again", "model", a.entry.Name, "try", try+2, "in", pause, "error", e.Message)
		if err := clock.Sleep(ctx, a.opts.Clock, pause); err != nil {
			return model.Response{}, err
		}
	}
}

func tooLong(e *model.Error) *model.Error {
	c := *e
	c.Temporary = false
	c.Message += fmt.Sprintf(" (it wants to be asked again in %v; at most %v is waited)", e.RetryAfter, longestDelay)
	return &c
}

// pauseBefore is what the provider asks for, else a random part of what the
// number of tries allows.
func pauseBefore(try int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	return time.Duration(rand.Int64N(int64(min(firstPause<<min(try, 10), longestPause)))) + 1
}

// withoutForeign drops what another model wants back.
func (a *Asker) withoutForeign(all []model.Message) []model.Message {
	if a.begun == 0 {
		return all
	}
	all = slices.Clone(all)
	for i := range min(a.begun, len(all)) {
		all[i].Replay = nil
	}
	return all
}

// once puts a question once, within the rate of the model.
func (a *Asker) once(ctx context.Context, r model.Request) (model.Response, error) {
	if err := a.opts.Allow(); err != nil {
		return model.Response{}, err
	}
	thought := bytesOf(r) / 4
	if err := a.entry.limiter.acquire(ctx, thought); err != nil {
		return model.Response{}, err
	}
	defer a.entry.limiter.release()
	answer, err := a.bounded(ctx, r)
	if e, ok := errors.AsType[*model.Error](err); ok && e.Kind == model.ErrorRate && e.RetryAfter > 0 && e.RetryAfter <= longestDelay {
		a.entry.limiter.hold(e.RetryAfter)
	}
	a.entry.limiter.spent(thought, answer.Usage.Total())
	a.account(answer.Usage, err) // also beside an error, where something was paid
	return answer, err
}

// account tells what a question has used; where nothing was, its price is known. A
// model that answers without tokens is none to be paid: it is not counted.
func (a *Asker) account(u model.Usage, failed error) {
	e, _ := errors.AsType[*model.Error](failed)
	if u == (model.Usage{}) && (e == nil || e.Kind == model.ErrorOther) {
		return
	}
	price, priced := a.entry.prices.Of(a.entry.Name, u)
	a.opts.Spent(Spent{Model: a.entry.Name, Usage: u, Cost: price.Cost(u), Priced: priced || u.Total() == 0})
}

func (a *Asker) bounded(ctx context.Context, r model.Request) (model.Response, error) {
	bounded, cancel := clock.WithTimeout(ctx, a.opts.Clock, a.opts.Timeout, errTooSlow)
	defer cancel()
	answer, err := a.entry.model.Generate(bounded, r)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(bounded), errTooSlow) {
		e := model.Temporaryf("the model did not answer within %v", a.opts.Timeout).WithCause(err)
		e.Kind = model.ErrorNetwork
		err = e
	}
	return answer, err
}

// bytesOf is how long a question is, roughly.
func bytesOf(r model.Request) int {
	n := len(r.System) + len(r.Task)
	for _, t := range r.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Input)
	}
	for _, m := range r.Messages {
		for _, p := range m.Content {
			n += len(p.Text) + len(p.Input) + len(p.Data)/100 // an image has few tokens
			if p.Output != nil {
				n += len(p.Output.Value)
			}
		}
	}
	return n
}
