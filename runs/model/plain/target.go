package plain

import (
	"cmp"
	"slices"
	"strings"
)

// besides are words before a text that stands near the element meant.
var besides = []string{"in", "of", "for", "near", "beside", "behind", "from", "inside", "within", "by", "at", "on"}

// regions are the parts of a page that have a role of their own.
var regions = map[string][]string{
	"footer": {"contentinfo"}, "header": {"banner"}, "navigation": {"navigation"}, "nav": {"navigation"}, "sidebar": {"complementary"},
	"dialog": {"dialog", "alertdialog"}, "popup": {"dialog", "alertdialog"}, "modal": {"dialog", "alertdialog"}, "menu": {"menu", "menubar", "navigation"},
	"table": {"table", "grid"}, "toolbar": {"toolbar"},
}

// parseTarget reads the name of an element and where it stands. Every word of
// it counts: one that is not understood is why there is no target.
func parseTarget(tokens []token) (t target, why string) {
	name, place := cutPlace(tokens)
	if why := t.readPlace(place); why != "" {
		return t, why
	}
	return t, t.readName(name)
}

// cutPlace cuts before the words that say where the element stands: in the
// row "Kettle", next to "Kettle", in the footer.
func cutPlace(tokens []token) (name, place []token) {
	quoted := slices.IndexFunc(tokens, token.isValue)
	for i := 1; i < len(tokens); i++ {
		n := besideAt(tokens[i:])
		if n == 0 {
			continue
		}
		switch rest := tokens[i+n:]; {
		case quoted >= 0 && quoted < i, isRowOrRegion(rest), n > 1:
			return tokens[:i], tokens[i:]
		case quoted > i && placeOnly(tokens[i+n:quoted]):
			return tokens[:i], tokens[i:]
		}
	}
	return tokens, nil
}

// besideAt is how many words at the beginning say "beside".
func besideAt(tokens []token) int {
	first := tokens[0].lower()
	if len(tokens) > 1 && tokens[1].lower() == "to" && (first == "next" || first == "close") {
		return 2
	}
	if isOneOf(first, besides) {
		return 1
	}
	return 0
}

// isRowOrRegion reports whether "the row …" or "the footer" follows.
func isRowOrRegion(tokens []token) bool {
	for len(tokens) > 0 && isOneOf(tokens[0].lower(), determiners) {
		tokens = tokens[1:]
	}
	return len(tokens) > 0 && (tokens[0].lower() == "row" || regions[tokens[0].lower()] != nil && len(tokens) == 1)
}

// placeOnly reports whether nothing stands between "in" and a text in quotes
// but words for a row.
func placeOnly(tokens []token) bool { return leftOver(tokens, determiners, rowNouns, besides) == "" }

// readPlace reads what cutPlace has cut off.
func (t *target) readPlace(tokens []token) (why string) {
	if len(tokens) == 0 {
		return ""
	}
	tokens = tokens[besideAt(tokens):]
	if leftOver(tokens, determiners, whole) == "" { // on the page
		return ""
	}
	var rest []token
	for i, tok := range tokens {
		switch {
		case tok.isValue() && t.near != "":
			return "it names several elements"
		case tok.isValue():
			t.near = tok.text
		case isOneOf(tok.lower(), determiners):
		case tok.lower() == "row":
			t.row = true
		case t.near == "" && hasValue(tokens[i:]) && (isOneOf(tok.lower(), rowNouns) || isOneOf(tok.lower(), besides)):
		default:
			rest = append(rest, tok)
		}
	}
	if t.near != "" || len(rest) == 0 {
		return leftOver(rest, []string{"row", "named", "called", "with"})
	}
	if roles := regions[rest[0].lower()]; roles != nil && len(rest) == 1 {
		t.region = roles
		return ""
	}
	for _, tok := range rest {
		if tok.kind != wordToken || ordinals[tok.lower()] != 0 || besideAt([]token{tok}) > 0 || tok.lower() == "and" {
			return leftOver(tokens)
		}
	}
	t.near = original(rest)
	return ""
}

// readName reads what the element is called and of which kind it is.
func (t *target) readName(tokens []token) (why string) {
	for i, tok := range tokens {
		switch {
		case tok.isValue() && t.exact:
			return "it names several elements"
		case tok.kind == urlToken:
			return "it has an address in it"
		case tok.isValue():
			t.name, t.exact = tok.text, true
		case tok.lower() == "to" && t.exact:
			if why = leftOver(tokens[i:], purposes); why != "" {
				return why
			}
			return t.readKind(tokens[:i])
		}
	}
	if t.exact {
		return t.readKind(tokens)
	}
	return t.readUnquoted(tokens)
}

// readKind reads the words around a name in quotes.
func (t *target) readKind(tokens []token) (why string) {
	at := slices.IndexFunc(tokens, token.isValue)
	var before, after []token
	for i, tok := range tokens {
		w := tok.lower()
		switch {
		case i == at, w != "" && (i < at || ordinals[w] == 0) && t.note(w, tokens[i+1:]):
		case i < at:
			before = append(before, tok)
		default:
			after = append(after, tok)
		}
	}
	return cmp.Or(leftOver(before, noise), leftOver(after, noise, whole, []string{"again"}))
}

// readUnquoted takes the caller's words for the name: all of them but those
// for its kind at the beginning and at the end.
func (t *target) readUnquoted(tokens []token) (why string) {
	for len(tokens) > 0 {
		w := tokens[0].lower()
		_, isRole := roleWords[w]
		if !isOneOf(w, determiners) && ordinals[w] == 0 && !(isRole && len(tokens) > 1) && !isOneOf(w, []string{"on", "labelled", "labeled", "named", "called"}) {
			break
		}
		t.note(w, tokens[1:])
		tokens = tokens[1:]
	}
	if n := len(tokens); n > 0 {
		w := tokens[n-1].lower()
		if _, isRole := roleWords[w]; isRole || isOneOf(w, whole) {
			t.note(w, nil)
			tokens = tokens[:n-1]
		}
	}
	for _, tok := range tokens {
		if tok.kind != wordToken {
			return "its name has to stand in quotes"
		}
	}
	t.name = original(tokens)
	return ""
}

// named reports whether it is said which element is meant: by name, by its
// place, or as the second of a kind.
func (t target) named() bool {
	return t.name != "" || t.near != "" && t.role != "" || t.nth != 0 && t.role != "" && t.role != "field"
}

func hasValue(tokens []token) bool { return slices.ContainsFunc(tokens, token.isValue) }

// note takes words that say which kind or which of several is meant.
func (t *target) note(w string, rest []token) bool {
	if n, ok := ordinals[w]; ok {
		t.nth = n
		return true
	}
	role, ok := roleWords[w]
	if !ok {
		return false
	}
	// "the search box": a word that belongs to the name of what follows.
	if len(rest) > 0 && roleWords[rest[0].lower()] != "" {
		return true
	}
	if role != "" {
		t.role = role
	}
	return true
}

// takeValue returns the values at the beginning, joined, and what is left.
// Words in skip may stand before them.
func takeValue(tokens []token, skip ...string) (value string, rest []token) {
	var parts []string
	for i, t := range tokens {
		switch {
		case t.isValue():
			parts = append(parts, t.text)
		case len(parts) == 0 && (isOneOf(t.lower(), determiners) || slices.Contains(skip, t.lower())):
		default:
			return strings.Join(parts, " "), tokens[i:]
		}
	}
	return strings.Join(parts, " "), nil
}

// cutAt cuts at the first of the words; after is nil without one.
func cutAt(tokens []token, words ...string) (before, after []token) {
	for i, t := range tokens {
		if slices.Contains(words, t.lower()) {
			return tokens[:i], tokens[i+1:]
		}
	}
	return tokens, nil
}

func indexOf(tokens []token, word string) int {
	return slices.IndexFunc(tokens, func(t token) bool { return t.lower() == word })
}

// original is what the caller wrote, white space folded.
func original(tokens []token) string {
	var words []string
	for _, t := range tokens {
		if t.kind != commaToken {
			words = append(words, t.text)
		}
	}
	return strings.Join(words, " ")
}
