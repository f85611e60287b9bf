// Package rawjson reads JSON without decoding it: the order of members, the digits of
// numbers and the escapes of strings stay as they were written.
//
// [Compact] and [Split] check what strangers send. The rest takes what these have
// made: valid JSON without white space.
package rawjson

import (
	"errors"
	"fmt"
)

// MaxDepth is how deep arrays and objects may be nested. Who goes down reads what is
// below once for each step, so that the depth of a text is a factor of the work.
const MaxDepth = 256

// ErrSyntax is the cause of every error about text that is not JSON.
var ErrSyntax = errors.New("rawjson: not JSON")

// ErrDepth is the cause of an error about JSON that is nested too deeply.
var ErrDepth = errors.New("rawjson: too deep")

// textError says what is wrong with the text, and where. Its message has nothing of its
// cause, so that it can be told to who sent the text.
type textError struct {
	what  string
	at    int
	cause error // [ErrSyntax] or [ErrDepth]
}

func (e *textError) Error() string { return fmt.Sprintf("%s at byte %d", e.what, e.at) }
func (e *textError) Unwrap() error { return e.cause }

// reader checks a text and copies it without white space.
type reader struct {
	src []byte
	pos int
	dst []byte
}

// Compact appends the one value that raw is to dst, without white space. The
// error wraps [ErrSyntax].
func Compact(dst, raw []byte) ([]byte, error) {
	r := reader{src: raw, dst: dst}
	if err := r.value(0); err != nil {
		return dst, err
	}
	return r.dst, r.end()
}

// Split hands each element of the array that raw is to each, without white space;
// another value is handed over by itself. What is handed over is good until each
// returns. Elements before a mistake are handed over all the same. An error of the text wraps [ErrSyntax], one
// of each is returned as it is.
func Split(raw []byte, each func(value []byte) error) error {
	r := reader{src: raw}
	if r.space() != '[' {
		return r.one(0, each)
	}
	r.pos++
	if r.space() == ']' {
		r.pos++
		return r.end()
	}
	for {
		if err := r.one(1, each); err != nil {
			return err
		}
		switch r.space() {
		case ',':
			r.pos++
		case ']':
			r.pos++
			return r.end()
		default:
			return r.wrong("a comma or the end of the array is missing")
		}
	}
}

// one hands over one value; at the top level only if nothing follows.
func (r *reader) one(depth int, each func([]byte) error) error {
	r.dst = r.dst[:0]
	if err := r.value(depth); err != nil {
		return err
	}
	if depth == 0 {
		if err := r.end(); err != nil {
			return err
		}
	}
	return each(r.dst)
}

func (r *reader) wrong(what string) error { return &textError{what, r.pos, ErrSyntax} }

// end is nil if nothing but white space follows.
func (r *reader) end() error {
	if r.space(); r.pos < len(r.src) {
		return r.wrong("there is more behind the value")
	}
	return nil
}

// space skips white space and returns the byte behind it; 0 at the end.
func (r *reader) space() byte {
	for ; r.pos < len(r.src); r.pos++ {
		switch c := r.src[r.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}
