package names

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

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
	whole := strings.TrimRight(text, ": ")
	if strings.ContainsAny(whole, ":.-") {
		whole = prefix().ReplaceAllString(whole, "$1")
	}
	text, _, cut := strings.Cut(whole, "(") // "Weight (kg)"
	words := Words(cutPortions(text))
	for i, w := range words[:max(len(words)-1, 0)] {
		if words[i+1] == "of" && (w == "no" || w == "nr" || w == "num") {
			words[i] = "number"
		}
	}
	n := Name{Key: strings.Join(words, ""), Words: telltale(words)}
	if len(words) == 1 {
		n.Words = []string{stem(words[0])}
	}
	n.Concepts = conceptsOf(words, n.Words)
	if n.Plain = plain(words, n.Words); n.Plain != "" && n.Concepts == nil {
		n.Concepts = concepts()[n.Plain]
	}
	if cut && !bracketed(whole).Known() {
		n.Whole = sorted(Words(whole))
	}
	return n
}

// prefix is what vocabularies put before their names: "og:title", "p-name".
var prefix = lexicon.Pattern(`(?i)^(?:(?:og|twitter|dc|dcterms|dct|article|product|books|music|video|profile|itemprop|schema|p|u|dt|e)[:.]|(?:og|dc|p|u|dt|e)-){1,2}(.)`)

// forPortions is what headings of recipes have behind their name.
var forPortions = lexicon.Pattern(`(?i)^(\pL[\pL ]*?) +(?:for|für|pour|para|per|voor|dla) +\d{1,3}(?:[-–]\d{1,3})? +(?:people|persons?|servings?|portions?|personen|person|portionen|personnes?|personas?|raciones|porciones|persone|porzioni|pessoas|porções|personen|porties|osoby|osób|porcje|porcji)[ :]*$`)

// cutPortions takes for how many people it is off a name: "Ingredients for 4
// people".
func cutPortions(text string) string {
	if len(text) > maxName || !strings.ContainsAny(text, "0123456789") {
		return text
	}
	return forPortions().ReplaceAllString(text, "$1")
}

// telltale returns the stems of the words that are no fillers.
func telltale(words []string) (stems []string) {
	for _, w := range words {
		if !is("fillers", w) {
			stems = append(stems, stem(w))
		}
	}
	return stems
}

// sorted joins the stems of words in their order in the alphabet.
func sorted(words []string) string {
	stems := telltale(words)
	slices.Sort(stems)
	return strings.Join(stems, "")
}

func conceptsOf(words, stems []string) []string {
	key := strings.Join(words, "")
	for _, key := range []string{key, strings.Join(stems, "")} {
		if found := concepts()[key]; found != nil {
			return found
		}
	}
	bare := key
	for _, umlaut := range [...]string{"ae", "oe", "ue"} { // as accents are left out: "verfuegbar"
		bare = strings.ReplaceAll(bare, umlaut, umlaut[:1])
	}
	if bare != key {
		return concepts()[bare]
	}
	return nil
}

// plain returns what is left of a name without the words for kinds of things and
// the unit that its values are in, or else without the end that says for whom, or
// for how long, an amount is: "Price per night". The price of a kilogram is
// another thing. It is "" for all of the name.
func plain(words, stems []string) string {
	if rest, m := cutMeasure(words); m.Known() {
		stems = append([]string{"product"}, telltale(rest)...)
	}
	kept := slices.DeleteFunc(slices.Clone(stems), func(w string) bool { return is("kinds", w) })
	if n := len(words); len(kept) < len(stems) {
		return strings.Join(kept, "")
	} else if n > 2 && is("per", words[n-2]) && is("sharers", words[n-1]) && isMoney(words[:n-2]) {
		return strings.Join(words[:n-2], "")
	}
	return ""
}

// IsTitle reports whether a name is that of a general title, whatever kind of
// thing it says that the title is of: "product title".
func (n Name) IsTitle() bool {
	return is("titles", n.Key) || is("titles", n.Plain) || n.Is("name", "headline")
}

// Is reports whether a name may mean the concept.
func (n Name) Is(concepts ...string) bool {
	return len(n.Concepts) > 0 && slices.Contains(concepts, n.Concepts[0])
}

// by is what stands before the name of an author.
var by = lexicon.Pattern(`(?i)^(?:(?:(?:written |authored |posted |submitted |published |recipe |words |story )?by[: ]|author:|von[: ]|autor(?:in)?:|par |auteur ?:|por[: ]|autore:|door[: ]|di )[ :\x{a0}\n]*){1,2}`)

// WithoutBy returns the name of an author without "by" before it.
func WithoutBy(text string) string {
	if text == "" || !strings.Contains("abdprsvw", strings.ToLower(text[:1])) {
		return text // most open with something else, and patterns take their time
	}
	if at := by().FindStringIndex(text); at != nil && at[1] < len(text) {
		return text[at[1]:]
	}
	return text
}
