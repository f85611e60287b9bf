package model

import (
	"fmt"
	"time"
)

// ErrorKind says what kept a model from answering.
type ErrorKind string

// The kinds.
const (
	ErrorOther      ErrorKind = ""           // none of the others
	ErrorAuth       ErrorKind = "auth"       // the key is wrong, or may not do this
	ErrorQuota      ErrorKind = "quota"      // the account has spent what it may
	ErrorRate       ErrorKind = "rate"       // too many requests at a time
	ErrorModel      ErrorKind = "model"      // there is no such model
	ErrorOverflow   ErrorKind = "overflow"   // the conversation is longer than the model can read
	ErrorRequest    ErrorKind = "request"    // the request is refused as it is
	ErrorRefused    ErrorKind = "refused"    // the model, or a filter of its provider, will not answer
	ErrorOverloaded ErrorKind = "overloaded" // the provider has a fault, or too much to do
	ErrorNetwork    ErrorKind = "network"    // no connection, or it took too long
	ErrorCut        ErrorKind = "cut"        // the answer broke off
	ErrorMalformed  ErrorKind = "malformed"  // the answer cannot be read
)

// Error is a model that did not answer.
type Error struct {
	// Kind is what kept the model from answering. The zero value says nothing.
	Kind ErrorKind
	// Temporary errors may go away when asked again: too many requests, a
	// fault of the server, a broken connection. The others will not: a wrong
	// key, a request that is refused, a task that cannot be followed.
	Temporary bool
	// RetryAfter is how long the provider asks to wait. Zero says nothing.
	RetryAfter time.Duration
	// Message is for the caller of the run: without keys, addresses or the
	// text of foreign libraries.
	Message string

	cause error
}

// Errorf returns an error that asking again does not help.
func Errorf(format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...)}
}

// Temporaryf returns an error that may go away.
func Temporaryf(format string, args ...any) *Error {
	return &Error{Temporary: true, Message: fmt.Sprintf(format, args...)}
}

// WithCause returns a copy of e that carries err for the log.
func (e *Error) WithCause(err error) *Error {
	c := *e
	c.cause = err
	return &c
}

// Error returns the text for logs.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Message
	}
	return e.Message + ": " + e.cause.Error()
}

// Unwrap returns the cause, which only logs see.
func (e *Error) Unwrap() error { return e.cause }
