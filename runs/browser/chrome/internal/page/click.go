package page

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// located is what the page's functions answer about an element.
type located struct {
	State   string   `json:"state"` // ok, or what is in the way
	X       float64  `json:"x"`
	Y       float64  `json:"y"`
	By      string   `json:"by"`
	Kind    string   `json:"kind"`
	Held    bool     `json:"held"`
	Options []string `json:"options"`
	More    int      `json:"more"` // options beside those; -1 for nobody knows how many

	Role     string `json:"role"`
	Name     string `json:"name"`
	Frame    int    `json:"frame"` // number of a frame's element
	Element  int    `json:"element"`
	Elements []int  `json:"elements"`
	Next     int    `json:"next"` // the first number that is free
	Moved    bool   `json:"moved"`
}

// problem is the error of a state; nil for ok.
func (s *Session) problem(ref browser.Ref, l located) error {
	switch l.State {
	case "ok":
		return nil
	case "stale":
		return &browser.StaleError{Ref: ref}
	case "covered":
		return &browser.CoveredError{Ref: ref, By: Clean(l.By, s.opts.Limits.Message)}
	case "hidden":
		return errtypes.New(errtypes.Invalid, "element %s cannot be scrolled into view", ref)
	case "disabled":
		return errtypes.New(errtypes.Invalid, "element %s is disabled", ref)
	case "readonly":
		return errtypes.New(errtypes.Invalid, "element %s is read-only", ref)
	case "unfocusable":
		return errtypes.New(errtypes.Invalid, "element %s cannot take the focus; click it first, and press without it", ref)
	case "uncheckable":
		return errtypes.New(errtypes.Invalid, "element %s is no check box, radio button or switch", ref)
	case "single":
		return errtypes.New(errtypes.Invalid, "element %s takes exactly one option", ref)
	case "untypable":
		return errtypes.New(errtypes.Invalid, "element %s takes no text; if it hears keys, click it, and press with a text", ref)
	case "rejected":
		return errtypes.New(errtypes.Invalid, "element %s does not take this text as a value of its type%s", ref, formOf[l.Kind])
	case "other":
		return errOther(ref)
	case "toolong":
		return errtypes.New(errtypes.Invalid, "element %s takes at most %s characters", ref, Clean(l.Name, 20))
	case "snapped":
		return errtypes.New(errtypes.Invalid, "element %s was set to %s: it goes %s", ref, Clean(l.Name, 20), stepsOf(l.Options))
	case "nooption":
		return s.noOption(ref, l)
	}
	return errtypes.New(errtypes.Internal, "element %s is in an unknown state", ref)
}

// formOf says how the values of a type of field are written.
var formOf = map[string]string{
	"date": ": write YYYY-MM-DD, and keep to its limits", "time": ": write HH:MM", "datetime-local": ": write YYYY-MM-DDTHH:MM",
	"month": ": write YYYY-MM", "week": ": write YYYY-Www, such as 2026-W07", "color": ": write #rrggbb",
}

func stepsOf(o []string) string {
	if len(o) != 3 {
		return "in steps"
	}
	return fmt.Sprintf("from %s to %s in steps of %s", Clean(o[0], 20), Clean(o[1], 20), Clean(o[2], 20))
}

// otherError says that a field has not taken its text.
type otherError struct{ error }

func (e otherError) Unwrap() error { return e.error }

func errOther(ref browser.Ref) error {
	return otherError{errtypes.New(errtypes.Invalid, "element %s holds other text than was typed", ref)}
}

// Click implements [browser.Session].
func (s *Session) Click(ctx context.Context, ref browser.Ref) (browser.Page, error) {
	return s.ClickWith(ctx, ref, browser.ClickOptions{})
}

// ClickWith implements [browser.Input].
func (s *Session) ClickWith(ctx context.Context, ref browser.Ref, o browser.ClickOptions) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Click(%q)", ref)
	if err := s.checkClick(o); err != nil {
		return browser.Page{}, err
	}
	return s.act(ctx, func(ctx context.Context, t *tab) error {
		f, element, err := s.resolve(t, ref)
		if err != nil {
			return err
		}
		return s.hitWith(ctx, t, f, element, ref, o)
	})
}

// act does something to the current page and returns when what came of it has
// settled: on that page, or on the one in the tab that it opened.
func (s *Session) act(ctx context.Context, do func(context.Context, *tab) error) (browser.Page, error) {
	caller := ctx
	t, done, err := s.work(&ctx)
	if err != nil {
		return browser.Page{}, err
	}
	before := t.track.now()
	t.arm(ctx)
	err = do(ctx, t)
	gone := errors.Is(err, chromedp.ErrTargetDetached) || context.Cause(t.working()) == error(ErrTabClosed)
	err = s.Explain(ctx, err)
	done()
	if err != nil && !gone { // a click may close its tab
		return s.orStanding(caller, err)
	}
	if err := s.settleAfter(caller, t, before); err != nil {
		return s.orStanding(caller, err)
	}
	return s.Page(caller)
}

// settleAfter waits for what an action on the tab has set off. The tab may be
// closed by it, and others opened; then the one that is current is waited for.
func (s *Session) settleAfter(ctx context.Context, t *tab, before loadState) error {
	settle := s.opts.Settle
	settled, err := s.settleTab(ctx, t, func(ctx context.Context) error {
		return settle.afterAction(ctx, t.track, before, t)
	})
	for range maxHops {
		if settled || err != nil {
			return err
		}
		if t, err = s.tab(ctx); err != nil {
			return err
		}
		settled, err = s.settleTab(ctx, t, func(ctx context.Context) error {
			if t.popup {
				return settle.afterOpening(ctx, t.track)
			}
			return settle.afterNavigation(ctx, t.track, settle.Load)
		})
	}
	return err
}

// settleTab waits for a tab by the given rule; the result is false if another
// tab became the current one meanwhile.
func (s *Session) settleTab(ctx context.Context, t *tab, rule func(context.Context) error) (bool, error) {
	tabCtx, done := s.during(ctx, t, s.opts.Settle.longest(), "settle")
	defer done()
	watchCtx, watched := s.whileCurrent(tabCtx, t)
	defer watched()
	err := rule(watchCtx)
	// A tab that has closed has given way to another, or will be missed there.
	if cause := context.Cause(watchCtx); cause == errSwitched || cause == error(ErrTabClosed) && s.current() != t {
		return false, nil
	}
	return true, s.Explain(tabCtx, err)
}

// hitTries is how often a click is made on an element that moves away from
// under it.
const hitTries = 10

// hit clicks an element: visible, at rest, enabled and not covered. One that
// does not come to rest is clicked where it is; the events of a click that
// misses it reach nobody.
func (s *Session) hit(ctx context.Context, t *tab, f *frame, element int, ref browser.Ref) error {
	return s.hitWith(ctx, t, f, element, ref, browser.ClickOptions{})
}

func (s *Session) hitWith(ctx context.Context, t *tab, f *frame, element int, ref browser.Ref, o browser.ClickOptions) error {
	began := s.opts.Clock.Now()
	t.armFrame(ctx, f)
	for range hitTries {
		still := s.opts.Settle.Still - s.opts.Clock.Now().Sub(began)
		at, err := s.locate(ctx, f, element, ref, max(still, 0), o.At, true)
		if err != nil {
			s.hasHit(ctx, f)
			return err
		}
		if err := clickAt(ctx, t, at, o); err != nil || s.hasHit(ctx, f) {
			return err
		}
	}
	return errtypes.New(errtypes.Invalid, "element %s does not stand still: %d clicks have missed it", ref, hitTries)
}

// hasHit reports whether a click has hit what was expected, in each document
// on the way to it. Where that cannot be told any more, because the click has
// led away, it has.
func (s *Session) hasHit(ctx context.Context, f *frame) bool {
	ctx, done := s.Bounded(ctx, hitTime, "answer after a click")
	defer done()
	hit := true
	for ; f != nil; f = f.parent {
		l, err := eval[located](ctx, f, "clicked")
		hit = hit && (err != nil || l.State != "missed")
	}
	return hit
}

// hitTime bounds the question what a click has hit: a page may be busy with
// what it has set off.
const hitTime = 2 * time.Second

// locate returns the point of the page at which the pointer meets the element and
// nothing else, having scrolled there: a place in it, or its middle. The element
// is given the time to come to rest. Where it is to be clicked it has to be
// enabled, and clicks that miss it are kept from the page until hasHit.
func (s *Session) locate(ctx context.Context, f *frame, element int, ref browser.Ref, still time.Duration, place *browser.Point, clicks bool) (browser.Point, error) {
	at, err := eval[located](ctx, f, "locate", element, f.parent != nil, still.Milliseconds(), pointJSON(place), clicks)
	for ; err == nil && at.State == "ok" && f.parent != nil; f = f.parent {
		at, err = eval[located](ctx, f.parent, "throughFrame", f.owner, at.X, at.Y, still.Milliseconds(), clicks)
	}
	if err != nil {
		if f.lost(err) {
			err = &browser.StaleError{Ref: ref}
		}
		return browser.Point{}, err
	}
	return browser.Point{X: at.X, Y: at.Y}, s.problem(ref, at)
}
