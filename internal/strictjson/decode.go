// Package strictjson reads JSON field by field and says what is wrong with it
// in words for whoever wrote it: bodies of requests, and documents that domains
// take in.
//
// It refuses what encoding/json lets pass: names that stand twice, null for a
// field, a value of another type, fields that are not known where the object
// is closed, text that is not valid Unicode (lone surrogates included), nesting
// without end. Names are compared exactly. [Options] relax what an interface
// has other rules for.
//
//	err := strictjson.Decode(body, strictjson.Options{}, strictjson.Closed(strictjson.Fields{
//		"name":   strictjson.String(&c.Name),
//		"schema": strictjson.RawObject(&c.Schema),
//	}, "name"))
package strictjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
)

// DefaultMaxDepth is the default of [Options.MaxDepth].
const DefaultMaxDepth = 128

// Options configure [Decode].
type Options struct {
	// MaxDepth is how deep objects and arrays may be nested. Default
	// [DefaultMaxDepth].
	MaxDepth int
	// At is where the text stands in what its author wrote: errors name fields
	// below it, as in "sessionConfig.timeout". Default none: the text is a whole
	// body.
	At string
	// NullIsAbsent takes null for a known field as if the field were not there,
	// but where its Value takes null ([OrNull]). Default false: null is refused.
	NullIsAbsent bool
	// IgnoreUnknown takes closed objects for open ones. Default false: they
	// refuse fields that they do not know.
	IgnoreUnknown bool
}

func (o Options) withDefaults() Options {
	o.MaxDepth = cmp.Or(o.MaxDepth, DefaultMaxDepth)
	return o
}

// Decode reads one JSON text, into what v was made with. Every error is an
// Invalid errtypes.Error whose message names the field and the reason; on an
// error, some targets may have been written.
func Decode(data []byte, o Options, v Value) error {
	o = o.withDefaults()
	whole := &path{text: o.At}
	if Nesting(data) > o.MaxDepth {
		return invalid(whole, "is nested more than %d levels deep", o.MaxDepth)
	}
	if err := checkSyntax(data, whole); err != nil {
		return err
	}
	return (&reader{data: data, opts: o}).value(whole, v)
}

// Nesting is how deep the objects and arrays of a JSON text go. It is known
// before anything walks the text, so that nothing else need count.
func Nesting(data []byte) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// checkSyntax leaves a text that the reader can walk without looking back: it
// is JSON, and nothing else.
func checkSyntax(data []byte, at *path) error {
	if !utf8.Valid(data) {
		return invalid(at, "is not valid UTF-8 at %s", place(data, invalidByte(data)))
	}
	if len(bytes.TrimLeft(data, space)) == 0 {
		return invalid(at, "is empty where a JSON value is expected")
	}
	if json.Valid(data) {
		return nil
	}
	offset, err := syntaxError(data)
	wrong := max(0, offset-1)
	switch {
	case json.Valid(data[:wrong]):
		return invalid(at, "must be one JSON value; more follows at %s", place(data, wrong)).WithCause(err)
	case endsEarly(data):
		return invalid(at, "is not valid JSON: it ends too early").WithCause(err)
	}
	return invalid(at, "is not valid JSON at %s", place(data, wrong)).WithCause(err)
}

// endsEarly tells a text that breaks off from one that is wrong somewhere: the
// first goes wrong later when more is appended.
func endsEarly(data []byte) bool {
	offset, _ := syntaxError(append(bytes.Clone(data), ' '))
	return offset > len(data)
}

// syntaxError returns how many bytes of a text that is not JSON were read.
func syntaxError(data []byte) (int, error) {
	var syntax *json.SyntaxError
	err := json.Unmarshal(data, new(json.RawMessage))
	if !errors.As(err, &syntax) {
		return len(data), err
	}
	return int(syntax.Offset), err
}

func invalidByte(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}

// place names the line and the character of a byte, both from 1.
func place(data []byte, at int) string {
	before := data[:at]
	start := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("line %d, column %d", bytes.Count(before, []byte("\n"))+1, utf8.RuneCount(before[start:])+1)
}

// invalid is an error about the field at a path; the empty path is the body.
func invalid(at *path, format string, args ...any) *errtypes.Error {
	field := at.String()
	if field == "" {
		e := errtypes.Field("the body", format, args...)
		e.Field = ""
		return e
	}
	return errtypes.Field(field, format, args...)
}
