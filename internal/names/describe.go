package names

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/shorten"
)

// How much of a description is read, in bytes and in words, for what it is about
// comes first; and how many words a name in it may have.
const maxAbout, maxDescription, longestPhrase = 400, 24, 4

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
	words := descriptionWords(owners().ReplaceAllString(notThat().ReplaceAllString(shorten.Prefix(text, maxAbout), ""), "$2 of the $1"))
	said := strings.Join(words, " ")
	if c := asked(said); c != "" {
		return Told{Concepts: []string{c}}
	}
	if t, ok := counted(said); ok {
		return t
	}
	for i, w := range words {
		if i > 0 && is("tails", w) && phrase(words[i-1:i]) != nil && phrase(words[i-1:i+1]) == nil {
			return Told{Label: words[i-1] + " " + w}
		}
	}
	t, ok := ofWhat(words)
	if !ok {
		t = Told{Concepts: phraseIn(words)}
	}
	if len(t.Concepts) > 0 && t.Concepts[0] == "price" {
		if c := asked("price: " + said); c != "" {
			return Told{Concepts: []string{c}}
		}
	}
	t.Qualifiers = append(t.Qualifiers, qualifiers(words, t.Concepts)...)
	if t.Label == "" && len(t.Qualifiers) > 0 {
		t.Label = strings.Join(part(words, "", longestPhrase), " ")
	}
	return t
}

var (
	// notThat is what a description says that it does not mean.
	notThat = lexicon.Pattern(`(?i)\s*[(\[](?:not|no|never|nicht|pas|non?|rather than|instead of)\s[^)\]]*[)\]]|[,;.]?\s+(?:(?:but )?not|rather than|instead of|as opposed to)\s+(?:the|a|an|its|that|of|that of)\s[^,;.]*`)
	// owners is "the author's birthday", which is the birthday of the author.
	owners = lexicon.Pattern(`(\pL+)['’]s ((?:job |publication |release |birth |e-?mail |phone |first |last )?\pL+)`)
)

func descriptionWords(text string) []string {
	words := textWords(text)
	return words[:min(len(words), maxDescription)]
}

// part returns the words up to the first that others do not go on behind, without
// those in front that say nothing.
func part(words []string, fillers string, most int) []string {
	for len(words) > 0 && (is("leading", words[0]) || is(fillers, words[0])) {
		words = words[1:]
	}
	for i, w := range words[:min(len(words), most)] {
		if is("ends", w) || is("of", w) || is(fillers, w) {
			return words[:i]
		}
	}
	return words[:min(len(words), most)]
}

// objectOf returns the words that an "of" is followed by, up to three.
func objectOf(words []string) []string { return part(words, "fillers", 3) }

type ask struct {
	concept string
	pattern *regexp.Regexp
}

var asks = sync.OnceValue(func() (all []ask) {
	for _, e := range lexicon.Read(files, "asks") {
		all = append(all, ask{e.Name, regexp.MustCompile(strings.Join(e.Words, " "))})
	}
	return all
})

// asked returns the concept that a description asks for without its name, or "".
func asked(said string) string {
	for _, a := range asks() {
		if a.pattern.MatchString(said) {
			return a.concept
		}
	}
	return ""
}

var numberOf = lexicon.Pattern(`^(?:(?:the|a|an|total|overall|exact|approximate|current|whole|full) )*(?:(?:number|count) of|how many) (?:(?:the|a|an|all|of|its|their|this|total|different) )*(\S+)`)

// counted reads "number of reviews": how many there are of something is never
// that something, nor any number.
func counted(said string) (Told, bool) {
	m := numberOf().FindStringSubmatch(said)
	if m == nil || measureNamed(m[1]).Known() || stem(m[1]) == "star" {
		return Told{}, false
	}
	for _, name := range [...]string{m[1] + " count", "number of " + m[1], "num " + m[1], m[1]} {
		for _, c := range Parse(name).Concepts {
			if strings.HasSuffix(c, "Count") || strings.HasPrefix(c, "numberOf") || is("countConcepts", c) {
				return Told{Concepts: []string{c}}, true
			}
		}
	}
	return Told{Label: "number of " + m[1], Counted: stem(m[1])}, true
}

// phrase returns the concepts of words together, of which none is a filler.
func phrase(words []string) []string {
	stems := telltale(words)
	if len(stems) < len(words) {
		return nil
	}
	return conceptsOf(words, stems)
}

// phraseIn returns the concepts of the longest name among words, of several the
// first. A word such as "available" before another name only describes it.
func phraseIn(words []string) []string {
	for size := min(longestPhrase, len(words)); size > 0; size-- {
		for i := 0; i+size <= len(words); i++ {
			if size == 1 && (is("vague", words[i]) || is("adjectives", words[i])) {
				continue
			}
			if found := phrase(words[i : i+size]); found != nil {
				return found
			}
		}
	}
	for _, list := range []string{"adjectives", "telling"} {
		if i := slices.IndexFunc(words, func(w string) bool { return is(list, w) && phrase([]string{w}) != nil }); i >= 0 {
			return phrase(words[i : i+1])
		}
	}
	return nil
}

// ofWhat reads "name of the author": the two together if they are a name, or
// what it is the name of.
func ofWhat(words []string) (Told, bool) {
	i := slices.IndexFunc(words, func(w string) bool { return is("of", w) })
	if i < 1 {
		return Told{}, false
	}
	head, after := words[i-1], objectOf(words[i+1:])
	if len(after) == 0 {
		return Told{}, false
	}
	if two := phrase(words[max(i-2, 0):i]); i > 1 && two != nil && !is("parts", stem(after[0])) {
		return Told{Concepts: two}, true // "job title of the person"
	}
	family := "" // whose title is not that of any page
	for _, f := range Families(after[0]) {
		if is("titled", f) {
			family = cmp.Or(family, f)
		}
	}
	for size := min(2, len(after)); size > 0; size-- {
		if n := Parse(strings.Join(after[:size], " ") + " " + head); len(n.Concepts) > 0 {
			return Told{Concepts: n.Concepts, Family: family}, true
		}
	}
	own := phraseIn(words[:i])
	switch {
	case is("lists", head), own == nil && !is("vague", head):
		return Told{}, false
	case is("general", after[0]):
		return Told{Concepts: own}, own != nil
	case !is("vague", head) || own != nil && !is("titleConcepts", own[0]) && (!is("telling", head) || i > 2):
	case head != "name" && head != "title":
		return Told{Label: after[0] + " " + head}, true // the date of a price
	case family != "":
		return Told{Concepts: own, Family: family}, true
	default:
		return Told{Label: strings.Join(after, " ")}, true // the name of a designer
	}
	for _, w := range after {
		if is("parts", stem(w)) {
			return Told{Concepts: own, Qualifiers: [][]string{{stem(w)}}}, true
		}
	}
	return Told{Concepts: own}, own != nil
}

// qualifiers are the words of a description that make it another thing than its
// concepts: for how long or how much of it a price is, when it holds, whose it is.
func qualifiers(words, concepts []string) (all [][]string) {
	if len(concepts) == 0 {
		return nil
	}
	money := is("moneyConcepts", concepts[0])
	padded := slices.Concat([]string{""}, words, []string{""})
	for i, w := range words {
		before, next := padded[i], padded[i+2]
		switch {
		case is("periods", w) && (money || i == 0 || is("leading", before)):
			all = append(all, sharesOf()[shares()[w]])
		case money && is("moneyOnly", w), money && i > 0 && is("conditions", w), is("others", w) && !strings.Contains(strings.ToLower(concepts[0]), w):
			all = append(all, []string{stem(w), w})
		case money && is("with", w) && is("parts", stem(next)):
			all = append(all, []string{stem(next)})
		case money && w == "per" && next != "" && !is("perThing", next) && !is("periods", next):
			for _, unit := range objectOf(words[i+1:]) {
				all = append(all, spelled(unit))
			}
		}
	}
	return all
}

var spellings = lexicon.Entries(files, "spellings")

// spelled returns a unit as it may stand behind an amount.
func spelled(unit string) []string {
	unit = stem(unit)
	for _, e := range spellings() {
		if slices.Contains(e.Words, unit) {
			return e.Words
		}
	}
	return append([]string{unit}, sharesOf()[shares()[unit]]...)
}
