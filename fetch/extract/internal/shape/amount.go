package shape

import (
	"strconv"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

var (
	// noAmount is what has a number in it and is no price: a bound of a filter,
	// a share, a price that is to be asked for.
	noAmount = lexicon.Pattern(`(?i)^\W*(?:under|over|below|above|less than|more than|up to|unter|über|bis zu|moins de|plus de|menos de|más de|meno di|più di|fino a|tot)\s|\d\s*%|\bon request\b|\bauf anfrage\b|\bsur demande\b|\bbajo demanda\b|\bsu richiesta\b|\bop aanvraag\b|\bsob consulta\b`)
	// inCents is a price of less than one.
	inCents = lexicon.Pattern(`(?i)^\s*(\d{1,2})\s*(?:cents?|cts?\.?|¢|pence|p|centimes|céntimos|centesimi)\s*$`)
	// perhapsMoney is a number with the sign or the code of a currency.
	perhapsMoney = lexicon.Pattern(`[$€£¥]\s?\d|\d\s?(?:[$€£¥]|[A-Z]{3}\b)`)
	// ofStars is a number of stars, and no number of those who gave them.
	ofStars = lexicon.Pattern(`(?i)^\D*\d+(?:[.,]\d+)?\s*(?:stars?\b|sterne\b|étoiles\b|estrellas\b|stelle\b|sterren\b|★|/\s*(?:5|10)\b|out of\b|von 5\b|sur 5\b)`)
	// scaleAsked is the best that a description says can be reached.
	scaleAsked = lexicon.Pattern(`(?i)\b(?:scale of|scale from 0 to|scale from 1 to|out of|from 1 to|from 0 to|1 to|0 to|1-|0-)\s?(\d{1,3})\b`)
)

// oddAmount reads what looks like a plain amount and is none: none is true for
// what is no value at all, n is the number where it is another than it seems.
func oddAmount(p *prop, text string) (n string, none bool) {
	if len(text) > maxSaid {
		return "", false
	}
	switch {
	case p.is(prices...):
		if m := inCents().FindStringSubmatch(text); m != nil && !p.measure.Minor {
			cents, err := strconv.Atoi(m[1])
			return strconv.FormatFloat(float64(cents)/100, 'f', -1, 64), err != nil
		}
		if m := noAmount().FindString(text); m != "" {
			return "", !strings.HasSuffix(m, "%") || !perhapsMoney().MatchString(text)
		}
	case p.is("reviewCount", "ratingCount", "review"):
		return "", ofStars().MatchString(text)
	}
	return "", false
}

// isOtherScale reports whether a rating is on another scale than the one that a
// description asks for.
func (sh *shaper) isOtherScale(p *prop, f found) bool {
	if !p.is("ratingValue", "aggregateRating", "reviewRating") || f.entity == nil {
		return false
	}
	m := scaleAsked().FindStringSubmatch(p.about)
	best := f.entity.Get("bestRating")
	if m == nil || len(best) == 0 {
		return false
	}
	n, ok := mention.Number(best[0].Text, "")
	return ok && n != m[1]
}

// mayBeISBN reports whether a text is no number of other goods: those of books
// have 10 digits, or 13 that begin with 978 or 979.
func mayBeISBN(text string) bool {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text)
	return len(digits) != 13 && len(digits) != 12 && len(digits) != 8 || strings.HasPrefix(digits, "978") || strings.HasPrefix(digits, "979")
}

// saysStock reports whether a text is one of the words of schema.org for whether
// something can be had.
func saysStock(text string) bool {
	return stockWords[strings.ToLower(mention.CutVocabulary(strings.TrimSpace(text)))]
}

var stockWords = wordSet("instock outofstock preorder backorder soldout discontinued limitedavailability onlineonly instoreonly presale madetoorder reserved")

// isRatingText reports whether a text is a rating and no words of a reviewer.
func isRatingText(v graph.Value) bool {
	return v.Kind == graph.Text && len(v.Text) < maxSaid && ofStars().MatchString(v.Text)
}
