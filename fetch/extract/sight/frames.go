package sight

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// maxFrames bounds frames inside each other.
const maxFrames = 8

// A grafter puts what the frames of a document show, which is their srcdoc, in
// their place, so that it is read as a part of the page. Its addresses are made
// absolute, since its base is another, and its ids its own. What else an iframe
// holds is never seen.
type grafter struct{ number int }

func (g *grafter) all(nodes []*html.Node, base *url.URL, level int) {
	for _, n := range nodes {
		if source := tree.AttrOr(n, "srcdoc"); tree.Is(n, atom.Iframe, atom.Frame) && source != "" && level < maxFrames {
			tree.Clear(n)
			g.frame(n, source, base, level)
		}
	}
}

func (g *grafter) frame(n *html.Node, source string, base *url.URL, level int) {
	inner, err := tree.Parse(context.Background(), source, tree.Options{})
	if err != nil {
		return
	}
	nodes := slices.Collect(inner.Descendants())
	base = baseIn(nodes, base)
	g.all(nodes, base, level+1)
	g.number++
	for d := range inner.Descendants() {
		own(d, base, fmt.Sprintf("frame%d-", g.number))
	}
	for _, d := range nodes {
		if tree.Is(d, atom.Body, atom.Frameset) {
			tree.MoveChildren(n, d)
			break
		}
	}
	tree.Rename(n, atom.Form) // a block that is never one of several alike
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key != "style" && a.Key != "hidden" })
}

// baseIn returns what the addresses of a document are resolved with.
func baseIn(nodes []*html.Node, base *url.URL) *url.URL {
	for _, n := range nodes {
		if href := tree.AttrOr(n, "href"); tree.Is(n, atom.Base) && href != "" {
			if u, err := base.Parse(href); err == nil {
				return u
			}
		}
	}
	return base
}

// own makes the addresses of a node absolute and its ids its own.
func own(n *html.Node, base *url.URL, prefix string) {
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "href", "src":
			if u, err := base.Parse(strings.TrimSpace(a.Val)); err == nil {
				a.Val = u.String()
			}
		case "id", "for":
			a.Val = prefix + a.Val
		}
	}
}
