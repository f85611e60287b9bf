package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/mention"
)

// phrase is words that stand before a value without a colon, and the name of
// that value. The value has to be of the kind: words alone say little.
type phrase struct {
	words, name string
	kind        phraseKind
}

type phraseKind uint8

const (
	aDate phraseKind = iota
	aCode
	aTradeNumber // GTIN, EAN, UPC: with its check digit
	aBookNumber  // ISBN: with its check digit
	aLength
	aCount
	aPay
)

// phrases reads the parts of lines that open with such words: "Apply by 31 May
// 2024", "EAN 4006381333931", "Cook 20 min".
func (r *reader) phrases() {
	for i := range r.lines {
		r.pass(i)
		l := &r.lines[i]
		first := &r.nodes[l.first]
		if first.is(inTable|isStruck) || l.to-l.from > 2*maxPattern || r.isTakenAt(l.first) {
			continue
		}
		for s := range segments(r.text[l.from:l.to]) {
			if name, value := spokenValue(s, r.lang); name != "" {
				r.addLabelledIn(r.partOfPhrase(i), l.first, name, value)
			}
		}
	}
}

// partOfPhrase returns the part that what a line says is of: of one that says nothing
// else, such as one of several facts in a row, the one around it.
func (r *reader) partOfPhrase(line int) int {
	l := &r.lines[line]
	in := r.nodes[l.first].part
	if in == 0 {
		return 0
	}
	if n := &r.nodes[r.parts[in].node]; strings.TrimSpace(r.text[n.from:n.to]) == strings.TrimSpace(r.text[l.from:l.to]) {
		return r.parts[in].around
	}
	return in
}

// spokenValue returns the name and the value of a text that opens with a phrase.
func spokenValue(s, language string) (name, text string) {
	if s == "" || len(s) > maxPattern || !hasDigit(s) {
		return "", ""
	}
	if name, text = countBefore(s); name != "" {
		return name, text
	}
	c, _ := utf8.DecodeRuneInString(s)
	lower := strings.ToLower(s)
	for _, p := range phrasesByLetter[unicode.ToLower(c)] {
		if !strings.HasPrefix(lower, p.words) || len(lower) != len(s) {
			continue
		}
		rest := s[len(p.words):]
		if next, _ := utf8.DecodeRuneInString(rest); unicode.IsLetter(next) || rest == "" {
			continue
		}
		if rest = strings.TrimLeft(rest, " \u00A0#."); rest != "" && rest[0] == ':' && p.name != "total time" {
			return "", "" // read as a label
		}
		rest = strings.TrimLeft(rest, " \u00A0:–-")
		if isOfKind(p.kind, rest, language) {
			return p.name, rest
		}
	}
	return "", ""
}

// isOfKind reports whether a text is a value of a kind and nothing more.
func isOfKind(kind phraseKind, s, language string) bool {
	switch kind {
	case aDate:
		_, ok := mention.ParseMoment(s, language)
		return ok || dateText().MatchString(s) && len(s) < maxMoney || endsOf(s, language).start != ""
	case aCode:
		return len(s) >= 4 && len(s) <= maxCode && hasDigit(s) && !strings.ContainsAny(s, " $€£%@:") && !isDate(s)
	case aTradeNumber:
		return isTradeNumber(s)
	case aBookNumber:
		return isBookNumber(s)
	case aLength:
		_, ok := mention.Duration(s)
		return ok && len(s) < maxMoney
	case aPay:
		return payText().MatchString(s)
	}
	return len(s) <= 30 && s[0] >= '1' && s[0] <= '9'
}

// countBefore reads for how many something is where the number stands before the
// word: "4 servings", "für 4 Personen".
func countBefore(s string) (name, text string) {
	if len(s) > maxMoney {
		return "", ""
	}
	if m := servingsText().FindStringSubmatch(s); m != nil {
		return "yield", m[1]
	}
	return "", ""
}
