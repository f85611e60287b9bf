package names

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/drover-go/drover/fetch/extract/internal/value"
)

// maxName is the length in bytes above which a text is nobody's name.
const maxName = 120

// Words splits a name into words in lower case without accents: at the humps
// of camelCase, at underscores, hyphens, dots, colons and white space.
func Words(name string) []string {
	if len(name) > maxName {
		return nil
	}
	var words []string
	for _, part := range strings.FieldsFunc(name, isBreak) {
		for _, w := range splitHumps(part) {
			if w = value.Key(w); w != "" {
				words = append(words, w)
			}
		}
	}
	return words
}

func isBreak(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’'
}

// splitHumps splits "priceCurrency" and "HTMLText"; "SKU" and "IDs" are one.
func splitHumps(s string) []string {
	runes := []rune(s)
	var parts []string
	start := 0
	for i := 1; i < len(runes); i++ {
		hump := unicode.IsUpper(runes[i]) && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]))
		end := unicode.IsUpper(runes[i]) && unicode.IsUpper(runes[i-1]) && i+2 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsLower(runes[i+2])
		if hump || end {
			parts = append(parts, string(runes[start:i]))
			start = i
		}
	}
	return append(parts, string(runes[start:]))
}

// stem takes the plural off a word, roughly, the same way for both sides.
func stem(w string) string {
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

// fillers are words that say nothing in a name.
var fillers = setOf(`the a an of de la le les el los las der die das des den du di il lo da do del della et and und y e in for fur pour para per
	value l d is has`)

// prefixes are those that vocabularies put before their names: og:title.
var prefixes = setOf("og twitter dc dcterms dct article product books music video profile itemprop schema p u dt e")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// Name is a name, ready to be compared.
type Name struct {
	// Key are its words together: "ratingvalue".
	Key string
	// Words are its words, stemmed, fillers left out.
	Words []string
	// Concepts are what it may mean, the likeliest first.
	Concepts []string
	// Plain is what is left without the words for kinds of things: that of
	// "productName" is "name".
	Plain string
	// Whole are all words in their order in the alphabet, of a name with some in
	// brackets, which the others are without: "Ports (USB)".
	Whole string
}

// Parse reads a name.
func Parse(text string) Name {
	text = cutPrefix(text)
	whole := text
	text, _, cut := strings.Cut(text, "(") // "Weight (kg)"
	text = cutPortions(text)
	words := spelledOut(Words(text))
	n := Name{Key: strings.Join(words, "")}
	for _, w := range words {
		if !fillers[w] || len(words) == 1 {
			n.Words = append(n.Words, stem(w))
		}
	}
	n.Concepts = conceptsOf(words, n.Words)
	n.Plain = plain(withoutMeasure(words, n.Words))
	if len(n.Concepts) == 0 && n.Plain != "" {
		n.Concepts = concepts[n.Plain]
	}
	if cut && !bracketed(whole).Known() {
		n.Whole = sorted(Words(whole))
	}
	return n
}

// spelledOut writes the "no." of "No. of drawers" as the word that it is.
func spelledOut(words []string) []string {
	for i, w := range words[:max(len(words)-1, 0)] {
		if numberWords[w] && words[i+1] == "of" {
			words[i] = "number"
		}
	}
	return words
}

var numberWords = setOf("no nr num")

// sorted joins the stems of words in their order in the alphabet.
func sorted(words []string) string {
	var stems []string
	for _, w := range words {
		if !fillers[w] {
			stems = append(stems, stem(w))
		}
	}
	slices.Sort(stems)
	return joined(stems)
}

// forPortions is what headings of recipes have behind their name.
var forPortions = regexp.MustCompile(`(?i)^(\pL[\pL ]*?) +(?:for|für|pour|para|per|voor|dla) +\d{1,3}(?:[-–]\d{1,3})? +(?:people|persons?|servings?|portions?|personen|person|portionen|personnes?|personas?|raciones|porciones|persone|porzioni|pessoas|porções|personen|porties|osoby|osób|porcje|porcji)[ :]*$`)

// cutPortions takes for how many people it is off a name: "Ingredients for 4
// people".
func cutPortions(text string) string {
	if len(text) > maxName || !strings.ContainsAny(text, "0123456789") {
		return text
	}
	if found := forPortions.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return text
}

// cutPrefix takes the prefix of a vocabulary off: "og:title", "p-name".
func cutPrefix(text string) string {
	for range 2 {
		i := strings.IndexAny(text, ":-.")
		if i <= 0 || i == len(text)-1 || !prefixes[strings.ToLower(text[:i])] || text[i] == '-' && i > 2 {
			break
		}
		text = text[i+1:]
	}
	return strings.TrimRight(text, ": ")
}

// withoutMeasure returns the stems of a name without those of the unit that its
// values are in.
func withoutMeasure(words, stems []string) []string {
	rest, m := cutMeasure(words)
	if !m.Known() {
		return stems
	}
	kept := []string{""} // that something is gone
	for _, w := range rest {
		if !fillers[w] {
			kept = append(kept, stem(w))
		}
	}
	return kept
}

func conceptsOf(words, stems []string) []string {
	for _, key := range []string{strings.Join(words, ""), strings.Join(stems, "")} {
		if found := concepts[key]; found != nil {
			return found
		}
	}
	return nil
}

// plain drops the words for kinds of things, unless nothing is left, and what
// is empty.
func plain(stems []string) string {
	var kept []string
	for _, w := range stems {
		if !kinds[w] && w != "" {
			kept = append(kept, w)
		}
	}
	if len(kept) == len(stems) {
		return ""
	}
	return strings.Join(kept, "")
}

// kinds are words, stemmed, that only say what a thing is, that it is the one
// meant, or what it is measured in.
var kinds = setOf(`product produkt produit producto prodotto produto item article artikel recipe rezept recette receta ricetta receita recept
	job event veranstaltung evenement evento book buch livre libro livro movie film course kurs cours curso corso video main primary full
	offer angebot post blog page current display listing property artigo articulo articolo stelle
	minute minuten minuto minuti second sekunden segundo secondi hour stunden heure hora ore kg cm mm eur usd gbp euro`)
