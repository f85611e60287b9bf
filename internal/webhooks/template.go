package webhooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Template is JSON with variables in it: {{name}} or {{name.member.member}} in the
// place of a value and, where strings are interpolated, inside of strings, too.
//
// In the place of a value stands the JSON of the variable, and null for one that is not
// there, for "", 0 and false, as the job platform has it. A string that is nothing but
// a variable becomes its value, too. Inside of other text a string stands as it is, and
// anything else as JSON. What variables bring in is not looked at again.
type Template struct{ parts []part }

// part is a piece of the text, and the variable behind it.
type part struct {
	text     string
	variable []string // nil: none
	mode     mode
}

// mode says what a variable becomes.
type mode uint8

const (
	value  mode = iota // JSON, or null for what counts as nothing
	typed              // JSON: it was a string of its own
	inside             // text within a string
)

// ParseTemplate reads a template, of which variables may begin with one of the names.
// The error says what is wrong with it.
func ParseTemplate(text string, interpolate bool, names ...string) (Template, error) {
	p := parser{rest: text, interpolate: interpolate, names: names}
	if err := p.all(); err != nil {
		return Template{}, err
	}
	t := Template{p.parts}
	var any json.RawMessage
	if err := json.Unmarshal(t.Render(nil), &any); err != nil {
		return Template{}, fmt.Errorf("is no JSON with null in the place of its variables: %w", err)
	}
	return t, nil
}

type parser struct {
	rest        string
	interpolate bool
	names       []string
	text        strings.Builder
	parts       []part
}

func (p *parser) all() error {
	for p.rest != "" {
		var err error
		switch {
		case p.rest[0] == '"':
			err = p.str()
		case strings.HasPrefix(p.rest, "{{"):
			err = p.variable(value)
		default:
			p.take(1)
		}
		if err != nil {
			return err
		}
	}
	p.flush(part{})
	return nil
}

func (p *parser) take(n int) {
	p.text.WriteString(p.rest[:n])
	p.rest = p.rest[n:]
}

func (p *parser) flush(with part) {
	with.text = p.text.String()
	p.text.Reset()
	p.parts = append(p.parts, with)
}

// variable reads one that begins here.
func (p *parser) variable(m mode) error {
	name, rest, ok := strings.Cut(p.rest[2:], "}}")
	if !ok {
		return errors.New("has a variable that does not end with }}")
	}
	path := strings.Split(name, ".")
	if !slices.Contains(p.names, path[0]) {
		return fmt.Errorf("has the variable {{%.100s}}: there are %s", name, strings.Join(p.names, ", "))
	}
	p.flush(part{variable: path, mode: m})
	p.rest = rest
	return nil
}

// str reads a string, in which there may be variables where it is a value.
func (p *parser) str() error {
	end := endOfString(p.rest)
	if end < 0 {
		return errors.New("is no JSON: a string does not end")
	}
	literal, rest := p.rest[:end], p.rest[end:]
	isKey := strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), ":")
	if !p.interpolate || isKey || !strings.Contains(literal, "{{") {
		p.take(end)
		return nil
	}
	if name := bare(literal); name != "" {
		p.rest = literal[1 : end-1]
		err := p.variable(typed)
		p.rest = rest
		return err
	}
	err := p.within(literal)
	p.rest = rest
	return err
}

// within reads a literal with variables in its text.
func (p *parser) within(literal string) error {
	for p.rest = literal; p.rest != ""; {
		at := strings.Index(p.rest, "{{")
		if at < 0 {
			p.take(len(p.rest))
			return nil
		}
		p.take(at)
		if nameAt(p.rest) == "" {
			p.take(2) // two braces and no more
			continue
		}
		if err := p.variable(inside); err != nil {
			return err
		}
	}
	return nil
}

// endOfString is where a string ends that the text begins with; -1 for nowhere.
func endOfString(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// bare is the variable that a literal is, and nothing else.
func bare(literal string) string {
	name := nameAt(literal[1:])
	if name != "" && len(literal) == len(name)+len(`"{{}}"`) {
		return name
	}
	return ""
}

// nameAt is the variable that a text inside of a string begins with: letters, digits
// and dots.
func nameAt(text string) string {
	if !strings.HasPrefix(text, "{{") {
		return ""
	}
	name, _, ok := strings.Cut(text[2:], "}}")
	other := func(r rune) bool {
		return r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}
	if !ok || strings.ContainsFunc(name, other) {
		return ""
	}
	return name
}

// Render puts values in the places of the variables. The result is JSON.
func (t Template) Render(values map[string]json.RawMessage) []byte {
	text, _ := t.RenderWithin(values, math.MaxInt)
	return text
}

// RenderWithin is Render for at most so many bytes; ok is false where it would be more. A
// short template may ask for a large value many times.
func (t Template) RenderWithin(values map[string]json.RawMessage, most int) (text []byte, ok bool) {
	var b bytes.Buffer
	opened := map[string]*tree{}
	for _, p := range t.parts {
		b.WriteString(p.text)
		if p.variable != nil {
			b.Write(p.mode.render(lookup(opened, values, p.variable)))
		}
		if b.Len() > most {
			return nil, false
		}
	}
	return b.Bytes(), true
}

// render is what a value becomes.
func (m mode) render(v json.RawMessage) []byte {
	switch {
	case m == inside:
		return escaped(v)
	case m == value && isNothing(v):
		return null
	}
	return v
}

var null = json.RawMessage("null")

// tree is a value that is taken apart once, however often its members are asked for.
type tree struct {
	text    json.RawMessage
	apart   bool
	object  map[string]json.RawMessage
	array   []json.RawMessage
	members map[string]*tree
}

// lookup follows the names of members, and numbers of elements.
func lookup(opened map[string]*tree, values map[string]json.RawMessage, path []string) json.RawMessage {
	v := opened[path[0]]
	if v == nil {
		v = &tree{text: values[path[0]]}
		opened[path[0]] = v
	}
	for _, name := range path[1:] {
		if v = v.member(name); v == nil {
			return null
		}
	}
	if len(v.text) == 0 {
		return null
	}
	return v.text
}

// member is one of those of an object, or an element of an array; nil for none.
func (t *tree) member(name string) *tree {
	if m := t.members[name]; m != nil {
		return m
	}
	t.takeApart()
	text, ok := t.object[name]
	if !ok {
		var i int
		if _, err := fmt.Sscanf(name, "%d", &i); err != nil || i < 0 || i >= len(t.array) {
			return nil
		}
		text = t.array[i]
	}
	m := &tree{text: text}
	t.members[name] = m
	return m
}

func (t *tree) takeApart() {
	if t.apart {
		return
	}
	t.apart, t.members = true, map[string]*tree{}
	if json.Unmarshal(t.text, &t.object) != nil {
		t.object = nil
		json.Unmarshal(t.text, &t.array) // what is neither has no members
	}
}

// isNothing reports whether a value counts as none.
func isNothing(v json.RawMessage) bool {
	switch string(v) {
	case "null", `""`, "0", "-0", "0.0", "false":
		return true
	}
	return false
}

// escaped is a value within a string.
func escaped(v json.RawMessage) []byte {
	if len(v) > 1 && v[0] == '"' {
		return v[1 : len(v)-1]
	}
	var compact bytes.Buffer
	json.Compact(&compact, v)
	text, _ := json.Marshal(compact.String()) // strings have no error
	return text[1 : len(text)-1]
}
