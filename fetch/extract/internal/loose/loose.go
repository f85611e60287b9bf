// Package loose reads JSON as it is found on pages: mostly right, and
// otherwise wrong in a few ways that are easy to see through.
//
// What RFC 8259 allows is read as encoding/json reads it. Beyond that it puts
// up with comments, the wrappers of scripts (CDATA, HTML comments), commas and
// semicolons too many, control characters and line breaks in strings, bad
// escapes, quotes inside of strings, single and typographic quotes, names
// without quotes, brackets that are missing or wrong, texts whose quotes are
// written as HTML entities, and several values after each other.
//
// The time taken is linear in the length of the text.
package loose

import (
	"html"
	"strings"
)

// Kind is what a [Value] is.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	// Bool is true or false, as its text says.
	Bool
	// Number is a number of JSON whose text passes schema.NumberOK.
	Number
	// String is everything else that is written as one text.
	String
	Array
	Object
)

// Value is a value of JSON. The names of an object come in the order of the
// text; of those that come twice the last value counts, at the place of the
// first.
type Value struct {
	Kind Kind
	// Name is what an object calls the value; "" elsewhere.
	Name string
	// Text is the value of a string, a number or a Bool.
	Text string
	// Items are the values of an array, or of an object.
	Items []Value
}

// Get returns the value of the name in an object, or nil.
func (v *Value) Get(name string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	for i := range v.Items {
		if v.Items[i].Name == name {
			return &v.Items[i]
		}
	}
	return nil
}

// Options are the limits of reading.
type Options struct {
	// MaxDepth is how deep objects and arrays may nest; what is deeper is left
	// out. Default 200.
	MaxDepth int
	// MaxValues is how many values are read; what comes after is left out.
	// Default 100,000.
	MaxValues int
}

func (o Options) withDefaults() Options {
	if o.MaxDepth <= 0 {
		o.MaxDepth = 200
	}
	if o.MaxValues <= 0 {
		o.MaxValues = 100_000
	}
	return o
}

// Read returns the objects and arrays that stand in text, one after the other,
// with whatever stands around them left out. It fails at nothing: what cannot
// be made out is not there.
func Read(text string, o Options) []Value {
	roots, escaped := read(text, o)
	for n := 0; escaped && n < 2; n++ { // some are escaped twice
		text = html.UnescapeString(text)
		roots, escaped = read(text, o)
	}
	return roots
}

func read(text string, o Options) (roots []Value, escaped bool) {
	o = o.withDefaults()
	p := parser{text: text, depth: o.MaxDepth, left: o.MaxValues}
	for p.seek() {
		var v Value
		p.value(&v)
		if p.escaped {
			return nil, true
		}
		roots = append(roots, v)
	}
	return roots, false
}

// seek goes to the next object or array outside of comments.
func (p *parser) seek() bool {
	for !p.done() {
		p.blanks()
		if p.done() {
			return false
		}
		switch p.text[p.at] {
		case '{', '[':
			return true
		case '&':
			if strings.HasPrefix(p.text[p.at:], "&lt;!--") || strings.HasPrefix(p.text[p.at:], "&#123;") {
				p.escaped = true
			}
		}
		p.at++
	}
	return false
}

// ReadScript reads one value at the beginning of a script's text that is
// written in JSON, or in what of JavaScript differs in nothing but the
// notation: names without quotes, single quotes, commas too many, comments,
// !0, void 0. Anything that would have to be run gives false. size is how much
// of the text was read in any case.
func ReadScript(text string, o Options) (v Value, size int, ok bool) {
	o = o.withDefaults()
	p := parser{text: text, depth: o.MaxDepth, left: o.MaxValues, script: true}
	p.blanks()
	if p.done() {
		return v, p.at, false
	}
	p.value(&v)
	return v, p.at, !p.broken && !p.cut
}
