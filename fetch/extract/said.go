package extract

import (
	"slices"
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
	case visible.PublishedDate(text):
		return saidPublished
	case isUpdated(text):
		return saidUpdated
	case visible.OtherDate(text) || strings.HasSuffix(strings.TrimSpace(text), ":") && isOtherLabel(text):
		return saidOther
	}
	return unsaid
}

// isUpdated reports whether a text says of the date behind it that it is that of
// a change.
func isUpdated(text string) bool {
	text = strings.ReplaceAll(strings.ToLower(text), " ", "_")
	return slices.ContainsFunc(words()["updated"], func(w string) bool { return strings.Contains(text, w) })
}

// saidBefore returns what the words before a date say of it, or its class. The
// nearest words count.
func saidBefore(p *page.Page, n *html.Node) said {
	if class := tree.AttrOr(n, "class"); len(class) < maxByline && isUpdated(class) && !visible.PublishedDate(class) {
		return saidUpdated
	}
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
			if len(text) >= maxByline {
				continue
			}
			if what := saidOf(page.Collapse(text)); what != unsaid {
				return what
			}
		}
	}
	return unsaid
}
