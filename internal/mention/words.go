package mention

import (
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// Bool reads yes and no in several languages, and whether a thing can be had.
func Bool(text string) (value, ok bool) {
	if len(text) > maxText {
		return false, false
	}
	text = strings.TrimSpace(text)
	if is, ok := marks[strings.TrimSuffix(text, "\ufe0f")]; ok {
		return is, true
	}
	if a := answers()[Key(CutVocabulary(text))]; a == "yes" || a == "no" {
		return a == "yes", true
	}
	state, rest, _ := strings.Cut(strings.Replace(text, "(", ",", 1), ",")
	if strings.TrimSpace(rest) != "" && isOpen("", rest) {
		return false, false
	}
	switch word, _ := Availability(state); word { // "In stock (12)"
	case "InStock", "InStoreOnly", "OnlineOnly", "LimitedAvailability":
		return true, true
	case "OutOfStock", "SoldOut", "Discontinued":
		return false, true
	}
	return false, false
}

// marks are signs for yes and no.
var marks = map[string]bool{"✓": true, "✔": true, "☑": true, "✅": true, "🗸": true, "✗": false, "✘": false, "✕": false, "✖": false, "❌": false, "☒": false, "☐": false}

// Remote reads whether work is done away from the place of the employer. What is
// both is neither.
func Remote(text string) (value, ok bool) {
	if len(text) > maxText {
		return false, false
	}
	a := answers()[Key(CutVocabulary(strings.TrimSpace(text)))]
	return a == "remote", a == "remote" || a == "onsite"
}

// Availability returns the name that schema.org has for whether a thing can be
// had: "Auf Lager" is InStock.
func Availability(text string) (string, bool) {
	if len(text) > maxText {
		return "", false
	}
	name, ok := availabilities()[Key(CutVocabulary(strings.TrimSpace(text)))]
	return name, ok
}

var (
	availabilities = lexicon.ByWord(files, "availability")
	// terms are the names of other lists, by what pages say for them.
	terms   = lexicon.ByWord(files, "terms")
	answers = lexicon.ByWord(files, "answers")
)

// Member returns which of the members of an enum a text stands for, -1 for none:
// the same word in another case or spelling, or a known word for the same.
func Member(text string, members []string) int {
	text = strings.TrimSpace(text)
	for i, m := range members {
		if m == text {
			return i
		}
	}
	if len(text) > maxText {
		return -1
	}
	if i := memberByKey(Key(CutVocabulary(text)), members, Key); i >= 0 {
		return i
	}
	if i := memberByKey(meaning(text), members, meaning); i >= 0 {
		return i
	}
	if code, ok := Currency(text); ok {
		return memberByKey(code, members, func(m string) string { return m })
	}
	return -1
}

func memberByKey(key string, members []string, keyOf func(string) string) int {
	if key == "" {
		return -1
	}
	for i, m := range members {
		if keyOf(m) == key {
			return i
		}
	}
	return -1
}

// meaning returns what a word of a known list stands for, or "".
func meaning(text string) string {
	if a, ok := Availability(text); ok {
		if a == "SoldOut" {
			return "OutOfStock"
		}
		return a
	}
	return terms()[Key(CutVocabulary(text))]
}

// Email returns an address of electronic mail.
func Email(text string) (string, bool) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "mailto:")
	text, _, _ = strings.Cut(text, "?")
	name, host, ok := strings.Cut(text, "@")
	if !ok || name == "" || !strings.Contains(strings.Trim(host, "."), ".") || strings.ContainsAny(text, " \t\n<>(),;:\"\\") || strings.Contains(host, "@") {
		return "", false
	}
	return text, true
}

// Language returns a language tag as BCP 47 writes it: "en_us" is en-US.
func Language(text string) (string, bool) {
	parts := strings.FieldsFunc(strings.TrimSpace(text), func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 || len(parts) > 4 || len(parts[0]) < 2 || len(parts[0]) > 3 || !isASCII(text) {
		return "", false
	}
	parts[0] = strings.ToLower(parts[0])
	for i, p := range parts[1:] {
		if len(p) == 2 {
			parts[i+1] = strings.ToUpper(p)
		}
	}
	return strings.Join(parts, "-"), true
}
