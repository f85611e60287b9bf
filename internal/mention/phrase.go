package mention

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
)

// openings are words that stand before a value without a colon. Their names are
// the kind that the value has to be of, for words alone say little, and its own.
var openings = lexicon.ByWord(files, "phrases")

// maxOpening is how long such words are, in bytes.
const maxOpening = 32

// Phrase returns the name and the value of a text that opens with such words:
// "Apply by 31 May 2024", "EAN 4006381333931", "Cook 20 min".
func Phrase(s, language string) (name, text string) {
	if len(s) > maxKind || !strings.ContainsAny(s, "0123456789") {
		return "", ""
	}
	lower := strings.ReplaceAll(strings.ToLower(s[:min(len(s), maxOpening)]), " ", "_")
	for end := min(len(lower), len(s)); end > 0; end-- {
		if next, _ := utf8.DecodeRuneInString(s[end:]); unicode.IsLetter(next) {
			continue
		}
		kind, name, found := strings.Cut(openings()[lower[:end]], " ")
		rest := strings.TrimLeft(s[end:], " \u00A0#.")
		switch {
		case !found || rest == "":
			continue
		case rest[0] == ':' && name != "total time":
			return "", "" // read as a label
		}
		rest = strings.TrimLeft(rest, " \u00A0:–-")
		if kind == "date" { // "8 March 2026 (06:37 UTC)."
			rest, _, _ = strings.Cut(rest, " (")
			rest = strings.TrimRight(rest, " .,;")
		}
		if isOfKind(kind, rest, language) {
			return name, rest
		}
	}
	return "", ""
}

// isOfKind reports whether a text is a value of a kind and nothing more.
func isOfKind(kind, s, language string) bool {
	switch kind {
	case "date":
		_, ok := ParseMoment(s, language)
		return ok || len(s) < maxMoney && IsDate(s) || ParsePeriod(s, language).Start != ""
	case "code":
		return len(s) >= 4 && len(s) <= maxCode && strings.ContainsAny(s, "0123456789") && !strings.ContainsAny(s, " $€£%@:") && !IsDate(s)
	case "trade-number":
		return IsTradeNumber(s)
	case "book-number":
		return IsBookNumber(s)
	case "length":
		_, ok := Duration(s)
		return ok && len(s) < maxMoney
	case "pay":
		return IsPay(s)
	}
	m := fewThings().FindStringSubmatch(s)
	return m != nil && len(s) <= 30 && !NamedUnit(m[1]).Known() && spokenUnits()[m[1]] == ""
}

// fewThings is how many of something there are: "4", "6-8 cookies".
var fewThings = lexicon.Pattern(`^[1-9]\d{0,2}(?:\s?[-–+]\s?\d{0,3})?(?:\s*(\pL*).*)?$`)

// countedText is how many of something a list has, at the beginning of a line:
// "124 offres d'emploi", "1-20 of 1,286 results", "36 Produkte gefunden".
var (
	countedText   = lexicon.Pattern(`(?i)^(?:(?:showing|zeige|affichage de)\s+)?(?:\d{1,4}\s?[-–]\s?\d{1,4}\s+(?:of|von|sur|de|di|van)\s+)?(?:(?:about|over|rund|environ|circa)\s+)?(\d{1,3}(?:[.,\x{A0}\x{202F} ]\d{3})+|\d{1,6})\s+(?:open |new |offene |neue )?(\p{L}[\p{L}'’]*)(\s+\p{L}[\p{L}'’]*)?`)
	countedThings = lexicon.ByWord(files, "counted")
)

// thousands takes the marks out of a number of things.
var thousands = strings.NewReplacer(".", "", ",", "", " ", "", "\u00A0", "", "\u202F", "")

// fewOf is a number of some things, in one word.
var fewOf = lexicon.Pattern(`^(\d{1,3}(?:[.,]\d{3})+|\d{1,6})\s+(\p{L}{3,16})\.?$`)

// FewOf returns of what a text says no more than that there are so many, and how many:
// "3 beds", "1,204 views".
func FewOf(s string) (thing, number string) {
	if len(s) > 2*maxMoney || s == "" || !isDigit(s[0]) {
		return "", ""
	}
	m := fewOf().FindStringSubmatch(s)
	if m == nil || NamedUnit(m[2]).Known() || IsMonth(m[2]) || spokenUnits()[strings.ToLower(m[2])] != "" {
		return "", ""
	}
	return m[2], thousands.Replace(m[1])
}

// Counted returns of what a line says that there are so many, and how many: the
// job of "124 offres d'emploi", or "".
func Counted(s string) (thing, number string) {
	if s == "" || len(s) > 2*maxMoney || !strings.ContainsAny(s[:1], "0123456789sSzZaA") || !strings.ContainsAny(s, "0123456789") {
		return "", ""
	}
	m := countedText().FindStringSubmatch(s)
	if m == nil {
		return "", ""
	}
	word := strings.ToLower(m[2])
	thing = cmp.Or(countedThings()[word+strings.Replace(strings.ToLower(m[3]), " ", "_", 1)], countedThings()[word])
	return thing, thousands.Replace(m[1])
}
