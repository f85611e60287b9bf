package markdown

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/mdtest"
	"github.com/drover-go/drover/internal/corpora"
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
	checkFaults(t, md)
	checkHidden(t, page, md)
	if strings.ContainsAny(md, "\x00\a\r\f") || strings.ContainsRune(md, markNewline) {
		t.Error("a control character or a mark of the engine is left")
	}
	if strings.Contains(md, "\n\n\n") && !strings.Contains(md, "```") {
		t.Error("several empty lines follow one another")
	}
}

// checkFaults reads the markdown as markdown.
func checkFaults(t *testing.T, md string) {
	t.Helper()
	for _, fault := range mdtest.Faults(md) {
		t.Error(fault)
	}
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
			isHidden = isHidden && !isPanel(n) // of a tab that a reader can choose
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
