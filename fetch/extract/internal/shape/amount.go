package shape

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/names"
)

// prices are the concepts whose values are amounts that a thing costs.
var prices = []string{"price", "lowPrice", "highPrice", "originalPrice"}

var (
	// noAmount is what has a number in it and is no price: a bound of a filter,
	// a share, a price that is to be asked for.
	noAmount = lexicon.Pattern(`(?i)^\W*(?:under|over|below|above|less than|more than|up to|unter|über|bis zu|moins de|plus de|menos de|más de|meno di|più di|fino a|tot)\s|\bon request\b|\bauf anfrage\b|\bsur demande\b|\bbajo demanda\b|\bsu richiesta\b|\bop aanvraag\b|\bsob consulta\b`)
	// noPrice is a share, or a price of less than one.
	noPrice = lexicon.Pattern(`(?i)\d\s*%|^\s*\d{1,2}\s*(?:cents?|cts?\.?|¢|pence|p|centimes|céntimos|centesimi)\s*$`)
	// perhapsMoney is a number with the sign or the code of a currency.
	perhapsMoney = lexicon.Pattern(`[$€£¥]\s?\d|\d\s?(?:[$€£¥]|[A-Z]{3}\b)`)
	// ofStars is a number of stars, and no number of those who gave them.
	ofStars = lexicon.Pattern(`(?i)^\D*\d+(?:[.,]\d+)?\s*(?:stars?\b|sterne\b|étoiles\b|estrellas\b|stelle\b|sterren\b|★|/\s*(?:5|10)\b|out of\b|von 5\b|sur 5\b)`)
	number  = lexicon.Pattern(`\d+(?:[.,]\d+)*`)
)

// isNoAmount reports whether a text looks like a plain amount and is none.
func isNoAmount(p *prop, text string) bool {
	switch {
	case len(text) > maxSaid:
	case p.is(prices...):
		return noAmount().MatchString(text) || noPrice().MatchString(text) && !perhapsMoney().MatchString(text) && !p.measure.Minor
	case p.is("reviewCount", "ratingCount", "review"):
		return ofStars().MatchString(text)
	}
	return false
}

// isRatingText reports whether a text is a rating and no words of a reviewer.
func isRatingText(v graph.Value) bool {
	return v.Kind == graph.Text && len(v.Text) < maxSaid && ofStars().MatchString(v.Text)
}

// isTyped reports whether a value is that of a field of a form that its reader
// may type over: an amount in one is the bound of a search, or a bid, and no
// price.
func isTyped(n *html.Node) bool {
	if n == nil || n.DataAtom != atom.Input {
		return false
	}
	_, fixed := tree.Attr(n, "readonly")
	return !fixed && slices.Contains([]string{"", "text", "number", "range", "search", "tel"}, strings.ToLower(tree.AttrOr(n, "type")))
}

// isPer reports whether a price is for as much, or for as long, as is asked for:
// by its name on the page, by its own words, or by what else stands in its line.
// One of which nothing is said is the price of the whole.
func (sh *shaper) isPer(p *prop, f found) bool {
	texts := []string{f.name, cutText(f.value.Text), cutText(f.value.Shown)}
	for _, e := range []*graph.Entity{f.value.Entity, f.entity} {
		if e != nil && e.Source < graph.Table {
			texts = append(texts, "price per "+strings.Join(textsOf(e, "unitText", "unitCode"), ", price per "))
		}
	}
	if f.entity.Source >= graph.Table {
		texts = append(texts, sh.behind(f.value))
	}
	for _, text := range texts {
		if per := names.Per(text); per != "" {
			return per == p.per
		}
	}
	return p.perhaps || sh.name(f.name).Key == p.key.Key
}

// behind returns a price with what stands behind it in its block, "" if that has
// more numbers.
func (sh *shaper) behind(v graph.Value) string {
	n := v.Element
	for n != nil && !page.IsBlock(n) {
		n = n.Parent
	}
	if n == nil || v.Text == "" {
		return ""
	}
	var b strings.Builder
	sh.m.Step(maxNear)
	for _, d := range near(n) {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	text := page.Collapse(b.String())
	at := strings.Index(text, v.Text)
	if at < 0 || len(number().FindAllString(text[at:], 2)) != 1 {
		return ""
	}
	return cutText(text[at:])
}

// salary writes a salary of which the least and the most are given, or for how
// long it is, in one line: "70000 - 90000 EUR per year". A thing would otherwise
// be no more than its first number.
func (sh *shaper) salary(p *prop, v *view, f found) *node {
	e := f.value.Entity
	if !p.is("baseSalary") || !v.typed || !v.may(typeString) || v.may(typeNumber) || !sh.isA(e, "MonetaryAmount", "MonetaryAmountDistribution") {
		return nil
	}
	amount := e
	if vs := e.Get("value"); len(vs) > 0 && vs[0].Entity != nil {
		amount = vs[0].Entity
	}
	line := textsOf(amount, "minValue", "maxValue")
	if len(line) == 0 {
		line = textsOf(amount, "value")
	}
	if len(line) == 0 {
		return nil
	}
	line = append([]string{strings.Join(line, " - ")}, textsOf(e, "currency")...)
	for _, unit := range textsOf(amount, "unitText") {
		line = append(line, "per "+strings.ToLower(unit))
	}
	f.value.Kind, f.value.Text = graph.Text, strings.Join(line, " ")
	return sh.scalar(p, v, f, maxInside)
}
