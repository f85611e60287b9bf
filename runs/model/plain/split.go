package plain

import (
	"regexp"
	"strings"
)

// clause is a part of the task that asks for one thing.
type clause struct {
	tokens []token
	text   string
}

// split cuts a task where one thing to do ends and the next begins.
func split(task string) []clause {
	var all []clause
	var now []token
	flush := func() {
		if len(skipLeading(now)) > 0 {
			all = append(all, clause{now, strings.TrimSpace(task[now[0].from:now[len(now)-1].to])})
		}
		now = nil
	}
	tokens := dropMarkers(lex(task))
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
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

var marker = regexp.MustCompile(`(?i)^(\d{1,3}|[-*•–]|step)$`)

// dropMarkers takes the numbers and bullets of lists from the beginnings of
// lines: "1.", "2)", "-", "Step 3:".
func dropMarkers(tokens []token) []token {
	out := tokens[:0:0]
	start := true
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if start && t.kind == wordToken && marker.MatchString(t.text) {
			if strings.EqualFold(t.text, "step") && i+1 < len(tokens) && marker.MatchString(tokens[i+1].text) {
				i++
			}
			if i+1 < len(tokens) && (tokens[i+1].kind == stopToken || tokens[i+1].kind == commaToken) {
				i++
			}
			continue
		}
		start = t.kind == lineToken
		out = append(out, t)
	}
	return out
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
	if len(now) == 0 {
		return true
	}
	rest = skipLeading(rest)
	v, n := verbAt(rest)
	if v == noVerb || len(rest) < n {
		return false
	}
	switch inside, _ := verbAt(skipLeading(now)); {
	case inside == readVerb && isOneOf(rest[0].lower(), []string{"return", "report", "give", "tell"}):
		return true
	case inside == returnVerb || inside == readVerb:
		return len(rest) > n && (rest[n].isValue() || rest[n].kind == urlToken) && v != returnVerb
	}
	if len(rest) == n {
		return v == submitVerb || v == waitVerb
	}
	next := rest[n]
	switch {
	case next.isValue(), next.kind == urlToken, v == openVerb, v == returnVerb, v == submitVerb, v == waitVerb, v == readVerb:
		return true
	case isOneOf(next.lower(), []string{"the", "on", "a", "your", "enter", "return", "for", "my"}):
		return true
	}
	return next.kind == wordToken && (v == clickVerb || v == selectVerb)
}
