package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/internal/models"
	"github.com/drover-go/drover/storage"
)

// budgetError is a budget that is used up.
type budgetError struct{ what string }

func (e *budgetError) Error() string { return e.what }

// left says which budget is used up; nil for none.
func (b Budget) left(whose string, tokens, cost int64) error {
	switch {
	case b.Tokens > 0 && tokens >= b.Tokens:
		return &budgetError{fmt.Sprintf("the %s has used %d tokens of the %d that it may", whose, tokens, b.Tokens)}
	case b.Cost > 0 && cost >= b.Cost:
		return &budgetError{fmt.Sprintf("the %s has spent %s of the %s that it may", whose, Money(cost), Money(b.Cost))}
	}
	return nil
}

// checkPriced refuses to bound money that a model could spend without a price.
func checkPriced(field string, e *models.Entry) error {
	if u := e.Unpriced(); u != nil {
		return errtypes.Field(field, "needs a price of the model %q, which may be 0: without one it would bound nothing", u.Name)
	}
	return nil
}

// checkBudgets does so for what bounds all runs.
func (s *service) checkBudgets() error {
	for _, b := range []struct {
		field string
		Budget
	}{{"Limits.Budget.Cost", s.conf.Limits.Budget}, {"Limits.ProjectBudget.Cost", s.conf.Limits.ProjectBudget}} {
		for _, e := range s.models.All() {
			if b.Cost == 0 {
				break
			}
			if err := checkPriced(b.field, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// Money writes an amount in millionths as a decimal number.
func Money(n int64) string { return fmt.Sprintf("%d.%06d", n/1_000_000, n%1_000_000) }

// allow is asked before each question to a model.
func (x *activeRun) allow() error {
	if err := x.limits.Budget.left("run", x.usage.Tokens.Total(), x.usage.Cost); err != nil {
		return err
	}
	b := x.limits.ProjectBudget
	if b == (Budget{}) {
		return nil
	}
	var tokens, cost int64
	err := x.conf.DB.Read(x.ctx, func(ctx context.Context, q storage.Querier) (err error) {
		tokens, cost, err = usedOn(ctx, q, x.projectID, dayOf(x.now()))
		return err
	})
	if err != nil {
		return err
	}
	return b.left("project today", tokens+x.unsaved.Tokens.Total(), cost+x.unsaved.Cost)
}

// spent notes what a question has used, until the next message or the end saves
// it; a one-shot stores no messages, and saves it at once.
func (x *activeRun) spent(s models.Spent) {
	x.metrics.spent(s)
	one := Usage{Tokens: s.Usage, Cost: s.Cost, Unpriced: !s.Priced, Questions: 1}
	x.usage, x.unsaved = x.usage.add(one), x.unsaved.add(one)
	if x.unstored {
		x.settle()
	}
}

func (u Usage) add(v Usage) Usage {
	return Usage{u.Tokens.Add(v.Tokens), u.Cost + v.Cost, u.Unpriced || v.Unpriced, u.Questions + v.Questions, cmp.Or(v.Fallback, u.Fallback)}
}

// noteFallback keeps the name of the model that is asked now, if that is another one
// than before.
func (x *activeRun) noteFallback(before string) {
	if now := x.asker.Entry().Name; now != before {
		x.usage.Fallback, x.unsaved.Fallback = now, now
	}
}

// saveUsage writes what has been used since it was written last.
func (x *activeRun) saveUsage(ctx context.Context, tx *storage.Tx) error {
	if x.unsaved == (Usage{}) {
		return nil
	}
	if !x.unstored {
		if err := setUsage(ctx, tx, x.ID, x.usage, x.now()); err != nil {
			return err
		}
	}
	if err := addUsed(ctx, tx, x.projectID, dayOf(x.now()), x.unsaved); err != nil {
		return err
	}
	tx.AfterCommit(func() { x.unsaved = Usage{} })
	return nil
}

// settle saves what no message has saved.
func (x *activeRun) settle() {
	if x.unsaved == (Usage{}) {
		return
	}
	if err := x.conf.DB.Write(context.WithoutCancel(x.ctx), x.saveUsage); err != nil {
		x.conf.Logger.Error("runs: what a run has used cannot be saved", "run", x.ID, "error", err)
	}
}

// budgetEnding is the end of a run that may use no more; nil for another error.
func budgetEnding(err error) *ending {
	var e *budgetError
	if !errors.As(err, &e) {
		return nil
	}
	end := failed(CauseBudget, "%s", e.what)
	return &end
}

const day = 24 * time.Hour

// dayOf counts the days of UTC from 1970.
func dayOf(t time.Time) int64 { return t.Unix() / int64(day/time.Second) }
