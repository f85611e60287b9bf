// Package loosejson reads JSON as language models write it: encoded twice, with
// words around it, with line breaks in its strings. What it does is linear in
// the length of the text.
package loosejson

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Arguments returns the object that the arguments of a call are meant to be.
// Nothing and null are the empty object, text behind the object is cut off, and
// an object in a string is taken out. What is no object becomes a string, which
// no tool takes: its error tells the model. Then whole is false.
func Arguments(text string) (input json.RawMessage, whole bool) {
	inner := strings.TrimSpace(text)
	if inner == "" || inner == "null" {
		return json.RawMessage(`{}`), true
	}
	for range 3 { // encoded twice, or three times
		v, _, ok := First(inner)
		if !ok {
			break
		}
		if v[0] == '{' {
			return v, true
		}
		var s string
		if json.Unmarshal(v, &s) != nil {
			break
		}
		inner = strings.TrimSpace(s)
	}
	return quote(text), false
}

// First returns the value that a text begins with, and what is behind it. Control
// characters in its strings are escaped.
func First(text string) (v json.RawMessage, rest string, ok bool) {
	if v, rest, ok = first(text); ok {
		return v, rest, ok
	}
	fixed := escapeControls(text)
	if fixed == text {
		return nil, text, false
	}
	return first(fixed)
}

func first(text string) (v json.RawMessage, rest string, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	if d.Decode(&v) != nil {
		return nil, text, false
	}
	return v, text[d.InputOffset():], true
}

// Object returns the first object of a text that is one, from a brace to its
// match, and where it stands. It tries few: a text of many braces that are none
// costs no more than its length.
func Object(text string) (v json.RawMessage, from, to int, ok bool) {
	const tries = 8
	for range tries {
		at := strings.IndexByte(text[to:], '{')
		if at < 0 {
			break
		}
		from = to + at
		end, closed := match(text[from:])
		if !closed {
			to = from + 1
			continue
		}
		to = from + end
		if v, _, ok := First(text[from:to]); ok {
			return v, from, to, true
		}
	}
	return nil, 0, 0, false
}

// match returns the end of the object that a text begins with. Braces in strings
// do not count.
func match(text string) (end int, ok bool) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
	}
	return 0, false
}

// escapeControls escapes the control characters in the strings of a text, and
// takes away a backslash before one.
func escapeControls(text string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		escaped := quoted && c == '\\' && i+1 < len(text)
		if escaped {
			i++
			c = text[i]
		}
		switch {
		case quoted && c < ' ':
			b.WriteString(`\u00`)
			b.WriteByte("01"[c>>4])
			b.WriteByte("0123456789abcdef"[c&15])
		case escaped:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			quoted = quoted != (c == '"')
			b.WriteByte(c)
		}
	}
	return b.String()
}

func quote(s string) json.RawMessage {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("loosejson: a string does not marshal: %v", err))
	}
	return raw
}
