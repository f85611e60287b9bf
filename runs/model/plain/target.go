package plain

import (
	"slices"
	"strings"
)

// besides are words before a text that stands near the element meant.
var besides = []string{"in", "of", "for", "near", "beside", "to", "behind", "from", "inside", "within", "row"}

// parseTarget reads the name of an element.
func parseTarget(tokens []token) (t target, why string) {
	var words []string
	beside := false
	for i, tok := range tokens {
		w := tok.lower()
		switch {
		case tok.isValue() && t.exact && beside, tok.isValue() && t.exact && t.near == "":
			t.near = tok.text
		case tok.isValue() && beside && len(words) > 0:
			t.near = tok.text
		case tok.isValue() && t.exact:
			return t, "it names several elements"
		case tok.isValue():
			t.name, t.exact = tok.text, true
		case tok.kind == urlToken:
			return t, "it has an address in it"
		case w == "to" && t.exact && !followsNext(tokens, i):
			return t, "" // click "Save" to save the form
		case t.note(w, tokens[i+1:]):
		case isOneOf(w, besides) && hasValue(tokens[i+1:]):
			beside = true
		case tok.kind == wordToken && !isOneOf(w, noise) && w != "and" && w != "next":
			words = append(words, tok.text)
		}
	}
	switch {
	case t.exact && len(words) > 0 && !harmless(words):
		return t, "it says more than the name: " + strings.Join(words, " ")
	case !t.exact:
		t.name = strings.Join(words, " ")
	}
	return t, ""
}

// followsNext reports whether "to" is part of "next to".
func followsNext(tokens []token, i int) bool { return i > 0 && tokens[i-1].lower() == "next" }

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

// harmless are words beside a name in quotes that are passed over.
func harmless(words []string) bool {
	for _, w := range words {
		if !isOneOf(strings.ToLower(w), []string{"once", "that", "which", "reads", "now", "there", "again", "navigation", "main", "submit", "it", "under", "row", "product", "section"}) {
			return false
		}
	}
	return true
}

// takeValue returns the values at the beginning, joined, and what is left.
func takeValue(tokens []token) (value string, rest []token) {
	var parts []string
	for i, t := range tokens {
		switch {
		case t.isValue():
			parts = append(parts, t.text)
		case len(parts) == 0 && (isOneOf(t.lower(), noise) || roleWords[t.lower()] != "" || t.lower() == "for" || t.lower() == "until"):
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
