package plain

import (
	"strings"
)

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

// beforeValues are words that may stand before what is typed.
var beforeValues = []string{"the", "text", "value", "words", "word", "a", "an", "following", "string"}

// valueFirst reports whether the first thing that is named is what to type.
func (p *clauseParser) valueFirst() bool {
	for _, t := range p.tokens {
		switch {
		case t.isValue():
			return true
		case !isOneOf(t.lower(), beforeValues):
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
	for _, part := range p.parts(func(rest []token) bool { return len(rest) > 0 && (rest[0].isValue() || rest[0].lower() == "and") }) {
		value, rest := takeValue(part, beforeValues...)
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
		if len(rest) > 0 && t.name == "" && t.role != "field" {
			return nil, "it does not say where to type"
		}
		steps = append(steps, typeInto(value, t))
	}
	if len(steps) == 0 {
		return nil, "it does not say what to type"
	}
	return steps, ""
}

func typeInto(text string, t target) step {
	t.role = "field"
	return step{verb: typeVerb, text: text, target: t}
}

// fieldTarget reads "into the field "Name"".
func fieldTarget(tokens []token) (target, string) {
	for len(tokens) > 0 && isOneOf(tokens[0].lower(), intoWords) {
		tokens = tokens[1:]
	}
	return parseTarget(tokens)
}

// pairs reads labels before values, with one of the words between them.
func (p *clauseParser) pairs(between ...string) (steps []step, why string) {
	begins := func(rest []token) bool {
		_, after := cutAt(rest, between...)
		return after != nil
	}
	for _, part := range p.parts(begins) {
		label, value := cutAt(part, between...)
		text, why := p.valueIn(value)
		if why != "" {
			return nil, why
		}
		t, why := fieldTarget(label)
		if why != "" {
			return nil, why
		}
		if t.name == "" {
			return nil, "it does not say what to type where"
		}
		steps = append(steps, typeInto(text, t))
	}
	if len(steps) == 0 {
		return nil, "it does not say what to type where"
	}
	return steps, ""
}

// labelThenValue reads "user name %user% and password %password%".
func (p *clauseParser) labelThenValue() (steps []step, why string) {
	for _, part := range p.parts(hasValue) {
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
		steps = append(steps, typeInto(value, label))
	}
	if len(steps) == 0 {
		return nil, "it does not say what to type"
	}
	return steps, ""
}

// unquoted reads "type hello into "Name"": one or two words without quotes.
func (p *clauseParser) unquoted(value, label []token) ([]step, string) {
	text, why := p.valueIn(value)
	if why != "" {
		return nil, why
	}
	t, why := fieldTarget(label)
	if why == "" && t.name == "" {
		why = "it does not say where to type"
	}
	return []step{typeInto(text, t)}, why
}

// maxUnquoted is how many words a value without quotes has at most: what is
// longer may be more than a value.
const maxUnquoted = 3

// valueIn reads a value that fills all of the tokens, in quotes or as a few
// plain words.
func (p *clauseParser) valueIn(tokens []token) (text, why string) {
	if text, rest := takeValue(tokens, beforeValues...); text != "" {
		return text, leftOver(rest)
	}
	if len(tokens) == 0 || len(tokens) > maxUnquoted {
		return "", "it does not say in quotes what to type"
	}
	for i, t := range tokens {
		doubtful := t.kind != wordToken && t.kind != urlToken || t.lower() == "and" || i == 0 && isOneOf(t.lower(), append([]string{"some", "something", "any", "one"}, determiners...))
		if doubtful {
			return "", "it does not say in quotes what to type"
		}
	}
	return p.raw(tokens), ""
}

// raw is what the caller wrote, punctuation and all.
func (p *clauseParser) raw(tokens []token) string {
	return strings.Join(strings.Fields(p.task[tokens[0].from:tokens[len(tokens)-1].to]), " ")
}
