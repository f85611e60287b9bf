// Package people tells the names of people apart in a text.
package people

import (
	"embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/names"
)

// maxNames is how many names a text has at most.
const maxNames = 50

// between is what stands between the names of several people.
var between = lexicon.Pattern(`\s*;\s*|\s*[,،、]\s*(?:(?:and|und|et|y|e|en|&)\s+)?|\s+(?:and|und|et|y|e|en|with|&|\+)\s+`)

// Split returns the names in a text: "A and B" has two where each side is a
// name of its own. "Roe, Jane" is one, and so is "Smith and Sons".
func Split(text string) []string {
	parts := between().Split(text, maxNames)
	if len(parts) < 2 {
		return []string{text}
	}
	kept := parts[:0:0]
	for i, part := range parts {
		part = strings.TrimSpace(part)
		switch {
		case IsFull(part):
			kept = append(kept, part)
		case i > 0 && len(kept) == i && isPosition(part):
			return kept // "Jane Roe, Staff Writer"
		default:
			return []string{text}
		}
	}
	return kept
}

// marks are what stands between the parts of a byline.
var marks = strings.NewReplacer(" · ", " | ", " • ", " | ", " – ", " | ", " — ", " | ", " - ", " | ", " / ", " | ")

// Clauses returns the parts of a byline.
func Clauses(text string) []string {
	all := strings.Split(marks.Replace(text), " | ")
	for i, clause := range all {
		all[i] = strings.TrimSpace(clause)
	}
	return all
}

// Byline returns the names behind "by" at the beginning of a text, or none, and what stands
// behind these, such as when that was: "By Jane Doe and Max Roe · 3 May 2024 · updated 5 May
// 2024", "By Jane Doe, 3 May 2024".
func Byline(text string) (all, behind []string) {
	rest := names.WithoutBy(text)
	if len(rest) == len(text) || rest == "" {
		return nil, nil
	}
	behind = Clauses(rest)
	who := behind[0]
	behind = behind[1:]
	if all = Split(strings.TrimSpace(who)); len(all) > 1 {
		return all, behind
	}
	for _, sep := range [...]string{", ", " on ", " am ", " le "} { // behind the name stands a date
		if before, after, ok := strings.Cut(who, sep); ok && before != "" {
			who, behind = before, append(behind, after)
		}
	}
	return []string{strings.TrimSpace(who)}, behind
}

// IsFull reports whether a text is like the name of one person: two to five
// words, the first and the last in capital letters, no word of a position or a
// firm among them.
func IsFull(s string) bool {
	words := strings.Fields(s)
	if len(words) < 2 || len(words) > 5 || !MayBe(s) || isPosition(s) {
		return false
	}
	return isCapital(words[0]) && isCapital(words[len(words)-1])
}

func isCapital(w string) bool {
	c, _ := utf8.DecodeRuneInString(w)
	return unicode.IsLetter(c) && !unicode.IsLower(c)
}

// MayBe reports whether a text may be a name: a few words without digits.
func MayBe(text string) bool {
	return !strings.HasSuffix(text, ":") && !strings.ContainsAny(text, "0123456789@/|?!") && strings.Count(text, " ") < 7
}

// isPosition reports whether a text says what somebody does, or is a firm.
func isPosition(s string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(s)) {
		if positions()[strings.Trim(w, ".,()")] != "" {
			return true
		}
	}
	return false
}

//go:embed lexicon
var files embed.FS

var positions = lexicon.ByWord(files, "positions")
