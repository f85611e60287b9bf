package markdown

import "strings"

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
}
