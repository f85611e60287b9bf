package plain

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/drover-go/drover/internal/lexicon"
)

// form is a way to say a step; the file of forms says how it is written.
type form struct {
	verb  verb
	parts []string
}

var forms = sync.OnceValue(func() map[verb][]form {
	all := map[verb][]form{}
	for _, e := range lexicon.Read(files, "forms") {
		all[verb(e.Name)] = append(all[verb(e.Name)], form{verb(e.Words[0]), e.Words[1:]})
	}
	return all
})

// formed reads the clause in the first form of its verb that it has.
func (p *clauseParser) formed() (steps []step, why string) {
	for _, f := range forms()[p.verb] {
		if f.verb == "-" {
			return nil, strings.Join(f.parts, " ")
		}
		if !p.has(f) {
			continue
		}
		steps, why = nil, ""
		for _, part := range p.split(f) {
			var s step
			if s, why = p.step(f, part); why != "" {
				break
			}
			steps = append(steps, s)
		}
		if why != unfit {
			return steps, why
		}
	}
	return nil, "it does not say what to " + p.first
}

// unfit is why something is no part of a form, but may be of another.
const unfit = "it is said in another form"

// has reports whether the conditions of a form hold and its words are there.
func (p *clauseParser) has(f form) bool {
	rest := p.tokens
	for _, part := range f.parts {
		switch kind, name := part[0], part[1:]; {
		case kind == '?' && !p.holds(name), kind == '!' && p.holds(name), kind == '*' && leftOver(p.tokens, name) != "":
			return false
		case isWords(part):
			if _, rest = cutAt(rest, strings.Split(part, "|")...); rest == nil {
				return false
			}
		}
	}
	return true
}

// isWords reports whether a part of a form is words.
func isWords(part string) bool {
	return unicode.IsLower(rune(part[0])) && !strings.Contains(part, "=")
}

// split cuts what has a form of which there may be several, at commas and "and"
// before what can begin another.
func (p *clauseParser) split(f form) (all [][]token) {
	if !slices.Contains(f.parts, "&") {
		return [][]token{p.tokens}
	}
	between := slices.IndexFunc(f.parts, isWords)
	begins := func(rest []token) bool {
		switch {
		case slices.Contains(f.parts, "?quotedFirst"):
			return len(rest) > 0 && (rest[0].isValue() || rest[0].separates())
		case between < 0:
			return hasValue(rest)
		}
		return indexOf(rest, strings.Split(f.parts[between], "|")...) >= 0
	}
	var now []token
	for i, t := range p.tokens {
		if !t.separates() || len(now) > 0 && !begins(p.tokens[i+1:]) {
			now = append(now, t)
			continue
		}
		if len(now) > 0 {
			all = append(all, now)
		}
		now = nil
	}
	return append(all, now)
}

// step reads tokens in a form.
func (p *clauseParser) step(f form, tokens []token) (s step, why string) {
	s.verb, s.input = f.verb, inputs{}
	for i, part := range f.parts {
		name, value, says := strings.Cut(part, "=")
		switch own, rest := cutPart(tokens, f.parts[i+1:]); {
		case part == "choose=true":
			s.choose = true
		case name == "role":
			s.target.role = strings.Trim(value, `"`)
		case says:
			var v any
			if err := json.Unmarshal([]byte(value), &v); err != nil {
				return s, "the form " + part + " is broken"
			}
			s.input[name] = v
		case part[0] == '~':
			tokens, why = rest, leftOver(own, part[1:])
		case unicode.IsUpper(rune(part[0])):
			tokens, why = rest, p.readPart(part, &s, own)
		}
		if why != "" {
			return s, why
		}
	}
	return s, ""
}

// cutPart cuts before what the next parts of a form are.
func cutPart(tokens []token, next []string) (own, rest []token) {
	switch {
	case len(next) == 0:
	case isWords(next[0]):
		return cutAt(tokens, strings.Split(next[0], "|")...)
	case next[0] == "VALUE":
		if i := slices.IndexFunc(tokens, token.isValue); i >= 0 {
			return tokens[:i], tokens[i:]
		}
	case next[0] == "DISTANCE":
		at := pixelsAt(tokens)
		return skipBack(tokens[:at], "beforeDistance"), tokens[at:]
	}
	return tokens, nil
}

var pixelForm = lexicon.Pattern(`^(\d{1,4})(px)?$`)

// holds says whether a condition of a form holds.
func (p *clauseParser) holds(condition string) bool {
	switch condition {
	case "quoted":
		return hasValue(p.tokens)
	case "quotedFirst": // what is typed stands first
		rest := skip(p.tokens, "beforeValues")
		return len(rest) > 0 && rest[0].isValue()
	case "unquoted":
		before, after := cutAt(p.tokens, lists()["into"]...)
		return after != nil && !hasValue(before)
	case "list":
		_, after := cutAt(p.tokens, "in", "within", "inside")
		return hasValue(after)
	case "pixels":
		return pixelsAt(p.tokens) > 0
	case "enter":
		_, rest := partition(p.tokens, func(t token) bool { return is(t.lower(), "keyboard") })
		return len(rest) == 1 && is(strings.ToLower(rest[0].text), "enterKeys") && is(p.first, "presses")
	}
	return false
}

func pixelsAt(tokens []token) int {
	return slices.IndexFunc(tokens, func(t token) bool { return t.kind == wordToken && pixelForm().MatchString(t.text) })
}
