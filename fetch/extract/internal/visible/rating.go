package visible

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
)

// What ratings are made of, in words: of how many stars, what it is called, and
// who rated.
const (
	ratingScale = `\s*(?:(?:out\s+of|von|sur|de|di|su|van|af|av|/)\s*(?:5|10)(?:[.,]0)?\b(?:\s*(?:stars?|sternen?|étoiles?|estrellas?|stelle|sterren|estrelas|★|⭐))?|(?:stars?|sternen?|étoiles?|estrellas?|stelle|sterren|estrelas|★|⭐))`
	ratingWords = `(?:(?:average|customer|user|overall|our|product)\s+)*(?:rating|rated|score|bewertung|bewertet mit|kundenbewertung|note|noté|valoración|calificación|puntuación|valutazione|voto|beoordeling|avaliação)\b[\s:]*`
	raters      = `(?:(?:verified|customer|global|user|product)\s+)*(?:reviews?|ratings?|customers?|votes?|users?|people|buyers?|(?:kunden)?bewertungen|rezensionen|kunden|stimmen|avis|clients|notes|reseñas|opiniones|valoraciones|votos|clientes|recensioni|voti|beoordelingen|avaliações|отзыв(?:а|ов)?)`
)

// ratedText is a rating and how many gave it: "4.4 out of 5 stars (128
// reviews)", "Rating: 4.4 (128)", "Rated 4.4/5 by 128 customers".
var ratedText = lexicon.Pattern(`(?i)^(` + ratingWords + `)?(\d{1,2}(?:[.,]\d{1,2})?)(` + ratingScale + `)?[\s,;·|–-]*(\(?)\s*(?:(?:based on|by|from|basierend auf|bei|aus|par|basé sur|basado en|por|da|door|op basis van|com base em)\s+)?(\d{1,3}(?:[.,]\d{3})+|\d{1,7})\s*(` + raters + `)?\)?\.?$`)

// rated returns the rating of such a text and how many gave it, or "".
func rated(s string) (rating, count string) {
	if len(s) > maxPattern || len(s) < 4 || !opensRating(s) {
		return "", ""
	}
	m := ratedText().FindStringSubmatch(s)
	if m == nil || m[4] == "" && m[6] == "" {
		return "", ""
	}
	if m[1] == "" && m[3] == "" && (m[4] == "" || m[6] == "" || !strings.ContainsAny(m[2], ".,")) {
		return "", "" // "4.3 (57 reviews)" needs no more
	}
	if n, err := strconv.ParseFloat(strings.Replace(m[2], ",", ".", 1), 64); err != nil || n > 10 {
		return "", ""
	}
	return m[2] + m[3], m[5]
}

// opensRating reports whether a text opens with a small number or what may be a
// word before one: most do not, and patterns take their time.
func opensRating(s string) bool {
	if '0' <= s[0] && s[0] <= '9' {
		return len(s) < 2*maxMoney && (hasScale(s) || strings.IndexByte(s, '(') >= 0)
	}
	return ratingLetters[[3]byte{s[0] | 0x20, s[1] | 0x20, s[2] | 0x20}] && hasDigit(cut(s, 40))
}

// hasScale reports whether a text has what every scale has: its end, stars, or
// a word for them.
func hasScale(s string) bool {
	return strings.IndexByte(s, '5') >= 0 || strings.Contains(s, "10") || strings.Contains(s, "★") || strings.Contains(s, "⭐") || containsFold(s, "st") || containsFold(s, "toile")
}

// ratingLetters are the first three bytes of those words, in lower case.
var ratingLetters = func() map[[3]byte]bool {
	m := map[[3]byte]bool{}
	for word := range strings.FieldsSeq("average customer user overall our product rating score bewertung kundenbewertung note valoración calificación puntuación valutazione voto beoordeling avaliação") {
		m[[3]byte{word[0] | 0x20, word[1] | 0x20, word[2] | 0x20}] = true
	}
	return m
}()

// starsOf returns the rating that stars say, of which some are empty or behind
// which stands how many gave it: full stars alone are often a pattern of which a
// style shows a part.
func starsOf(s string) (rating, count string) {
	full, empty := 0, 0
	for s != "" {
		c, size := utf8.DecodeRuneInString(s)
		switch c {
		case '★', '⭐':
			full++
		case '☆', '✩':
			empty++
		case ' ', '\u00A0', '\uFE0F':
		default:
			size = 0
		}
		if size == 0 {
			break
		}
		s = s[size:]
	}
	if full+empty != 5 || full == 0 {
		return "", ""
	}
	if rating, count = besideStars(s, full); rating != "" {
		return rating, count
	}
	if m := ratersText().FindStringSubmatch(s); m != nil {
		count = m[1]
	} else if s != "" {
		return "", ""
	}
	if empty == 0 && count == "" {
		return "", ""
	}
	return strconv.Itoa(full), count
}

// starredText is what stands behind stars that are drawn for it: "4.3 (57)".
var starredText = lexicon.Pattern(`(?i)^([0-5](?:[.,]\d{1,2})?)(\s*/\s*5)?(?:(?:[\s,·|–-]+\(?|\()\s*(\d{1,3}(?:[.,]\d{3})+|\d{1,7})\s*(?:` + raters + `)?\s*\)?)?$`)

// besideStars returns the rating that stands behind stars, of which so many are
// full, and how many gave it; "" for a number that may be how many.
func besideStars(s string, full int) (rating, count string) {
	m := starredText().FindStringSubmatch(s)
	if m == nil || m[2] == "" && m[3] == "" && !strings.ContainsAny(m[1], ".,") {
		return "", ""
	}
	n, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
	if err != nil || n < float64(full)-1 || n > float64(full)+1 {
		return "", ""
	}
	return m[1], m[3]
}

var ratersText = lexicon.Pattern(`(?i)^\(?\s*(\d{1,3}(?:[.,]\d{3})+|\d{1,7})\s*(?:` + raters + `)?\)?$`)

// ratings adds what a text says of how something was rated, and reports whether
// it says so together with how many did.
func (r *reader) ratings(s string, i int) bool {
	rating, count := rated(s)
	if rating == "" {
		rating, count = starsOf(s)
	}
	if rating == "" {
		return false
	}
	r.addRating(i, "rating", rating, s)
	r.addRating(i, "review count", count, s)
	return true
}

func (r *reader) addRating(i int, name, text, shown string) {
	part := r.nodes[i].part
	if len(r.parts[part].entity.Get(name)) >= maxOfAKind {
		return
	}
	v := r.textValue(text, graph.Class, r.elementOf(i))
	v.Shown, v.Aside = shown, r.nodes[i].is(isAside)
	r.add(part, name, v)
}
