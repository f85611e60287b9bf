package tools

import (
	"context"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/secrets"
)

// What an error towards a model says about doing the same again. Package plain
// knows the words, too: it must not buy twice.
const (
	mayHaveHappened = "it may have taken effect; look at the page before doing it again"
	hopeless        = "trying again does not help"
)

// unsureError is the failure of a tool of which nobody knows whether it has
// done its work: the page may have got the click, and then hung.
type unsureError struct{ err error }

func (e *unsureError) Error() string { return e.err.Error() }
func (e *unsureError) Unwrap() error { return e.err }

// hopelessError is the refusal of an address.
type hopelessError struct{ err error }

func (e *hopelessError) Error() string { return e.err.Error() }
func (e *hopelessError) Unwrap() error { return e.err }

// notDoneError is a failure to reach a server.
type notDoneError struct{ err error }

func (e *notDoneError) Error() string { return e.err.Error() }
func (e *notDoneError) Unwrap() error { return e.err }

// harmless marks the error of what can be done again: nothing is bought by looking.
func harmless(err error) error {
	if err == nil {
		return nil
	}
	return &notDoneError{err}
}

// partError is the failure of a part of what a tool was to do, with what was done
// before.
type partError struct {
	said, rest string
	err        error
}

func (e *partError) Error() string { return e.said + e.err.Error() }
func (e *partError) Unwrap() error { return e.err }

// unsure marks the error of a tool that acts, unless it is one of those that
// come before anything is done. A call that was stopped may have been anywhere.
func unsure(ctx context.Context, err error) error {
	if ctx.Err() == nil && isNotDone(err) {
		return err
	}
	return &unsureError{err}
}

func isNotDone(err error) bool {
	var marked *unsureError
	if errors.As(err, &marked) {
		return false
	}
	var (
		stale     *browser.StaleError
		covered   *browser.CoveredError
		unknown   *secrets.UnknownError
		elsewhere *secrets.ErrNotInTask
		input     *inputError
		notDone   *notDoneError
	)
	return isRefused(err) || stands(err) || errors.As(err, &stale) || errors.As(err, &covered) || errors.As(err, &unknown) || errors.As(err, &elsewhere) ||
		errors.As(err, &input) || errors.As(err, &notDone) || errtypes.Is(err, errtypes.Invalid)
}

// navigationError tells apart how opening an address fails. What is refused
// stays so; a page that could not be had is asked for again without harm.
func navigationError(err error) error {
	switch {
	case errtypes.Is(err, errtypes.Invalid):
		return &hopelessError{err}
	case errtypes.Is(err, errtypes.BadGateway):
		return &notDoneError{err}
	}
	return err
}

// advice is what to say behind an error about doing it again.
func advice(err error) string {
	var marked *unsureError
	var refused *hopelessError
	switch {
	case errors.As(err, &marked):
		return "; " + mayHaveHappened
	case errors.As(err, &refused):
		return "; " + hopeless
	}
	return ""
}
