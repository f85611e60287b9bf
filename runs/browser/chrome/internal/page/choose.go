package page

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// Check implements [browser.Input].
func (s *Session) Check(ctx context.Context, ref browser.Ref, checked bool) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Check(%q)", ref)
	return s.act(ctx, func(ctx context.Context, t *tab) error {
		f, element, err := s.resolve(t, ref)
		if err != nil {
			return err
		}
		now, err := s.ask(ctx, f, ref, "checkState", element)
		switch {
		case err != nil:
			return err
		case now.Held == checked:
			return nil
		case now.Kind == "radio" && !checked:
			return errtypes.New(errtypes.Invalid, "element %s is a radio button, which is unchecked only by checking another one", ref)
		}
		if err := s.hit(ctx, t, f, element, ref); err != nil {
			return err
		}
		return s.becomes(ctx, f, element, ref, checked)
	})
}

// changeTime is how long an element is given to show what a click made of it.
const changeTime = time.Second

// becomes makes sure that a click has checked an element. One that has gone has
// led somewhere.
func (s *Session) becomes(ctx context.Context, f *frame, element int, ref browser.Ref, checked bool) error {
	l, err := s.ask(ctx, f, ref, "becomes", element, checked, changeTime.Milliseconds())
	var stale *browser.StaleError
	if err != nil && (errors.As(err, &stale) || replaced(err)) {
		return nil
	}
	if err == nil && !l.Held {
		return errtypes.New(errtypes.BadGateway, "element %s was clicked and has not changed", ref)
	}
	return err
}

// Select implements [browser.Input].
func (s *Session) Select(ctx context.Context, ref browser.Ref, options ...string) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Select(%q)", ref)
	if options == nil {
		options = []string{} // not null, in the page
	}
	if len(options) > maxOptions {
		return browser.Page{}, errtypes.New(errtypes.Invalid, "options must be at most %d", maxOptions)
	}
	return s.act(ctx, func(ctx context.Context, t *tab) error {
		f, element, err := s.resolve(t, ref)
		if err != nil {
			return err
		}
		t.armFrame(ctx, f)
		l, err := s.ask(ctx, f, ref, "listKind", element)
		if err != nil {
			return err
		}
		switch l.Kind {
		case "native":
			_, err = s.ask(ctx, f, ref, "chooseAll", element, options)
			return err
		case "proposed":
			return typing{s: s, t: t, f: f, element: element, ref: ref}.propose(ctx, options)
		}
		c := choosing{s: s, t: t, f: f, element: element, ref: ref, kind: l.Kind, many: l.Held}
		return c.all(ctx, options)
	})
}

// propose types the option of a field that proposes some.
func (w typing) propose(ctx context.Context, options []string) error {
	if len(options) != 1 {
		return w.s.problem(w.ref, located{State: "single"})
	}
	l, err := w.ask(ctx, "proposal", w.element, options[0])
	if err != nil {
		return err
	}
	return w.fill(ctx, l.Name, false)
}

// maxOptions bounds what is chosen at once.
const maxOptions = 100

// choosing is the choice from a list that is made of elements.
type choosing struct {
	s       *Session
	t       *tab
	f       *frame
	element int
	ref     browser.Ref
	kind    string // open, filter or closed
	many    bool   // several can be chosen
}

func (c choosing) all(ctx context.Context, options []string) error {
	if len(options) == 0 && !c.many {
		return errtypes.New(errtypes.Invalid, "element %s takes exactly one option", c.ref)
	}
	for _, option := range options {
		if err := c.one(ctx, option); err != nil {
			return err
		}
	}
	if !c.many {
		return nil
	}
	l, err := c.ask(ctx, "unwanted", options, c.s.next)
	for _, n := range l.Elements {
		if err == nil {
			err = c.s.hit(ctx, c.t, c.f, n, refOf(c.f.number, n))
		}
	}
	return err
}

func (c choosing) ask(ctx context.Context, name string, args ...any) (located, error) {
	return c.s.ask(ctx, c.f, c.ref, name, append([]any{c.element}, args...)...)
}

// optionTries is how often an option is looked for that its list draws anew
// before it is clicked.
const optionTries = 3

// one chooses an option, which a list that is scrolled may draw anew meanwhile.
func (c choosing) one(ctx context.Context, option string) error {
	for range optionTries {
		n, err := c.find(ctx, option)
		if err != nil || n == 0 {
			return err
		}
		err = c.s.hit(ctx, c.t, c.f, n, refOf(c.f.number, n))
		if stale, ok := errors.AsType[*browser.StaleError](err); !ok || stale.Ref == c.ref {
			return err
		}
	}
	return errtypes.New(errtypes.BadGateway, "the list of element %s draws its options anew, again and again; look at the page, and click the option there", c.ref)
}

// find looks for an option: in the list as it is, opened if it has to be, or
// filtered by what is typed into it. It is 0 for one that is chosen already.
func (c choosing) find(ctx context.Context, option string) (int, error) {
	seen, err := c.offered(ctx, option)
	if err == nil && seen.Kind == "none" && c.kind != "open" {
		seen, err = c.opened(ctx, option)
	}
	if err == nil && seen.Kind != "found" && c.kind == "filter" {
		seen, err = c.filtered(ctx, option, seen)
	}
	switch {
	case err != nil:
		return 0, err
	case seen.Kind == "none":
		return 0, errtypes.New(errtypes.BadGateway, "element %s shows no list of options of its own; look at the page, and click the option there", c.ref)
	case seen.Kind != "found":
		return 0, c.s.noOption(c.ref, seen)
	case seen.Held && c.many:
		return 0, nil
	}
	return seen.Element, nil
}

func (c choosing) offered(ctx context.Context, option string) (located, error) {
	if c.kind != "open" { // a list that is open belongs to something else
		if l, err := c.ask(ctx, "expanded"); err != nil || !l.Held {
			return located{State: "ok", Kind: "none"}, err
		}
	}
	return c.ask(ctx, "offered", option, c.s.next)
}

// opened opens the list and looks for the option, which may take a moment to come.
// Which of the lists of a page is the element's, where neither says so, is told by
// its appearing then: one that was open is closed first.
func (c choosing) opened(ctx context.Context, option string) (located, error) {
	was, err := c.ask(ctx, "expanded")
	if err == nil {
		err = c.open(ctx)
	}
	if err == nil && was.Held && c.kind == "closed" {
		var now located
		if now, err = c.ask(ctx, "expanded"); err == nil && !now.Held {
			err = c.open(ctx)
		}
	}
	if err != nil {
		return located{}, err
	}
	return c.awaited(ctx, option)
}

func (c choosing) open(ctx context.Context) error {
	if _, err := c.ask(ctx, "noteLists"); err != nil {
		return err
	}
	return c.s.hit(ctx, c.t, c.f, c.element, c.ref)
}

// awaited looks for an option until it is there or the list has been given
// time to load.
func (c choosing) awaited(ctx context.Context, option string) (seen located, err error) {
	until := c.s.opts.Clock.Now().Add(2 * changeTime)
	for {
		seen, err = c.ask(ctx, "offered", option, c.s.next)
		if err != nil || seen.Kind == "found" || c.s.opts.Clock.Now().After(until) {
			return seen, err
		}
		if _, err := eval[any](ctx, c.f, "pause", 100); err != nil {
			return seen, err
		}
	}
}

// filtered types the option for the list to show it. If it does not, the field
// is emptied again.
func (c choosing) filtered(ctx context.Context, option string, before located) (located, error) {
	field, err := c.ask(ctx, "filterField", c.s.next)
	if err != nil {
		return before, err
	}
	w := typing{s: c.s, t: c.t, f: c.f, element: field.Element, ref: c.ref}
	if err := w.keys(ctx, option, false, false); err != nil {
		return before, err
	}
	seen, err := c.awaited(ctx, option)
	if err == nil && seen.Kind != "found" {
		err = w.keys(ctx, "", false, false)
		if len(before.Options) > 0 {
			seen = before
		}
	}
	return seen, err
}
