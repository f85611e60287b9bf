// Package effort bounds how long a page can keep those busy who walk its tree.
//
// Time is counted in steps and not measured, so that the same page always gets
// the same answer, on every machine.
package effort

import (
	"context"
	"iter"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
)

// A Meter counts the steps of a piece of work. One that takes more than it may,
// or whose context has ended, is broken off wherever it is: [Meter.Step] does
// not return, and [Meter.Run], below which all of it happens, returns the
// reason. It serves one goroutine.
type Meter struct {
	ctx  context.Context
	what string
	left int // steps that may still be taken
	// kept are steps of those for what comes after the work at hand.
	kept int
	// unasked are the steps since the context was last asked.
	unasked int
	limit   int
}

// NewMeter returns a meter for limit steps. What is done is named for the
// error: "the page takes more than 100 steps to " + what.
func NewMeter(ctx context.Context, what string, limit int) *Meter {
	return &Meter{ctx: ctx, what: what, left: limit, limit: limit}
}

// askEvery is how many steps are taken between two looks at the context: far less
// than a millisecond's in most work, and some milliseconds' where a step stands
// for more, such as a value that is validated.
const askEvery = 512

// stepBytes is how much text, copied or searched, counts as one step.
const stepBytes = 64

// brokenOff is what Step panics with.
type brokenOff struct {
	cause error
	// spent says that it is for the steps, of which others may be kept.
	spent bool
}

// Step counts n steps: a node that is visited is one.
func (m *Meter) Step(n int) {
	m.left -= n
	m.unasked += n
	if m.left < m.kept {
		panic(brokenOff{errtypes.New(errtypes.BadGateway, "the page takes more than %d steps to %s", m.limit, m.what), true})
	}
	if m.unasked >= askEvery {
		m.unasked = 0
		if m.ctx.Err() != nil {
			panic(brokenOff{cause: context.Cause(m.ctx)})
		}
	}
}

// Read counts the work of going over n bytes.
func (m *Meter) Read(n int) { m.Step(n / stepBytes) }

// GiveUp breaks off what goes beyond a limit, with a BadGateway.
func (m *Meter) GiveUp(format string, args ...any) {
	panic(brokenOff{cause: errtypes.New(errtypes.BadGateway, format, args...)})
}

// Limit returns how many steps may be taken altogether.
func (m *Meter) Limit() int { return m.limit }

// Taken returns the steps that have been taken.
func (m *Meter) Taken() int { return m.limit - m.left }

// Sparing does what may be left half done: it is broken off where it would take
// one of the last kept steps, which stay for what comes after it, and reports
// whether it came to its end. A context that has ended breaks off what is
// around it, too.
func (m *Meter) Sparing(kept int, do func()) (done bool) {
	around := m.kept
	m.kept = max(around, min(kept, m.left))
	defer func() {
		m.kept = around
		if p := recover(); p != nil {
			if off, ok := p.(brokenOff); !ok || !off.spent {
				panic(p)
			}
			done = false
		}
	}()
	do()
	return true
}

// Run does what may be broken off, and returns why it was.
func (m *Meter) Run(do func() error) (err error) {
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

// Below yields every node below n, which is a step each.
func (m *Meter) Below(n *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for d := range n.Descendants() {
			m.Step(1)
			if !yield(d) {
				return
			}
		}
	}
}
