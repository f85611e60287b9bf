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

// cutPlace cuts at the words that say where the element stands: in the row
// "Kettle", next to "Kettle", in the footer.
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
			return tokens[:i], after
		}
	}
	return tokens, nil
}

// besideAt is how many words at the beginning say "beside".
func besideAt(tokens []token) int {
	switch first := tokens[0].lower(); {
	case len(tokens) > 1 && is(first+" "+tokens[1].lower(), "besides"):
		return 2
	case is(first, "besides"):
		return 1
	}
	return 0
}

// readPlace reads where the element stands.
func (t *target) readPlace(tokens []token) (why string) {
	if leftOver(tokens, "determiners", "whole") == "" { // on the page
		return ""
	}
	t.row = indexOf(tokens, "row") >= 0
	if at := slices.IndexFunc(tokens, token.isValue); at >= 0 {
		t.near = tokens[at].text
		if hasValue(tokens[at+1:]) {
			return "it names several elements"
		}
		return cmp.Or(leftOver(tokens[:at], "determiners", "rowNouns", "besides", "besideRow"), leftOver(tokens[at+1:], "determiners", "besideRow"))
	}
	_, words := partition(tokens, func(tok token) bool { return is(tok.lower(), "determiners", "row") })
	if len(words) == 1 && regions()[words[0].lower()] != nil {
		t.region = regions()[words[0].lower()]
		return ""
	}
	if slices.ContainsFunc(words, func(tok token) bool {
		return tok.kind != wordToken || ordinal(tok.lower()) != 0 || is(tok.lower(), "besides") || tok.lower() == "and"
	}) {
		return leftOver(tokens)
	}
	t.near = original(words)
	return ""
}

// readName reads what the element is called and of which kind it is.
func (t *target) readName(tokens []token) (why string) {
	at := slices.IndexFunc(tokens, token.isValue)
	switch {
	case slices.ContainsFunc(tokens, func(tok token) bool { return tok.kind == urlToken }):
		return "it has an address in it"
	case at < 0:
		return t.readUnquoted(tokens)
	}
	t.name, t.exact = tokens[at].text, true
	after, purpose := cutAt(tokens[at+1:], "to")
	if hasValue(after) {
		return "it names several elements"
	}
	ordinals, after := partition(after, func(tok token) bool { return ordinal(tok.lower()) != 0 })
	return cmp.Or(leftOver(purpose, "purposes"), leftOver(t.noteAll(tokens[:at]), "noise"), leftOver(ordinals), leftOver(t.noteAll(after), "noise", "whole", "again"))
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

// note takes a word that says which kind or which of several is meant. Before
// another of a kind it only belongs to that: "the search box".
func (t *target) note(w string, rest []token) bool {
	role, n, next := roleWords()[w], ordinal(w), ""
	if len(rest) > 0 {
		next = roleWords()[rest[0].lower()]
	}
	switch {
	case n != 0:
		t.nth = n
	case role != "" && role != "any" && (next == "" || next == "any"):
		t.role = role
	}
	return n != 0 || role != ""
}

// noteAll notes what it can of words, and returns the others.
func (t *target) noteAll(tokens []token) (rest []token) {
	for i, tok := range tokens {
		if !t.note(tok.lower(), tokens[i+1:]) {
			rest = append(rest, tok)
		}
	}
	return rest
}
