package plain

import "strings"

var intoWords = []string{"into", "in", "to", "as", "for", "on", "at"}

// typing reads the ways to fill fields:
//
//	type "a" into "Name" [and "b" into "Other"]
//	enter "a" as the name
//	fill [in] "Name" with "a" [and "Other" with "b"]
//	set "Name" to "a"
//	enter user name "a" [and password %p%]
//	type "a"
func (p *clauseParser) typing() ([]step, string) {
	with := indexOf(p.tokens, "with") >= 0 || indexOf(p.tokens, "using") >= 0
	if with && (p.first == "fill" || !p.valueFirst()) {
		return p.pairs("with", "using")
	}
	if p.first == "set" {
		return p.pairs("to", "as")
	}
	if !p.valueFirst() {
		if before, after := cutAt(p.tokens, intoWords...); after != nil && !hasValue(before) {
			return p.unquoted(before, after)
		}
		return p.labelThenValue()
	}
	return p.valueThenLabel()
}

// valueFirst reports whether the first thing that is named is what to type.
func (p *clauseParser) valueFirst() bool {
	for _, t := range p.tokens {
		switch {
		case t.isValue():
			return true
		case !isOneOf(t.lower(), []string{"the", "in", "text", "value", "words", "word", "a", "an", "number", "name"}):
			return false
		}
	}
	return false
}

// parts cuts at commas and "and", but only before what can begin a part.
func (p *clauseParser) parts(begins func(rest []token) bool) [][]token {
	var all [][]token
	var now []token
	for i, t := range p.tokens {
		if (t.kind == commaToken || t.lower() == "and") && (len(now) == 0 || begins(p.tokens[i+1:])) {
			if len(now) > 0 {
				all = append(all, now)
			}
			now = nil
			continue
		}
		now = append(now, t)
	}
	if len(now) > 0 {
		all = append(all, now)
	}
	return all
}

func (p *clauseParser) valueThenLabel() (steps []step, why string) {
	for _, part := range p.parts(func(rest []token) bool { return len(rest) > 0 && rest[0].isValue() }) {
		value, rest := takeValue(part)
		if value == "" {
			return nil, "it does not say what to type"
		}
		if len(rest) > 0 && !isOneOf(rest[0].lower(), intoWords) {
			return nil, "it does not say where to type"
		}
		t, why := fieldTarget(rest)
		if why != "" {
			return nil, why
		}
		steps = append(steps, step{verb: typeVerb, text: value, target: t})
	}
	if len(steps) == 0 {
		return nil, "it does not say what to type"
	}
	return steps, ""
}

// fieldTarget reads "into the field "Name"".
func fieldTarget(tokens []token) (target, string) {
	for len(tokens) > 0 && isOneOf(tokens[0].lower(), intoWords) {
		tokens = tokens[1:]
	}
	t, why := parseTarget(tokens)
	if !t.exact {
		t.name = unquotedName(tokens)
	}
	t.role = "field"
	return t, why
}

// unquotedName is the name of a field in the caller's words: "the user name
// field" is "user name".
func unquotedName(tokens []token) string {
	var words []string
	for _, t := range tokens {
		w := t.lower()
		if w == "" || isOneOf(w, []string{"the", "a", "an", "your", "my", "labelled", "labeled", "named", "called", "form"}) {
			continue
		}
		if roleWords[w] == "field" || ordinals[w] != 0 {
			continue
		}
		words = append(words, t.text)
	}
	return strings.Join(words, " ")
}

// pairs reads labels before values, with one of the words between them.
func (p *clauseParser) pairs(between ...string) (steps []step, why string) {
	begins := func(rest []token) bool {
		_, after := cutAt(rest, between...)
		return after != nil
	}
	for _, part := range p.parts(begins) {
		label, value := cutAt(part, between...)
		text, rest := takeValue(value)
		if text == "" && len(value) > 0 {
			text, rest = original(value), nil
		}
		if text == "" || len(rest) > 0 {
			return nil, "it does not say what to type where"
		}
		t, why := fieldTarget(label)
		if why != "" {
			return nil, why
		}
		steps = append(steps, step{verb: typeVerb, text: text, target: t})
	}
	if len(steps) == 0 {
		return nil, "it does not say what to type where"
	}
	return steps, ""
}

// labelThenValue reads "user name %user% and password %password%".
func (p *clauseParser) labelThenValue() (steps []step, why string) {
	for _, part := range p.parts(func(rest []token) bool { return hasValue(rest) }) {
		i := 0
		for i < len(part) && !part[i].isValue() {
			i++
		}
		value, rest := takeValue(part[i:])
		label, why := fieldTarget(part[:i])
		switch {
		case why != "":
			return nil, why
		case value == "" || len(rest) > 0 || label.name == "":
			return nil, "it does not say in quotes what to type"
		}
		steps = append(steps, step{verb: typeVerb, text: value, target: label})
	}
	if len(steps) == 0 {
		return nil, "it does not say what to type"
	}
	return steps, ""
}

// unquoted reads "type hello into "Name"": one or two words without quotes.
func (p *clauseParser) unquoted(value, label []token) ([]step, string) {
	if len(value) == 0 || len(value) > 2 {
		return nil, "it does not say in quotes what to type"
	}
	t, why := fieldTarget(label)
	if why == "" && t.name == "" {
		why = "it does not say where to type"
	}
	return []step{{verb: typeVerb, text: original(value), target: t}}, why
}
