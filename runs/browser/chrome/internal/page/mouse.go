package page

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
)

// takeTime bounds the wait for a page to have handled a mouse event. It has got
// it all the same: one whose handlers are at work for longer, or that went
// behind a tab they opened, need not say so.
const takeTime = 8 * time.Second

// maxClicks is how often a button is pressed in a row at most.
const maxClicks = 3

var errMiddle = errtypes.New(errtypes.Invalid, "the middle button pastes what pages of all sessions in the browser have selected; "+
	"click with Control held to open a link in a tab of its own, or use a session with a process of its own")

// checkClick refuses options that cannot be.
func (s *Session) checkClick(o browser.ClickOptions) error {
	switch o.Button {
	case "", browser.ButtonLeft, browser.ButtonRight:
	case browser.ButtonMiddle:
		if !s.h.Alone() {
			return errMiddle
		}
	default:
		return errtypes.New(errtypes.Invalid, "Button must be left, right or middle, not %q", string(o.Button))
	}
	if o.Count < 0 || o.Count > maxClicks {
		return errtypes.New(errtypes.Invalid, "Count must be 1 to %d", maxClicks)
	}
	if err := checkHold(o.Hold); err != nil {
		return err
	}
	if o.Held&^(browser.Alt|browser.Control|browser.Meta|browser.Shift) != 0 {
		return errtypes.New(errtypes.Invalid, "Held must be made of Alt, Control, Meta and Shift")
	}
	return nil
}

// maxHold bounds how long a button or a key is held.
const maxHold = 10 * time.Second

func checkHold(d time.Duration) error {
	if d < 0 || d > maxHold {
		return errtypes.New(errtypes.Invalid, "Hold must be 0 to %v", maxHold)
	}
	return nil
}

// buttonBits are how events tell which buttons are down.
var buttonBits = map[browser.Button]int64{browser.ButtonLeft: 1, browser.ButtonRight: 2, browser.ButtonMiddle: 4}

// clickAt sends what a mouse and the keys held meanwhile send.
func clickAt(ctx context.Context, t *tab, at browser.Point, o browser.ClickOptions) error {
	button := o.Button
	if button == "" {
		button = browser.ButtonLeft
	}
	events := []input.DispatchMouseEventParams{{Type: input.DispatchMouseEventTypeMouseMoved}}
	for n := range int64(max(o.Count, 1)) {
		events = append(events,
			input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, Button: input.MouseButton(button), Buttons: buttonBits[button], ClickCount: n + 1},
			input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseReleased, Button: input.MouseButton(button), ClickCount: n + 1})
	}
	for i := range events {
		events[i].X, events[i].Y, events[i].Modifiers = at.X, at.Y, int64(o.Held)
	}
	last := len(events) - 1
	return holding(ctx, t, o.Held, func() error {
		if o.Hold == 0 {
			return dispatch(ctx, t, events...)
		}
		err := dispatch(ctx, t, events[:last]...)
		if err == nil {
			err = clock.Sleep(ctx, t.s.opts.Clock, o.Hold)
		}
		if err == nil {
			return dispatch(ctx, t, events[last])
		}
		ctx, done := lettingGo(ctx)
		defer done()
		dispatch(ctx, t, events[last])
		return err
	})
}

// dispatch sends mouse events, one behind the other, and returns when the page
// has taken them.
func dispatch(ctx context.Context, t *tab, events ...input.DispatchMouseEventParams) error {
	answers := make([]func(context.Context, any) error, len(events))
	for i, ev := range events {
		answers[i] = t.target.Start(input.DispatchMouseEvent.Method, ev)
	}
	var first error
	for i, answer := range answers {
		if err := taken(ctx, answer, events[i].Type); err != nil && first == nil {
			first = err
		}
	}
	return first
}

func taken(ctx context.Context, answer func(context.Context, any) error, kind input.DispatchMouseEventType) error {
	taking, cancel := context.WithTimeout(ctx, takeTime)
	defer cancel()
	err := answer(taking, nil)
	if err != nil && ctx.Err() == nil && taking.Err() != nil && kind == input.DispatchMouseEventTypeMouseReleased {
		return nil
	}
	return err
}

// moveTo moves the pointer.
func moveTo(ctx context.Context, t *tab, at browser.Point) error {
	return dispatch(ctx, t, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: at.X, Y: at.Y})
}

// place is a point as the page's functions take it; null for none.
type place struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func pointJSON(p *browser.Point) *place {
	if p == nil {
		return nil
	}
	return &place{p.X, p.Y}
}

// ClickAt implements [browser.Input].
func (s *Session) ClickAt(ctx context.Context, at browser.Point, o browser.ClickOptions) (_ browser.Hit, err error) {
	defer errtypes.Wrap(&err, "chrome.ClickAt")
	if err := s.checkClick(o); err != nil {
		return browser.Hit{}, err
	}
	return s.atPoint(ctx, at, func(ctx context.Context, t *tab) error { return clickAt(ctx, t, at, o) })
}

// HoverAt implements [browser.Input].
func (s *Session) HoverAt(ctx context.Context, at browser.Point) (_ browser.Hit, err error) {
	defer errtypes.Wrap(&err, "chrome.HoverAt")
	return s.atPoint(ctx, at, func(ctx context.Context, t *tab) error { return moveTo(ctx, t, at) })
}

// atPoint does something at a point of the viewport and tells what was there.
func (s *Session) atPoint(ctx context.Context, at browser.Point, do func(context.Context, *tab) error) (hit browser.Hit, err error) {
	if err := s.inViewport(at); err != nil {
		return hit, err
	}
	hit.Page, err = s.act(ctx, func(ctx context.Context, t *tab) (err error) {
		var f *frame
		if hit.Role, hit.Name, f, err = s.describeAt(ctx, t, at); err != nil {
			return err
		}
		t.armFrame(ctx, f)
		return do(ctx, t)
	})
	return hit, err
}

func (s *Session) inViewport(at browser.Point) error {
	o := s.Options()
	width, height := float64(o.Width), float64(o.Height)
	if !(at.X >= 0 && at.Y >= 0 && at.X < width && at.Y < height) {
		return errtypes.New(errtypes.Invalid, "the point %s is outside the viewport, which is %g wide and %g high", pointText(at), width, height)
	}
	return nil
}

func pointText(p browser.Point) string { return fmt.Sprintf("(%g, %g)", p.X, p.Y) }

// describeAt tells what is at a point, in frames, too, and in which.
func (s *Session) describeAt(ctx context.Context, t *tab, at browser.Point) (role, name string, f *frame, err error) {
	role, name, f, _, err = s.lookAt(ctx, t, at)
	return role, name, f, err
}

// lookAt is describeAt with the point in the frame. A frame that cannot be
// entered is what is there.
func (s *Session) lookAt(ctx context.Context, t *tab, at browser.Point) (role, name string, f *frame, in browser.Point, err error) {
	f = t.mainFrame()
	for range s.opts.Limits.FrameDepth + 1 {
		l, err := s.ask(ctx, f, "", "describeAt", at.X, at.Y, s.next)
		if err != nil && f.parent == nil || ctx.Err() != nil {
			return "", "", f, at, err
		}
		if err != nil {
			return "iframe", "", f, at, nil
		}
		if l.Kind != "frame" {
			return Clean(l.Role, 0), Clean(l.Name, s.opts.Limits.Message), f, at, nil
		}
		inner, err := s.enter(ctx, f, l.Frame)
		if err != nil || inner == nil {
			return "iframe", "", f, at, nil
		}
		f, at = inner, browser.Point{X: l.X, Y: l.Y}
	}
	return "iframe", "", f, at, nil
}

// hoverTries is how often the pointer follows an element that moves away.
const hoverTries = 5

// Hover implements [browser.Input].
func (s *Session) Hover(ctx context.Context, ref browser.Ref) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Hover(%q)", ref)
	return s.act(ctx, func(ctx context.Context, t *tab) error {
		f, element, err := s.resolve(t, ref)
		if err != nil {
			return err
		}
		t.armFrame(ctx, f)
		for range hoverTries {
			at, err := s.locate(ctx, f, element, ref, s.opts.Settle.Still, nil, false)
			if err != nil {
				return err
			}
			if err := moveTo(ctx, t, at); err != nil {
				return err
			}
			if l, err := eval[located](ctx, f, "hovered", element); err != nil || l.State != "missed" {
				return nil // a page that does not say so has been moved over
			}
		}
		return errtypes.New(errtypes.Invalid, "element %s moves away from the pointer", ref)
	})
}
