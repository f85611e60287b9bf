package pagedata

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxFrames bounds frames inside each other.
const maxFrames = 8

// graft puts what the frames of a document show, which is their srcdoc, in
// their place, so that it is read as a part of the page. Its addresses are made
// absolute, since its base is another, and its ids its own. What else an iframe
// holds is never seen.
func graft(doc *html.Node, base *url.URL) {
	g := grafter{}
	g.all(doc, base, 0)
}

type grafter struct{ number int }

func isFrame(n *html.Node) bool { return is(n, atom.Iframe, atom.Frame) }

func (g *grafter) all(root *html.Node, base *url.URL, level int) {
	for _, n := range slices.Collect(below(root, atom.Iframe, atom.Frame)) {
		for n.FirstChild != nil {
			n.RemoveChild(n.FirstChild)
		}
		if source := attr(n, "srcdoc"); source != "" && level < maxFrames {
			g.frame(n, source, base, level)
		}
	}
}

func (g *grafter) frame(n *html.Node, source string, base *url.URL, level int) {
	inner, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return
	}
	base = baseIn(inner, base)
	g.all(inner, base, level+1)
	g.number++
	body := first(inner, atom.Body, atom.Frameset)
	own(body, base, fmt.Sprintf("frame%d-", g.number))
	for c := body.FirstChild; c != nil; c = body.FirstChild {
		body.RemoveChild(c)
		n.AppendChild(c)
	}
}

// own makes the addresses below a node absolute and its ids its own.
func own(root *html.Node, base *url.URL, prefix string) {
	for n := range root.Descendants() {
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
}
