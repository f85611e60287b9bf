package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// sections reads what stands under each heading: a field that the heading
// names, and the list of all sections.
func (r *reader) sections() {
	heads := r.headings()
	for k, h := range heads {
		part := r.nodes[h].part
		if (part == 0 || r.parts[part].title != h) && !r.isOverChoices(h) {
			end := r.sectionEnd(heads, k)
			if next := r.nextHeading(heads, k); r.nodes[h].level == 1 && next < end && r.nodes[next].level > 0 {
				end = next // what stands under other headings is not what this one names
			}
			r.section(h, end)
		}
		if part == 0 && !r.nodes[h].is(isAside) {
			r.listed(h, r.nextHeading(heads, k))
		}
	}
}

// headings returns the headings outside of tables.
func (r *reader) headings() []int {
	var heads []int
	for i := range r.nodes {
		r.pass(i)
		if r.headingLevel(i) > 0 {
			heads = append(heads, i)
		}
	}
	return heads
}

// sectionEnd returns the node at which the section of a heading ends: the next
// heading of its part that is not below it, or the end of the part.
func (r *reader) sectionEnd(heads []int, k int) int {
	h := heads[k]
	end := r.nodes[r.parts[r.nodes[h].part].node].end
	level := r.headingLevel(h)
	for _, next := range heads[k+1:] {
		r.Meter.Step(1)
		if next >= end {
			break
		}
		if r.nodes[next].flags&isAside != r.nodes[h].flags&isAside || r.nodes[next].part == r.nodes[h].part && r.headingLevel(next) <= level {
			return next
		}
	}
	return end
}

func (r *reader) nextHeading(heads []int, k int) int {
	h := heads[k]
	if k+1 < len(heads) {
		return heads[k+1]
	}
	return r.nodes[r.parts[r.nodes[h].part].node].end
}

// maxTexts is how many texts a section has at most.
const maxTexts = 500

// section adds the texts between a heading and a node, each paragraph and each
// item of a list as a value. Where most are items of lists, or a list comes first,
// the others are left out: they say something of the list, or of what is no part of
// it any more.
func (r *reader) section(h, end int) {
	name := nameOf(r.textOf(h))
	if name == "" {
		return
	}
	texts, items := r.textsOf(h, end)
	if items == 0 && len(texts) > 1 && descriptionHeads[strings.ToLower(name)] {
		r.add(r.nodes[h].part, name, r.joined(texts))
		return
	}
	onlyItems := items > 1 && (2*items >= len(texts) || texts[0].item) && r.nodes[h].level != 1
	short := factHeads[strings.ToLower(name)]
	if short && amountLabels[strings.ToLower(name)] && (items > 1 || r.nodes[h].is(isAside)) {
		return // a filter
	}
	for _, t := range texts {
		if short && isProse(t.value.Text) {
			continue
		}
		if t.item || !onlyItems {
			r.add(r.nodes[h].part, name, t.value)
		}
	}
}

// factHeads are headings that are labels, too: what stands under one as its value
// is short, and no sentence.
var factHeads = setOfPhrases("reference|references|référence|références|referencia|referencias|riferimento|riferimenti|referenz|referenzen|sku|model|modell|modèle|modelo|modello|brand|marke|marque|marca|merk|manufacturer|hersteller|fabricant|fabricante|produttore|fabrikant" +
	"|rating|ratings|bewertung|note|valoración|valutazione|beoordeling|avaliação|price|preis|prix|precio|prezzo|prijs|preço|author|authors|autor|autorin|auteur|auteurs|autore|auteur|isbn|ean|gtin|mpn|color|colour|farbe|couleur|size|größe|taille|weight|gewicht|poids" +
	"|year|jahr|année|año|anno|jaar|ano|date|datum|fecha|data|version|currency|availability|publisher|verlag|éditeur|editorial|editore|uitgever|email|phone|telephone|telefon|téléphone|teléfono|telefono|telefoon")

// isProse reports whether a text is a sentence or more.
func isProse(s string) bool {
	return len(s) > 2*maxName || countWords(s) > 2 && strings.HasSuffix(s, ".") || endsSentence(s)
}

// sectionText is a paragraph, or an item of a list.
type sectionText struct {
	value graph.Value
	item  bool
}

// textsOf returns the texts between a heading and a node, and how many are
// items of lists.
func (r *reader) textsOf(h, end int) (texts []sectionText, items int) {
	part := r.nodes[h].part
	for at := r.nodes[h].lineEnd; at < len(r.lines) && len(texts) < maxTexts; {
		r.Meter.Step(1)
		first := r.lines[at].first
		if first >= end {
			return texts, items
		}
		n := &r.nodes[first]
		switch {
		case n.part != part:
			at = max(at+1, r.afterItem(n.part, part))
			continue
		case n.is(inTable) || n.flags&isAside != r.nodes[h].flags&isAside:
			at++
			continue
		}
		to, item := r.unitEnd(at)
		v := r.textValue(r.lineOf(r.lines[at].from, r.lines[to-1].to), graph.Section, r.elementOf(first))
		v.Aside = n.is(isAside)
		texts = append(texts, sectionText{v, item})
		if at = to; item {
			items++
		}
	}
	return texts, items
}

// afterItem returns the line after the item within part around that part in is
// or lies in.
func (r *reader) afterItem(in, around int) int {
	for in != 0 && r.parts[in].around != around {
		r.Meter.Step(1)
		if r.parts[in].around == in {
			break
		}
		in = r.parts[in].around
	}
	if in == 0 {
		return 0
	}
	return r.nodes[r.parts[in].node].lineEnd
}

// unitEnd returns the line after those that belong together with a line: the
// lines of one item of a list.
func (r *reader) unitEnd(at int) (end int, item bool) {
	i := r.nodes[r.lines[at].first].up
	for n := 0; i >= 0 && n < 5; i, n = r.nodes[i].up, n+1 {
		if r.nodes[i].named(atom.Li, atom.Dd) {
			break
		}
		if r.nodes[i].named(atom.Ul, atom.Ol, atom.Div, atom.Section) && n > 2 {
			return at + 1, false
		}
	}
	if i < 0 || !r.nodes[i].named(atom.Li, atom.Dd) || r.nodes[i].lineEnd-at > 12 || r.nodes[i].is(hasHeading|hasTable) {
		return at + 1, i >= 0 && r.nodes[i].named(atom.Li)
	}
	return max(at+1, r.nodes[i].lineEnd), r.nodes[i].named(atom.Li)
}

// listed adds a section to the list of all, and to the questions if it is one.
func (r *reader) listed(h, end int) {
	if r.entities >= r.o.MaxEntities {
		return
	}
	from, to := r.nodes[h].to, len(r.text)
	if end < len(r.nodes) {
		to = r.nodes[end].from
	}
	if from >= to {
		return
	}
	text := strings.TrimSpace(cut(r.text[from:to], r.o.MaxValueBytes))
	if text == "" {
		return
	}
	e := &graph.Entity{Source: graph.Section, Element: r.elementOf(h)}
	v := graph.Value{Kind: graph.Thing, Entity: e, Element: e.Element, Shown: r.textOf(h)}
	r.add(0, "sections", v)
	in := r.newPart(e, h, 0)
	for _, v := range r.under[h] {
		r.add(in, "items", v)
	}
	if at := r.nodes[h].lineEnd; len(r.under[h]) == 0 && at < len(r.lines) && r.lines[at].first < end {
		r.addItems(in, "items", r.listAt(at), 0)
	}
	answer := r.textValue(text, 0, e.Element)
	if r.nodes[h].level == 1 { // the question of a forum is not one of many
		r.add(in, "title", r.value(h, 0))
		r.add(in, "text", answer)
		return
	}
	r.askAndAnswer(in, r.value(h, 0), answer)
	if r.has(in, "question") {
		r.add(0, "questions", v)
	}
}
