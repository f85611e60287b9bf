package plain

import (
	"fmt"
	"regexp"
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
		`Plain steps are: go to URL; click "X"; type "t" or %%variable%% into "Label"; select "X" from "Label"; check "X"; press Enter; wait for "X"; return …`,
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
		more, err := parseClause(c, steps)
		if err != nil {
			return nil, err
		}
		steps = more
	}
	if len(steps) == 0 {
		return nil, &notPlain{task, "there is nothing to do in it"}
	}
	return steps, nil
}

// parseClause adds the steps of a clause to those before it.
func parseClause(c clause, before []step) ([]step, error) {
	tokens := skipLeading(c.tokens)
	if first, rest, ok := placeFirst(tokens); ok {
		before = append(before, step{verb: openVerb, sentence: c.text, url: first})
		if tokens = skipLeading(rest); len(tokens) == 0 {
			return before, nil
		}
	}
	v, n := verbAt(tokens)
	if v == noVerb {
		return nil, &notPlain{c.text, "it does not begin with something that can be done"}
	}
	p := &clauseParser{sentence: c.text, tokens: tokens[n:], verb: v, first: tokens[0].lower(), before: before}
	steps, why := p.parse()
	if why != "" {
		return nil, &notPlain{c.text, why}
	}
	for i := range steps {
		steps[i].sentence = c.text
	}
	return merge(before, steps), nil
}

// placeFirst takes "On https://shop.example, …" and an address by itself.
func placeFirst(tokens []token) (address string, rest []token, ok bool) {
	i := 0
	for i < len(tokens) && isOneOf(tokens[i].lower(), []string{"on", "at", "from", "in", "using", "with", "visit", "the", "site", "page", "website"}) {
		i++
	}
	if i == len(tokens) || tokens[i].kind != urlToken {
		return "", nil, false
	}
	return tokens[i].text, tokens[i+1:], true
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
	sentence string
	tokens   []token
	verb     verb
	first    string // the verb's first word
	before   []step
}

// parse returns the steps, or why the clause is not one.
func (p *clauseParser) parse() (steps []step, why string) {
	if word, bad := asksForJudgement(p.tokens); bad && !p.allows(word) {
		return nil, fmt.Sprintf("%q asks for a judgement", word)
	}
	switch p.verb {
	case openVerb:
		return p.open()
	case clickVerb:
		return p.click()
	case typeVerb:
		return p.typing()
	case selectVerb:
		return p.choose()
	case checkVerb, uncheckVerb:
		return p.check()
	case searchVerb:
		return p.search()
	case submitVerb:
		return p.submit()
	case waitVerb:
		return p.wait()
	}
	return p.reading()
}

// allows lets words pass that have a plain meaning behind some verbs.
func (p *clauseParser) allows(word string) bool {
	switch strings.ToLower(word) {
	case "until":
		return p.verb == waitVerb
	case "that", "which":
		return p.verb == clickVerb // the button that says …
	case "each", "every":
		return p.verb == returnVerb || p.verb == readVerb // the price of each product
	case "number", "total", "count", "summary", "about", "same":
		return true // names of fields, as often as not
	}
	return false
}

func (p *clauseParser) open() ([]step, string) {
	var address string
	for _, t := range p.tokens {
		if t.kind == urlToken || t.kind == variableToken || t.kind == quoteToken && isAddress(t.text) {
			if address != "" {
				return nil, "it names two addresses"
			}
			address = t.text
		}
	}
	if address != "" {
		return []step{{verb: openVerb, url: address}}, ""
	}
	return p.click() // open "Details", go to the catalogue
}

func (p *clauseParser) click() ([]step, string) {
	if p.isEnter() {
		return []step{{verb: submitVerb}}, ""
	}
	t, why := parseTarget(p.tokens)
	if why != "" {
		return nil, why
	}
	if t.name == "" && t.near == "" {
		return nil, "it does not say what to click"
	}
	return []step{{verb: clickVerb, target: t}}, ""
}

// isEnter reports whether the key is meant: press Enter, hit the return key.
func (p *clauseParser) isEnter() bool {
	var rest []string
	for _, t := range p.tokens {
		if w := t.lower(); !isOneOf(w, []string{"the", "key", "on", "keyboard", "button", "your"}) {
			rest = append(rest, t.text)
		}
	}
	if len(rest) != 1 {
		return false
	}
	return isOneOf(strings.ToLower(rest[0]), []string{"enter", "return", "⏎", "↵"}) && isOneOf(p.first, []string{"press", "hit", "push", "tap"})
}

func (p *clauseParser) choose() ([]step, string) {
	option, list := cutAt(p.tokens, "from", "in", "as", "for", "within")
	value, rest := takeValue(option)
	if value == "" || list == nil { // a tab, a radio button, or the only list there is
		t, why := parseTarget(p.tokens)
		if why == "" && t.name == "" {
			why = "it does not say what to select"
		}
		return []step{{verb: clickVerb, target: t, choose: true}}, why
	}
	if _, why := parseTarget(rest); why != "" {
		return nil, why
	}
	t, why := parseTarget(list)
	t.role = "field"
	return []step{{verb: selectVerb, text: value, target: t}}, why
}

func (p *clauseParser) check() ([]step, string) {
	t, why := parseTarget(p.tokens)
	if why == "" && t.name == "" {
		why = "it does not say what to " + p.first
	}
	if !t.exact && why == "" && len(strings.Fields(t.name)) > 4 {
		why = "checking facts is a judgement"
	}
	t.role = "checkbox"
	return []step{{verb: p.verb, target: t}}, why
}

func (p *clauseParser) search() ([]step, string) {
	what, where := cutAt(p.tokens, "in", "on", "with", "using")
	if i := indexOf(what, "for"); i >= 0 {
		where, what = append(where, what[:i]...), what[i+1:]
	}
	value, _ := takeValue(what)
	if value == "" {
		value = original(what)
	}
	if value == "" {
		return nil, "it does not say what to search for"
	}
	t, why := parseTarget(where)
	if !t.exact {
		t.name = ""
	}
	t.role = "search"
	return []step{{verb: typeVerb, text: value, submit: true, target: t}}, why
}

func (p *clauseParser) submit() ([]step, string) {
	t, why := parseTarget(p.tokens)
	if t.exact {
		return []step{{verb: clickVerb, target: t}}, why
	}
	return []step{{verb: submitVerb}}, ""
}

var secondsForm = regexp.MustCompile(`(?i)^(\d+(?:\.\d+)?)\s*(s|sec|secs|second|seconds)?$`)

func (p *clauseParser) wait() ([]step, string) {
	if value, _ := takeValue(p.tokens); value != "" {
		return []step{{verb: waitVerb, text: value}}, ""
	}
	words := strings.ToLower(original(p.tokens))
	words = strings.TrimPrefix(strings.TrimPrefix(words, "for "), "about ")
	if m := secondsForm.FindStringSubmatch(words); m != nil {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil || n > 60 {
			return nil, "it waits for more than 60 seconds"
		}
		return []step{{verb: waitVerb, seconds: n}}, ""
	}
	switch words {
	case "a second", "a moment", "briefly", "":
		return []step{{verb: waitVerb, seconds: 1}}, ""
	case "the page", "the page to load", "the page has loaded", "the page is loaded", "it loads", "it to load", "page load":
		return []step{{verb: waitVerb, seconds: 0.5}}, ""
	}
	return nil, "it does not say in quotes which text to wait for"
}
