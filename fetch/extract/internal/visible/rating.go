package visible

import (
	"strconv"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
)

// What ratings are made of, in words: of how many stars, what it is called, and
// who rated.
const (
	ratingScale = `\s*(?:(?:out\s+of|von|sur|de|di|su|van|af|av|/)\s*(?:5|10)(?:[.,]0)?\b(?:\s*(?:stars?|sternen?|étoiles?|estrellas?|stelle|sterren|estrelas|★|⭐))?|(?:stars?|sternen?|étoiles?|estrellas?|stelle|sterren|estrelas|★|⭐))`
	ratingWords = `(?:(?:average|customer|user|overall|our|product)\s+)*(?:rating|rated|score|bewertung|bewertet mit|kundenbewertung|note|noté|valoración|calificación|puntuación|valutazione|voto|beoordeling|avaliação)\b[\s:]*`
	raters      = `(?:(?:verified|customer|global|user|product)\s+)*(?:reviews?|ratings?|customers?|votes?|users?|people|buyers?|(?:kunden)?bewertungen|rezensionen|kunden|stimmen|avis|clients|notes|reseñas|opiniones|valoraciones|votos|clientes|recensioni|voti|beoordelingen|avaliações|отзыв(?:а|ов)?)`
	ratedBy     = `(\d{1,3}(?:[.,]\d{3})+|\d{1,7})\s*(` + raters + `)?\s*\)?\.?$`
)

var (
	// ratedText is a rating and how many gave it: "4.4 out of 5 stars (128
	// reviews)", "Rating: 4.4 (128)", "Rated 4.4/5 by 128 customers".
	ratedText = lexicon.Pattern(`(?i)^(` + ratingWords + `)?(\d{1,2}(?:[.,]\d{1,2})?)(` + ratingScale + `)?[\s,;·|–-]*(\(?)\s*(?:(?:based on|by|from|basierend auf|bei|aus|par|basé sur|basado en|por|da|door|op basis van|com base em)\s+)?` + ratedBy)
	// starsText is stars, and what stands behind them: "★★★★☆ (57)".
	starsText  = lexicon.Pattern(`^((?:[★⭐] ?\x{FE0F}?)+)((?:[☆✩] ?)*)\s*(.*)$`)
	ratersText = lexicon.Pattern(`(?i)^\(?\s*` + ratedBy)
)

// rated returns the rating of such a text and how many gave it, or "".
func rated(s string) (rating, count string) {
	if len(s) > maxPattern || len(s) < 4 || !hasDigit(s[:1]) && !is("first of rating", firstWord(s)) || !hasDigit(strings.TrimLeft(s, "0123456789")) {
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

// starsOf returns the rating that stars say, of which some are empty or behind
// which stands how many gave it: full stars alone are often a pattern of which a
// style shows a part.
func starsOf(s string) (rating, count string) {
	m := starsText().FindStringSubmatch(s)
	if m == nil {
		return "", ""
	}
	full, empty := strings.Count(m[1], "★")+strings.Count(m[1], "⭐"), strings.Count(m[2], "☆")+strings.Count(m[2], "✩")
	if rating, count = rated(m[3]); rating != "" {
		return rating, count
	}
	by := ratersText().FindStringSubmatch(m[3])
	switch {
	case full+empty != 5:
		return "", ""
	case by != nil:
		return strconv.Itoa(full), by[1]
	case m[3] == "" && empty > 0:
		return strconv.Itoa(full), ""
	}
	return "", ""
}

// ratings adds what a text says of how something was rated, and reports whether
// it says so together with how many did.
func (r *reader) ratings(s string, i int) bool {
	rating, count := rated(s)
	if rating == "" && hasStars(s) {
		rating, count = starsOf(s)
	}
	part := r.nodes[i].part
	if rating != "" && len(r.parts[part].entity.Get("rating")) < maxOfAKind {
		v := r.said(i, rating, graph.Class)
		v.Shown = s
		r.add(part, "rating", v)
		v.Text = count
		r.add(part, "review count", v)
	}
	return rating != ""
}
