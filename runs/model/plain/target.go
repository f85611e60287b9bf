package plain

import (
	"cmp"
	"slices"
)

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
		after := tokens[i+n:]
		row := skip(after, "determiners")
		isPlace := len(row) > 0 && (row[0].lower() == "row" || len(row) == 1 && regions()[row[0].lower()] != nil)
		if quoted >= 0 && quoted < i || isPlace || n > 1 || quoted > i && leftOver(tokens[i+n:quoted], "determiners", "rowNouns", "besides") == "" {
			return tokens[:i], tokens[i:]
		}
	}
	return tokens, nil
}

// besideAt is how many words at the beginning say "beside".
func besideAt(tokens []token) int {
	first := tokens[0].lower()
	switch {
	case len(tokens) > 1 && tokens[1].lower() == "to" && (first == "next" || first == "close"):
		return 2
	case is(first, "besides"):
		return 1
	}
	return 0
}

// readPlace reads what cutPlace has cut off.
func (t *target) readPlace(tokens []token) (why string) {
	if len(tokens) == 0 {
		return ""
	}
	tokens = tokens[besideAt(tokens):]
	if leftOver(tokens, "determiners", "whole") == "" { // on the page
		return ""
	}
	var rest []token
	for i, tok := range tokens {
		switch {
		case tok.isValue() && t.near != "":
			return "it names several elements"
		case tok.isValue():
			t.near = tok.text
		case is(tok.lower(), "determiners"):
		case tok.lower() == "row":
			t.row = true
		case t.near == "" && hasValue(tokens[i:]) && is(tok.lower(), "rowNouns", "besides"):
		default:
			rest = append(rest, tok)
		}
	}
	if t.near != "" || len(rest) == 0 {
		return leftOver(rest, "besideRow")
	}
	if t.region = regions()[rest[0].lower()]; t.region != nil && len(rest) == 1 {
		return ""
	}
	t.region = nil
	for _, tok := range rest {
		if tok.kind != wordToken || ordinal(tok.lower()) != 0 || is(tok.lower(), "besides") || tok.lower() == "and" {
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
			return cmp.Or(leftOver(tokens[i:], "purposes"), t.readKind(tokens[:i]))
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
	isKind := func(i int) bool { return t.note(tokens[i].lower(), tokens[i+1:]) }
	var before, after []token
	for i, tok := range tokens {
		switch {
		case i < at && !isKind(i):
			before = append(before, tok)
		case i > at && (ordinal(tok.lower()) != 0 || !isKind(i)):
			after = append(after, tok)
		}
	}
	return cmp.Or(leftOver(before, "noise"), leftOver(after, "noise", "whole", "again"))
}

// readUnquoted takes the caller's words for the name: all of them but those
// for its kind at the beginning and at the end.
func (t *target) readUnquoted(tokens []token) (why string) {
	for len(tokens) > 0 {
		w := tokens[0].lower()
		if !is(w, "beforeName") && ordinal(w) == 0 && (roleWords()[w] == "" || len(tokens) == 1) {
			break
		}
		t.note(w, tokens[1:])
		tokens = tokens[1:]
	}
	if n := len(tokens); n > 0 && (roleWords()[tokens[n-1].lower()] != "" || is(tokens[n-1].lower(), "whole")) {
		t.note(tokens[n-1].lower(), nil)
		tokens = tokens[:n-1]
	}
	for _, tok := range tokens {
		if tok.kind != wordToken {
			return "its name has to stand in quotes"
		}
	}
	t.name = original(tokens)
	return ""
}

// note takes a word that says which kind or which of several is meant.
func (t *target) note(w string, rest []token) bool {
	role := roleWords()[w]
	belongs := len(rest) > 0 && roleWords()[rest[0].lower()] != "" && roleWords()[rest[0].lower()] != "any" // "the search box"
	switch n := ordinal(w); {
	case n != 0:
		t.nth = n
	case role != "" && role != "any" && !belongs:
		t.role = role
	}
	return ordinal(w) != 0 || role != ""
}
