// Package loose reads JSON as it is found on pages: mostly right, and
// otherwise wrong in a few ways that are easy to see through.
//
// What RFC 8259 allows is read as encoding/json reads it. Beyond that it puts
// up with comments, the wrappers of scripts (CDATA, HTML comments), commas and
// semicolons too many, control characters and line breaks in strings, bad
// escapes, quotes inside of strings, single quotes, names without quotes, brackets
// that are missing or wrong, texts whose quotes are written as HTML entities, and
// several values after each other.
//
// The time taken is linear in the length of the text.
package loose

import (
	"cmp"
	"html"
	"slices"
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
	if v.Kind != Object {
		return nil
	}
	if i := slices.IndexFunc(v.Items, func(m Value) bool { return m.Name == name }); i >= 0 {
		return &v.Items[i]
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

func (o Options) parser(text string) parser {
	return parser{text: text, depth: cmp.Or(o.MaxDepth, 200), left: cmp.Or(o.MaxValues, 100_000)}
}

// Read returns the objects and arrays that stand in text, one after the other,
// with whatever stands around them left out. It fails at nothing: what cannot
// be made out is not there.
func Read(text string, o Options) []Value {
	for escapes := 0; ; escapes++ { // some are escaped twice
		roots, escaped := read(o.parser(text))
		if !escaped || escapes == 2 {
			return roots
		}
		text = html.UnescapeString(text)
	}
}

// ReadScript reads one value at the beginning of a script's text that is
// written in JSON, or in what of JavaScript differs in nothing but the
// notation: names without quotes, single quotes, commas too many, comments,
// !0, void 0. Anything that would have to be run gives false. size is how much
// of the text was read in any case.
func ReadScript(text string, o Options) (v Value, size int, ok bool) {
	p := o.parser(text)
	p.script = true
	p.blanks()
	if p.done() {
		return v, p.at, false
	}
	p.value(&v)
	return v, p.at, !p.broken && !p.cut
}
