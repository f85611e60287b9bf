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
	"html"
	"slices"

	"github.com/drover-go/drover/internal/lexicon"
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

// maxDepth is how deep objects and arrays may nest; what is deeper is left out.
const maxDepth = 200

// Read returns the objects and arrays that stand in text, one after the other,
// with whatever stands around them left out, up to so many values. It fails at
// nothing: what cannot be made out is not there.
func Read(text string, maxValues int) (roots []Value) {
	for range 2 { // some are escaped twice
		if escapedQuotes().MatchString(text) {
			text = html.UnescapeString(text)
		}
	}
	p := parser{text: text, left: maxValues}
	for p.blanks(); !p.done(); p.blanks() {
		if c := p.text[p.at]; c != '{' && c != '[' {
			p.at++
			continue
		}
		roots = append(roots, Value{})
		p.value(&roots[len(roots)-1])
	}
	return roots
}

// escapedQuotes is how a text begins whose quotes are written as entities.
var escapedQuotes = lexicon.Pattern(`(?i)^[^{\[&]*(?:&lt;!--|&#123;|[{\[][{\[\s]*&(?:amp;)?(?:quot|#0?34|#x22);)`)

// ReadScript reads one value at the beginning of a script's text that is
// written in JSON, or in what of JavaScript differs in nothing but the
// notation: names without quotes, single quotes, commas too many, comments,
// !0, void 0. Anything that would have to be run gives false. size is how much
// of the text was read in any case.
func ReadScript(text string, maxValues int) (v Value, size int, ok bool) {
	p := parser{text: text, left: maxValues, script: true}
	p.blanks()
	if p.done() {
		return v, p.at, false
	}
	p.value(&v)
	return v, p.at, !p.broken && !p.cut
}
