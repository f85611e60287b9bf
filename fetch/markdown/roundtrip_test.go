package markdown

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	ghtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/internal/testlevel"
)

// roundTripFloor is the share of the specification's examples that must
// survive HTML → markdown → HTML. It is lowered only with a written reason.
const roundTripFloor = 0.94

// An example is one of CommonMark's.
type example struct {
	Number  int    `json:"example"`
	Section string `json:"section"`
	HTML    string `json:"html"`
}

// examples returns those of CommonMark's examples that do not consist of raw
// HTML, from the copy in the module cache.
func examples(t *testing.T) []example {
	t.Helper()
	testlevel.External() // go.sum is a part of it
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Skipf("SKIPPED: no module cache to take CommonMark's examples from: %v", err)
	}
	raw, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "_test", "spec.json"))
	if err != nil {
		t.Skipf("SKIPPED: CommonMark's examples are not there: %v", err)
	}
	var all []example
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(e example) bool { return e.Section == "HTML blocks" || e.Section == "Raw HTML" })
}

func renderMarkdown(t testing.TB, md string, extensions ...goldmark.Extender) string {
	t.Helper()
	var b bytes.Buffer
	g := goldmark.New(goldmark.WithRendererOptions(ghtml.WithUnsafe()), goldmark.WithExtensions(extensions...))
	if err := g.Convert([]byte(md), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRoundTripOfCommonMark(t *testing.T) {
	all := examples(t)
	passed := 0
	for _, e := range all {
		md, err := FromString(ctx, e.HTML, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, got := canonical(t, e.HTML), canonical(t, renderMarkdown(t, md))
		if want == got {
			passed++
		} else if os.Getenv("DROVER_QUALITY_VERBOSE") != "" {
			t.Logf("%d %s\nhtml     %q\nmarkdown %q\nwant %s\ngot  %s", e.Number, e.Section, e.HTML, md, want, got)
		}
	}
	share := float64(passed) / float64(len(all))
	fmt.Printf("CommonMark round trip: %d of %d examples, %.1f %%\n", passed, len(all), 100*share)
	if share < roundTripFloor {
		t.Errorf("%.1f %% is below the floor of %.1f %%", 100*share, 100*roundTripFloor)
	}
}

// canonical returns a form of a page in which only what matters differs: white
// space outside of pre is collapsed and none is left beside blocks, and it does
// not matter whether the paragraphs of list items are marked as such.
func canonical(t testing.TB, page string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	writeCanonical(&b, doc, false)
	out := strings.ReplaceAll(b.String(), "%7C", "|")
	for _, name := range []string{"p", "ul", "ol", "li", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "pre", "br",
		"table", "thead", "tbody", "tr", "th", "td"} {
		for _, tag := range []string{"<" + name + ">", "</" + name + ">"} {
			for strings.Contains(out, " "+tag) || strings.Contains(out, tag+" ") {
				out = strings.ReplaceAll(strings.ReplaceAll(out, " "+tag, tag), tag+" ", tag)
			}
		}
	}
	return strings.TrimSpace(out)
}

func writeCanonical(b *strings.Builder, n *html.Node, pre bool) {
	open, end := canonicalTags(n)
	b.WriteString(open)
	switch {
	case n.Type == html.TextNode && pre:
		b.WriteString(n.Data)
	case n.Type == html.TextNode:
		b.WriteString(collapsed(n.Data))
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		writeCanonical(b, c, pre || n.Data == "pre")
	}
	b.WriteString(end)
}

func canonicalTags(n *html.Node) (open, end string) {
	switch {
	case n.Type != html.ElementNode || n.Data == "html" || n.Data == "head" || n.Data == "body":
		return "", ""
	case n.Data == "p" && n.Parent.Data == "li":
		return "", " "
	}
	var attrs []string
	for _, a := range n.Attr {
		attrs = append(attrs, fmt.Sprintf(" %s=%q", a.Key, a.Val))
	}
	slices.Sort(attrs)
	return "<" + n.Data + strings.Join(attrs, "") + ">", "</" + n.Data + ">"
}

func collapsed(s string) string {
	out := strings.Join(strings.FieldsFunc(s, isSpace), " ")
	if isSpace(rune(s[0])) {
		out = " " + out
	}
	if out != " " && isSpace(rune(s[len(s)-1])) {
		out += " "
	}
	return out
}

// gfm are pages whose parts only GitHub's flavour of markdown has. They are
// written as that flavour's readers write them.
var gfm = map[string]string{
	"table":             `<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>`,
	"alignment":         `<table><thead><tr><th align="left">a</th><th align="center">b</th><th align="right">c</th></tr></thead><tbody><tr><td align="left">1</td><td align="center">2</td><td align="right">3</td></tr></tbody></table>`,
	"bars":              `<table><thead><tr><th>a|b</th></tr></thead><tbody><tr><td><code>x|y</code></td></tr><tr><td><a href="https://e.org/?a|b">l</a></td></tr></tbody></table>`,
	"backslash and bar": `<table><thead><tr><th>a\|b</th><th>c</th></tr></thead><tbody><tr><td>\</td><td>|</td></tr></tbody></table>`,
	"inline in cells":   `<table><thead><tr><th><strong>a</strong></th><th><em>b</em></th></tr></thead><tbody><tr><td><del>1</del></td><td><img src="https://e.org/i.png" alt="x"/></td></tr></tbody></table>`,
	"empty cells":       `<table><thead><tr><th>a</th><th></th></tr></thead><tbody><tr><td></td><td>2</td></tr></tbody></table>`,
	"line breaks":       `<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1<br>2</td><td>3</td></tr></tbody></table>`,
	"table in item":     `<ul><li>x<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></li></ul>`,
	"table in quote":    `<blockquote><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></blockquote>`,
	"tasks":             `<ul><li><input disabled="" type="checkbox"/> to do</li><li><input checked="" disabled="" type="checkbox"/> done</li></ul>`,
	"strikethrough":     `<p>not <del>this</del> but a<del>b</del>c</p>`,
	"tildes":            `<p>~not~ ~~struck~~ ~ 5</p>`,
	"dashes and bars":   `<p>a | b</p><p>- | -</p><p>--- | ---</p>`,
	"strike in strong":  `<p><strong>a <del>b</del></strong></p>`,
}

// attributed are tables whose alignment is written as an attribute.
var attributed = extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))

func renderGitHub(t testing.TB, md string) string {
	return renderMarkdown(t, md, attributed, extension.Strikethrough, extension.TaskList)
}

func TestGitHubFlavourAsItsReadersWriteIt(t *testing.T) {
	for name, page := range gfm {
		t.Run(name, func(t *testing.T) {
			if want, got, md := roundTrip(t, page, renderGitHub); want != got {
				t.Errorf("markdown %q\nwant %s\ngot  %s", md, want, got)
			}
		})
	}
}

// roundTrip converts a page and renders the markdown, and returns what matters
// of both.
func roundTrip(t *testing.T, page string, render func(testing.TB, string) string) (want, got, md string) {
	t.Helper()
	md, err := FromString(ctx, page, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return canonical(t, page), canonical(t, render(t, md)), md
}

// TestRoundTripOfGitHubFlavour renders examples of what only GitHub's flavour
// has, in the manner of its specification, and takes them there and back.
func TestRoundTripOfGitHubFlavour(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "gfm.txt"))
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n====\n")
	if len(all) < 60 {
		t.Fatalf("only %d examples", len(all))
	}
	passed := 0
	for _, example := range all {
		want, got, md := roundTrip(t, renderGitHub(t, example), renderGitHub)
		if want == got {
			passed++
		} else {
			t.Logf("example\n%s\nmarkdown\n%s\nwant %s\ngot  %s", example, md, want, got)
		}
	}
	share := float64(passed) / float64(len(all))
	fmt.Printf("GitHub's flavour round trip: %d of %d examples, %.1f %%\n", passed, len(all), 100*share)
	if share < roundTripFloor {
		t.Errorf("%.1f %% is below the floor of %.1f %%", 100*share, 100*roundTripFloor)
	}
}
