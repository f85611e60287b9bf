package markdown

import (
	"fmt"
	"strings"
)

// A shape is a page that is made of one thing many times over, or of one thing
// within another without end: what makes converters slow.
type shape struct {
	name string
	size int
	page func(size int) string
}

func repeated(piece string) func(int) string {
	return func(size int) string { return strings.Repeat(piece, size/len(piece)+1) }
}

// nested opens elements 400 deep, which the parser takes, around a page of
// paragraphs.
func nested(tag string) func(int) string {
	return func(size int) string { return strings.Repeat(tag, 400) + repeated("<p>word word</p>")(size) }
}

// within puts a page of pieces behind an opening.
func within(open, piece string) func(int) string {
	return func(size int) string { return open + repeated(piece)(size) }
}

// deep is [within] an opening many times over.
func deep(times int, open, piece string) func(int) string {
	return within(strings.Repeat(open, times), piece)
}

// distinct opens an element whose attribute is another each time.
func distinct(format string) func(int) string {
	return func(size int) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
}

var shapes = []shape{
	{"page", 100 << 10, makePage},
	{"brackets", 20 << 10, repeated("[")},
	{"unclosed links", 20 << 10, repeated("[a](")},
	{"stars", 20 << 10, repeated("*a **b ")},
	{"underscores", 20 << 10, repeated("_a_b__")},
	{"only underscores", 20 << 10, repeated("_")},
	{"ampersands", 20 << 10, repeated("&amp;a")},
	{"digits", 20 << 10, repeated("1. ")},
	{"comments in text", 20 << 10, repeated("a<!-- -->")},
	{"empty lists", 20 << 10, repeated("<ul></ul>")},
	{"lists side by side", 20 << 10, repeated("<ul><li>a</ul>")},
	{"items", 20 << 10, repeated("<li>a")},
	{"notes", 20 << 10, repeated(`<sup><a id=r href=#n>1</a></sup><p id=n>a<a href=#r>↩</a></p>`)},
	{"items with notes", 20 << 10, func(size int) string {
		return "<sup><a id=r href=#n>1</a></sup><ol><li id=n>a<a href=#r>↩</a>" + strings.Repeat("<li><a href=#r>↩</a>b", size/22) + "</ol>"
	}},
	{"spans", 20 << 10, repeated("<span>a</span>")},
	{"bold side by side", 20 << 10, repeated("<b>a</b>")},
	{"links", 20 << 10, repeated(`<a href="b">c</a>`)},
	{"images", 20 << 10, repeated(`<img src="b">`)},
	{"rows", 20 << 10, func(n int) string { return "<table>" + repeated("<tr><td>a<td>b")(n) }},
	{"cells", 20 << 10, func(n int) string { return "<table><tr>" + repeated("<td>a")(n) }},
	{"spans of cells", 20 << 10, func(n int) string {
		return "<table>" + repeated("<tr><td rowspan=9999 colspan=9999>a<td rowspan=9999>b")(n)
	}},
	{"one big cell", 20 << 10, func(n int) string {
		return "<table><tr><td>" + repeated("word ")(n) + "<td>b" + strings.Repeat("<tr><td>a<td>b", 1000)
	}},
	{"code", 20 << 10, repeated("<pre><code>a\n`b`\n</code></pre>")},
	{"lines of code", 20 << 10, func(n int) string { return "<pre>" + repeated("<div>a`b</div>")(n) }},
	{"terms", 20 << 10, func(n int) string { return "<dl>" + repeated("<dt>a<dd>b")(n) }},
	{"nested div", 20 << 10, nested("<div>")},
	{"nested span", 20 << 10, nested("<span>")},
	{"nested quote", 20 << 10, nested("<blockquote>")},
	{"nested list", 20 << 10, nested("<ul><li>")},
	{"nested bold", 20 << 10, nested("<b>")},
	{"nested emphasis", 20 << 10, nested("<b><i>")},
	{"nested table", 20 << 10, nested("<table><tr><td>")},
	{"nested definition", 20 << 10, nested("<dl><dd>")},
	{"nested sup", 20 << 10, nested("<sup>")},
	{"nested details", 20 << 10, nested("<details><summary>")},
	{"nested link", 20 << 10, nested("<a href=x><object>")},
	{"deep div", 20 << 10, repeated("<div>")},
	{"deep bold", 20 << 10, repeated("<b>a")},
	{"deep quote", 20 << 10, repeated("<blockquote>a")},
	{"deep list", 20 << 10, repeated("<ul><li>a")},
	{"deep table", 20 << 10, repeated("<table><tr><td>a")},
	{"unclosed cells", 20 << 10, within("<table>", "<td>")},
	{"cells without table", 20 << 10, repeated("<td>")},
	{"cells that span columns", 20 << 10, within("<table><tr>", "<td colspan=99>a")},
	{"uneven rows", 20 << 10, func(n int) string {
		return "<table><tr>" + repeated("<td>a")(n/2) + repeated("<tr><td>b<td>c")(n/2)
	}},
	{"code in cells", 20 << 10, within("<table>", "<tr><td><pre>a\nb</pre><td>c")},
	{"captions", 20 << 10, within("<table>", "<caption>a</caption>")},
	{"text between rows", 20 << 10, within("<table>", "a<b>c</b><tr>")},
	{"unclosed lists", 20 << 10, repeated("<ul><li>")},
	{"unclosed definitions", 20 << 10, repeated("<dl><dt>a")},
	{"items side by side", 20 << 10, within("<ul>", "<ul></ul>")},
	{"lists beside comments", 20 << 10, repeated("<ul><li>a</ul> <!-- --> ")},
	{"reversed lists", 20 << 10, repeated("<ol reversed><li>a</ol>")},
	{"lines in nested quotes", 20 << 10, deep(24, "<blockquote>", "a<br>")},
	{"lines in nested lists", 20 << 10, deep(24, "<ul><li>", "a<br>")},
	{"lines of a heading", 20 << 10, within("<h1>", "a<br>")},
	{"lines of a link", 20 << 10, within("<a href=x>", "a<br>")},
	{"headings in headings", 20 << 10, nested("<h1><div>")},
	{"headings in a cell", 20 << 10, deep(90, "<table><tr><td>b<td><h1><div>", "<u>w</u> ")},
	{"headings in a link", 20 << 10, deep(150, "<a href=x><h1><div>", "<u><br></u>")},
	{"blocks in a link", 20 << 10, deep(300, "<a href=x><div>", "<img>")},
	{"rules in a link", 20 << 10, within("<a href=x>", "<hr>")},
	{"formulas of one wrapper", 20 << 10, within("<span class=katex>", "<math alttext=a></math>")},
	{"formulas in MathML", 20 << 10, repeated("<math><mfrac><msup><mi>x</mi><mn>2</mn></msup><mo>∑</mo></mfrac></math>")},
	{"one long formula", 20 << 10, within("<math>", "<mo>{</mo><mtable><mtr><mtd><mi>α</mi></mtd></mtr></mtable><mo>}</mo>")},
	{"scripts in each other", 20 << 10, deep(120, "<math><msup><mrow>", "<mi>x</mi>")},
	{"marks in each other", 20 << 10, deep(120, "<math><mover><munder><mrow>", "<mi>x</mi>")},
	{"broken formulas", 20 << 10, repeated("<math><msup>x</msup><mroot></mroot><mtable>a</mtable><mmultiscripts><mprescripts/></mmultiscripts></math>")},
	{"formulas in attributes", 20 << 10, repeated("<span class=MathJax data-mathml='<math><mi>x'></span>")},
	{"formulas that nothing ends", 20 << 10, repeated(`\(\[`)},
	{"formulas in formulas", 20 << 10, func(n int) string { return repeated(`\(`)(n) + repeated(`\)`)(n) }},
	{"dollars", 20 << 10, repeated("$a_{b}$ $5 ")},
	{"environments", 20 << 10, repeated(`\begin{align}`)},
	{"formulas drawn in each other", 20 << 10, deep(150, "<span class=MathJax><mjx-container>", "<u>w</u>")},
	{"formulas", 20 << 10, repeated("<span class=katex><math alttext=a></math><span class=katex-html>a</span></span>")},
	{"numbers of lines in each other", 20 << 10, deep(300, "<font data-line-number=1>", "<u>1</u> ")},
	{"code with numbers in each other", 20 << 10, within("<pre>"+strings.Repeat("<font data-line-number=1>", 300), "1<u>2</u>")},
	{"summaries in each other", 20 << 10, deep(90, "<details><summary>", "<u>w</u> ")},
	{"terms in each other", 20 << 10, deep(90, "<dl><dt>", "<u>w</u> ")},
	{"sup in each other", 20 << 10, deep(190, "<sup>", "<u>w</u> ")},
	{"kbd in each other", 20 << 10, deep(300, "<kbd>", "<u>w</u> ")},
	{"decoration in each other", 20 << 10, deep(300, "<div aria-hidden=true>", "<u>-</u>")},
	{"hollow elements", 20 << 10, repeated("!<font><u></u><wbr></font>")},
	{"elements without text", 20 << 10, repeated("*<u><br></u>_<u> </u>")},
	{"digits before dots", 20 << 10, func(n int) string { return repeated("1")(n/2) + repeated("<u>. .</u>")(n/2) }},
	{"emphasis", 20 << 10, repeated("<em>a</em>b")},
	{"links misnested", 20 << 10, repeated("<a href=x><b></a>")},
	{"distinct bold", 20 << 10, distinct("<p><b a%d=b>x</p>")},
	{"distinct attributes", 20 << 10, func(n int) string { return "<div " + distinct("a%d=b ")(n) + ">" }},
	{"end tags of nothing", 20 << 10, deep(400, "<div>", "</x>")},
	{"images behind scripts", 20 << 10, repeated("<noscript><img src=a></noscript><img>")},
	{"images to be loaded", 20 << 10, repeated("<img src=data:> <!-- --> ")},
	{"candidates of an image", 20 << 10, func(n int) string { return "<img srcset='" + repeated("a 1x,")(n) + "'>" }},
	{"addresses to resolve", 20 << 10, repeated("<a href='../../\u00e9'>x</a>")},
	{"hosts to resolve", 20 << 10, repeated("<a href='HTTP://\u00c4.com/\u00e9'>x</a>")},
	{"options", 20 << 10, within("<select>", "<option>a")},
	{"abbreviations", 20 << 10, distinct("<abbr title=a%d>b</abbr>")},
	{"ruby", 20 << 10, within("<ruby>", "<rt>a</rt>  <!-- -->")},
}
