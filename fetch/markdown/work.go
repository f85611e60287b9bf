package markdown

import (
	"context"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/effort"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// A work is what counts the steps of a conversion, and the walks over a tree
// that take them.
type work struct{ *effort.Meter }

func newWork(ctx context.Context, limit int) *work {
	return &work{effort.NewMeter(ctx, "convert", limit)}
}

// textOf returns the text in and below n, as it stands in the source.
func (w *work) textOf(n *html.Node) string {
	if only := onlyChild(n); isText(only) {
		return only.Data
	}
	var b strings.Builder
	for d := range w.Below(n) {
		if d.Type == html.TextNode {
			w.Read(len(d.Data))
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// hasWordsIn reports whether a text in or below n has a letter or a digit.
func (w *work) hasWordsIn(n *html.Node) bool {
	for d := range w.Below(n) {
		if d.Type != html.TextNode {
			continue
		}
		w.Read(len(d.Data))
		if hasWords(d.Data) {
			return true
		}
	}
	return false
}

// hasContent reports whether a text or an image is left of n's content.
func (w *work) hasContent(n *html.Node) bool {
	for d := range w.Below(n) {
		if d.Type == html.TextNode && !tree.IsBlank(d) || d.Type == html.ElementNode && d.Data == "img" {
			return true
		}
	}
	return false
}
