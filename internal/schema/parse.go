package schema

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// parser reads JSON (RFC 8259) strictly: one value, UTF-8, no name twice in an
// object, no number that is too much. encoding/json would accept two of these
// in silence and says of none where it is.
type parser struct {
	text    string
	pos     int
	depth   int
	deepest int
	values  int
	path    []step
	limit   parseLimits
}

type parseLimits struct {
	size, depth, values int
}

// step is one level of where the parser stands: a name, or an index if index >= 0.
type step struct {
	name  string
	index int
}

// parse returns the value of raw as encoding/json builds it with UseNumber, and
// how deep it is nested.
func parse(raw []byte, limit parseLimits) (v any, depth int, bad *placed) {
	if len(raw) > limit.size {
		return nil, 0, placedf("", "has %d bytes, the most is %d", len(raw), limit.size)
	}
	if !utf8.Valid(raw) {
		return nil, 0, placedf("", "is not valid UTF-8")
	}
	p := &parser{text: string(raw), limit: limit}
	p.space()
	if p.pos == len(p.text) {
		return nil, 0, placedf("", "is empty")
	}
	if v, bad = p.value(); bad != nil {
		return nil, 0, bad
	}
	if p.space(); p.pos < len(p.text) {
		return nil, 0, p.unexpected()
	}
	return v, p.deepest, nil
}

func (p *parser) value() (any, *placed) {
	if p.values++; p.values > p.limit.values {
		return nil, placedf("", "consists of more than %d values", p.limit.values)
	}
	switch c := p.peek(); {
	case c == '{' || c == '[':
		return p.nested(c)
	case c == '"':
		return p.string()
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	default:
		return p.literal()
	}
}

// nested reads an object or an array, one level deeper.
func (p *parser) nested(c byte) (v any, bad *placed) {
	if p.depth++; p.depth > p.limit.depth {
		return nil, placedf(p.where(), "is nested deeper than %d levels", p.limit.depth)
	}
	p.deepest = max(p.deepest, p.depth)
	p.pos++
	p.path = append(p.path, step{})
	if c == '{' {
		v, bad = p.object()
	} else {
		v, bad = p.array()
	}
	p.path = p.path[:len(p.path)-1]
	p.depth--
	return v, bad
}

func (p *parser) object() (any, *placed) {
	obj := map[string]any{}
	for more := !p.closes('}'); more; {
		name, bad := p.name(obj)
		if bad != nil {
			return nil, bad
		}
		v, bad := p.value()
		if bad != nil {
			return nil, bad
		}
		obj[name] = v
		if more, bad = p.comma('}'); bad != nil {
			return nil, bad
		}
	}
	return obj, nil
}

// name reads the name of a member and the colon behind it.
func (p *parser) name(obj map[string]any) (string, *placed) {
	if p.space(); p.peek() != '"' {
		return "", p.unexpected()
	}
	name, bad := p.string()
	if bad != nil {
		return "", bad
	}
	p.path[len(p.path)-1] = step{name: name, index: -1}
	if _, twice := obj[name]; twice {
		return "", placedf(p.where(), "is there twice")
	}
	if p.space(); p.peek() != ':' {
		return "", p.unexpected()
	}
	p.pos++
	p.space()
	return name, nil
}

func (p *parser) array() (any, *placed) {
	arr := []any{}
	for more := !p.closes(']'); more; {
		p.path[len(p.path)-1] = step{index: len(arr)}
		v, bad := p.value()
		if bad != nil {
			return nil, bad
		}
		arr = append(arr, v)
		if more, bad = p.comma(']'); bad != nil {
			return nil, bad
		}
	}
	return arr, nil
}

// closes skips the end of an empty object or array.
func (p *parser) closes(end byte) bool {
	p.space()
	if p.peek() != end {
		return false
	}
	p.pos++
	return true
}

// comma skips what follows a member: a comma, or the end.
func (p *parser) comma(end byte) (more bool, bad *placed) {
	p.space()
	switch p.peek() {
	case ',':
		p.pos++
		p.space()
		return true, nil
	case end:
		p.pos++
		return false, nil
	}
	return false, p.unexpected()
}

// string leaves escapes to encoding/json, which also settles what half a
// surrogate pair becomes.
func (p *parser) string() (string, *placed) {
	start, escaped := p.pos, false
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == '"':
			p.pos++
			return p.unquote(start, escaped)
		case c == '\\':
			escaped = true
			p.pos++
		case c < ' ':
			return "", p.unexpected()
		}
	}
	p.pos = len(p.text)
	return "", p.unexpected()
}

func (p *parser) unquote(start int, escaped bool) (string, *placed) {
	if !escaped {
		return p.text[start+1 : p.pos-1], nil
	}
	var s string
	if err := json.Unmarshal([]byte(p.text[start:p.pos]), &s); err != nil {
		return "", placedf(p.where(), "is not valid JSON: a string at byte %d has an unknown escape", start)
	}
	return s, nil
}

func (p *parser) number() (any, *placed) {
	rest := p.text[p.pos:]
	n := scanNumber(rest)
	if n == 0 {
		p.pos++ // the minus sign is fine, what follows is not
		return nil, p.unexpected()
	}
	if why := checkNumber(rest[:n]); why != "" {
		return nil, placedf(p.where(), "is a number that %s", why)
	}
	p.pos += n
	return json.Number(rest[:n]), nil
}

func (p *parser) literal() (any, *placed) {
	for _, l := range literals {
		if strings.HasPrefix(p.text[p.pos:], l.text) {
			p.pos += len(l.text)
			return l.value, nil
		}
	}
	return nil, p.unexpected()
}

var literals = [...]struct {
	text  string
	value any
}{{"true", true}, {"false", false}, {"null", nil}}

func (p *parser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek returns the next byte, 0 at the end; a NUL is nowhere valid.
func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) unexpected() *placed {
	if p.pos >= len(p.text) {
		return placedf("", "is not valid JSON: it ends too early")
	}
	c, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return placedf("", "is not valid JSON: unexpected %q at byte %d", c, p.pos)
}

// where is the JSON Pointer of what is being read.
func (p *parser) where() string {
	at := ""
	for _, s := range p.path {
		if s.index >= 0 {
			at = joinIndex(at, s.index)
		} else {
			at = join(at, s.name)
		}
	}
	return at
}
