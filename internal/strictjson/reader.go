package strictjson

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

const space = " \t\r\n"

// reader walks a text that is known to be valid JSON.
type reader struct {
	data []byte
	pos  int
	opts Options
}

// peek skips space and returns the byte that follows.
func (r *reader) peek() byte {
	for strings.IndexByte(space, r.data[r.pos]) >= 0 {
		r.pos++
	}
	return r.data[r.pos]
}

// accept skips c if it is what follows.
func (r *reader) accept(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.pos++
	return true
}

// value reads what v wants.
func (r *reader) value(at *path, v Value) error {
	first := r.peek()
	switch {
	case v.first == "" || strings.IndexByte(v.first, first) >= 0:
		return v.read(r, at)
	case first == 'n':
		return invalid(at, "must be %s, not null", v.want)
	}
	return invalid(at, "must be %s, not %s", v.want, kindOf(first))
}

func kindOf(first byte) string {
	switch first {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// rawString returns the string that follows, in its quotes.
func (r *reader) rawString() []byte {
	r.peek()
	start := r.pos
	for r.pos++; r.data[r.pos] != '"'; r.pos++ {
		if r.data[r.pos] == '\\' {
			r.pos++
		}
	}
	r.pos++
	return r.data[start:r.pos]
}

func (r *reader) string(at *path) (string, error) {
	raw := r.rawString()
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), nil
	}
	if loneSurrogate(raw) {
		return "", invalid(at, "must be valid Unicode: a \\u escape is half of a surrogate pair")
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", invalid(at, "must be a string").WithCause(err)
	}
	return s, nil
}

// loneSurrogate finds half a pair, which encoding/json silently replaces.
func loneSurrogate(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++
		if raw[i] != 'u' {
			continue
		}
		unit := escapedUnit(raw[i-1:])
		i += 4
		switch {
		case unit < 0xd800 || unit > 0xdfff:
		case unit >= 0xdc00:
			return true
		default:
			if low := escapedUnit(raw[i+1:]); low < 0xdc00 || low > 0xdfff {
				return true
			}
			i += 6
		}
	}
	return false
}

// escapedUnit returns the UTF-16 unit of the \uXXXX that s begins with, -1 if
// it does not.
func escapedUnit(s []byte) int64 {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseInt(string(s[2:6]), 16, 32)
	if err != nil {
		return -1
	}
	return unit
}

// literal skips a number, true, false or null.
func (r *reader) literal() []byte {
	r.peek()
	start := r.pos
	for r.pos < len(r.data) && strings.IndexByte(space+",]}", r.data[r.pos]) < 0 {
		r.pos++
	}
	return r.data[start:r.pos]
}

// object calls member with the name and the path of every member; member reads
// its value. The path is good until member returns.
func (r *reader) object(at *path, member func(name string, at *path) error) error {
	r.accept('{')
	seen, inside := map[string]struct{}{}, at.member("")
	for !r.accept('}') {
		name, err := r.string(at)
		if err != nil {
			return err
		}
		inside.name = name
		if _, twice := seen[name]; twice {
			return invalid(inside, "stands twice in its object")
		}
		seen[name] = struct{}{}
		r.accept(':')
		if err := member(name, inside); err != nil {
			return err
		}
		r.accept(',')
	}
	return nil
}

// array calls element with the index and the path of every element. The path is
// good until element returns.
func (r *reader) array(at *path, element func(i int, at *path) error) error {
	r.accept('[')
	inside := &path{in: at}
	for i := 0; !r.accept(']'); i++ {
		inside.index = i
		if err := element(i, inside); err != nil {
			return err
		}
		r.accept(',')
	}
	return nil
}

// skip reads a value of any type and checks everything inside it.
func (r *reader) skip(at *path) (err error) {
	switch r.peek() {
	case '{':
		return r.object(at, func(_ string, at *path) error { return r.skip(at) })
	case '[':
		return r.array(at, func(_ int, at *path) error { return r.skip(at) })
	case '"':
		_, err = r.string(at)
	default:
		r.literal()
	}
	return err
}
