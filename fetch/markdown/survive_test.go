package markdown

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/internal/testlevel"
)

// A random page is made of few kinds of characters and elements, so that what
// means something to markdown comes to stand side by side.
var (
	textPieces = []string{"a", "b c", " ", " ", "word", "1", "2. ", "3) ", "*", "**", "_", "__", "~", "~~", "`", "``", "[", "]", "(x)",
		"](y)", "]: z", "![", "!", "&lt;", "&lt;b&gt;", "&gt;", "&gt; ", "&amp;", "&amp;amp;", "&amp;#42;", "#", "## ", "- ", "+ ", "* ",
		"---", "===", "\\", "\\*", "|", "| - |", ":", "http://e.org", "é", "“q”", "。", "$", "{", "}", "[ ] ", "[x]", "<br>"}
	inlineTags = []string{"b", "i", "em", "strong", "del", "code", "u", "span", "a href=http://e.org/x", "sub", "label", "q"}
	blockTags  = []string{"p", "div", "li", "blockquote", "h2", "h4", "td"}
)

func randomInline(r *rand.Rand, depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(5) {
		if depth < 3 && r.IntN(4) == 0 {
			tag := inlineTags[r.IntN(len(inlineTags))]
			name, _, _ := strings.Cut(tag, " ")
			b.WriteString("<" + tag + ">" + randomInline(r, depth+1) + "</" + name + ">")
			continue
		}
		b.WriteString(textPieces[r.IntN(len(textPieces))])
	}
	return b.String()
}

func randomPage(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		switch tag := blockTags[r.IntN(len(blockTags))]; tag {
		case "li":
			b.WriteString("<ul><li>" + randomInline(r, 0) + "</li><li>" + randomInline(r, 0) + "</li></ul>")
		case "td":
			b.WriteString("<table><tr><th>h</th><th>i</th></tr><tr><td>" + randomInline(r, 0) + "</td><td>" + randomInline(r, 0) + "</td></tr></table>")
		default:
			b.WriteString("<" + tag + ">" + randomInline(r, 0) + "</" + tag + ">")
		}
	}
	return b.String()
}

// TestTextSurvives converts random pages and reads the markdown again: the text
// must be the same, whatever characters it is made of.
func TestTextSurvives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	rounds := testlevel.Of(1_000, 5_000)
	bad := 0
	for range rounds {
		page := randomPage(r)
		md, err := FromString(ctx, page, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, got := visible(t, page), visible(t, renderMarkdown(t, md, extension.Table, extension.Strikethrough, extension.TaskList))
		if want != got {
			bad++
			if bad < 15 {
				t.Errorf("page     %q\nmarkdown %q\nwant %q\ngot  %q", page, md, want, got)
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d pages lose or change text", bad, rounds)
	}
}

// visible returns the text of a page without white space, and without the
// marks that stand for elements: quotes, check boxes.
func visible(t testing.TB, page string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \n\t“”", r) {
			return -1
		}
		return r
	}, b.String())
}
