package pdftext

import (
	"bytes"
	"math"
	"strconv"
)

// The values of a document: nil, bool, float64, text, name, array, dict, ref, and
// keyword, which stands for itself: an operator, or the end of something.
type (
	text    []byte
	name    string
	array   []any
	dict    map[name]any
	ref     int
	keyword string
)

// maxNesting bounds values in values, maxItems those in one.
const (
	maxNesting = 40
	maxItems   = 200_000
)

// lexer reads values one after the other.
type lexer struct {
	data []byte
	at   int
	refs bool // "1 0 R" is a value
	left *int // how many values may still be read
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

// charge counts what was read since a place: who reads the same bytes again and
// again comes to an end, too.
func (l *lexer) charge(from int) { *l.left -= (l.at - from) / bytesOfStep }

// bytesOfStep is how many bytes count as one value.
const bytesOfStep = 16

func (l *lexer) skip() {
	defer l.charge(l.at)
	for l.at < len(l.data) {
		switch c := l.data[l.at]; {
		case isSpace(c):
			l.at++
		case c == '%':
			for l.at < len(l.data) && l.data[l.at] != '\n' && l.data[l.at] != '\r' {
				l.at++
			}
		default:
			return
		}
	}
}

// end is what next returns where nothing is left.
const end = keyword("")

// next reads a value.
func (l *lexer) next(depth int) any {
	if *l.left > 0 {
		l.skip()
	}
	if *l.left--; l.at >= len(l.data) || depth > maxNesting || *l.left < 0 {
		l.at = len(l.data)
		return end
	}
	switch c := l.data[l.at]; {
	case c == '/':
		return l.name()
	case c == '(':
		return l.literal()
	case c == '[':
		l.at++
		return l.array(depth)
	case c == '<' && l.at+1 < len(l.data) && l.data[l.at+1] == '<':
		l.at += 2
		return l.dict(depth)
	case c == '<':
		return l.hex()
	case c == '>' && l.at+1 < len(l.data) && l.data[l.at+1] == '>':
		l.at += 2
		return keyword(">>")
	case isDelimiter(c):
		l.at++
		return keyword(c)
	}
	return l.word()
}

func (l *lexer) regular() []byte {
	from := l.at
	defer l.charge(from)
	for l.at < len(l.data) && !isSpace(l.data[l.at]) && !isDelimiter(l.data[l.at]) {
		l.at++
	}
	return l.data[from:l.at]
}

func (l *lexer) name() name {
	l.at++
	raw := l.regular()
	if bytes.IndexByte(raw, '#') < 0 {
		return name(raw)
	}
	var out []byte
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) {
			if v, err := strconv.ParseUint(string(raw[i+1:i+3]), 16, 8); err == nil {
				out = append(out, byte(v))
				i += 2
				continue
			}
		}
		out = append(out, raw[i])
	}
	return name(out)
}

// word is a number, a reference or a keyword.
func (l *lexer) word() any {
	raw := l.regular()
	n, ok := number(raw)
	if !ok {
		switch string(raw) {
		case "true":
			return true
		case "false":
			return false
		case "null":
			return nil
		}
		return keyword(raw)
	}
	if l.refs && n >= 0 && n == math.Trunc(n) {
		if r, ok := l.reference(n); ok {
			return r
		}
	}
	return n
}

// reference reads the rest of "12 0 R".
func (l *lexer) reference(n float64) (ref, bool) {
	at := l.at
	l.skip()
	if generation := l.regular(); len(generation) > 0 && len(generation) < 6 {
		if _, ok := number(generation); ok {
			l.skip()
			if l.at < len(l.data) && l.data[l.at] == 'R' && (l.at+1 == len(l.data) || isSpace(l.data[l.at+1]) || isDelimiter(l.data[l.at+1])) && n < 1<<31 {
				l.at++
				return ref(n), true
			}
		}
	}
	l.at = at
	return 0, false
}

func number(raw []byte) (float64, bool) {
	if len(raw) == 0 || len(raw) > 40 || !(raw[0] >= '0' && raw[0] <= '9' || raw[0] == '-' || raw[0] == '+' || raw[0] == '.') {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, false
	}
	return n, true
}

// literal reads a text in parentheses.
func (l *lexer) literal() text {
	defer l.charge(l.at)
	l.at++
	var out []byte
	for depth := 1; l.at < len(l.data); l.at++ {
		c := l.data[l.at]
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				l.at++
				return out
			}
		case '\\':
			out = l.escape(out)
			continue
		}
		out = append(out, c)
	}
	return out
}

var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// escape reads what a backslash begins, up to its last byte.
func (l *lexer) escape(out []byte) []byte {
	if l.at++; l.at >= len(l.data) {
		return out
	}
	c := l.data[l.at]
	if v, ok := escapes[c]; ok {
		return append(out, v)
	}
	if c == '\r' && l.at+1 < len(l.data) && l.data[l.at+1] == '\n' {
		l.at++
	}
	if c == '\n' || c == '\r' {
		return out
	}
	if c < '0' || c > '7' {
		return append(out, c)
	}
	v := 0
	for n := 0; n < 3 && l.at < len(l.data) && l.data[l.at] >= '0' && l.data[l.at] <= '7'; n++ {
		v = v*8 + int(l.data[l.at]-'0')
		l.at++
	}
	l.at--
	return append(out, byte(v))
}

func (l *lexer) hex() text {
	defer l.charge(l.at)
	l.at++
	from := l.at
	for l.at < len(l.data) && l.data[l.at] != '>' {
		l.at++
	}
	out := unhex(l.data[from:l.at])
	l.at = min(l.at+1, len(l.data))
	return out
}

func unhex(raw []byte) (out []byte) {
	half := -1
	for _, c := range raw {
		v := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		switch {
		case v < 0:
		case half < 0:
			half = v
		default:
			out, half = append(out, byte(half<<4|v)), -1
		}
	}
	if half >= 0 {
		out = append(out, byte(half<<4))
	}
	return out
}

func (l *lexer) array(depth int) array {
	out := array{}
	for len(out) < maxItems {
		v := l.next(depth + 1)
		if k, ok := v.(keyword); ok {
			if k == "]" || k == end {
				break
			}
			continue
		}
		out = append(out, v)
	}
	return out
}

func (l *lexer) dict(depth int) dict {
	out := dict{}
	for len(out) < maxItems {
		k := l.next(depth + 1)
		if k == keyword(">>") || k == end {
			break
		}
		key, ok := k.(name)
		if !ok {
			continue
		}
		v := l.next(depth + 1)
		if v == keyword(">>") || v == end {
			break
		}
		out[key] = v
	}
	return out
}
