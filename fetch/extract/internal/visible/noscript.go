package visible

import (
	"context"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

const (
	// leastUnread is how much for browsers without scripts, in bytes, is more than
	// a request to turn them on.
	leastUnread = 2000
	// maxNoscript is the number of nodes that such a part may have.
	maxNoscript = 200_000
)

// withoutScripts returns the body of what a noscript element holds, or counts
// it and returns nil. The parser takes it for text, as browsers do.
func (y *layer) withoutScripts(n *html.Node) *html.Node {
	text := tree.TextOf(n)
	if !y.noscript {
		y.unread += len(text)
		return nil
	}
	y.p.Meter.Step(len(text)) // parsing costs more than reading
	doc, err := tree.Parse(context.Background(), text, tree.Options{MaxNodes: maxNoscript})
	if err != nil {
		return nil // too much of it
	}
	for d := range y.p.Meter.Below(doc) {
		if d.DataAtom == atom.Body {
			return d
		}
	}
	return nil
}
