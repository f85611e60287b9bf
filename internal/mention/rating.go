package mention

import (
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// What ratings are made of, in words: of how many stars, what it is called, and
// who rated.
const (
	ratingScale = `\s*(?:(?:out\s+of|von|sur|de|di|su|van|af|av|из|/)\s*(?:5|10)(?:[.,]0)?\b(?:\s*(?:stars?|sternen?|étoiles?|estrellas?|stelle|sterren|estrelas|★|⭐))?|(?:(?:stars?|sternen?|étoiles?|estrellas?|stelle|sterren|estrelas)\b|★|⭐))`
	ratingWords = `(?:(?:average|customer|user|overall|our|product)\s+)*(?:rating|rated|score|bewertung|bewertet mit|kundenbewertung|note|noté|valoración|calificación|puntuación|valutazione|voto|beoordeling|avaliação)\b[\s:]*`
	raters      = `(?:(?:verified|customer|global|user|product)\s+)*(?:` + opinions + `|customers?|votes?|users?|people|buyers?|kunden|stimmen|clients|notes|votos|clientes|voti)`
	opinions    = `reviews?|ratings?|(?:kunden)?bewertungen|rezensionen|avis|reseñas|opiniones|valoraciones|recensioni|beoordelingen|avaliações|отзыв(?:а|ов)?`
)

var (
	ratingLabel = lexicon.Pattern(`(?i)^` + ratingWords + `$`)
	ratingValue = lexicon.Pattern(`(?i)^(\d{1,2}(?:[.,]\d{1,2})?)(` + ratingScale + `)?(.*)$`)
	ratedBy     = lexicon.Pattern(`(?i)^[\s,;·|–-]*(\(?)\s*(?:(?:based on|by|from|basierend auf|bei|aus|par|basé sur|basado en|por|da|door|op basis van|com base em)\s+)?(\d{1,3}(?:[.,]\d{3})+|\d{1,7})\s*(` + raters + `)?\s*\)?\.?$`)
	onlyCount   = lexicon.Pattern(`(?i)^\(?(\d[\d.,]*)\s*(?:(?:customer|global|user) )?(?:` + opinions + `)\)?$`)
	// ofStars is a number of stars, and no number of those who gave them.
	ofStars = lexicon.Pattern(`(?i)^\D*\d+(?:[.,]\d+)?\s*(?:stars?\b|sterne\b|étoiles\b|estrellas\b|stelle\b|sterren\b|★|/\s*(?:5|10)\b|out of\b|von 5\b|sur 5\b)`)
	// starRow is stars, and what stands behind them: "★★★★☆ (57)".
	starRow = lexicon.Pattern(`^((?:[★⭐] ?\x{FE0F}?)+)½?((?:[☆✩] ?)*)\s*(.*)$`)
)

// maxRating is how long a text with a rating is, in bytes, and beforeRating and
// behindRating how much of it stands before and behind one.
const (
	maxRating    = 120
	beforeRating = 24
	behindRating = 40
)

// Rating returns the rating that a text says and how many gave it, each "" where
// it does not say so: "4.4 out of 5 stars (128 reviews)", "Rated 4.4/5 by 128
// customers", "4.5 stars", "(128 reviews)", "★★★★☆ (57)".
func Rating(s string) (rating, count string) {
	at := strings.IndexAny(s, "0123456789★⭐")
	if at < 0 || at > beforeRating || len(s) > maxRating {
		return "", ""
	}
	if s[at] > '9' {
		return starsOf(s)
	}
	if m := onlyCount().FindStringSubmatch(s); m != nil {
		return "", m[1]
	}
	m := ratingValue().FindStringSubmatch(s[at:])
	if m == nil {
		return "", ""
	}
	if n, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64); err != nil || n > 10 || strings.HasPrefix(m[3], "/") {
		return "", "" // "5/10/2021" is a date
	}
	isLabelled := ratingLabel().MatchString(s[:at])
	by := ratedBy().FindStringSubmatch(m[3])
	switch {
	case by != nil && (by[1] != "" || by[3] != "") && (at == 0 || isLabelled) &&
		(isLabelled || m[2] != "" || by[1] != "" && by[3] != "" && strings.ContainsAny(m[1], ".,")): // "4.3 (57 reviews)" needs no more
		return m[1] + m[2], by[2]
	case m[2] != "" && len(m[3]) <= behindRating:
		return s, "" // which may say several: whoever wants a number sees that
	}
	return "", ""
}

// starsOf returns the rating that stars say, of which some are empty or behind
// which stands how many gave it: full stars alone are often a pattern of which a
// style shows a part.
func starsOf(s string) (rating, count string) {
	m := starRow().FindStringSubmatch(s)
	if m == nil {
		return "", ""
	}
	full, empty := strings.Count(m[1], "★")+strings.Count(m[1], "⭐"), strings.Count(m[2], "☆")+strings.Count(m[2], "✩")
	if rating, count = Rating(m[3]); rating != "" {
		return rating, count
	}
	by := ratedBy().FindStringSubmatch(m[3])
	switch {
	case strings.Contains(s, "½") && m[3] == "" && (full+empty == 4 || empty == 0 && full < 5):
		return strconv.Itoa(full) + ".5", ""
	case full+empty != 5:
		return "", ""
	case by != nil:
		return strconv.Itoa(full), by[2]
	case m[3] == "" && empty > 0:
		return strconv.Itoa(full), ""
	}
	return "", ""
}

// IsStars reports whether a text begins with a number of stars.
func IsStars(s string) bool { return ofStars().MatchString(s) }
