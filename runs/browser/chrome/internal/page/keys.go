package page

import (
	"context"
	"runtime"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
)

// press sends the events of one key.
func press(ctx context.Context, t *tab, key rune) error { return pressHeld(ctx, t, key, 0) }

func pressHeld(ctx context.Context, t *tab, key rune, held browser.Modifiers) error {
	for _, ev := range kb.Encode(key) {
		ev.Modifiers |= int64(held)
		if err := keyEvent(ctx, t, *ev); err != nil {
			return err
		}
	}
	return nil
}

func keyEvent(ctx context.Context, t *tab, ev input.DispatchKeyEventParams) error {
	_, err := cdp.Call(ctx, t.target, input.DispatchKeyEvent, ev)
	return err
}

// heldKeys are the keys of modifiers, in the order in which they are pressed.
var heldKeys = []struct {
	held browser.Modifiers
	ev   input.DispatchKeyEventParams
}{
	{browser.Control, input.DispatchKeyEventParams{Key: "Control", Code: "ControlLeft", WindowsVirtualKeyCode: 17, Location: 1}},
	{browser.Shift, input.DispatchKeyEventParams{Key: "Shift", Code: "ShiftLeft", WindowsVirtualKeyCode: 16, Location: 1}},
	{browser.Alt, input.DispatchKeyEventParams{Key: "Alt", Code: "AltLeft", WindowsVirtualKeyCode: 18, Location: 1}},
	{browser.Meta, input.DispatchKeyEventParams{Key: "Meta", Code: "MetaLeft", WindowsVirtualKeyCode: 91, Location: 1}},
}

// holding does something while keys are held, and lets them go, whatever comes.
func holding(ctx context.Context, t *tab, held browser.Modifiers, do func() error) error {
	var down browser.Modifiers
	var err error
	for _, k := range heldKeys {
		if held&k.held == 0 || err != nil {
			continue
		}
		down |= k.held
		ev := k.ev
		ev.Type, ev.Modifiers = input.DispatchKeyEventTypeRawKeyDown, int64(down)
		err = keyEvent(ctx, t, ev)
	}
	if err == nil {
		err = do()
	}
	for i := len(heldKeys) - 1; i >= 0; i-- {
		k := heldKeys[i]
		if down&k.held == 0 {
			continue
		}
		down &^= k.held
		ev := k.ev
		ev.Type, ev.Modifiers = input.DispatchKeyEventTypeKeyUp, int64(down)
		if upErr := keyEvent(context.WithoutCancel(ctx), t, ev); err == nil && ctx.Err() == nil {
			err = upErr
		}
	}
	return err
}

// Press implements [browser.Input].
func (s *Session) Press(ctx context.Context, keys string, o browser.PressOptions) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Press")
	var all []stroke
	if keys != "" || o.Text == "" {
		if all, err = strokes(keys); err != nil {
			return browser.Page{}, err
		}
	}
	if len(o.Text) > maxStruck {
		return browser.Page{}, errtypes.New(errtypes.Invalid, "Text must be at most %d bytes", maxStruck)
	}
	if o.Repeat < 0 || o.Repeat > maxRepeat {
		return browser.Page{}, errtypes.New(errtypes.Invalid, "Repeat must be 1 to %d", maxRepeat)
	}
	if err := checkHold(o.Hold); err != nil {
		return browser.Page{}, err
	}
	if o.Hold > 0 && len(all) > 0 {
		all[len(all)-1].hold = o.Hold
	}
	return s.act(ctx, func(ctx context.Context, t *tab) error {
		if err := s.focusFirst(ctx, t, o.Ref); err != nil {
			return err
		}
		for range max(o.Repeat, 1) {
			if err := strikeText(ctx, t, o.Text); err != nil {
				return err
			}
			for _, st := range all {
				if err := s.strike(ctx, t, st); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// maxRepeat is how often keys are repeated at most.
const maxRepeat = 100

// focusFirst gives an element the focus, if there is one to be given it.
func (s *Session) focusFirst(ctx context.Context, t *tab, ref browser.Ref) error {
	if ref == "" {
		return nil
	}
	f, element, err := s.resolve(t, ref)
	if err != nil {
		return err
	}
	t.armFrame(ctx, f)
	_, err = s.ask(ctx, f, ref, "focusIt", element)
	return err
}

// ask calls one of the page's functions about an element.
func (s *Session) ask(ctx context.Context, f *frame, ref browser.Ref, name string, args ...any) (located, error) {
	l, err := eval[located](ctx, f, name, args...)
	if f.lost(err) {
		err = &browser.StaleError{Ref: ref}
	}
	if err != nil {
		return l, err
	}
	s.next = max(s.next, l.Next)
	return l, s.problem(ref, l)
}

// strike presses one key with those that are held.
func (s *Session) strike(ctx context.Context, t *tab, st stroke) error {
	if !s.h.Alone() {
		switch {
		case st.pastes():
			return s.pasteOwn(ctx, t)
		case st.copies():
			return s.copyOwn(ctx, t, st)
		}
	}
	return strike(ctx, t, st)
}

func strike(ctx context.Context, t *tab, st stroke) error {
	return holding(ctx, t, st.held, func() error {
		if st.key == nil {
			return nil
		}
		down := input.DispatchKeyEventParams{
			Type: input.DispatchKeyEventTypeRawKeyDown, Key: st.key.Key, Code: st.key.Code, WindowsVirtualKeyCode: st.key.Windows,
			Modifiers: int64(st.held), Commands: st.commands(),
		}
		if st.key.Shift {
			down.Modifiers |= int64(browser.Shift)
		}
		up := down
		up.Type, up.Commands = input.DispatchKeyEventTypeKeyUp, nil
		if st.held&(browser.Control|browser.Alt|browser.Meta) == 0 && st.key.Text != "" {
			down.Type, down.Text, down.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, st.key.Text, st.key.Unmodified
		}
		if err := keyEvent(ctx, t, down); err != nil {
			return err
		}
		if err := repeat(ctx, t, down, st.hold); err != nil {
			ctx, done := lettingGo(ctx)
			defer done()
			keyEvent(ctx, t, up)
			return err
		}
		return keyEvent(ctx, t, up)
	})
}

// repeat has a key that is down send its event again and again, for a time.
func repeat(ctx context.Context, t *tab, down input.DispatchKeyEventParams, hold time.Duration) error {
	down.AutoRepeat = new(true)
	for until := t.s.opts.Clock.Now().Add(hold); t.s.opts.Clock.Now().Before(until); {
		if err := clock.Sleep(ctx, t.s.opts.Clock, keyRepeat); err != nil {
			return err
		}
		if err := keyEvent(ctx, t, down); err != nil {
			return err
		}
	}
	return nil
}

// lettingGo is a context for letting go of what is held, after ctx has ended.
func lettingGo(ctx context.Context) (context.Context, func()) {
	return context.WithTimeout(context.WithoutCancel(ctx), armTime)
}

// keyRepeat is the time between the events of a key that is held.
const keyRepeat = 50 * time.Millisecond

// macCommands are what keys with Meta do on a Mac, where the system, which events
// of the protocol do not pass, makes commands of them.
var macCommands = map[string]string{"a": "selectAll", "c": "copy", "x": "cut", "v": "paste", "z": "undo", "y": "redo"}

func (st stroke) commands() []string {
	if runtime.GOOS != "darwin" || st.held != browser.Meta {
		return nil
	}
	if c := macCommands[st.key.Key]; c != "" {
		return []string{c}
	}
	return nil
}

func (st stroke) is(name string) bool { return st.key != nil && strings.EqualFold(st.key.Key, name) }

// pastes and copies go by the same keys as what clients may press.
func (st stroke) pastes() bool {
	return st.held&(browser.Control|browser.Meta) != 0 && st.is("v") || st.held&browser.Shift != 0 && st.is("Insert") || st.is("Paste")
}

func (st stroke) copies() bool {
	return st.held&(browser.Control|browser.Meta) != 0 && (st.is("c") || st.is("x") || st.is("Insert")) ||
		st.held&browser.Shift != 0 && st.is("Delete") || st.is("Copy") || st.is("Cut")
}
