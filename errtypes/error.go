package errtypes

import (
	"context"
	"errors"
	"fmt"
)

// Error is a failure that Drover understands. Everything in it except the
// cause may be shown to the caller.
type Error struct {
	// Kind is what code acts on. Default Internal.
	Kind Kind
	// Type is the wire name on the v2 interface. Default empty: v2 then picks
	// the plain type of the kind.
	Type Type
	// Field names the input at fault as the caller wrote it, in dotted form
	// ("browserSettings.context.id"). Default empty.
	Field string
	// Message says what is wrong, in words for the caller. It begins with the
	// field where there is one.
	Message string

	cause error
}

// Error returns the text for logs: the message and the cause behind it.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Message
	}
	return e.Message + ": " + e.cause.Error()
}

// Unwrap returns the cause, which only logs see.
func (e *Error) Unwrap() error { return e.cause }

// New returns an error of the kind with a message for the caller.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Field returns an Invalid error about one input field. The message is the
// field's name followed by what is wrong with it: Field("limit", "must be at
// most %d", 1000) reads "limit must be at most 1000".
func Field(field, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Field: field, Message: field + " " + fmt.Sprintf(format, args...)}
}

// OfType returns an error with a v2 wire type. Its kind follows from the
// status that the type has in the table.
func OfType(t Type, format string, args ...any) *Error {
	return &Error{Kind: t.kind(), Type: t, Message: fmt.Sprintf(format, args...)}
}

// WithCause returns a copy of e that carries err for the log.
func (e *Error) WithCause(err error) *Error {
	c := *e
	c.cause = err
	return &c
}

// WithType returns a copy of e with a v2 wire type and e's own kind.
func (e *Error) WithType(t Type) *Error {
	c := *e
	c.Type = t
	return &c
}

// Wrap adds what was being done to *errp, if that is not nil. It is meant for
// a defer at the top of an exported function:
//
//	defer errtypes.Wrap(&err, "runs.Stop(%q)", id)
//
// The added text is for logs; kind, type and message for the caller stay those
// of the wrapped error.
func Wrap(errp *error, format string, args ...any) {
	if *errp != nil {
		*errp = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), *errp)
	}
}

// Is reports whether err is of the kind. A nil error is of no kind.
func Is(err error, kind Kind) bool {
	return err != nil && KindOf(err) == kind
}

// KindOf returns the kind of err. An error of a foreign library is Internal;
// the end of the caller's own context is Canceled, or RequestTimeout if it had a
// deadline. The kind of a nil error is Internal, too: ask for it only where there
// is an error.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Kind
	case errors.Is(err, context.Canceled):
		return Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return RequestTimeout
	}
	return Internal
}

// Public returns the part of err that a caller may see: a new Error without
// cause. The text of a foreign error is replaced, because it may hold paths,
// queries or secrets, and so is that of an Internal one that has no type; log err
// itself before it is lost.
func Public(err error) *Error {
	var e *Error
	if errors.As(err, &e) && (e.Kind != Internal || e.Type != "") {
		return &Error{Kind: e.Kind, Type: e.Type.sendable(), Field: e.Field, Message: e.Message}
	}
	switch kind := KindOf(err); kind {
	case Canceled:
		return New(kind, "the request was canceled")
	case RequestTimeout:
		return New(kind, "the request took too long")
	default:
		return New(Internal, "internal error")
	}
}
