package page

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
)

// maxSteps bounds the moves of one drag.
const maxSteps = 100

// Drag implements [browser.Input].
func (s *Session) Drag(ctx context.Context, from, to browser.Spot, o browser.DragOptions) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Drag(%q)", from.Ref)
	nowhere := browser.Spot{}
	switch {
	case from == nowhere:
		return browser.Page{}, errtypes.New(errtypes.Invalid, "from must be an element or a point")
	case to == nowhere && o.By == browser.Point{}:
		return browser.Page{}, errtypes.New(errtypes.Invalid, "to must be an element or a point, or By an offset")
	case o.Steps < 0 || o.Steps > maxSteps:
		return browser.Page{}, errtypes.New(errtypes.Invalid, "Steps must be 1 to %d", maxSteps)
	}
	if err := checkHold(o.Hold); err != nil {
		return browser.Page{}, err
	}
	return s.act(ctx, func(ctx context.Context, t *tab) error {
		d := &dragging{s: s, t: t, steps: max(o.Steps, 0), hold: o.Hold, data: make(chan *input.DragData, 1)}
		if d.steps == 0 {
			d.steps = 10
		}
		if err := d.prepare(ctx, from, to, o.By); err != nil {
			return err
		}
		return d.run(ctx)
	})
}

// dragging is one drag. What is at its ends is found first; of the other end
// that may have to be scrolled to while the button is down.
type dragging struct {
	s     *Session
	t     *tab
	steps int
	hold  time.Duration
	f     *frame // in which it begins
	at    browser.Point
	end   func(ctx context.Context, scrolls bool) (at browser.Point, seen bool, err error)
	data  chan *input.DragData // what the page drags, if it leaves that to the browser
	drag  *input.DragData
	// across says that the other end is in a page of another process, which has to
	// be entered.
	across bool
}

func (d *dragging) prepare(ctx context.Context, from, to browser.Spot, by browser.Point) error {
	if to.Ref != "" { // so that both are in view, if they can be
		if _, _, err := d.spot(ctx, to, true); err != nil {
			return err
		}
	}
	if err := d.begin(ctx, from); err != nil {
		return err
	}
	d.t.armFrame(ctx, d.f)
	if to.Ref != "" {
		if f, _, err := d.s.resolve(d.t, to.Ref); err == nil {
			d.across = f.sess != d.f.sess
			d.t.armFrame(ctx, f)
		}
	}
	start := d.at
	d.end = func(ctx context.Context, scrolls bool) (at browser.Point, seen bool, err error) {
		at, seen = start, true
		if to != (browser.Spot{}) {
			at, seen, err = d.spot(ctx, to, scrolls)
		}
		return browser.Point{X: at.X + by.X, Y: at.Y + by.Y}, seen, err
	}
	_, _, err := d.end(ctx, false)
	return err
}

// begin finds where the drag begins.
func (d *dragging) begin(ctx context.Context, from browser.Spot) error {
	s := d.s
	if from.Ref == "" {
		if err := s.inViewport(*from.At); err != nil {
			return err
		}
		d.at = *from.At
		_, _, f, err := s.describeAt(ctx, d.t, d.at)
		d.f = f
		return err
	}
	f, element, err := s.resolve(d.t, from.Ref)
	if err != nil {
		return err
	}
	d.f = f
	at := from.At
	if at == nil {
		l, err := s.ask(ctx, f, from.Ref, "grip", element)
		if err != nil {
			return err
		}
		if l.Kind == "thumb" {
			at = &browser.Point{X: l.X, Y: l.Y}
		}
	}
	d.at, err = s.locate(ctx, f, element, from.Ref, s.opts.Settle.Still, at, false)
	return err
}

// spot is where a spot of the page is now, having scrolled to it if asked to.
func (d *dragging) spot(ctx context.Context, to browser.Spot, scrolls bool) (at browser.Point, seen bool, err error) {
	if to.Ref == "" {
		return *to.At, true, d.s.inViewport(*to.At)
	}
	f, element, err := d.s.resolve(d.t, to.Ref)
	if err != nil {
		return at, false, err
	}
	var l located
	if scrolls {
		l, err = eval[located](ctx, f, "aim", element, f.parent != nil, d.s.opts.Settle.Still.Milliseconds(), pointJSON(to.At))
	} else {
		l, err = eval[located](ctx, f, "spot", element, pointJSON(to.At))
	}
	for ; err == nil && l.State == "ok" && f.parent != nil; f = f.parent {
		l, err = eval[located](ctx, f.parent, "spotOutside", f.owner, l.X, l.Y, scrolls)
	}
	if err == nil && l.State == "hidden" && !scrolls {
		return at, false, nil
	}
	if f.lost(err) {
		err = &browser.StaleError{Ref: to.Ref}
	}
	if err == nil {
		err = d.s.problem(to.Ref, l)
	}
	return browser.Point{X: l.X, Y: l.Y}, err == nil, err
}

// run presses, moves and lets go. Whatever happens between, the button does not
// stay down.
func (d *dragging) run(ctx context.Context) (err error) {
	if err := d.watch(ctx); err != nil {
		return err
	}
	defer d.unwatch(ctx)
	if err := d.mouse(ctx, input.DispatchMouseEventTypeMouseMoved, d.at, 0); err != nil {
		return err
	}
	if err := d.mouse(ctx, input.DispatchMouseEventTypeMousePressed, d.at, 1); err != nil {
		return err
	}
	defer func() {
		if d.drag != nil { // whose end is the drop: no button is told of
			return
		}
		upErr := d.mouse(context.WithoutCancel(ctx), input.DispatchMouseEventTypeMouseReleased, d.at, 0)
		if err == nil {
			err = upErr
		}
	}()
	if d.hold > 0 {
		if err := clock.Sleep(ctx, d.s.opts.Clock, d.hold); err != nil {
			return err
		}
	}
	if err := d.move(ctx); err != nil {
		return err
	}
	if d.drag == nil {
		return nil
	}
	return d.event(ctx, input.DispatchDragEventTypeDrop, d.at)
}

// watch has the drags that pages leave to the browser told to d.
func (d *dragging) watch(ctx context.Context) error {
	d.t.acting.expectDrag(d.data)
	if _, err := cdp.Call(ctx, d.t.target, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true}); err != nil {
		d.t.acting.expectDrag(nil)
		return err
	}
	_, err := eval[any](ctx, d.f, "watchDrag")
	return err
}

func (d *dragging) unwatch(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), armTime)
	defer cancel()
	d.t.acting.expectDrag(nil)
	cdp.Call(ctx, d.t.target, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: false})
	eval[any](ctx, d.f, "forgetDrag")
}

// nudge is how far the pointer moves first, in CSS pixels: what is dragged is
// taken hold of by that, or the browser begins a drag.
const nudge = 6

// move goes to the other end.
func (d *dragging) move(ctx context.Context) error {
	start := d.at
	to, seen, err := d.end(ctx, false)
	if err != nil {
		return err
	}
	if err := d.step(ctx, towards(start, to, seen)); err != nil {
		return err
	}
	if err := d.step(ctx, towards(d.at, to, seen)); err != nil {
		return err
	}
	if err := d.takeUp(ctx); err != nil {
		return err
	}
	if !seen {
		if to, _, err = d.end(ctx, true); err != nil {
			return err
		}
	}
	from := d.at
	for i := 1; i <= d.steps; i++ {
		share := float64(i) / float64(d.steps)
		if err := d.step(ctx, browser.Point{X: from.X + (to.X-from.X)*share, Y: from.Y + (to.Y-from.Y)*share}); err != nil {
			return err
		}
	}
	if d.drag != nil && d.across {
		if err := d.event(ctx, input.DispatchDragEventTypeDragEnter, to); err != nil {
			return err
		}
	}
	return d.step(ctx, to) // what has moved out of the way meanwhile hears of it, too
}

// towards is a first small way, straight on where the goal is not seen.
func towards(from, to browser.Point, seen bool) browser.Point {
	limit := func(n float64) float64 { return min(max(n, -nudge), nudge) }
	if !seen {
		return browser.Point{X: from.X, Y: from.Y + nudge/2}
	}
	return browser.Point{X: from.X + limit((to.X-from.X)/2), Y: from.Y + limit((to.Y-from.Y)/2)}
}

// interceptTime bounds the wait for the data of a drag that the page has begun.
const interceptTime = 2 * time.Second

// takeUp finds out whether the page has left the drag to the browser.
func (d *dragging) takeUp(ctx context.Context) error {
	began, err := eval[bool](ctx, d.f, "dragBegan")
	if err != nil || !began {
		return nil // a document that is gone drags nothing
	}
	ctx, cancel := context.WithTimeout(ctx, interceptTime)
	defer cancel()
	select {
	case d.drag = <-d.data:
		return d.event(ctx, input.DispatchDragEventTypeDragEnter, d.at)
	case <-ctx.Done():
		return nil
	}
}

// step moves the pointer, or what is dragged.
func (d *dragging) step(ctx context.Context, to browser.Point) error {
	d.at = to
	if d.drag != nil {
		return d.event(ctx, input.DispatchDragEventTypeDragOver, to)
	}
	return d.mouse(ctx, input.DispatchMouseEventTypeMouseMoved, to, 1)
}

func (d *dragging) event(ctx context.Context, kind input.DispatchDragEventType, at browser.Point) error {
	_, err := cdp.Call(ctx, d.t.target, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: at.X, Y: at.Y, Data: d.drag})
	return err
}

// mouse sends an event of the left button, which is down or up after it.
func (d *dragging) mouse(ctx context.Context, kind input.DispatchMouseEventType, at browser.Point, down int64) error {
	ev := input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Buttons: down}
	if kind != input.DispatchMouseEventTypeMouseMoved {
		ev.ClickCount = 1
	}
	if down > 0 || kind == input.DispatchMouseEventTypeMouseReleased {
		ev.Button = input.MouseButtonLeft
	}
	return dispatch(ctx, d.t, ev)
}
