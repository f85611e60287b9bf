package visible

import (
	"context"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// leastUnread is how much for browsers without scripts, in bytes, is more than
// a request to turn them on.
const leastUnread = 2000

// maxNoscript is the number of nodes that such a part may have.
const maxNoscript = 200_000

// withoutScripts lays out what a noscript element holds, or counts it. The
// parser takes it for text, as browsers do.
func (y *layer) withoutScripts(n *html.Node, up int, f flags) {
	c := n.FirstChild
	if c == nil || c.Type != html.TextNode {
		return
	}
	if !y.noscript {
		y.unread += len(c.Data)
		return
	}
	y.p.Meter.Step(len(c.Data) / 8)
	doc, err := tree.Parse(context.Background(), c.Data, tree.Options{MaxNodes: maxNoscript})
	if err != nil {
		return // too much of it
	}
	for d := range y.p.Meter.Below(doc) {
		if d.Type == html.ElementNode && d.Data == "body" {
			i := y.enter(n, up, f)
			y.gap = '\n'
			y.children(d, i)
			y.gap = '\n'
			y.leave(i)
			return
		}
	}
}
