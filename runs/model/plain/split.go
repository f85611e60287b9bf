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
		case t.isMark() && t.kind != commaToken:
			if t.kind == stopToken || !continuesOnNextLine(now, tokens[i+1:]) {
				flush()
			}
		case t.lower() == "then" || t.lower() == "afterwards":
			for len(now) > 0 && now[len(now)-1].separates() {
				now = now[:len(now)-1]
			}
			flush()
		case t.separates() && beginsClause(now, tokens[i+1:]):
			flush()
		default:
			now = append(now, t)
		}
	}
	flush()
	return all
}

var digits = lexicon.Pattern(`^\d{1,3}$`)

// isNumeral reports whether a word may number the items of a list.
func isNumeral(word string) bool {
	return digits().MatchString(word) || is(strings.ToLower(word), "numerals")
}

// dropMarkers takes the numbers and bullets of lists from the beginnings of
// lines and sentences: "1.", "2)", "-", "Step 3:".
func dropMarkers(tokens []token, task string) (out []token) {
	start := true
	for len(tokens) > 0 {
		if n := markerAt(tokens, task); start && n > 0 {
			tokens = tokens[n:]
			continue
		}
		start = tokens[0].isMark() && tokens[0].kind != commaToken
		out = append(out, tokens[0])
		tokens = tokens[1:]
	}
	return out
}

// markerAt is how many tokens the marker of a list has that stands first.
func markerAt(tokens []token, task string) int {
	first, n := tokens[0], 1
	switch {
	case first.kind != wordToken:
		return 0
	case is(first.text, "bullets"):
		return 1
	case first.lower() == "step" && len(tokens) > 1 && isNumeral(tokens[1].text):
		n = 2
	case !isNumeral(first.text) || first.to >= len(task) || strings.IndexByte(".):", task[first.to]) < 0:
		return 0
	}
	if len(tokens) > n && (tokens[n].isMark() && tokens[n].kind != lineToken || is(tokens[n].text, "bullets")) {
		n++
	}
	return n
}

// continuesOnNextLine reports whether a line was only wrapped: it ends in the
// middle of something, and the next does not begin with a verb.
func continuesOnNextLine(now, rest []token) bool {
	if v, _ := verbAt(skipLeading(rest)); v != noVerb || len(now) == 0 || len(rest) == 0 {
		return false
	}
	last := now[len(now)-1]
	return last.kind == commaToken || is(last.lower(), "wrapped")
}

func skipLeading(tokens []token) []token {
	for len(tokens) > 0 && (is(tokens[0].lower(), "leading") || tokens[0].kind == commaToken) {
		if v, _ := verbAt(tokens); v != noVerb {
			break
		}
		tokens = tokens[1:]
	}
	return tokens
}

// alone are the verbs with which a clause may end.
var alone = []verb{submitVerb, waitVerb, backVerb, scrollVerb, "login"}

// beginsClause reports whether what follows a comma or an "and" is something
// else to do. Many verbs are nouns, too ("name, type and list"): those need
// something behind them that only a verb has.
func beginsClause(now, rest []token) bool {
	if now, rest = skipLeading(now), skipLeading(rest); len(now) == 0 {
		return true
	}
	inside, _ := verbAt(now)
	v, n := verbAt(rest)
	switch {
	case slices.Contains(answers, v):
		return true
	case v == noVerb:
		return false
	case is(rest[0].lower(), "reports") && inside == readVerb:
		return true
	case inside == returnVerb || inside == readVerb:
		return v != returnVerb && beyondDoubt(v, n, rest)
	case len(rest) == n || rest[n].isMark() || rest[n].separates() || rest[n].lower() == "then":
		return slices.Contains(alone, v)
	}
	return true
}

// beyondDoubt reports whether a verb in a list of things to return is one.
func beyondDoubt(v verb, n int, rest []token) bool {
	if len(rest) == n {
		return v == backVerb && n > 1
	}
	next := rest[n]
	return next.isValue() || next.kind == urlToken || n > 1 && v != readVerb || (v == clickVerb || v == pressVerb) && is(next.lower(), "determiners")
}
