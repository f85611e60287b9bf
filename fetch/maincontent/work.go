package maincontent

import (
	"context"

	"github.com/drover-go/drover/errtypes"
)

// A work counts steps. What takes more than it may, or whose context has
// ended, is broken off wherever it is: step does not return, and run, below
// which all of it happens, returns the reason.
type work struct {
	ctx     context.Context
	left    int // steps that may still be taken
	unasked int // steps since the context was last asked
	limit   int
}

func newWork(ctx context.Context, limit int) *work {
	return &work{ctx: ctx, left: limit, limit: limit}
}

// askEvery is how many steps are taken between two looks at the context.
const askEvery = 4096

// brokenOff is what step panics with.
type brokenOff struct{ cause error }

func (w *work) step(n int) {
	w.left -= n
	w.unasked += n
	if w.left < 0 {
		panic(brokenOff{errtypes.New(errtypes.BadGateway, "the page takes more than %d steps to find its content in", w.limit)})
	}
	if w.unasked >= askEvery {
		w.unasked = 0
		if w.ctx.Err() != nil {
			panic(brokenOff{context.Cause(w.ctx)})
		}
	}
}

// taken returns the steps that have been taken.
func (w *work) taken() int { return w.limit - w.left }

// run does what may be broken off.
func (w *work) run(do func() error) (err error) {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case brokenOff:
			err = p.cause
		default:
			panic(p)
		}
	}()
	return do()
}
