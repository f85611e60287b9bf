package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/search"
)

// Own is a tool of the host's.
type Own struct {
	model.Tool
	// Acts says that it changes something, so that nobody knows what a call has done
	// that failed.
	Acts bool
	// Timeout bounds a call. Default that of the set.
	Timeout time.Duration
	// Validate checks the input; its error is for the model.
	Validate func(input json.RawMessage) error
	// Call does it. The text of its error is for the model, unless it is ErrFault.
	Call func(ctx context.Context, input json.RawMessage) (OwnAnswer, error)
}

// OwnAnswer is what a tool of the host's answers.
type OwnAnswer struct {
	// Value is a text, or what marshals to JSON.
	Value any
	// Trusted is in the host's own words; all else stands in the fence of pages.
	Trusted bool
	// Used is the session, where the call has used it; the answer then has the page.
	Used browser.Session
	// Fatal is why there is no session, where it could not be had.
	Fatal error
}

// ErrFault is a call that went wrong inside.
var ErrFault = errors.New("tools: a tool of the host has a fault")

// ownError is what a tool of the host's failed with, in words for the model.
type ownError struct{ err error }

func (e *ownError) Error() string { return e.err.Error() }
func (e *ownError) Unwrap() error { return e.err }

func (s *Set) own(o Own) tool {
	return tool{Tool: o.Tool, acts: o.Acts, timeout: o.Timeout, own: true, opensItself: true, run: func(ctx context.Context, raw json.RawMessage) (Result, error) {
		if err := o.Validate(raw); err != nil {
			return Result{}, badInput("%s", err)
		}
		answer, err := o.Call(ctx, raw)
		if errors.Is(err, ErrFault) {
			return Result{}, errFault
		}
		if err != nil {
			return Result{Fatal: answer.Fatal}, &ownError{err}
		}
		return s.answerOf(ctx, o, answer)
	}}
}

// answerOf is an answer as a model sees it: clean, of limited length, and with the
// page behind it where the call has used the browser.
func (s *Set) answerOf(ctx context.Context, o Own, a OwnAnswer) (Result, error) {
	text, isText := a.Value.(string)
	if !isText {
		raw, err := json.Marshal(a.Value)
		if err != nil {
			s.opts.Logger.Error("tools: the answer of a tool of the host is no JSON", "tool", o.Name, "error", s.clean(err.Error()))
			return Result{}, errFault
		}
		text = string(s.opts.Variables.RedactJSON(raw))
	}
	text = s.clean(text)
	if !isText && a.Used == nil && !a.Trusted && len(text) <= s.opts.MaxOutput && json.Valid([]byte(text)) {
		return Result{Output: model.JSONOutput(json.RawMessage(text))}, nil
	}
	most := s.opts.MaxOutput - 300
	if a.Used != nil {
		most /= 2
	}
	if text = cut(text, most); !a.Trusted {
		text = fmt.Sprintf("[page %s]\n%s\n[end of page %s]", s.fence, text, s.fence)
	}
	if a.Used == nil {
		return Result{Output: model.TextOutput(text)}, nil
	}
	before := s.view.url
	v, err := s.look(ctx, a.Used, browser.Page{})
	if err != nil {
		return Result{Fatal: dead(a.Used)}, &unsureError{err}
	}
	text += "\n" + s.describe(v, s.opts.MaxOutput-len(text))
	return Result{Output: model.TextOutput(text), Moved: before != "" && v.Page.URL != before}, nil
}

// BuiltIn are the names of the tools of Drover's own.
func BuiltIn() (names []string) {
	all := New(Options{
		AskHuman: true, Search: search.Browser{},
		Fetch: func(context.Context, string) (Fetched, error) { return Fetched{}, nil },
	})
	for _, t := range all.tools {
		names = append(names, t.Name)
	}
	return names
}

// OpensItself reports whether a tool needs no browser, or asks for it when it does.
func (s *Set) OpensItself(name string) bool {
	t, ok := s.find(name)
	return ok && t.opensItself
}

// timeoutOf is how long a call of a tool may take.
func (s *Set) timeoutOf(t tool) time.Duration { return cmp.Or(t.timeout, s.opts.Timeout) }
