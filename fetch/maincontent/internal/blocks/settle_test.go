package blocks

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each word of a page stands for a block; those in capitals are chosen.
func settled(t *testing.T, page string, c Care) string {
	t.Helper()
	p := read(t, page)
	keep, likely := make([]bool, len(p.Blocks)), make([]float32, len(p.Blocks))
	for i, text := range textsOf(p) {
		keep[i] = text == strings.ToUpper(text)
		likely[i] = 0.3
	}
	var kept []string
	for i, k := range p.Settle(keep, likely, c) {
		if k {
			kept = append(kept, textsOf(p)[i])
		}
	}
	return strings.Join(kept, " ")
}

func TestWhatReadersWouldMissIsKept(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"code behind text":            {"<div><p>A</p><pre>code</pre></div><p>b", "A code"},
		"code far from text":          {"<div><p>a</p><pre>code</pre></div><p>B", "B"},
		"a caption":                   {"<p>A<figure><img src=x><figcaption>seen</figcaption></figure>", "A seen"},
		"a table that ends the text":  {"<div><p>A<table><tr><td>x<td>y</table></div><p>b", "A x y"},
		"a table under a heading":     {"<div><p>A</p><p>B</p><h2>b</h2><table><tr><td>x<td>y</table><p>c</div>", "A B b x y"},
		"a table in what was dropped": {"<p>A</p><div><p>b<table><tr><td>x<td>y</table><p>c</div>", "A"},
		"a list within text":          {"<p>A<ul><li>x<li>y</ul><p>B", "A x y B"},
		"a list behind text":          {"<div><p>A<ul><li>x<li>y</ul></div><p>b", "A"},
		"links within text":           {"<p>A<ul><li><a href=x>x</a><li><a href=y>y</a></ul><p>B", "A B"},
		"a tip within text":           {"<p>A<div class='admonition tip'><p>tip<p>x</div><p>B", "A tip x B"},
		"a note under text":           {"<p>A<aside role=note>x</aside>", "A x"},
		"a note far from text":        {"<p>A<p>b<p>c<div class=note>x</div><p>d", "A"},
		"links in an alert":           {"<p>A<div class=alert><a href=x>x</a></div><p>B", "A B"},
		"a quote":                     {"<div><p>A<blockquote>x</blockquote>B</div>", "A x B"},
		"most of a list":              {"<ul><li>A<li>B<li>c</ul><p>d", "A B c"},
		"little of a list":            {"<ul><li>A<li>b<li>c</ul><p>D", "D"},
		"cards":                       {"<ul><li><p>A<p>x<li><p>B<p>y</ul>", "A B"},
		"a heading without a section": {"<h2>A</h2><p>B<h2>C</h2><p>d<h2>E</h2><p>F", "A B E F"},
		"a heading above headings":    {"<h2>A</h2><h3>B</h3><p>C", "A B C"},
		"a heading at the end":        {"<p>A<h2>B</h2>", "A B"},
		"a heading that links":        {"<h2><a href=x>A</a></h2><p>b<h2><a href=y>B</a></h2><p>c", "A B"},
	} {
		if diff := cmp.Diff(c.want, settled(t, c.page, All)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTheHeadingOfThePageIsKept(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"the only one":         {"<h1>kettles</h1><p>x<p>A", "kettles A"},
		"the one of the title": {"<title>Kettles | Shop</title><h1>shop of things</h1><h1>kettles</h1><p>A", "kettles A"},
		"one of several":       {"<title>x</title><h1>a</h1><h1>b</h1><p>A", "A"},
		"in the menu":          {"<nav><h1>a</h1></nav><p>A", "A"},
		"behind the content":   {"<p>A</p><h1>a</h1>", "A"},
		"of nothing":           {"<h1>a</h1><p>b", ""},
		"twice":                {"<h1>KETTLES</h1><p>A<h2>KETTLES</h2><p>B", "KETTLES A B"},
	} {
		if diff := cmp.Diff(c.want, settled(t, c.page, All)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestThePriceUnderTheHeadingOfAProductIsKept(t *testing.T) {
	for page, want := range map[string]string{
		"<div><h1>KETTLE</h1><p>price<p>stock<p>A</div><p>b":          "KETTLE price stock A",
		"<div><h1>KETTLE</h1><div><p>card<p>card</div><p>A</div><p>b": "KETTLE A",
		"<div><h1>KETTLE</h1></div><p>b<p>A":                          "KETTLE A",
	} {
		if got := settled(t, page, WithOffer); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

func TestTheNamesAbovePostsAreTreatedAlike(t *testing.T) {
	post := func(name, said string) string {
		return "<article class=post><b class=x><div>" + name + "</div></b><p>" + said + "</p></article>"
	}
	page := "<main>" + post("ADA", "A") + post("BEN", "B") + post("cid", "C") + post("DAN", "D") + "</main>"
	for c, want := range map[Care]string{NoQuotes: "ADA A BEN B cid C DAN D", All: "ADA A BEN B C DAN D"} {
		if got := settled(t, page, c); got != want {
			t.Errorf("%d: %q, want %q", c, got, want)
		}
	}
}

func TestAPageThatNamesItsContentIsTakenAtItsWord(t *testing.T) {
	for page, want := range map[string][]bool{
		"<p>a<main><p>b<p hidden>c</main><p>d": {false, true, false, false},
		"<p>a<article><p>b</article>":          {false, true},
		"<p>a":                                 nil,
		"<p>a<main></main>":                    nil,
		"<p>a<main hidden><p>b</main>":         nil,
	} {
		if diff := cmp.Diff(want, read(t, page).Named()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", page, diff)
		}
	}
}

func TestCodeOfAnArticleIsKept(t *testing.T) {
	for page, want := range map[string]string{
		"<div><p>A</p><pre>code</pre></div><p>b":         "A code",
		"<ul><li>A<li>B<li>c</ul><p>d<h1>e</h1>":         "A B",
		"<p>A<ul><li>x<li>y</ul><p>B<h2>C</h2><p>d<h2>E": "A B C E",
	} {
		if got := settled(t, page, OnlyCode); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

func TestQuotesOfForumsAreLeftOut(t *testing.T) {
	const page = "<div><p>A<blockquote>x</blockquote>B<div class=note>y</div>C</div>"
	for c, want := range map[Care]string{All: "A x B y C", NoQuotes: "A B y C", OnlyCode: "A B C"} {
		if got := settled(t, page, c); got != want {
			t.Errorf("%d: got %s", c, got)
		}
	}
}
