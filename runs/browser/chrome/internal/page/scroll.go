package page

import (
	"cmp"
	"context"
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// Bounds of one Scroll.
const (
	defaultPages = 0.8
	maxPages     = 100
	maxScroll    = 1_000_000
	maxLooks     = 200             // times that a page is let settle, in the search for a text
	lookPages    = 0.9             // from one look to the next
	lookTime     = time.Second     // of looks in a row
	lookingOn    = 8 * time.Second // before it is looked for from the beginning
	maxLooking   = 20 * time.Second
)

// Scroll implements [browser.Input].
func (s *Session) Scroll(ctx context.Context, o browser.ScrollOptions) (_ browser.Scrolled, err error) {
	defer errtypes.Wrap(&err, "chrome.Scroll")
	if err := s.checkScroll(o); err != nil {
		return browser.Scrolled{}, err
	}
	switch {
	case o.Text != "":
		return s.scrollToText(ctx, o)
	case o.Ref != "" && o.Direction == "":
		return s.scrollBy(ctx, func(ctx context.Context, t *tab) (*frame, bool, error) { return s.revealRef(ctx, t, o.Ref) })
	}
	how := ""
	out, err := s.scrollBy(ctx, func(ctx context.Context, t *tab) (f *frame, moved bool, err error) {
		f, moved, how, err = s.scrollWith(ctx, t, o, "scroll")
		return f, moved, err
	})
	out.Heard, out.Around = how == "heard", how == "around"
	return out, err
}

func (s *Session) checkScroll(o browser.ScrollOptions) error {
	switch o.Direction {
	case "", browser.Up, browser.Down, browser.Left, browser.Right, browser.Top, browser.Bottom:
	default:
		return errtypes.New(errtypes.Invalid, "Direction must be up, down, left, right, top or bottom, not %q", cutKey(string(o.Direction)))
	}
	switch {
	case !(o.Pages >= 0 && o.Pages <= maxPages):
		return errtypes.New(errtypes.Invalid, "Pages must be 0 to %d", maxPages)
	case !(o.Pixels >= 0 && o.Pixels <= maxScroll):
		return errtypes.New(errtypes.Invalid, "Pixels must be 0 to %d", maxScroll)
	case o.At != nil && o.Ref != "":
		return errtypes.New(errtypes.Invalid, "Ref and At cannot be given together")
	case o.At != nil:
		return s.inViewport(*o.At)
	}
	return nil
}

// scrollBy scrolls and tells where that has led, once the page has settled.
func (s *Session) scrollBy(ctx context.Context, do func(context.Context, *tab) (*frame, bool, error)) (browser.Scrolled, error) {
	var f *frame
	var moved bool
	p, err := s.act(ctx, func(ctx context.Context, t *tab) (err error) {
		f, moved, err = do(ctx, t)
		return err
	})
	if err != nil {
		return browser.Scrolled{}, err
	}
	out := browser.Scrolled{Page: p, Moved: moved}
	at, err := s.whereNow(ctx, f)
	if err == nil {
		out.Above, out.Below, out.Before, out.After, out.Width, out.Height = at.Above, at.Below, at.Before, at.After, at.Width, at.Height
	}
	return out, err
}

// extent is where something that scrolls is.
type extent struct{ Above, Below, Before, After, Width, Height float64 }

func (s *Session) whereNow(ctx context.Context, f *frame) (extent, error) {
	_, done, err := s.work(&ctx)
	if err != nil {
		return extent{}, err
	}
	defer done()
	at, err := eval[extent](ctx, f, "whereNow")
	if f.lost(err) {
		return extent{}, nil
	}
	return at, s.Explain(ctx, err)
}

// wheeled is what the page says of a scroll.
type wheeled struct {
	located
	DX float64 `json:"dx"`
	DY float64 `json:"dy"`
	// Wheel says that nothing there scrolls by itself: the wheel may be listened to.
	Wheel bool `json:"wheel"`
}

// scrollRequest is what the page's scroll takes.
type scrollRequest struct {
	Element   int               `json:"element"`
	At        *place            `json:"at"`
	Direction browser.Direction `json:"direction"`
	Pages     float64           `json:"pages"`
	Pixels    float64           `json:"pixels"`
}

// scrollOnce scrolls what was asked for and reports whether it moved.
func (s *Session) scrollOnce(ctx context.Context, t *tab, o browser.ScrollOptions) (f *frame, moved bool, err error) {
	f, moved, _, err = s.scrollWith(ctx, t, o, "scroll")
	return f, moved, err
}

// scrollWith scrolls by one of the page's functions, and with the wheel where that is
// what it asks for. How says what has moved, if it is not what was asked for.
func (s *Session) scrollWith(ctx context.Context, t *tab, o browser.ScrollOptions, name string, args ...any) (f *frame, moved bool, how string, err error) {
	f = t.mainFrame()
	req := scrollRequest{Direction: cmp.Or(o.Direction, browser.Down), Pages: cmp.Or(o.Pages, defaultPages), Pixels: o.Pixels}
	switch {
	case o.Ref != "":
		if f, req.Element, err = s.resolve(t, o.Ref); err != nil {
			return f, false, "", err
		}
	case o.At != nil:
		var at browser.Point
		if _, _, f, at, err = s.lookAt(ctx, t, *o.At); err != nil {
			return f, false, "", err
		}
		req.At = &place{at.X, at.Y}
	}
	t.armFrame(ctx, f)
	w, err := s.askScroll(ctx, f, o.Ref, name, append([]any{req}, args...)...)
	if err == nil && w.Wheel {
		if err = s.turnWheel(ctx, t, f, w); err == nil && w.Held {
			w, err = s.askScroll(ctx, f, o.Ref, "turned", req)
		}
	}
	return f, w.Moved, w.Kind, err
}

func (s *Session) askScroll(ctx context.Context, f *frame, ref browser.Ref, name string, args ...any) (wheeled, error) {
	w, err := eval[wheeled](ctx, f, name, args...)
	if f.lost(err) {
		err = &browser.StaleError{Ref: ref}
	}
	if err == nil {
		err = s.problem(ref, w.located)
	}
	return w, err
}

// turnWheel turns the wheel over a point of a frame.
func (s *Session) turnWheel(ctx context.Context, t *tab, f *frame, w wheeled) error {
	l := w.located
	for g := f; g.parent != nil; g = g.parent {
		var err error
		if l, err = s.ask(ctx, g.parent, "", "spotOutside", g.owner, l.X, l.Y, true); err != nil {
			return err
		}
	}
	turned := t.target.Start(input.DispatchMouseEvent.Method, wheelEvent{input.DispatchMouseEventTypeMouseWheel, l.X, l.Y, w.DX, w.DY})
	return taken(ctx, turned, input.DispatchMouseEventTypeMouseWheel)
}

// wheelEvent is an event of the wheel, which has to name both ways, the one that it
// does not go, too.
type wheelEvent struct {
	Type   input.DispatchMouseEventType `json:"type"`
	X      float64                      `json:"x"`
	Y      float64                      `json:"y"`
	DeltaX float64                      `json:"deltaX"`
	DeltaY float64                      `json:"deltaY"`
}

// revealRef scrolls to an element.
func (s *Session) revealRef(ctx context.Context, t *tab, ref browser.Ref) (*frame, bool, error) {
	f, element, err := s.resolve(t, ref)
	if err != nil {
		return f, false, err
	}
	t.armFrame(ctx, f)
	l, err := s.ask(ctx, f, ref, "reveal", element, s.opts.Settle.Still.Milliseconds())
	if err != nil {
		return f, false, err
	}
	outer, err := s.revealFrames(ctx, f)
	return f, l.Moved || outer, err
}

// revealFrames scrolls to a frame in those around it.
func (s *Session) revealFrames(ctx context.Context, f *frame) (moved bool, err error) {
	for ; err == nil && f.parent != nil; f = f.parent {
		var l located
		l, err = eval[located](ctx, f.parent, "reveal", f.owner, s.opts.Settle.Still.Milliseconds())
		moved = moved || l.Moved
	}
	return moved, err
}

// scrollToText scrolls to a text, looking for it in what lists show when they
// are scrolled: a while on from where they are, and then from the beginning.
func (s *Session) scrollToText(ctx context.Context, o browser.ScrollOptions) (browser.Scrolled, error) {
	began := s.opts.Clock.Now()
	back := false // to the beginning, already
	for range maxLooks {
		found := false
		looked := s.opts.Clock.Now().Sub(began)
		out, err := s.scrollBy(ctx, func(ctx context.Context, t *tab) (f *frame, moved bool, err error) {
			if f, moved, err = s.revealText(ctx, t, o.Text); f != nil || err != nil {
				found = err == nil
				return f, moved, err
			}
			on := browser.ScrollOptions{Ref: o.Ref, At: o.At, Direction: browser.Down, Pages: lookPages}
			if back || looked < lookingOn {
				if f, moved, _, err = s.scrollWith(ctx, t, on, "seek", o.Text, lookTime.Milliseconds()); err != nil || moved || back {
					return f, moved, err
				}
			}
			back, on.Direction = true, browser.Top
			return s.scrollOnce(ctx, t, on)
		})
		if err != nil || found {
			return out, err
		}
		if !out.Moved || looked > maxLooking {
			break
		}
	}
	return browser.Scrolled{}, errtypes.New(errtypes.NotFound, "the text %q is not on the page, as far as it could be scrolled", Clean(o.Text, 100))
}

// revealText scrolls to a text in any of the frames of the page; the frame is nil
// where it is in none.
func (s *Session) revealText(ctx context.Context, t *tab, text string) (*frame, bool, error) {
	for _, f := range s.framesOf(t) {
		l, err := eval[located](ctx, f, "revealText", text, s.opts.Settle.Still.Milliseconds())
		switch {
		case err != nil && f.parent == nil:
			return f, false, err
		case err != nil || l.State == "absent":
			continue
		}
		t.armFrame(ctx, f)
		outer, err := s.revealFrames(ctx, f)
		return f, l.Moved || outer, err
	}
	return nil, false, nil
}
