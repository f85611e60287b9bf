package plain

import (
	"fmt"
	"strconv"
	"strings"
)

// notPlain is a sentence that is no plain step.
type notPlain struct {
	sentence string
	why      string
}

func (e *notPlain) Error() string {
	return fmt.Sprintf("this task needs a language model, and none is configured: the sentence %s is not a plain step (%s). "+
		`Plain steps are: go to URL; go back; click "X"; type "t" or %%variable%% into "Label"; select "X" from "Label"; check "X"; press Enter; hover over "X"; drag "A" to "B"; scroll down; wait for "X"; accept the dialog; return …`,
		strconv.Quote(shorten(e.sentence, 160)), e.why)
}

func shorten(s string, limit int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= limit {
		return string(r)
	}
	return string(r[:limit-1]) + "…"
}

// parse reads a task written as plain steps.
func parse(task string) ([]step, error) {
	var steps []step
	for _, c := range split(task) {
		more, why := parseClause(c)
		if why != "" {
			return nil, &notPlain{c.text, why}
		}
		for i := range more {
			more[i].sentence = c.text
		}
		steps = merge(steps, more)
	}
	if len(steps) == 0 {
		return nil, &notPlain{task, "there is nothing to do in it"}
	}
	return steps, nil
}

// parseClause returns the steps of a clause, or why it is none.
func parseClause(c clause) (steps []step, why string) {
	tokens := skipLeading(c.tokens)
	if rest := skip(tokens, "place"); len(rest) > 0 && rest[0].kind == urlToken { // on https://shop.example, …
		steps = append(steps, step{verb: openVerb, url: rest[0].text})
		if tokens = skipLeading(rest[1:]); len(tokens) == 0 {
			return steps, ""
		}
	}
	p := &clauseParser{task: c.task}
	var n int
	if accept, rest, ok := answersDialog(tokens); ok {
		p.verb, n = dialogVerb, len(tokens)-len(rest)
		p.accept = accept
	} else if p.verb, n = verbAt(tokens); n == 0 {
		return nil, "it does not begin with something that can be done"
	}
	p.first, p.tokens = tokens[0].lower(), tokens[n:]
	more, why := p.parse()
	return append(steps, more...), why
}

// merge presses Enter in the field that was typed into just before.
func merge(before, steps []step) []step {
	if len(steps) == 1 && steps[0].verb == submitVerb && len(before) > 0 {
		if last := &before[len(before)-1]; last.verb == typeVerb {
			last.submit = true
			last.sentence += ", " + steps[0].sentence
			return before
		}
	}
	return append(before, steps...)
}

// clauseParser reads what follows the verb.
type clauseParser struct {
	task   string
	tokens []token
	verb   verb
	first  string // the verb's first word
	accept bool   // of a dialog
}

// parse returns the steps, or why the clause is not one.
func (p *clauseParser) parse() (steps []step, why string) {
	for _, t := range p.tokens {
		if is(t.lower(), "judgement") && !p.allows(t.lower()) {
			return nil, fmt.Sprintf("%q asks for a judgement", t.text)
		}
	}
	switch p.verb {
	case "login":
		return p.login()
	case readVerb, returnVerb:
		return p.reading()
	}
	return p.formed()
}

// allows lets words pass that have a plain meaning behind some verbs.
func (p *clauseParser) allows(word string) bool {
	switch word {
	case "until":
		return p.verb == waitVerb || p.verb == scrollVerb && hasValue(p.tokens)
	case "that", "which":
		return (p.verb == clickVerb || p.verb == pressVerb) && hasValue(p.tokens) // the button that says …
	case "each", "every":
		return p.verb == returnVerb || p.verb == readVerb // the price of each product
	}
	return is(word, "fieldNames")
}

// login reads "log in with user name "ada" and password %password%": fields are
// filled and Enter is pressed in the last.
func (p *clauseParser) login() (steps []step, why string) {
	why = `it does not say with what: log in with username "…" and password %…%`
	for tokens := p.tokens; len(tokens) > 0; {
		if tokens[0].kind == commaToken || is(tokens[0].lower(), "besideCredentials") {
			tokens = tokens[1:]
			continue
		}
		rest := skip(tokens, "credentials")
		label := original(tokens[:len(tokens)-len(rest)])
		if tokens[0].lower() == "as" {
			label, rest = "username", tokens[1:]
		}
		if rest = skip(rest, "isOf"); label == "" || len(rest) == 0 || !rest[0].isValue() && rest[0].kind != wordToken {
			return nil, "it does not say with what: " + original(tokens)
		}
		steps = append(steps, step{verb: typeVerb, text: rest[0].text, target: target{name: label, role: "field"}})
		tokens = rest[1:]
	}
	if len(steps) == 0 {
		return nil, why
	}
	steps[len(steps)-1].submit = true
	return steps, ""
}
