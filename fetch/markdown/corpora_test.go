package markdown

import (
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/text"

	"github.com/drover-go/drover/fetch/internal/link"
	"github.com/drover-go/drover/internal/corpora"
	"github.com/drover-go/drover/internal/weburl"
)

// TestInvariantsOnCorpora takes every fifth page, where quality is measured all.
func TestInvariantsOnCorpora(t *testing.T) {
	for _, sub := range []string{"main-content", "products"} {
		t.Run(sub, func(t *testing.T) {
			for _, p := range corpora.Sample(t, sub, 5) {
				t.Run(p.ID, func(t *testing.T) {
					t.Parallel()
					page := p.HTML(t)
					md, err := ours(page)
					if err != nil {
						t.Fatal(err)
					}
					checkInvariants(t, page, md)
				})
			}
		})
	}
}

// checkInvariants holds the markdown of a page against what must be true of
// any page, with benchURL as its address.
func checkInvariants(t *testing.T, page, md string) {
	t.Helper()
	again, err := ours(page)
	if err != nil || again != md {
		t.Error("the second conversion differs from the first")
	}
	checkFences(t, md)
	checkLinks(t, md)
	checkHidden(t, page, md)
	if strings.ContainsAny(md, "\x00\a\r\f") || strings.ContainsRune(md, markNewline) {
		t.Error("a control character or a mark of the engine is left")
	}
	if strings.Contains(md, "\n\n\n") && !strings.Contains(md, "```") {
		t.Error("several empty lines follow one another")
	}
}

var fence = regexp.MustCompile("^[ >]*(?:[-*] |[0-9]+[.)] )*[ >]*(`{3,})")

// checkFences reports a code block that is not closed.
func checkFences(t *testing.T, md string) {
	t.Helper()
	open := ""
	for l := range strings.SplitSeq(md, "\n") {
		m := fence.FindStringSubmatch(l)
		switch {
		case m == nil:
		case open == "":
			open = m[1]
		case strings.HasPrefix(m[1], open):
			open = ""
		}
	}
	if open != "" {
		t.Errorf("a fence of %q is not closed", open)
	}
}

// checkLinks reads the markdown as markdown and reports links and images that
// are relative or lead to scripts or data.
func checkLinks(t *testing.T, md string) {
	t.Helper()
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser().Parse(text.NewReader([]byte(md)))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var dest string
		switch n := n.(type) {
		case *ast.Link:
			dest = string(n.Destination)
		case *ast.Image:
			dest = string(n.Destination)
		}
		if entering && dest != "" && leadsNowhere(dest) {
			t.Errorf("link or image to %q", dest)
		}
		return ast.WalkContinue, nil
	})
}

// leadsNowhere reports an address that is relative, or of no use elsewhere.
func leadsNowhere(dest string) bool {
	scheme, ok := weburl.SchemeOf(dest)
	return !ok || link.IsLocal(scheme)
}

// checkHidden reports text of scripts, styles, templates and hidden elements
// that the markdown holds. A piece of it that stands in the open, too, or in an
// attribute, is nothing to report.
func checkHidden(t *testing.T, page, md string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return
	}
	hidden, open := texts(doc)
	for _, h := range hidden {
		if piece := longLine(h); piece != "" && strings.Contains(md, piece) && !strings.Contains(open, piece) {
			t.Errorf("hidden text %q", piece)
		}
	}
}

// longLine returns the first line of s that is long enough to be no accident,
// as it would look in markdown without escapes.
func longLine(s string) string {
	for l := range strings.SplitSeq(s, "\n") {
		if l = strings.TrimSpace(l); len(l) >= 30 && !strings.ContainsAny(l, "\\`*_~[]<>&!#") {
			return l
		}
	}
	return ""
}

// texts returns the texts that nobody sees one by one, and all others and the
// values of all attributes together.
func texts(doc *html.Node) (hidden []string, open string) {
	var b strings.Builder
	var walk func(n *html.Node, seen bool)
	walk = func(n *html.Node, seen bool) {
		switch n.Type {
		case html.TextNode:
			if !seen {
				hidden = append(hidden, n.Data)
			} else {
				b.WriteString(n.Data)
			}
		case html.ElementNode:
			for _, a := range n.Attr {
				b.WriteString(a.Val)
			}
			_, isHidden := map[string]bool{"script": true, "style": true, "template": true}[n.Data]
			for _, a := range n.Attr {
				isHidden = isHidden || a.Key == "hidden" && a.Val == "" || a.Key == "style" && strings.ReplaceAll(a.Val, " ", "") == "display:none"
			}
			if n.Data == "script" && strings.HasPrefix(attr(n, "type"), "math/tex") {
				isHidden = false
			}
			seen = seen && (!isHidden || n.Data == "body" || n.Data == "html")
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, seen)
		}
	}
	walk(doc, true)
	return hidden, b.String()
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
