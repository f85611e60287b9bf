package plain

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// normal makes names comparable: lower case, white space folded, without what
// forms put around a label ("E-mail *", "Name:").
func normal(s string) string {
	s = strings.Join(strings.Fields(strings.ToLower(s)), " ")
	return strings.Trim(s, " :*…?!.")
}

// words cuts a name into words: "unitPrice", "unit_price" and "Unit price" are
// the same two. The plural is the singular.
func words(s string) []string {
	var all []string
	var now []rune
	flush := func() {
		if len(now) > 0 {
			all = append(all, singular(strings.ToLower(string(now))))
		}
		now = nil
	}
	var before rune
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(before):
			flush()
			now = append(now, r)
		default:
			now = append(now, r)
		}
		before = r
	}
	flush()
	return all
}

func singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}

// synonyms are words that schemas and pages use for the same thing.
var synonyms = [][]string{
	{"price", "cost"},
	{"name", "title"},
	{"url", "link", "href", "uri", "permalink"},
	{"image", "img", "photo", "picture", "thumbnail"},
	{"stock", "availability", "available"},
	{"quantity", "qty"},
	{"description", "summary", "text"},
	{"colour", "color"},
	{"category", "kind", "type"},
	{"email", "mail", "emailaddress"},
	{"phone", "telephone", "tel", "phonenumber", "telephonenumber"},
	{"sku", "article"},
	{"id", "identifier"},
	{"username", "user", "login", "loginname"},
	{"number", "no", "nr", "num"},
	{"zip", "postcode", "postalcode", "zipcode"},
	{"gram", "g"}, {"kilogram", "kg", "kilo"}, {"milligram", "mg"},
	{"euro", "eur"}, {"dollar", "usd"}, {"pound", "gbp"}, {"franc", "chf"},
	{"percent", "percentage", "pct"},
	{"millimetre", "millimeter", "mm"}, {"centimetre", "centimeter", "cm"}, {"metre", "meter", "m"}, {"kilometre", "kilometer", "km"},
	{"hour", "hr", "h"}, {"minute", "min"}, {"second", "sec"}, {"millisecond", "ms"},
	{"litre", "liter", "l"}, {"millilitre", "milliliter", "ml"}, {"watt", "w"}, {"volt", "v"},
}

// compounds are written as one word or as two.
var compounds = map[string]string{
	"user name": "username", "login name": "loginname", "e mail": "email", "email address": "emailaddress", "mail address": "emailaddress", "phone number": "phonenumber",
	"telephone number": "telephonenumber", "post code": "postcode", "postal code": "postalcode", "zip code": "zipcode",
}

// units are words that a value may say itself: grams of "1350 g". The symbols
// are those that are no letters.
var units = map[string]string{
	"gram": "", "kilogram": "", "milligram": "", "euro": "€", "dollar": "$", "pound": "£", "franc": "", "percent": "%", "millimetre": "", "centimetre": "",
	"metre": "", "kilometre": "", "hour": "", "minute": "", "second": "", "millisecond": "", "litre": "", "millilitre": "", "watt": "", "volt": "", "day": "", "month": "", "year": "",
}

// harmless are words that a label may have more than the name that is looked
// for.
var harmless = []string{"full", "current", "our", "your", "my", "this"}

// empty words say nothing about what is meant.
var emptyWords = []string{"the", "a", "an", "of", "in", "is", "are", "has", "to", "for", "item", "product", "value"}

// canonical is the set of words of a name that say something.
func canonical(s string) []string {
	var all []string
	parts := words(s)
	for i := 0; i < len(parts); i++ {
		w := parts[i]
		if i+1 < len(parts) && compounds[w+" "+parts[i+1]] != "" {
			w = compounds[w+" "+parts[i+1]]
			i++
		}
		for _, group := range synonyms {
			if slices.Contains(group, w) {
				w = group[0]
			}
		}
		if !slices.Contains(emptyWords, w) && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	if all == nil { // a name of nothing but empty words
		all = parts
	}
	return all
}

// How well a label says what a name asks for.
const (
	same      = 1.0  // letter by letter
	sameWords = 0.95 // in another form
	synonym   = 0.9  // in other words
	byContext = 0.8  // together with what it stands under
)

// match says how well a label is what a name asks for; 0 is not at all. Every
// word of the name has to be in the label, or in the words of the context: the
// heading above, the name of the table. What the label says more must be of the
// context, too, or of no consequence. A unit may be missing: see [saysUnits].
func match(name, label string, context []string) float64 {
	if normal(name) == normal(label) && normal(name) != "" {
		return same
	}
	x, y := canonical(name), canonical(label)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	common, score := 0, synonym
	if slices.Equal(words(name), words(label)) {
		score = sameWords
	}
	for _, w := range x {
		switch {
		case slices.Contains(y, w):
			common++
		case slices.Contains(context, w):
			score = byContext
		case isUnit(w) && len(x) > 1:
		default:
			return 0
		}
	}
	for _, w := range y {
		if slices.Contains(x, w) || isUnit(w) || slices.Contains(harmless, w) {
			continue
		}
		if score = byContext; !slices.Contains(context, w) {
			return 0
		}
	}
	if common == 0 {
		return 0
	}
	return score
}

func isUnit(w string) bool {
	_, ok := units[w]
	return ok
}

var unitForm = regexp.MustCompile(`[\pL]+|[%€$£]`)

// saysUnits reports whether the units in a name are said by the label or by
// the value: weightGrams is not what "1.35 kg" says.
func saysUnits(name, label, value string) bool {
	x := canonical(name)
	if len(x) == 1 {
		return true
	}
	said := canonical(label)
	for _, w := range x {
		if !isUnit(w) || slices.Contains(said, w) {
			continue
		}
		found := slices.ContainsFunc(unitForm.FindAllString(value, -1), func(s string) bool {
			return s == units[w] || slices.Contains(canonical(s), w)
		})
		if !found {
			return false
		}
	}
	return true
}

// alike is how much two texts look like each other, letter by letter: for
// finding out what somebody may have meant.
func alike(a, b string) float64 {
	x, y := bigrams(normal(a)), bigrams(normal(b))
	if len(x)+len(y) == 0 {
		return 0
	}
	common := 0
	for pair, n := range x {
		common += min(n, y[pair])
	}
	total := 0
	for _, m := range []map[string]int{x, y} {
		for _, n := range m {
			total += n
		}
	}
	return 2 * float64(common) / float64(total)
}

func bigrams(s string) map[string]int {
	pairs := map[string]int{}
	r := []rune(" " + s + " ")
	for i := 1; i < len(r); i++ {
		pairs[string(r[i-1:i+1])]++
	}
	return pairs
}
