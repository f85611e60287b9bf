package markdown

import (
	"context"
	"iter"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// A work counts the steps of a conversion. One that takes more than it may, or
// whose context has ended, is broken off wherever it is: [work.step] does not
// return, and [work.run], below which all of it happens, returns the reason.
type work struct {
	ctx  context.Context
	left int // steps that may still be taken
	// unasked are the steps since the context was last asked.
	unasked int
	limit   int
}

func newWork(ctx context.Context, limit int) *work {
	return &work{ctx: ctx, left: limit, limit: limit}
}

// askEvery is how many steps are taken between two looks at the context: less
// than a millisecond's.
const askEvery = 4096

// stepBytes is how much text, copied or searched, counts as one step.
const stepBytes = 64

// brokenOff is what step panics with.
type brokenOff struct{ cause error }

// step counts n steps: a node that is visited is one.
func (w *work) step(n int) {
	w.left -= n
	w.unasked += n
	if w.left < 0 {
		w.giveUp("the page takes more than %d steps to convert", w.limit)
	}
	if w.unasked >= askEvery {
		w.unasked = 0
		if w.ctx.Err() != nil {
			panic(brokenOff{context.Cause(w.ctx)})
		}
	}
}

// giveUp breaks off what goes beyond a limit.
func (w *work) giveUp(format string, limit int) {
	panic(brokenOff{errtypes.New(errtypes.BadGateway, format, limit)})
}

// read counts the work of going over n bytes.
func (w *work) read(n int) { w.step(n / stepBytes) }

// taken returns the steps that have been taken.
func (w *work) taken() int { return w.limit - w.left }

// run does what may be broken off.
func (w *work) run(do func() error) (err error) {
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

// below yields every node below n, which is a step each.
func (w *work) below(n *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for d := range n.Descendants() {
			w.step(1)
			if !yield(d) {
				return
			}
		}
	}
}

// textOf returns the text in and below n, as it stands in the source.
func (w *work) textOf(n *html.Node) string {
	if only := onlyChild(n); isText(only) {
		return only.Data
	}
	var b strings.Builder
	for d := range w.below(n) {
		if d.Type == html.TextNode {
			w.read(len(d.Data))
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// hasWordsIn reports whether a text in or below n has a letter or a digit.
func (w *work) hasWordsIn(n *html.Node) bool {
	for d := range w.below(n) {
		if d.Type != html.TextNode {
			continue
		}
		w.read(len(d.Data))
		if hasWords(d.Data) {
			return true
		}
	}
	return false
}

// hasContent reports whether a text or an image is left of n's content.
func (w *work) hasContent(n *html.Node) bool {
	for d := range w.below(n) {
		if d.Type == html.TextNode && !tree.IsBlank(d) || d.Type == html.ElementNode && d.Data == "img" {
			return true
		}
	}
	return false
}
