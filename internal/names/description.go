package names

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// Told is what a description asks for.
type Told struct {
	// Concepts are those of the one name that it has, nil if it has none.
	Concepts []string
	// Label is what a page has to call the value where no concept is asked for:
	// the "name of the designer" stands behind the word "designer". Else "".
	Label string
	// Qualifiers are words, stemmed, that make it another thing than the concept
	// alone: a monthly price. What a page calls a value, or the value, has to
	// have one of each group.
	Qualifiers [][]string
	// Family is the kind of things whose name or title it asks for, or "".
	Family string
	// Counted is what there shall be a number of, stemmed, or "".
	Counted string
}

// Tell reads a description: the longest name in it, and of those the first.
// "The name of the author" is the author and not a name. What limits the name
// to something else is kept beside it.
func Tell(text string) Told {
	words := descriptionWords(withoutNot(text))
	if found := asked(words); found != "" {
		return Told{Concepts: []string{found}}
	}
	if found := otherPrice(words); found != "" {
		return Told{Concepts: []string{found}}
	}
	if t, ok := counted(words); ok {
		return t
	}
	if label := tailed(words); label != "" {
		return Told{Label: label}
	}
	t, ok := ofWhat(words)
	if !ok {
		t = Told{Concepts: phraseIn(words)}
	}
	t.Qualifiers = append(t.Qualifiers, qualifiers(words, t.Concepts)...)
	if t.Label == "" && len(t.Qualifiers) > 0 {
		t.Label = labelOf(words)
	}
	return t
}

// labelOf returns the beginning of a description, as a page may have it for a
// label: "price per litre".
func labelOf(words []string) string {
	for len(words) > 0 && leading[words[0]] {
		words = words[1:]
	}
	end := slices.IndexFunc(words, func(w string) bool { return ends[w] || slices.Contains(ofWords, w) })
	if end < 0 {
		end = len(words)
	}
	return strings.Join(words[:min(end, longestPhrase)], " ")
}

// tailed returns the two words of which the first is the name of a concept, and
// the second makes it another thing: "price change"; else "".
func tailed(words []string) string {
	for i, w := range words {
		if i > 0 && tails[w] && phrase(words[i-1:i]) != nil && phrase(words[i-1:i+1]) == nil {
			return words[i-1] + " " + w
		}
	}
	return ""
}

var tails = setOf("change changes history drop drops alert trend index comparison guarantee increase cut story card badge policy filter")

// notThat is what a description says that it does not mean.
var notThat = lexicon.Pattern(`(?i)\s*[(\[](?:not|no|never|nicht|pas|non?|rather than|instead of)\s[^)\]]*[)\]]|[,;.]?\s+(?:(?:but )?not|rather than|instead of|as opposed to)\s+(?:the|a|an|its|that|of|that of)\s[^,;.]*`)

func withoutNot(text string) string {
	if len(text) > maxAbout {
		text = strings.ToValidUTF8(text[:maxAbout], "")
	}
	return owners().ReplaceAllString(notThat().ReplaceAllString(text, ""), "$2 of the $1")
}

// owners is "the author's birthday", which is the birthday of the author.
var owners = lexicon.Pattern(`(\pL+)['’]s ((?:job |publication |release |birth |e-?mail |phone |first |last )?\pL+)`)

// leading are words that a description may begin with before what it is of.
var leading = setOf("the a an total overall exact approximate current whole full how many much of all its their this")

// counted reads "number of reviews": how many there are of something is never
// that something, nor any number.
func counted(words []string) (Told, bool) {
	i := 0
	for i < len(words) && leading[words[i]] && words[i] != "many" {
		i++
	}
	switch {
	case i+2 < len(words) && countHeads[words[i]] && words[i+1] == "of":
		i += 2
	case i > 0 && i+1 < len(words) && words[i] == "many" && words[i-1] == "how":
		i++
	default:
		return Told{}, false
	}
	for i < len(words) && (fillers[words[i]] || leading[words[i]] && words[i] != "many") {
		i++
	}
	if i == len(words) || measureNamed(words[i]).Known() || stem(words[i]) == "star" {
		return Told{}, false
	}
	what := words[i]
	for _, name := range [...]string{what + " count", "number of " + what, "num " + what, what} {
		for _, c := range Parse(name).Concepts {
			if isCount(c) {
				return Told{Concepts: []string{c}}, true
			}
		}
	}
	if countedPeople[what] && slices.ContainsFunc(words[i:], func(w string) bool { return strings.HasPrefix(w, "serv") || strings.HasPrefix(w, "feed") }) {
		return Told{Concepts: []string{"recipeYield"}}, true
	}
	return Told{Label: "number of " + what, Counted: stem(what)}, true
}

var (
	countHeads    = setOf("number count")
	countedPeople = setOf("people persons guests eaters")
)

// isCount reports whether a concept is how many there are of something.
func isCount(concept string) bool {
	return strings.HasSuffix(concept, "Count") || strings.HasPrefix(concept, "numberOf") || countConcepts[concept]
}

var countConcepts = map[string]bool{"recipeYield": true, "totalJobOpenings": true, "maximumAttendeeCapacity": true, "quantity": true}

// phraseIn returns the concepts of the longest name among words, of several the
// first. A word such as "available" before another name only describes it.
func phraseIn(words []string) []string {
	var described []string
	for size := min(longestPhrase, len(words)); size > 0; size-- {
		for i := 0; i+size <= len(words); i++ {
			if size == 1 && vague[words[i]] {
				continue
			}
			found := phrase(words[i : i+size])
			if size == 1 && adjectives[words[i]] && described == nil {
				described = found
				continue
			}
			if found != nil {
				return found
			}
		}
	}
	if described != nil {
		return described
	}
	for _, w := range words {
		if telling[w] {
			return phrase([]string{w})
		}
	}
	return nil
}

// adjectives are words that mean something by themselves, and before a name
// say of what kind it is.
var adjectives = setOf("available posted published updated created free remote cooking total")

// ofWhat reads "name of the author": the two together if they are a name, or
// what it is the name of.
func ofWhat(words []string) (Told, bool) {
	i := slices.IndexFunc(words, func(w string) bool { return slices.Contains(ofWords, w) })
	if i < 1 {
		return Told{}, false
	}
	after := objectOf(words[i+1:])
	if len(after) == 0 {
		return Told{}, false
	}
	head := words[i-1]
	family := titledFamily(after[0])
	if i > 1 {
		if two := phrase(words[i-2 : i]); two != nil && !parts[stem(after[0])] {
			return Told{Concepts: two}, true // "job title of the person"
		}
	}
	for size := min(2, len(after)); size > 0; size-- {
		if n := Parse(strings.Join(after[:size], " ") + " " + head); len(n.Concepts) > 0 {
			return Told{Concepts: n.Concepts, Family: family}, true
		}
	}
	own := phraseIn(words[:i])
	switch {
	case lists[head]:
		return Told{}, false
	case own == nil && !vague[head]:
		return Told{}, false
	case general[after[0]]:
		return Told{Concepts: own}, own != nil
	case vague[head] && (own == nil || slices.Contains(titleConcepts, own[0]) || telling[head] && i <= 2):
		return ofVague(head, after, own, family), true
	}
	for _, w := range after {
		if parts[stem(w)] {
			return Told{Concepts: own, Qualifiers: [][]string{{stem(w)}}}, true
		}
	}
	return Told{Concepts: own}, own != nil
}

// ofVague is the name, the date or the type of something that is no concept:
// the name of a designer, the date of a price.
func ofVague(head string, after, own []string, family string) Told {
	if head != "name" && head != "title" {
		return Told{Label: after[0] + " " + head}
	}
	if family != "" {
		return Told{Concepts: own, Family: family}
	}
	return Told{Label: strings.Join(after, " ")}
}

// objectOf returns the words that an "of" is followed by, up to three.
func objectOf(words []string) []string {
	for len(words) > 0 && (fillers[words[0]] || leading[words[0]]) {
		words = words[1:]
	}
	end := slices.IndexFunc(words, func(w string) bool { return fillers[w] || ends[w] || slices.Contains(ofWords, w) })
	if end < 0 {
		end = len(words)
	}
	return words[:min(end, 3)]
}

// ends are words that the object of a description does not go on behind.
var ends = setOf("who that which as on at with by from to is are was where when if or shown given in")

// lists are words for several of what follows.
var lists = setOf("list lists array set all each collection names group kinds types")

// general are words for what a page is about, whatever it is: the name of the
// product is a name.
var general = setOf(`what product item thing object article page post story entry recipe dish meal food event job position vacancy role offer listing goods good
	unit piece it website site work content document text subject course video place venue property advert ad news produkt produit producto prodotto artikel rezept recette receta ricetta`)

// titleConcepts are those that a general title of a page answers.
var titleConcepts = []string{"name", "headline", "title"}

// titledFamily returns the kind of things whose title is not that of any page.
func titledFamily(word string) string {
	for _, f := range Families(word) {
		switch f {
		case "Book", "Movie", "MusicAlbum", "MusicRecording", "Podcast", "Organization", "Person", "RealEstateListing", "SoftwareApplication", "VideoObject":
			return f
		}
	}
	return ""
}

// parts are words, stemmed, for what goes with a thing and has a price, a size
// or a name of its own.
var parts = setOf(`subscription shipping delivery warranty deposit membership plan packaging package box battery cable lid base seller shop store accessory accessorie refill case
	cheapest service insurance installation upgrade trial licence license sample competitor brand photo image picture photograph cover illustration translation foreword reviewer commenter customer buyer author publisher designer maker`)

// qualifiers are the words of a description that make it another thing than its
// concepts: for how long or how much of it a price is, when it holds, whose it is.
func qualifiers(words, concepts []string) (all [][]string) {
	if len(concepts) == 0 {
		return nil
	}
	money := slices.Contains(moneyConcepts, concepts[0])
	own := strings.ToLower(concepts[0])
	for i, w := range words {
		switch group := periodOf(w); {
		case group != nil && (money || i == 0 || leading[words[i-1]]):
			if !measureAsked(words, i) {
				all = append(all, group)
			}
		case money && moneyOnly[w]:
			all = append(all, []string{stem(w)})
		case money && (w == "including" || w == "incl" || w == "plus" || w == "with") && i+1 < len(words) && (parts[stem(words[i+1])]):
			all = append(all, []string{stem(words[i+1])})
		case others[w] && !strings.Contains(own, w):
			all = append(all, []string{stem(w), w})
		case money && w == "per" && i+1 < len(words) && !perThing[words[i+1]] && periodOf(words[i+1]) == nil:
			for _, unit := range objectOf(words[i+1:]) {
				all = append(all, spellings(unit))
			}
		case money && i > 0 && conditions[w]:
			all = append(all, []string{stem(w)})
		}
	}
	return all
}

// measureAsked reports whether a word for a length of time is the unit that is
// asked for: "in months".
func measureAsked(words []string, i int) bool {
	return i > 0 && (words[i-1] == "in" || words[i-1] == "of" || words[i-1] == "as")
}

// periods are the words for how often something is due.
var periods = [][]string{
	{"month", "monthly", "mo", "mth", "pcm", "monat", "monatlich", "moi", "mois", "mensuel", "mes", "mese", "mensile", "mensual", "maand"},
	{"year", "yearly", "annual", "annually", "yr", "annum", "pa", "jahr", "jahrlich", "an", "annuel", "ano", "anual", "anno", "annuo", "jaar"},
	{"week", "weekly", "wk", "woche", "wochentlich", "semaine", "semana", "settimana"},
	{"day", "daily", "tag", "taglich", "jour", "dia", "giorno"},
	{"hour", "hourly", "hr", "h", "stunde", "heure", "hora", "ora"},
	{"quarter", "quarterly"},
}

func periodOf(word string) []string {
	for _, group := range periods {
		if slices.Contains(group[:2], word) || word == "annual" && group[0] == "year" {
			return group
		}
	}
	return nil
}

// SaysPeriod reports whether one of the words is for how often something is due.
func SaysPeriod(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(periods, func(group []string) bool { return slices.Contains(group, w) && len(w) > 2 })
	})
}

// spellings are a unit as it may stand behind an amount.
func spellings(unit string) []string {
	switch stem(unit) {
	case "metre", "meter":
		return []string{"metre", "meter", "m2", "m²", "qm", "sqm", "m", "lm"}
	case "square", "sq":
		return []string{"square", "sq", "m2", "m²", "qm", "sqm", "sqft", "ft2", "ft²"}
	case "kilogram", "kilo", "kg":
		return []string{"kilogram", "kilo", "kg"}
	case "litre", "liter", "l":
		return []string{"litre", "liter", "l"}
	case "foot", "feet":
		return []string{"foot", "feet", "ft", "sqft", "ft2", "ft²"}
	case "person", "people", "head":
		return []string{"person", "people", "pp", "head", "adult"}
	}
	return []string{stem(unit)}
}

var (
	// perThing are what a price is for anyway.
	perThing = setOf("item piece unit product article each one stuck copy")
	// conditions begin what has to be so for a price to hold.
	conditions = setOf("when if buying ordering orders ordered members member wholesale bulk students student children child")
	// moneyOnly make an amount of money another one.
	moneyOnly = setOf("average median estimated used")
	// others say that not the thing itself is meant.
	others = setOf("previous former next second third other another wholesale bulk refurbished secondhand deputy alternative rival competing competitor cheapest highest lowest minimum maximum")
)
