package plain

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// clause is a part of the task that asks for one thing.
type clause struct {
	tokens []token
	text   string
	// task is what the places of the tokens refer to.
	task string
}

// split cuts a task where one thing to do ends and the next begins.
func split(task string) []clause {
	var all []clause
	var now []token
	flush := func() {
		if len(skipLeading(now)) > 0 {
			all = append(all, clause{now, strings.TrimSpace(task[now[0].from:now[len(now)-1].to]), task})
		}
		now = nil
	}
	tokens := dropMarkers(lex(task), task)
	for i, t := range tokens {
		switch {
		case t.kind == stopToken || t.kind == lineToken:
			if t.kind == stopToken || !continuesOnNextLine(now, tokens[i+1:]) {
				flush()
			}
		case t.lower() == "then" || t.lower() == "afterwards":
			now = dropTail(now)
			flush()
		case (t.kind == commaToken || t.lower() == "and") && beginsClause(now, tokens[i+1:]):
			flush()
		default:
			now = append(now, t)
		}
	}
	flush()
	return all
}

var (
	numeral = lexicon.Pattern(`(?i)^(\d{1,3}|[a-h]|one|two|three|four|five|six|seven|eight|nine|ten)$`)
	bullets = []string{"-", "*", "•", "–", "·", "‣", "◦", "—"}
)

// dropMarkers takes the numbers and bullets of lists from the beginnings of
// lines and sentences: "1.", "2)", "-", "Step 3:".
func dropMarkers(tokens []token, task string) []token {
	out := tokens[:0:0]
	start := true
	for len(tokens) > 0 {
		if n := markerAt(tokens, task); start && n > 0 {
			tokens = tokens[n:]
			continue
		}
		start = tokens[0].kind == lineToken || tokens[0].kind == stopToken
		out = append(out, tokens[0])
		tokens = tokens[1:]
	}
	return out
}

// markerAt is how many tokens the marker of a list has that stands first.
func markerAt(tokens []token, task string) int {
	first := tokens[0]
	switch {
	case first.kind == wordToken && isOneOf(first.text, bullets):
		return 1
	case first.lower() == "step" && len(tokens) > 1 && numeral().MatchString(tokens[1].text):
		return 2 + mark(tokens[2:])
	case first.kind == wordToken && numeral().MatchString(first.text) && first.to < len(task) && strings.IndexByte(".):", task[first.to]) >= 0:
		return 1 + mark(tokens[1:])
	}
	return 0
}

// mark is 1 before what closes a marker.
func mark(tokens []token) int {
	if len(tokens) > 0 && (tokens[0].kind == stopToken || tokens[0].kind == commaToken || isOneOf(tokens[0].text, bullets)) {
		return 1
	}
	return 0
}

// continuesOnNextLine reports whether a line was only wrapped: it ends in the
// middle of something, and the next does not begin with a verb.
func continuesOnNextLine(now, rest []token) bool {
	if len(now) == 0 || len(rest) == 0 {
		return false
	}
	if v, _ := verbAt(skipLeading(rest)); v != noVerb {
		return false
	}
	if _, _, ok := answersDialog(skipLeading(rest)); ok {
		return false
	}
	last := now[len(now)-1]
	return last.kind == commaToken || isOneOf(last.lower(), []string{"and", "into", "in", "to", "the", "with", "as", "of", "on", "for", "from"})
}

// dropTail takes "and" and commas off the end.
func dropTail(tokens []token) []token {
	for len(tokens) > 0 {
		last := tokens[len(tokens)-1]
		if last.kind != commaToken && last.lower() != "and" {
			break
		}
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}

func skipLeading(tokens []token) []token {
	for len(tokens) > 0 && (isOneOf(tokens[0].lower(), leading) || tokens[0].kind == commaToken) {
		if v, _ := verbAt(tokens); v != noVerb {
			break
		}
		tokens = tokens[1:]
	}
	return tokens
}

// beginsClause reports whether what follows a comma or an "and" is something
// else to do. Many verbs are nouns, too ("name, type and list"): those need
// something behind them that only a verb has.
func beginsClause(now, rest []token) bool {
	if len(skipLeading(now)) == 0 {
		return true
	}
	rest = skipLeading(rest)
	if _, _, ok := answersDialog(rest); ok {
		return true
	}
	v, n := verbAt(rest)
	if v == noVerb {
		return false
	}
	inside, _ := verbAt(skipLeading(now))
	if _, _, ok := answersDialog(skipLeading(now)); ok { // answer is a word for return, too
		inside = dialogVerb
	}
	switch {
	case isOneOf(rest[0].lower(), []string{"return", "report", "give", "tell"}) && inside == readVerb:
		return true
	case inside == returnVerb || inside == readVerb:
		return v != returnVerb && beyondDoubt(v, n, rest)
	case len(rest) == n, rest[n].kind == commaToken, rest[n].kind == stopToken, rest[n].kind == lineToken, isOneOf(rest[n].lower(), []string{"and", "then"}):
		return slices.Contains([]verb{submitVerb, waitVerb, backVerb, loginVerb, scrollVerb}, v)
	}
	next := rest[n]
	return next.isValue() || next.kind == urlToken || next.kind == wordToken
}

// beyondDoubt reports whether a verb in a list of things to return is one.
func beyondDoubt(v verb, n int, rest []token) bool {
	if v == backVerb && n > 1 {
		return true
	}
	if len(rest) == n {
		return false
	}
	next := rest[n]
	return next.isValue() || next.kind == urlToken || n > 1 && v != readVerb || v == clickVerb && isOneOf(next.lower(), determiners)
}
