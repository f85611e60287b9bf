package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/runs/model"
)

// maxTyped bounds the text of one call, in bytes.
const maxTyped = 64 << 10

func (s *Set) typeText() tool {
	return tool{
		Tool: model.Tool{
			Name: "type",
			Description: "Types into a field, in place of what it holds, and returns the page. " +
				"In a list it chooses the option with that text. Write a variable as %name%: its value is put in here, and you never see it.",
			Input: object(2,
				"ref", property("string", refHelp),
				"text", property("string", "The text, with variables as %name%."),
				"append", property("boolean", "Keep what the field holds and type behind it. Default false."),
				"submit", property("boolean", "Press Enter afterwards. Default false.")),
		},
		acts: true,
		run:  s.runType,
	}
}

func (s *Set) runType(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Ref    string  `json:"ref"`
		Text   *string `json:"text"`
		Append flag    `json:"append"`
		Submit flag    `json:"submit"`
	}](raw)
	if err != nil {
		return Result{}, err
	}
	ref, err := reference(in.Ref)
	switch {
	case err != nil:
		return Result{}, err
	case in.Text == nil:
		return Result{}, badInput("text is required")
	case len(*in.Text) > maxTyped:
		return Result{}, badInput("text must be at most %d bytes", maxTyped)
	}
	if _, _, err := s.opts.Variables.Resolve(*in.Text); err != nil {
		return Result{}, err
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		said := fmt.Sprintf("Typed %q into %s", cut(s.clean(*in.Text), 200), s.nameOf(ref))
		if in.Submit {
			said += " and pressed Enter"
		}
		page, err := s.typeInto(ctx, session, ref, *in.Text, browser.TypeOptions{Append: bool(in.Append), Submit: bool(in.Submit)})
		return said + ".", page, err
	})
}

// typeInto types a text with the values of its variables, which go only where
// they may.
func (s *Set) typeInto(ctx context.Context, session browser.Session, ref browser.Ref, shown string, o browser.TypeOptions) (browser.Page, error) {
	if err := s.freshen(ctx, shown); err != nil {
		return browser.Page{}, err
	}
	text, secret, err := s.opts.Variables.Resolve(shown)
	if err != nil {
		return browser.Page{}, err
	}
	o.Allow = s.allow(shown)
	o.Spread = func(refs []browser.Ref) {
		for _, r := range refs {
			s.noteTyped(r, typed{shown: shown, secret: secret}, false)
		}
	}
	s.noteTyped(ref, typed{shown: shown, secret: secret}, o.Append)
	s.boundTyped = s.boundTyped || o.Allow != nil
	page, err := session.Type(ctx, ref, text, o)
	if isRefused(err) {
		delete(s.typed, ref)
	}
	return page, err
}

// allow asks whether the variables in a text may go to an origin; nil where they
// may go anywhere.
func (s *Set) allow(text string) func(origin string) error {
	if !s.opts.Variables.Bound(text) {
		return nil
	}
	return func(origin string) error { return s.opts.Variables.Allows(text, origin) }
}

func isRefused(err error) bool {
	var refused *secrets.OriginError
	return errors.As(err, &refused)
}

// freshen waits until the one-time codes in a text are good for some seconds.
func (s *Set) freshen(ctx context.Context, text string) error {
	for {
		wait := s.opts.Variables.Stale(text)
		if wait <= 0 {
			return nil
		}
		if err := clock.Sleep(ctx, s.opts.Clock, wait); err != nil {
			return err
		}
	}
}

// typed is what stands in a field in place of its value.
type typed struct {
	shown  string
	secret bool
}

// noteTyped keeps a field that variables were typed into from showing them,
// whatever the page makes of the value: it may be too short to be searched
// for, or be written differently ("555-1234").
func (s *Set) noteTyped(ref browser.Ref, t typed, appended bool) {
	if before, ok := s.typed[ref]; ok && appended {
		t.shown, t.secret = before.shown+t.shown, t.secret || before.secret
	}
	if t.secret {
		s.typed[ref] = t
	} else {
		delete(s.typed, ref)
	}
}

func (s *Set) shownValue(e browser.Element) string {
	if t, ok := s.typed[e.Ref]; ok && e.Value != "" {
		return s.clean(t.shown)
	}
	return s.clean(e.Value)
}
