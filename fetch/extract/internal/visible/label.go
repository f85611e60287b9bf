package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// labels reads values that have a label: elements of a label and a value that
// are repeated, lines such as "Price: 12", and lines under a label.
func (r *reader) labels() {
	for _, p := range r.pairs {
		r.pair(p)
	}
	for i := range r.lines {
		r.pass(i)
		r.labelled(i)
	}
	for i := range r.nodes {
		if n := &r.nodes[i]; !n.is(isText) && len(n.el.Attr) > 0 {
			if name, value := splitLabel(oneLine(attr(n.el, "aria-label"))); name != "" {
				v := r.textValue(value, graph.Label, n.el)
				v.Aside = n.is(isAside)
				r.add(n.part, name, v)
			}
		}
	}
}

func (r *reader) pair(i int) {
	label, value := r.pairOf(i)
	if label == "" {
		return
	}
	n := &r.nodes[i]
	part := n.part
	if n.is(isMember) {
		part = r.parts[part].around
	}
	v := r.textValue(oneLine(value), graph.Label, n.el)
	v.Aside = n.is(isAside)
	r.add(part, label, v)
}

// maxLabelled is how long a line with a label and a value is at most, in
// bytes.
const maxLabelled = 600

// labelled reads a line.
func (r *reader) labelled(at int) {
	l := &r.lines[at]
	first := &r.nodes[l.first]
	if first.is(inTable) || l.to-l.from > maxLabelled || r.isTakenAt(l.first) {
		return
	}
	if r.leading(at) || r.within(at) {
		return
	}
	for s := range segments(r.text[l.from:l.to]) {
		for s := range labelledParts(s) {
			if name, value := splitLabel(s); name != "" {
				r.addLabelled(l.first, name, value)
			}
		}
	}
	r.above(at)
}

func (r *reader) addLabelled(i int, name, value string) {
	r.addLabelledIn(r.nodes[i].part, i, name, value)
}

// addLabelledIn adds a value with a label to a part.
func (r *reader) addLabelledIn(part, i int, name, value string) {
	if own := easternPrices[name]; own != "" {
		name = own
	}
	v := r.textValue(oneLine(value), graph.Label, r.elementOf(i))
	v.Aside = r.nodes[i].is(isAside)
	name = nameFor(name, value)
	r.add(part, name, v)
	if admissions[strings.ToLower(name)] && isMoney(value) {
		r.add(part, "price", v)
	}
}

// nameFor returns the name of a value with a label, which may speak of another
// kind of value than the one that stands behind: "Reviews: 5 stars", "Price: 20%
// off".
func nameFor(label, value string) string {
	if len(value) > maxMoney {
		return label
	}
	switch label = strings.TrimSpace(label); {
	case reviewLabels[strings.ToLower(label)] && (hasStars(value) || isRating(strings.TrimRight(value, "!."))):
		return "rating"
	case is("amount label", strings.ToLower(label)) && strings.Contains(value, "%") && !isMoney(value):
		return "discount"
	}
	return label
}

// reviewLabels are labels of how many have rated, and admissions those of what
// it costs to come in.
var (
	reviewLabels = setOf("reviews review ratings bewertungen avis opiniones reseñas recensioni beoordelingen avaliações")
	admissions   = setOfPhrases("admission|admission fee|entry|entry fee|entrance|entrance fee|tickets|ticket|eintritt|eintrittspreis|entrée|entrada|entradas|ingresso|biglietto|toegang|entree|ingressos")
)

// easternPrices are labels of prices that are one word of several signs, with
// the name of what they are of.
var easternPrices = map[string]string{
	"価格": "price", "税込価格": "price", "販売価格": "price", "値段": "price", "価格(税込)": "price", "価格（税込）": "price", "通常価格": "old price", "定価": "old price", "希望小売価格": "old price",
	"价格": "price", "售价": "price", "现价": "price", "優惠價": "price", "優惠价": "price", "價格": "price", "售價": "price", "特價": "price", "原价": "old price", "原價": "old price", "市场价": "old price",
	"가격": "price", "판매가": "price", "할인가": "price", "정가": "old price",
}

// segments yields the parts of a line that signs separate.
func segments(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for part := range strings.SplitSeq(s, " | ") {
			for p := range strings.SplitSeq(part, " · ") {
				if !yield(strings.TrimSpace(p)) {
					return
				}
			}
		}
	}
}

// splitLabel cuts a text such as "Price: 12" in two. It returns "" for what is
// a sentence, a time or an address.
func splitLabel(s string) (name, value string) {
	if len(s) > maxLabelled {
		return "", ""
	}
	i := strings.IndexByte(s, ':')
	if wide := strings.Index(s, "："); wide >= 0 && (i < 0 || wide < i) {
		i = wide
	}
	if i <= 0 || i > maxName {
		return "", ""
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	label, rest := s[:i], s[i+size:]
	value = strings.TrimSpace(rest)
	if value == "" || strings.HasPrefix(rest, "//") || hasDigit(s[i-1:i]) && hasDigit(rest[:1]) || countWords(label) > 4 {
		return "", ""
	}
	if c, _ := utf8.DecodeRuneInString(label); !unicode.IsLetter(c) && !strings.ContainsRune("•·-*✓", c) {
		return "", ""
	}
	return nameOf(label), value
}

// labelledParts yields the parts of a text with a label, where a comma stands
// before the next label: "Weight: 3 kg, Colour: red".
func labelledParts(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		from := 0
		for at := 0; ; {
			comma := strings.Index(s[at:], ", ")
			if comma < 0 {
				break
			}
			comma += at
			at = comma + 2
			if strings.IndexByte(s[from:comma], ':') > 0 && opensLabel(s[at:]) {
				if !yield(s[from:comma]) {
					return
				}
				from = at
			}
		}
		yield(s[from:])
	}
}

// opensLabel reports whether a text begins with up to three words, the first of
// them in a capital letter, and a colon.
func opensLabel(s string) bool {
	colon := strings.Index(cut(s, 30), ": ")
	if colon <= 0 || !startsUpper(s) || countWords(s[:colon]) > 3 {
		return false
	}
	return !strings.ContainsFunc(s[:colon], func(c rune) bool { return !unicode.IsLetter(c) && c != ' ' && c != '-' })
}
