package page

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// Type implements [browser.Session]. Dates, colours and ranges take the whole
// text as their value (2026-01-31, #ff0000, 7); of a list the option with that
// label or value is chosen.
func (s *Session) Type(ctx context.Context, ref browser.Ref, text string, o browser.TypeOptions) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Type(%q)", ref)
	return s.act(ctx, func(ctx context.Context, t *tab) error {
		f, element, err := s.resolve(t, ref)
		if err != nil {
			return err
		}
		w := typing{s: s, t: t, f: f, element: element, ref: ref}
		if o.Allow != nil {
			err = w.fillAllowed(ctx, text, o)
		} else {
			w.spread = o.Spread
			err = w.fill(ctx, text, o.Append)
		}
		if err != nil || !o.Submit {
			return err
		}
		return press(ctx, t, '\r')
	})
}

// typing is the filling of one field.
type typing struct {
	s       *Session
	t       *tab
	f       *frame
	element int
	ref     browser.Ref
	spread  func([]browser.Ref)
}

// ask calls one of the page's functions about the field.
func (w typing) ask(ctx context.Context, name string, args ...any) (located, error) {
	l, err := eval[located](ctx, w.f, name, args...)
	if w.f.lost(err) {
		err = &browser.StaleError{Ref: w.ref}
	}
	if err != nil {
		return l, err
	}
	return l, w.s.problem(w.ref, l)
}

func (w typing) fill(ctx context.Context, text string, appended bool) error {
	field, err := w.ask(ctx, "fieldKind", w.element, len(utf16.Encode([]rune(text))), w.s.next)
	if err != nil {
		return err
	}
	w.s.next = max(w.s.next, field.Next)
	switch field.Kind {
	case "choice":
		_, err = w.ask(ctx, "choose", w.element, text, appended)
	case "set":
		if _, err = w.ask(ctx, "assign", w.element, text); err == nil {
			err = w.check(ctx, text, false)
		}
	case "boxes":
		err = w.fillBoxes(ctx, text, field.Elements)
	case "struck":
		err = w.strike(ctx, text, field.Held && !appended)
	case "rich":
		err = w.keys(ctx, text, appended, true)
	default:
		err = w.keys(ctx, text, appended, false)
		if _, other := errors.AsType[otherError](err); other && !appended && len(text) <= maxStruck {
			err = w.again(ctx, text)
		}
	}
	return err
}

// maxStruck is the longest text, in bytes, that is typed by single keys.
const maxStruck = 2000

// again types by single keys what a field has not taken as a whole: those with a
// mask make their text of the keys.
func (w typing) again(ctx context.Context, text string) error {
	if _, err := w.ask(ctx, "grab", w.element, false); err != nil {
		return err
	}
	if err := press(ctx, w.t, '\b'); err != nil {
		return err
	}
	if err := strikeText(ctx, w.t, text); err != nil {
		return err
	}
	return w.check(ctx, text, false)
}

// fillBoxes puts one character into each of some fields.
func (w typing) fillBoxes(ctx context.Context, text string, boxes []int) error {
	refs := make([]browser.Ref, len(boxes))
	for i, n := range boxes {
		refs[i] = refOf(w.f.number, n)
	}
	if w.spread != nil {
		w.spread(refs[1:])
	}
	if err := w.s.hit(ctx, w.t, w.f, w.element, w.ref); err != nil {
		return err
	}
	for i, c := range []rune(text) {
		box := typing{s: w.s, t: w.t, f: w.f, element: boxes[i], ref: refs[i]}
		if _, err := box.ask(ctx, "grab", box.element, false); err != nil {
			return err
		}
		if err := strikeText(ctx, w.t, string(c)); err != nil {
			return err
		}
		if err := box.check(ctx, string(c), false); err != nil {
			return err
		}
	}
	return nil
}

// strike types into what is no field and hears keys; what it shows is removed first,
// if its keys do so.
func (w typing) strike(ctx context.Context, text string, clears bool) error {
	err := w.s.hit(ctx, w.t, w.f, w.element, w.ref)
	if errtypes.Is(err, errtypes.Invalid) { // of no size, perhaps
		_, err = w.ask(ctx, "focusIt", w.element)
	}
	if err != nil {
		return err
	}
	if clears {
		if err := w.clear(ctx); err != nil {
			return err
		}
	}
	if err := strikeText(ctx, w.t, text); err != nil {
		return err
	}
	_, err = w.ask(ctx, "struck", w.element, text)
	return err
}

// maxCleared bounds the keys with which a text is removed.
const maxCleared = 200

// clear removes what is shown by a shortcut, or else letter by letter.
func (w typing) clear(ctx context.Context) error {
	all, _ := strokes("Control+A Backspace")
	for _, st := range all {
		if err := strike(ctx, w.t, st); err != nil {
			return err
		}
	}
	l, err := w.ask(ctx, "struck", w.element, "")
	if err != nil || !l.Held {
		return err
	}
	for range min(l.More, maxCleared) {
		if err := press(ctx, w.t, '\b'); err != nil {
			return err
		}
	}
	return nil
}

// strikeText types a text by the keys of its characters; what no key types comes as
// of an input method.
func strikeText(ctx context.Context, t *tab, text string) error {
	for _, c := range strings.ReplaceAll(text, "\r\n", "\n") {
		var err error
		switch {
		case c == '\n':
			err = press(ctx, t, '\r')
		case c < ' ' || c > '~':
			_, err = cdp.Call(ctx, t.target, input.InsertText, input.InsertTextParams{Text: string(c)})
		default:
			err = press(ctx, t, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fillAllowed is fill for a text that only some origins may have: the page's own
// command puts it in, in the same task that looks at the origin, because keys go
// to whatever has the focus by then.
func (w typing) fillAllowed(ctx context.Context, text string, o browser.TypeOptions) error {
	field, err := w.ask(ctx, "fieldKind", w.element)
	if err == nil && field.Kind == "struck" {
		err = w.s.problem(w.ref, located{State: "untypable"})
	}
	if err != nil {
		return err
	}
	origin, err := eval[string](ctx, w.f, "origin")
	if w.f.lost(err) {
		err = &browser.StaleError{Ref: w.ref}
	}
	if err != nil {
		return err
	}
	if err := o.Allow(origin); err != nil {
		return &refusedError{err}
	}
	how, checked := "enter", true
	switch field.Kind {
	case "choice":
		how, checked = "choose", false
	case "set":
		how = "assign"
	default:
		err = w.s.hit(ctx, w.t, w.f, w.element, w.ref)
	}
	if err == nil {
		_, err = w.ask(ctx, "fillIn", origin, how, w.element, text, o.Append)
	}
	if err != nil || !checked {
		return err
	}
	return w.check(ctx, text, o.Append && how == "enter")
}

// check reads the field back: one that drops letters, or cuts the text off,
// has not been filled. A field that is gone has done something with it.
func (w typing) check(ctx context.Context, text string, appended bool) error {
	_, err := w.ask(ctx, "holds", w.element, text, appended)
	var stale *browser.StaleError
	if errors.As(err, &stale) {
		return nil
	}
	return err
}

// keys clicks into the field and types. What the field holds is selected, so
// that the first character replaces it.
func (w typing) keys(ctx context.Context, text string, appended, rich bool) error {
	if err := w.s.hit(ctx, w.t, w.f, w.element, w.ref); err != nil {
		return err
	}
	field, err := w.ask(ctx, "grab", w.element, appended)
	if err != nil {
		return err
	}
	if text == "" {
		if !field.Held || appended {
			return nil
		}
		err = press(ctx, w.t, '\b')
	} else if rich {
		err = insertLines(ctx, w.t, text)
	} else {
		err = insert(ctx, w.t, text)
	}
	if err != nil {
		return err
	}
	return w.check(ctx, text, appended)
}

// insertLines enters text with Shift and Enter between its lines: a line break
// in text is white space to an editor, and Enter may send it.
func insertLines(ctx context.Context, t *tab, text string) error {
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if i > 0 {
			if err := pressHeld(ctx, t, '\r', browser.Shift); err != nil {
				return err
			}
		}
		if err := insert(ctx, t, line); err != nil {
			return err
		}
	}
	return nil
}

// insert enters text as an input method does, in one go, and its last
// character by the key, so that pages that listen to the keyboard hear of it.
func insert(ctx context.Context, t *tab, text string) error {
	last, size := utf8.DecodeLastRuneInString(text)
	if last < ' ' || last > '~' { // no key, or one that types nothing
		last, size = 0, 0
	}
	if head := text[:len(text)-size]; head != "" {
		if _, err := cdp.Call(ctx, t.target, input.InsertText, input.InsertTextParams{Text: head}); err != nil {
			return err
		}
	}
	if last == 0 {
		return nil
	}
	return press(ctx, t, last)
}

// noOption says what a list has in place of what was wanted.
func (s *Session) noOption(ref browser.Ref, l located) error {
	said := s.optionList(l.Options)
	switch {
	case l.More > 0:
		said += fmt.Sprintf(" and %d more", l.More)
	case l.More < 0:
		return errtypes.New(errtypes.Invalid, "element %s has no such option in the part of its long list that was looked through, which begins: %s; "+
			"filter the list by typing, or scroll it and click the option", ref, said)
	}
	return errtypes.New(errtypes.Invalid, "element %s has no such option; it has: %s", ref, said)
}

// optionList quotes the options of a list for an error.
func (s *Session) optionList(options []string) string {
	list := make([]string, len(options))
	for i, o := range options {
		list[i] = strconv.Quote(Clean(o, 0))
	}
	return Clean(strings.Join(list, ", "), s.opts.Limits.Message)
}
