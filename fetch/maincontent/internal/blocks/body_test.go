package blocks

import (
	"slices"
	"strings"
	"testing"
)

const sentence = "This is a sentence of the body of a page, and it has its words and its stop. "

// secondOf returns a feature of the second kind of the block that says a text,
// where the first guess holds the sentences for content.
func secondOf(t *testing.T, page, text string, names ...string) (values []float32) {
	t.Helper()
	p := read(t, page)
	m := p.Features()
	guess := make([]float32, len(p.Blocks))
	texts := textsOf(p)
	for i := range guess {
		if p.Blocks[i].isProse() {
			guess[i] = 0.9
		}
	}
	p.Second(m, guess, make([]float32, PageTypes))
	all := append(p.Names(), p.SecondNames()...)
	for _, name := range names {
		values = append(values, m.Whole(slices.Index(texts, text))[slices.Index(all, name)])
	}
	return values
}

func TestWhatStandsBehindTheBodyIsToldFromIt(t *testing.T) {
	page := "<div><div id=body>" + strings.Repeat("<p>"+sentence, 6) + "<p>within</div>" +
		"<section><div><p>a card</div><div><p><a href=x>the last</a></div></section></div>"
	for text, want := range map[string][]float32{"within": {0, 1, -1}, "the last": {2, 3, 0.5}} {
		got := secondOf(t, page, text, "from body", "apart from body", "branch links")
		if text == "within" {
			got[2] = -1 // it is the branch itself, without links
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	if got := secondOf(t, page, "the last", "since sure", "until sure", "guess share before"); got[0] != 3 || got[1] != 1 || got[2] < 0.99 {
		t.Errorf("since the body, until the end, share before: %v", got)
	}
}

func TestAuthorsAreReadFromMetaAndData(t *testing.T) {
	for _, head := range []string{
		`<meta name=author content="Ada Lovelace">`,
		`<script type="application/ld+json">{"author": {"@type": "Person", "name": "Ada Lovelace"}, }</script>`,
	} {
		p := read(t, head+"<p>Ada Lovelace writes about engines.<p>Charles Babbage does not.")
		m, at := p.Features(), slices.Index(p.Names(), "names author")
		if m.First(0)[at] != 1 || m.First(1)[at] != 0 {
			t.Errorf("%s: %v and %v", head, m.First(0)[at], m.First(1)[at])
		}
	}
}
