package markdown

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// writer makes pages that are built like long articles and lists: nested
// lists, tables, references, cards, code, and a frame of navigation around.
type writer struct {
	strings.Builder
	r    *rand.Rand
	note int
}

var vocabulary = strings.Fields(`the a of and to in is it as was for on are with by at from that river stone market year person
system question world number house water level case group large small early later north south (see below) e.g. c. 1984 42
market-place re-read snake_case well-known * 3.5 [sic] "quoted" it's 50% R&D x<y night season village station council`)

// makePage returns a page of at least size bytes, the same for the same size.
func makePage(size int) string {
	w := &writer{r: rand.New(rand.NewPCG(uint64(size), 1))}
	w.WriteString(`<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>A long list</title>
<style>.a{color:red}</style><script>var settings = {"a": "<b>"};</script><base href="/wiki/"></head><body class="skin">
<nav><ul>` + strings.Repeat(`<li><a href="/nav">Item</a></li>`, 20) + `</ul></nav><main id=content><h1>A long list</h1>`)
	for w.Len() < size {
		w.section()
	}
	w.WriteString(`</main><footer><div><span>© 2026</span> <a href="/about">About</a></div></footer></body></html>`)
	return w.String()
}

func (w *writer) words(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(vocabulary[w.r.IntN(len(vocabulary))]))
	}
	return b.String()
}

func (w *writer) link() string {
	text := w.words(2)
	return fmt.Sprintf(`<a href="/wiki/Page_%d" title="Page %[1]d">%s</a>`, w.r.IntN(1_000_000), text)
}

func (w *writer) reference() string {
	w.note++
	return fmt.Sprintf(`<sup id="cite_ref-%d" class="reference"><a href="#cite_note-%[1]d"><span class="bracket">[</span>%[1]d<span class="bracket">]</span></a></sup>`, w.note)
}

func (w *writer) section() {
	fmt.Fprintf(w, `<div class="heading"><h2 id="s%d">%s</h2><span class="edit"><span>[</span><a href="/edit?s=%[1]d&amp;x=1">edit</a><span>]</span></span></div>`+"\n", w.note, w.words(3))
	for range 2 {
		fmt.Fprintf(w, "<p>%s %s%s <i>%s</i> and <b>%s</b> %s %s.</p>\n", w.words(30), w.link(), w.reference(), w.words(2), w.words(1), w.link(), w.words(40))
	}
	w.list(10)
	w.table(12)
	switch w.r.IntN(4) {
	case 0:
		fmt.Fprintf(w, "<pre><code class=\"language-go\"><span class=k>func</span> f%d() {\n\t<span class=k>return</span> %[1]d\n}\n</code></pre>\n", w.note)
	case 1:
		fmt.Fprintf(w, `<div class="card"><a href="/card/%d"><div><img src="/i/%[1]d.jpg" alt="%s"></div><div><h3>%s</h3><p>%s</p></div></a></div>`, w.note, w.words(2), w.words(3), w.words(12))
	case 2:
		fmt.Fprintf(w, "<dl><dt>%s</dt><dd>%s</dd><dt>%s</dt><dd>%s</dd></dl>", w.words(1), w.words(8), w.words(2), w.words(9))
	default:
		fmt.Fprintf(w, "<blockquote><p>%s</p></blockquote><!-- a comment --><div style=\"display:none\">%s</div>", w.words(20), w.words(5))
	}
}

func (w *writer) list(n int) {
	w.WriteString("<ul>\n")
	for range n {
		fmt.Fprintf(w, "<li>%s %s %s%s</li>\n", w.link(), w.words(8), w.link(), w.reference())
	}
	fmt.Fprintf(w, "<li>%s\n<ol><li>%s</li>\n<li>%s<ul><li>%s</li><li>%s</li></ul></li></ol></li>\n</ul>\n", w.words(3), w.link(), w.words(2), w.link(), w.words(4))
}

func (w *writer) table(rows int) {
	fmt.Fprintf(w, `<table class="sortable"><caption>%s</caption><tbody><tr><th>Name</th><th>Year</th><th colspan="2">Notes</th></tr>`+"\n", w.words(3))
	for i := range rows {
		span := ""
		if i%4 == 0 {
			span = ` rowspan="2"`
		}
		fmt.Fprintf(w, "<tr>\n<td>%s</td>\n<td%s>%d</td>\n", w.link(), span, 1900+w.r.IntN(120))
		fmt.Fprintf(w, "<td>%s%s</td><td><span>%d</span></td></tr>\n", w.words(6), w.reference(), w.r.IntN(1000))
	}
	w.WriteString("</tbody></table>\n")
}
