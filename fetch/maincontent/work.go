package maincontent

import (
	"context"

	"github.com/drover-go/drover/fetch/internal/effort"
)

// A work is what counts the steps of finding the content of a page.
type work struct {
	*effort.Meter
	ctx context.Context
}

func newWork(ctx context.Context, limit int) *work {
	return &work{effort.NewMeter(ctx, "find its content in", limit), ctx}
}

// run does what may be broken off. Nothing is begun when the context has ended,
// which is asked only now and then on the way.
func (w *work) run(do func() error) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	return w.Run(do)
}
