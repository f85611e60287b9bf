package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
)

// MaxLabel is how long a label is at most, MaxLabelled how long a line with one and
// its value, and maxShort how long what is no more than a name or a number, in bytes.
const (
	MaxLabel    = 80
	MaxLabelled = 600
	maxShort    = 60
)

// Label returns the name that a label gives, or "" for what is none: too long, a
// sentence, without a letter.
func Label(s string) string {
	if len(s) > 2*MaxLabel {
		return ""
	}
	s = strings.TrimRight(strings.TrimSpace(strings.ReplaceAll(s, "\n", " ")), ":：*? \u00A0-–—")
	s = strings.TrimLeft(s, "•·-–—*✓✔›» \u00A0")
	if len(s) > MaxLabel || !strings.ContainsFunc(s, unicode.IsLetter) || strings.ContainsAny(s, "{}<>\n\t") || EndsSentence(s) || strings.HasSuffix(s, "!") {
		return ""
	}
	return s
}

// SplitLabel cuts a text such as "Price: 12" in two. It returns "" for what is
// a sentence, a time or an address.
func SplitLabel(s string) (name, value string) {
	i := strings.IndexByte(s, ':')
	if wide := strings.Index(s, "："); wide >= 0 && (i < 0 || wide < i) {
		i = wide
	}
	if i <= 0 || i > MaxLabel || len(s) > MaxLabelled {
		return "", ""
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	label, rest := s[:i], s[i+size:]
	value = strings.TrimSpace(rest)
	if value == "" || strings.HasPrefix(rest, "//") || isDigit(s[i-1]) && isDigit(rest[0]) || len(strings.Fields(label)) > 4 {
		return "", ""
	}
	if c, _ := utf8.DecodeRuneInString(label); !unicode.IsLetter(c) && !strings.ContainsRune("•·-*✓", c) {
		return "", ""
	}
	return Label(label), value
}

// nextLabel is where behind a value another label begins, in a capital letter:
// "Weight: 3 kg, Colour: red".
var nextLabel = lexicon.Pattern(`, (\p{Lu}[\p{L}-]{0,20}(?: [\p{L}-]{1,20}){0,2}: )`)

// Parts returns the parts of a line that signs separate.
func Parts(s string) []string {
	if colon := strings.IndexByte(s, ':'); colon > 0 && strings.Contains(s[colon:], ", ") {
		s = s[:colon] + nextLabel().ReplaceAllString(s[colon:], " | $1")
	}
	parts := strings.Split(strings.ReplaceAll(s, " · ", " | "), " | ")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// EndsSentence reports whether a text has the end of a sentence in it, which a
// name has not: "Max. power" has none.
func EndsSentence(s string) bool {
	for before, rest, found := strings.Cut(s, ". "); found; before, rest, found = strings.Cut(rest, ". ") {
		if !is("abbreviation", strings.ToLower(before[strings.LastIndexAny(before, " (/")+1:])) {
			return true
		}
	}
	return false
}

// IsSentence reports whether a text is a sentence: three words or more, with a
// full stop behind a last word of a length that abbreviations do not have.
func IsSentence(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasSuffix(s, ".") && strings.Count(s, " ") > 1 && endsInWord().MatchString(s)
}

var (
	endsInWord = lexicon.Pattern(`(?:\pL{4,}|\s\d+)[)"”»]?\.$`)
	noteMark   = lexicon.Pattern(`^\s*(?:\[(?i:note)?\s*(?:\w|\d{1,3})\]|[*†‡]+)\s*$`)
	totalText  = lexicon.Pattern(`(?i)^(?:(?:grand|overall|sub) )?(?:totals?|subtotal|sum|summe|gesamt|gesamtsumme|insgesamt|zwischensumme|somme|suma|totale|totaal|itogo|итого|合計)[:,-]?` +
		`(?: (?:\(.*|amount|price|costs?|due|value|sum|general|général|générale|betrag|preis|incl\.|excl\.|\(ttc\)|ttc|ht))?[: ]*$`)
)

// IsNoteMark reports whether a text is the mark of a note: "[1]", "*".
func IsNoteMark(s string) bool { return noteMark().MatchString(s) }

// IsTotal reports whether a text is the label of a sum.
func IsTotal(s string) bool { return len(s) <= MaxLabel && totalText().MatchString(s) }

// IsAmountLabel reports whether a word says what an amount of money is.
func IsAmountLabel(word string) bool { return is("amountLabel", strings.ToLower(word)) }
