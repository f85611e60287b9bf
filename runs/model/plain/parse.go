package plain

import (
	"fmt"
	"slices"
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
	if s, ok, why := dialogStep(c.task, tokens); why != "" {
		return nil, &notPlain{c.text, why}
	} else if ok {
		s.sentence = c.text
		return append(before, s), nil
	}
	v, n := verbAt(tokens)
	if v == noVerb {
		return nil, &notPlain{c.text, "it does not begin with something that can be done"}
	}
	p := &clauseParser{task: c.task, tokens: tokens[n:], verb: v, first: tokens[0].lower()}
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
	for i < len(tokens) && isOneOf(tokens[i].lower(), []string{"on", "at", "from", "in", "using", "the", "site", "page", "website"}) {
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
	task   string
	tokens []token
	verb   verb
	first  string // the verb's first word
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
	case backVerb:
		return p.back()
	case loginVerb:
		return p.login()
	case scrollVerb:
		return p.scroll()
	case doubleVerb, rightVerb, hoverVerb:
		return p.point()
	case dragVerb:
		return p.drag()
	}
	return p.reading()
}

// allows lets words pass that have a plain meaning behind some verbs.
func (p *clauseParser) allows(word string) bool {
	switch strings.ToLower(word) {
	case "until":
		return p.verb == waitVerb || p.verb == scrollVerb && hasValue(p.tokens)
	case "that", "which":
		return p.verb == clickVerb && hasValue(p.tokens) // the button that says …
	case "each", "every":
		return p.verb == returnVerb || p.verb == readVerb // the price of each product
	case "number", "total", "count", "summary", "about", "same":
		return true // names of fields, as often as not
	}
	return false
}

// besideAddress are words around an address that change nothing.
var besideAddress = append([]string{"url", "address", "link", "at", "to", "web", "web page", "using", "in", "on", "under", "homepage", "following", "shop", "again"}, append(whole, determiners...)...)

func (p *clauseParser) open() ([]step, string) {
	address, why := p.address()
	if address != "" || why != "" {
		return []step{{verb: openVerb, url: address}}, why
	}
	return p.click() // open "Details", go to the catalogue
}

// address takes the one address out of the clause. There must be nothing else
// in it.
func (p *clauseParser) address() (address, why string) {
	var rest []token
	for _, t := range p.tokens {
		switch {
		case t.kind != urlToken && t.kind != variableToken && !(t.kind == quoteToken && isAddress(t.text)):
			rest = append(rest, t)
		case address != "":
			return "", "it names two addresses"
		default:
			address = t.text
		}
	}
	if address == "" {
		return "", ""
	}
	return address, leftOver(rest, besideAddress)
}

func (p *clauseParser) back() ([]step, string) {
	if address, why := p.address(); address != "" && why == "" {
		return []step{{verb: openVerb, url: address}}, ""
	}
	return []step{{verb: backVerb}}, leftOver(p.tokens, determiners, []string{"to", "previous", "last", "page", "one", "step", "in", "browser"})
}

func (p *clauseParser) click() ([]step, string) {
	if p.isEnter() {
		return []step{{verb: submitVerb}}, ""
	}
	if s, why, ok := p.key(); ok {
		return []step{s}, why
	}
	t, why := parseTarget(p.tokens)
	if why == "" && !t.named() {
		why = "it does not say what to " + p.first
	}
	return []step{{verb: clickVerb, target: t}}, why
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
	if list == nil { // a tab, a radio button, or an option of the only list there is
		t, why := parseTarget(p.tokens)
		if why == "" && !t.named() {
			why = "it does not say what to select"
		}
		return []step{{verb: clickVerb, target: t, choose: true}}, why
	}
	several, why := severalOptions(option)
	if why != "" {
		return nil, why
	}
	value := target{name: strings.Join(several, ", ")}
	if several == nil {
		value, why = parseTarget(option)
	}
	if why != "" {
		return nil, why
	}
	t, why := parseTarget(list)
	switch {
	case why != "":
	case value.name == "" || value.nth != 0 || !isOneOf(value.role, []string{"", "option"}):
		why = "it does not say which option to select"
	case t.name == "":
		why = "it does not say from what to select"
	}
	t.role = "field"
	return []step{{verb: selectVerb, text: value.name, several: several, target: t}}, why
}

func (p *clauseParser) check() ([]step, string) {
	t, why := parseTarget(p.tokens)
	if why == "" && t.name == "" {
		why = "it does not say what to " + p.first
	}
	if !t.exact && why == "" && (len(strings.Fields(t.name)) > 4 || isOneOf(strings.Fields(strings.ToLower(t.name))[0], []string{"out", "in", "for", "on"})) {
		why = "checking facts is a judgement"
	}
	t.role = "checkbox"
	return []step{{verb: p.verb, target: t}}, why
}

// searchPlaces are what is searched when the page is.
var searchPlaces = append([]string{"catalogue", "catalog", "shop", "store", "products", "search", "box", "bar", "field", "using", "with", "in", "on", "here"}, append(whole, determiners...)...)

func (p *clauseParser) search() ([]step, string) {
	what, where := cutAt(p.tokens, "in", "on", "with", "using")
	if i := indexOf(what, "for"); i >= 0 {
		where, what = append(slices.Clone(where), what[:i]...), what[i+1:]
	}
	value, why := p.valueIn(what)
	if why != "" {
		return nil, "it does not say in quotes what to search for"
	}
	t := target{}
	if hasValue(where) {
		if t, why = parseTarget(where); why != "" {
			return nil, why
		}
	} else if why = leftOver(where, searchPlaces); why != "" {
		return nil, why
	}
	t.role = "search"
	return []step{{verb: typeVerb, text: value, submit: true, target: t}}, ""
}

func (p *clauseParser) submit() ([]step, string) {
	if !hasValue(p.tokens) {
		return []step{{verb: submitVerb}}, leftOver(p.tokens, determiners, []string{"form", "it", "page", "search", "query", "enter", "key", "button"})
	}
	t, why := parseTarget(p.tokens)
	return []step{{verb: clickVerb, target: t}}, why
}
