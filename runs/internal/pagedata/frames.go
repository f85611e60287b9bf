package pagedata

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxFrames bounds frames inside each other.
const maxFrames = 8

// graft puts what the frames of a document show, which is their srcdoc, in
// their place, so that it is read as a part of the page. Its addresses are made
// absolute, since its base is another, and its ids its own. What else an iframe
// holds is never seen.
func graft(doc *goquery.Document, base *url.URL) {
	g := grafter{}
	g.all(doc.Nodes[0], base, 0)
}

type grafter struct{ number int }

func (g *grafter) all(root *html.Node, base *url.URL, level int) {
	var frames []*html.Node
	for n := range root.Descendants() {
		if isFrame(n) {
			frames = append(frames, n)
		}
	}
	for _, n := range frames {
		for n.FirstChild != nil {
			n.RemoveChild(n.FirstChild)
		}
		if source := attr(n, "srcdoc"); source != "" && level < maxFrames {
			g.frame(n, source, base, level)
		}
	}
}

func isFrame(n *html.Node) bool { return n.DataAtom == atom.Iframe || n.DataAtom == atom.Frame }

func (g *grafter) frame(n *html.Node, source string, base *url.URL, level int) {
	inner, err := goquery.NewDocumentFromReader(strings.NewReader(source))
	if err != nil {
		return
	}
	base = baseIn(inner, base)
	g.all(inner.Nodes[0], base, level+1)
	g.number++
	inner.Find("body, frameset").First().Each(func(_ int, body *goquery.Selection) {
		own(body.Nodes[0], base, fmt.Sprintf("frame%d-", g.number))
		for c := body.Nodes[0].FirstChild; c != nil; c = body.Nodes[0].FirstChild {
			body.Nodes[0].RemoveChild(c)
			n.AppendChild(c)
		}
	})
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
