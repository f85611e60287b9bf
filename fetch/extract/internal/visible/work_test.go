package visible

import (
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/testlevel"
)

// A shape is a page that is made of one thing many times over, or of one thing
// within another: what makes readers slow.
type shape struct {
	name string
	page func(n int) string
}

func repeated(open, piece string) func(int) string {
	return func(n int) string { return open + strings.Repeat(piece, n) }
}

// deep opens elements 200 times around pieces.
func deep(open, piece string) func(int) string { return repeated(strings.Repeat(open, 200), piece) }

// numbered puts the number of each piece into it.
func numbered(open, piece string) func(int) string {
	return func(n int) string {
		var b strings.Builder
		b.WriteString(open)
		for i := range n {
			fmt.Fprintf(&b, piece, i)
		}
		return b.String()
	}
}

var shapes = []shape{
	{"siblings", repeated("", "<div><a href=x>link</a><p>some words of text</p></div>")},
	{"items", repeated("<ul>", "<li><b>Label</b> value</li>")},
	{"pairs", repeated("", "<div class=row><span>a</span><span>b</span></div>")},
	{"paragraphs", repeated("", "<p>Some words: here</p>")},
	{"headings", repeated("", "<h2>Head</h2><p>text</p>")},
	{"headings of all levels", repeated("", "<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5><h6>f</h6><p><b>g</b></p>x")},
	{"headings down", func(n int) string {
		return "<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5><h6>f</h6>" + strings.Repeat("<p>x</p>", n)
	}},
	{"other headings", numbered("", "<h2>Head %d</h2><p>text</p>")},
	{"bold lines", repeated("<h1>a</h1>", "<p><b>Bold</b></p><p>x</p>")},
	{"rows", repeated("<table><tr><th>a<th>b", "<tr><td>1<td>2")},
	{"columns", repeated("<table><tr>", "<th>a")},
	{"spans", repeated("<table><tr><th>h<th>i", "<tr><td rowspan=999 colspan=999>a<td rowspan=999>b")},
	{"wide spans", repeated("<table><caption>c</caption>", "<tr><td colspan=1000>a")},
	{"tables", repeated("", "<table><tr><th>a<td>b</table>")},
	{"captions", repeated("<table>", "<caption>c</caption><tr><td>a<td>b")},
	{"questions in lines", repeated("", "<p>Q: one?</p><p>A: two</p>")},
	{"one long answer", repeated("<p>Q: one?</p><p>A: two</p>", "<p>three</p>")},
	{"folds", repeated("", "<button>one?</button><p>two</p>")},
	{"amounts in lines", repeated("", "<p>Was $20 Now $15</p>")},
	{"amounts in a line", repeated("<p>", "Was $20 Now <b>$15</b> ")},
	{"regular prices", repeated("", "<p>Regular price $20</p>")},
	{"days and times", repeated("", "<p>Date: 7 June 2024</p><p>Time: 8:30 PM</p>")},
	{"periods", repeated("", "<p>7–9 June 2024</p>")},
	{"hours", repeated("", "<p>Mon: 9am-5pm</p>")},
	{"offers of work", repeated("", "<p>Full-time · Remote · £20,000 - £30,000 per annum</p>")},
	{"phrases", repeated("", "<p>Prep 10 min · EAN 4006381333931</p>")},
	{"definitions", repeated("<dl>", "<dt>a<dd>b")},
	{"terms", repeated("<dl>", "<dt>a</dt>")},
	{"definitions of many terms", func(n int) string {
		return "<dl>" + strings.Repeat("<dt>a</dt>", n/2) + strings.Repeat("<dd>a</dd>", n/2)
	}},
	{"distinct classes", numbered("", "<div class='k%[1]cx'>a<span class=price>1</span></div>")},
	{"many names", numbered("", "<p>Name %d: value</p>")},
	{"prices", repeated("", "<span class=price>€5</span> ")},
	{"cents", repeated("<p>", "€5<sup>99</sup> ")},
	{"cents in one", repeated("<p>€", "<span>12</span>")},
	{"prices in pieces", repeated("<p>", "<span>5</span><span>€</span> ")},
	{"numbers of things", numbered("", "<p>Product code: 1%06d</p>")},
	{"named numbers", numbered("", "<p class='sku-%[1]c'>1%06[1]d</p>")},
	{"stock", repeated("<div class=stock>", "<p class=availability>Only 2 of them are left in stock.</p>")},
	{"deep stock", deep("<div class=stock>", "<p>Sold out.</p>")},
	{"boxes of prices", deep("<span class=price-box>", "<i>€5</i> ")},
	{"struck out", repeated("<div class=price>", "<del>5</del>")},
	{"classes of one", func(n int) string { return "<p class='" + strings.Repeat("ab-cd ", n) + "'>x" }},
	{"crumbs", repeated("<nav class=breadcrumb>", "<a href=x>a</a>")},
	{"crumbs in crumbs", deep("<div class=breadcrumb>", "<a href=x>a</a>")},
	{"questions", repeated("", "<details><summary>a?</summary>b</details>")},
	{"options", repeated("<select name=a>", "<option value=x>a")},
	{"labels of fields", repeated("", "<label for=a>b</label><input id=a value=c>")},
	{"times", repeated("", "<time>2024-01-01</time> ")},
	{"bylines", repeated("", "<p>By Jane Doe, 3 May 2024</p>")},
	{"lines", repeated("<p>", "a:<br>")},
	{"elements of one line", repeated("<p>", "<span>a: b</span> ")},
	{"deep divs", deep("<div>", "<p>a</p>")},
	{"deep items", deep("<ul><li>", "<b>a</b> x ")},
	{"deep groups", deep("<div><div><h3>a</h3><p>b</p></div><div><h3>a</h3><p>b</p></div><div>", "<p>x</p>")},
	{"deep tables", deep("<table><tr><th>a<td>", "<p>x</p>")},
	{"deep headings", deep("<section><h2>a</h2>", "<p>x</p>")},
	{"deep inline", deep("<span>", "a: b <br>")},
	{"deep bold", deep("<b class=label>", "a <br>")},
	{"deep definitions", deep("<dl><dt>a<dd>", "<p>x</p>")},
	{"deep struck out", deep("<del class=price>", "5 ")},
	{"rows of cards", repeated("", "<div class=row><div class=card><h3>a</h3><p>b</p></div><div class=card><h3>a</h3><p>b</p></div></div>")},
	{"categories", repeated("", "<h2>a</h2><ul><li><h3>a</h3><p>b</p></li><li><h3>a</h3><p>b</p></li></ul>")},
	{"price lists", repeated("<h2>a</h2><p>", "Big lamp - €5<br>")},
	{"price lists under headings", repeated("", "<h2>a</h2><ul><li>Lamp €5<li>Wick €3<li>Oil €4</ul>")},
	{"prices of terms", repeated("<dl>", "<dt>Lamp<dd>€5")},
	{"rankings", repeated("<ol>", "<li>Lamp (1999)")},
	{"rankings of items", repeated("<ol>", "<li><a href=x>Lamp</a><p>b</p>")},
	{"posts", repeated("", "<div class=post><p class=author>by <a href=x>Ann</a> » now</p><div class=body>a</div></div>")},
	{"bodies in bodies", deep("<div class=body>", "<p>a</p>")},
	{"adverts", repeated("", "<div class=ad><h3>a</h3></div><div class=x><h3>a</h3><p>b</p></div>")},
	{"adverts in adverts", deep("<div><div class=ad><h3>a</h3></div><div class=ad><h3>a</h3></div><div class=ad>", "<p>a</p>")},
	{"shelves", repeated("<h1>a</h1>", "<section><h2>b</h2><ul><li><h3>c</h3><p>d</p></li><li><h3>c</h3><p>d</p></li></ul></section>")},
	{"notes", repeated("<p>", "word<sup><a href=#a>[1]</a></sup> ")},
	{"notes in notes", deep("<sup>", "[1]")},
	{"sections of rows", repeated("<table><tr><th>a<th>b<th>c", "<tr><th colspan=3>d<tr><td>1<td>2<td>3")},
	{"feet", repeated("<table><tr><th>a<th>b", "<tfoot><tr><td>Sum<td>€2</tfoot>")},
	{"heads of two levels", repeated("<table><thead><tr><th colspan=3>a<th colspan=3>b<tr><th>c<th>d<th>e<th>c<th>d<th>e</thead>", "<tr><td>1<td>2<td>3<td>4<td>5<td>6")},
	{"comparisons", repeated("", "<table><tr><td><th>a<th>b<tr><th>c<td>1<td>2<tr><th>d<td>x<td>y</table>")},
	{"empty elements", repeated("", "<i></i>")},
	{"empty items", repeated("", "<div><img src=a></div>")},
	{"images", repeated("", "<img srcset='a 1x, b 2x'>")},
	{"words", repeated("", "word ")},
	{"asides", repeated("", "<aside><h2>a</h2><p>b</p></aside><p>c</p>")},
}

// stepsOf returns what reading a page takes, and how many entities and values
// it gives.
func stepsOf(t testing.TB, src string) (steps, values int) {
	t.Helper()
	p := parse(t, src)
	before := p.Meter.Taken()
	var got []*graph.Entity
	if err := p.Meter.Run(func() error { got = Read(p); return nil }); err != nil {
		t.Fatal(err)
	}
	check(t, "page", got)
	for _, e := range got {
		for _, f := range e.Fields {
			values += len(f.Values)
		}
	}
	return p.Meter.Taken() - before, values
}

// TestWorkGrowsWithThePage counts steps, which are the same on every machine.
func TestWorkGrowsWithThePage(t *testing.T) {
	testlevel.Long(t, "the largest pages")
	for _, s := range shapes {
		small, _ := stepsOf(t, s.page(1000))
		large, _ := stepsOf(t, s.page(4000))
		if float64(large) > 4*1.3*float64(small+2000) {
			t.Errorf("%s: %d steps, %d for four times as much", s.name, small, large)
		}
	}
}

// TestManySiblings holds the limits on a page of 100 000 items.
func TestManySiblings(t *testing.T) {
	got := read(t, shapes[0].page(100_000), Options{MaxEntities: 500, MaxValues: 3000})
	check(t, "siblings", got)
	values, entities := 0, map[*graph.Entity]bool{}
	for _, f := range got[0].Fields {
		for _, v := range f.Values {
			values++
			if v.Entity != nil {
				entities[v.Entity] = true
			}
		}
	}
	if values > 3000 || len(entities) >= 500 || len(entities) < 400 {
		t.Errorf("%d values, %d entities", values, len(entities))
	}
}

func TestValuesHaveALimit(t *testing.T) {
	const limit = 100
	got := read(t, "<h2>ä</h2><p>"+strings.Repeat("ä", 5000)+"</p><p>Name: "+strings.Repeat("b ", 100)+"</p>", Options{MaxValueBytes: limit})
	for _, f := range got[0].Fields {
		for _, v := range f.Values {
			if len(v.Text) > limit || len(v.Shown) > limit {
				t.Errorf("%s: %d and %d bytes", f.Name, len(v.Text), len(v.Shown))
			}
		}
	}
}

// TestElementsInEachOtherShareTheirText holds that the text of lists in lists
// is not copied for each of them.
func TestElementsInEachOtherShareTheirText(t *testing.T) {
	p := parse(t, deep("<dl><dt>a<dd>", "<p>a line</p>")(9000))
	r := &reader{Page: p, o: Options{}.withDefaults(), layout: lay(p)}
	long := 0
	for i := range r.nodes {
		if len(r.textOf(i)) > 50_000 {
			long++
		}
	}
	if r.copied > maxCopied || long < 400 {
		t.Errorf("%d bytes copied for %d long texts", r.copied, long)
	}
}

// TestSpansCostNothing reads a table whose cells claim to span a million
// places.
func TestSpansCostNothing(t *testing.T) {
	src := shape{page: repeated("<table><tr><th>a<th>b", "<tr><td colspan=1000 rowspan=1000>a<td>b")}.page(2000)
	g, nodes := gridIn(t, src)
	places := 0
	for _, row := range g.rows {
		places += len(row)
	}
	if places > 5*nodes+100 {
		t.Errorf("%d places of a table of %d nodes", places, nodes)
	}
}

func gridIn(t testing.TB, src string) (g *grid, nodes int) {
	t.Helper()
	p := parse(t, src)
	r := &reader{Page: p, o: Options{}.withDefaults(), layout: lay(p)}
	r.titleNode = -1
	r.surveyTables()
	if len(r.grids) != 1 {
		t.Fatalf("%d tables", len(r.grids))
	}
	return r.grids[0], len(r.nodes)
}

// TestMemoryIsAskedForOnce holds that a large page is laid out without growing
// its lists, which would take several times their memory.
func TestMemoryIsAskedForOnce(t *testing.T) {
	l := lay(parse(t, repeated("<dl>", "<dt>a<dd>b")(20_000)))
	if nodes, lines := cap(l.nodes), cap(l.lines); nodes > len(l.nodes)*21/20 || lines > len(l.lines)*21/20 {
		t.Errorf("room for %d of %d nodes, %d of %d lines", nodes, len(l.nodes), lines, len(l.lines))
	}
}
