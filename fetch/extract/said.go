package extract

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/visible"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// said is what words say of a date.
type said uint8

const (
	unsaid said = iota
	saidPublished
	saidUpdated
	// saidOther is a date that is not the page's: of an event, of a birth.
	saidOther
)

// saidOf returns what a text says of the date behind it.
func saidOf(text string) said {
	switch {
	case isPublished(text):
		return saidPublished
	case isUpdated(text):
		return saidUpdated
	case visible.OtherDate(text) || strings.HasSuffix(strings.TrimSpace(text), ":") && isOtherLabel(text):
		return saidOther
	}
	return unsaid
}

// saidBefore returns what the words before a date, or its class, say of it. The
// nearest words count.
func saidBefore(p *page.Page, n *html.Node) said {
	if class := tree.AttrOr(n, "class"); len(class) < maxByline && isUpdated(class) && !isPublished(class) {
		return saidUpdated
	}
	return saidInFront(p, n)
}

// saidInFront is saidBefore without the class, which templates give to the only
// date of a page, too.
func saidInFront(p *page.Page, n *html.Node) said {
	above := 2
	if n.Type == html.TextNode {
		above++
	}
	for a, levels := n, 0; a != nil && levels < above; a, levels = a.Parent, levels+1 {
		p.Meter.Step(1)
		for s, near := a.PrevSibling, 0; s != nil && near < 3; s, near = s.PrevSibling, near+1 {
			text := s.Data
			if s.Type == html.ElementNode && s.FirstChild != nil && s.FirstChild.Type == html.TextNode {
				text = s.FirstChild.Data
			} else if s.Type != html.TextNode {
				continue
			}
			if len(text) >= maxByline || strings.TrimSpace(text) == "" {
				continue
			}
			if what := saidOf(page.Collapse(text)); what != unsaid {
				return what
			}
		}
	}
	return unsaid
}
