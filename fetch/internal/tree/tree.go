// Package tree reads HTML into a tree that is safe to walk, and holds the
// small operations on nodes that everything which walks it needs.
//
// The parser of x/net/html does what the HTML standard says, and the standard
// lets a small page ask for a lot: an unclosed <b> is repeated inside every
// later paragraph, so that 70 KB become three million nodes, and elements may
// nest without end (the parser refuses more than 512). [Parse] foresees both
// and falls back to a simpler reading of such a page, in which every word is
// kept and what made the page explode is not.
package tree

import (
	"cmp"
	"context"
	"io"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
)

// Options are the limits of [Parse].
type Options struct {
	// MaxNodes is the number of nodes that a page may be foreseen to have
	// before it is read in the simpler way, and in that before it is refused.
	// One takes about 120 bytes. Default 1,000,000.
	MaxNodes int
	// MaxDepth is how deep elements nest in the simpler reading; what is deeper
	// loses its tags and keeps its text. At most 400. Default 200.
	MaxDepth int
}

func (o Options) withDefaults() Options {
	o.MaxNodes = cmp.Or(o.MaxNodes, 1_000_000)
	o.MaxDepth = min(cmp.Or(o.MaxDepth, 200), 400)
	return o
}

// parserDepth is the nesting at which x/net/html refuses a page, and so the
// largest factor between the tokens of a page and its nodes.
const parserDepth = 512

// smallestTag is the length of "<p>": no page has more tags than a third of
// its bytes.
const smallestTag = 3

// Parse reads a page in UTF-8. Like a browser it reads anything; the errors
// are BadGateway, for a page that even the simpler reading cannot hold, and the
// cause of a context that ends, which is returned as it is.
//
// A page is read as one whose scripts are switched on: what stands in a
// noscript element is a single text.
func Parse(ctx context.Context, src string, o Options) (*html.Node, error) {
	o = o.withDefaults()
	if worst(src) <= o.MaxNodes || foresee(ctx, src, o.MaxNodes) <= o.MaxNodes {
		if doc, err := html.Parse(reader(ctx, src)); err == nil {
			return doc, nil
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return parseSimply(ctx, src, o)
}

func parseSimply(ctx context.Context, src string, o Options) (*html.Node, error) {
	src = simplify(ctx, src, o.MaxDepth)
	if len(src)/smallestTag > o.MaxNodes && foresee(ctx, src, o.MaxNodes) > o.MaxNodes {
		return nil, errtypes.New(errtypes.BadGateway, "the page has more than %d elements and texts", o.MaxNodes)
	}
	doc, err := html.Parse(reader(ctx, src))
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, errtypes.New(errtypes.BadGateway, "the page's markup is nested too deeply to be read").WithCause(err)
	}
	return doc, nil
}

// askEvery is how many tokens are read between two looks at the context.
const askEvery = 1024

// reader returns a reader of src that fails when the context ends, and hands
// out little at a time, so that who reads hears of it soon.
func reader(ctx context.Context, src string) io.Reader {
	return &cancelable{ctx, strings.NewReader(src)}
}

type cancelable struct {
	ctx context.Context
	src *strings.Reader
}

// mouthful is how many bytes are read between two looks at the context.
const mouthful = 4096

func (c *cancelable) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.src.Read(p[:min(len(p), mouthful)])
}
