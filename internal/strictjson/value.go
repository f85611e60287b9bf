package strictjson

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Value says what a JSON value must be and where it goes.
type Value struct {
	// want is what the value must be, in words: "a string".
	want string
	// first are the bytes such a value begins with; empty for any.
	first string
	read  func(r *reader, at *path) error
}

// String wants a string.
func String(dst *string) Value {
	return Value{want: "a string", first: `"`, read: func(r *reader, at *path) (err error) {
		*dst, err = r.string(at)
		return err
	}}
}

// Text wants a string of at least one character.
func Text(dst *string) Value {
	return Value{want: "a string", first: `"`, read: func(r *reader, at *path) (err error) {
		if *dst, err = r.string(at); err == nil && *dst == "" {
			err = invalid(at, "must not be empty")
		}
		return err
	}}
}

// Base64 wants a string of at least one byte in base64: the standard alphabet, with
// padding.
func Base64(dst *[]byte) Value {
	return Value{want: "a string", first: `"`, read: func(r *reader, at *path) error {
		text, err := r.string(at)
		if err != nil {
			return err
		}
		if *dst, err = base64.StdEncoding.Strict().DecodeString(text); err != nil || text == "" {
			return invalid(at, "must be base64, with padding")
		}
		return nil
	}}
}

// OneOf wants one of the allowed strings.
func OneOf[T ~string](dst *T, allowed ...T) Value {
	return Value{want: "a string", first: `"`, read: func(r *reader, at *path) error {
		s, err := r.string(at)
		if *dst = T(s); err == nil && !slices.Contains(allowed, *dst) {
			err = invalid(at, "must be one of %s", joined(allowed))
		}
		return err
	}}
}

func joined[T ~string](words []T) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(w))
	}
	return b.String()
}

// StringPtr wants a string and notes that it was there.
func StringPtr(dst **string) Value {
	return Value{want: "a string", first: `"`, read: func(r *reader, at *path) error {
		s, err := r.string(at)
		*dst = &s
		return err
	}}
}

// Bool wants true or false.
func Bool(dst *bool) Value {
	return Value{want: "true or false", first: "tf", read: func(r *reader, _ *path) error {
		*dst = r.literal()[0] == 't'
		return nil
	}}
}

// Int wants a whole number from least to most.
func Int(dst *int, least, most int) Value {
	return Value{want: "a number", first: "-0123456789", read: func(r *reader, at *path) error {
		n, ok := Whole(string(r.literal()), least, most)
		if !ok {
			return invalid(at, "must be a whole number from %d to %d", least, most)
		}
		*dst = n
		return nil
	}}
}

// Number wants a number from least to most.
func Number(dst *float64, least, most float64) Value {
	return Value{want: "a number", first: "-0123456789", read: func(r *reader, at *path) error {
		n, err := strconv.ParseFloat(string(r.literal()), 64)
		if err != nil || n < least || n > most {
			return invalid(at, "must be a number from %s to %s", plain(least), plain(most))
		}
		*dst = n
		return nil
	}}
}

// plain writes a number without an exponent.
func plain(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// Whole reads a number as JSON writes it, 1000, 1e3 and 1000.0 alike, and
// reports whether it is a whole one from least to most. It checks no grammar.
func Whole(text string, least, most int) (int, bool) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != math.Trunc(n) || n < float64(least) || n > float64(most) {
		return 0, false
	}
	return int(n), true
}

// RawObject wants an object and keeps its text. What is inside is checked as
// everything else is, but may be anything.
func RawObject(dst *json.RawMessage) Value {
	return Value{want: "an object", first: "{", read: func(r *reader, at *path) error {
		r.peek()
		start := r.pos
		err := r.skip(at)
		*dst = bytes.Clone(r.data[start:r.pos])
		return err
	}}
}

// Texts wants an array of strings of at least one character each.
func Texts(dst *[]string) Value {
	return Array(func(_ int, read func(Value) error) error {
		var s string
		err := read(Text(&s))
		*dst = append(*dst, s)
		return err
	})
}

// Fields are the known members of an object.
type Fields map[string]Value

// Closed wants an object that has no fields but the known ones, unless
// Options.IgnoreUnknown says otherwise, and has the required ones.
func Closed(fields Fields, required ...string) Value { return object(fields, required, false) }

// Open wants an object that may have other fields, which are ignored.
func Open(fields Fields, required ...string) Value { return object(fields, required, true) }

func object(fields Fields, required []string, open bool) Value {
	return Value{want: "an object", first: "{", read: func(r *reader, at *path) error {
		missing := slices.Clone(required)
		err := r.object(at, func(name string, inside *path) error {
			v, known := fields[name]
			switch {
			case known && r.opts.NullIsAbsent && r.peek() == 'n' && !v.takesNull():
				r.literal()
				return nil
			case known:
				missing = slices.DeleteFunc(missing, func(m string) bool { return m == name })
				return r.value(inside, v)
			case open || r.opts.IgnoreUnknown:
				return r.skip(inside)
			}
			return invalid(inside, "is not a known field; known here: %s", joined(slices.Sorted(maps.Keys(fields))))
		})
		if err == nil && len(missing) > 0 {
			err = invalid(at.member(missing[0]), "is required")
		}
		return err
	}}
}

// Map wants an object with names of the caller's choice. The function is
// called for each and must read its value once.
func Map(entry func(name string, read func(Value) error) error) Value {
	return Value{want: "an object", first: "{", read: func(r *reader, at *path) error {
		return r.object(at, func(name string, inside *path) error {
			return entry(name, func(v Value) error { return r.value(inside, v) })
		})
	}}
}

// Array wants an array. The function is called for each element and must read
// its value once.
func Array(element func(i int, read func(Value) error) error) Value {
	return Value{want: "an array", first: "[", read: func(r *reader, at *path) error {
		return r.array(at, func(i int, inside *path) error {
			return element(i, func(v Value) error { return r.value(inside, v) })
		})
	}}
}

// Either wants what a or b wants; they must begin differently.
func Either(a, b Value) Value {
	return Value{want: a.want + " or " + b.want, first: a.first + b.first, read: func(r *reader, at *path) error {
		if strings.IndexByte(a.first, r.peek()) >= 0 {
			return a.read(r, at)
		}
		return b.read(r, at)
	}}
}

// OrNull wants what v wants, or null, for which it calls isNull.
func OrNull(v Value, isNull func()) Value {
	return Value{want: v.want + " or null", first: v.first + "n", read: func(r *reader, at *path) error {
		if r.peek() != 'n' {
			return v.read(r, at)
		}
		r.literal()
		isNull()
		return nil
	}}
}

func (v Value) takesNull() bool { return v.first == "" || strings.Contains(v.first, "n") }

// Refused wants nothing: whatever is there is refused for the reason.
func Refused(reason string) Value {
	return Value{want: "absent", read: func(_ *reader, at *path) error { return invalid(at, "%s", reason) }}
}

// Then wants what v wants and calls done once it has been read.
func Then(v Value, done func()) Value {
	return Value{want: v.want, first: v.first, read: func(r *reader, at *path) error {
		err := v.read(r, at)
		if err == nil {
			done()
		}
		return err
	}}
}

// Checked wants what v wants, and then that check has no objection. Check is
// given the path of the value.
func Checked(v Value, check func(at string) error) Value {
	return Value{want: v.want, first: v.first, read: func(r *reader, at *path) error {
		if err := v.read(r, at); err != nil {
			return err
		}
		return check(at.String())
	}}
}
