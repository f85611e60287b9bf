package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

// picture is how what the model has seen last in a picture lies in the viewport.
// The zero value is the viewport itself.
type picture struct {
	// Scale is pixels of the picture for one of the page; 0 is 1.
	Scale float64
	// Left and Top are where the picture begins, in pixels of the page.
	Left, Top float64
	// Width and Height are its own pixels; 0 where there was no picture.
	Width, Height float64
	// Whole says that it begins where the page does, whatever is in view.
	Whole bool
	// Document is the one of the picture, and ScrolledX and ScrolledY are how far it
	// was scrolled.
	Document, ScrolledX, ScrolledY float64
	// Moved says that something in the page was scrolled since.
	Moved bool
}

// point is a place in the picture as one of the page.
func (p picture) point(x, y float64) browser.Point {
	scale := cmp.Or(p.Scale, 1)
	return browser.Point{X: p.Left + x/scale, Y: p.Top + y/scale}
}

// check refuses a place that is not in the picture. Beyond its edges there is
// nothing that the model has seen.
func (p picture) check(x, y float64) error {
	if p.Width > 0 && !(x >= 0 && y >= 0 && x < p.Width && y < p.Height) {
		return badInput("the point (%g, %g) is outside the last picture, which is %g by %g pixels", x, y, p.Width, p.Height)
	}
	return nil
}

// stillStands refuses places of a picture that shows something else than the page
// does now: a click there would hit what happens to be at the place.
func (p picture) stillStands(now browser.Placed) error {
	switch {
	case p.Document != now.Document:
		return badInput("the last picture is of another page; take a new one with screenshot first")
	case !p.Whole && (p.Moved || math.Abs(p.ScrolledX-now.Left) >= 1 || math.Abs(p.ScrolledY-now.Top) >= 1):
		return badInput("the page has been scrolled since the last picture; take a new one with screenshot first")
	}
	return nil
}

// places are places of the last picture as ones of the viewport. Those of a picture
// of the whole page are scrolled to.
func (s *Set) places(ctx context.Context, session browser.Session, points ...browser.Point) ([]browser.Point, error) {
	p := s.picture
	for _, at := range points {
		if err := p.check(at.X, at.Y); err != nil {
			return nil, err
		}
	}
	var now browser.Placed
	if p.Document != 0 {
		var err error
		if now, err = session.Places(ctx, nil); err == nil {
			err = p.stillStands(now)
		}
		if err != nil {
			return nil, harmless(err)
		}
	}
	all := make([]browser.Point, len(points))
	for i, at := range points {
		all[i] = p.point(at.X, at.Y)
	}
	if !p.Whole {
		return all, nil
	}
	now, err := scrollTo(ctx, session, now, all[0])
	if err != nil {
		return nil, harmless(err)
	}
	for i := range all {
		all[i].X, all[i].Y = all[i].X-now.Left, all[i].Y-now.Top
	}
	return all, nil
}

// scrollTo brings a place of the whole page into view, if it is not.
func scrollTo(ctx context.Context, session browser.Session, now browser.Placed, at browser.Point) (browser.Placed, error) {
	for _, way := range []struct {
		at, from, view float64
		back, on       browser.Direction
	}{{at.Y, now.Top, now.Height, browser.Up, browser.Down}, {at.X, now.Left, now.Width, browser.Left, browser.Right}} {
		if way.at >= way.from && way.at < way.from+way.view {
			continue
		}
		o := browser.ScrollOptions{Direction: way.on, Pixels: way.at - way.from - way.view/2}
		if o.Pixels < 0 {
			o.Direction, o.Pixels = way.back, -o.Pixels
		}
		if _, err := session.Scroll(ctx, o); err != nil {
			return now, err
		}
	}
	return session.Places(ctx, nil)
}

// point is for what has no reference: canvases, maps, and models that look at
// pictures.
func (s *Set) point() tool {
	return tool{
		Tool: model.Tool{
			Name:        "point",
			Description: "Acts at a place of the last picture, or of the visible page, in pixels from its upper left. Only for what has no reference, such as drawings and maps.",
			Input: object(2, "x", property("number", "To the right."), "y", property("number", "Down."),
				"action", oneOf("Default click.", "click", "double", "right", "hover", "drag"),
				"to_x", property("number", "Where to drag to."), "to_y", property("number", "Where to drag to.")),
		},
		acts: true,
		run:  s.runPoint,
	}
}

func (s *Set) runPoint(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		X      *number `json:"x"`
		Y      *number `json:"y"`
		Action string  `json:"action"`
		ToX    *number `json:"to_x"`
		ToY    *number `json:"to_y"`
	}](raw)
	if err != nil {
		return Result{}, err
	}
	if in.X == nil || in.Y == nil {
		return Result{}, badInput("x and y are required")
	}
	points := []browser.Point{{X: float64(*in.X), Y: float64(*in.Y)}}
	do, ok := pointActions[strings.ToLower(in.Action)]
	if strings.EqualFold(in.Action, "drag") {
		if in.ToX == nil || in.ToY == nil {
			return Result{}, badInput("to_x and to_y are required to drag")
		}
		points = append(points, browser.Point{X: float64(*in.ToX), Y: float64(*in.ToY)})
		do, ok = dragTo, true
	}
	if !ok {
		return Result{}, badInput("action must be click, double, right, hover or drag")
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		at, err := s.places(ctx, session, points...)
		if err != nil {
			return "", browser.Page{}, err
		}
		verb, hit, err := do(ctx, session, at)
		what := "nothing with a name"
		if hit.Role != "" || hit.Name != "" {
			what = strings.TrimSpace(word(hit.Role) + fmt.Sprintf(" %q", s.field(hit.Name)))
		}
		return fmt.Sprintf("%s (%g, %g): %s.", verb, *in.X, *in.Y, what), hit.Page, err
	})
}

// word is a role, which is of a closed set, unless a page is wrong.
func word(role string) string {
	if strings.Trim(role, "abcdefghijklmnopqrstuvwxyz") != "" {
		return "element"
	}
	return role
}

// A pointAction does something at a place, or between two.
type pointAction func(context.Context, browser.Session, []browser.Point) (verb string, hit browser.Hit, err error)

var pointActions = map[string]pointAction{
	"":       clickAt("Clicked at", browser.ClickOptions{}),
	"click":  clickAt("Clicked at", browser.ClickOptions{}),
	"double": clickAt("Double-clicked at", browser.ClickOptions{Count: 2}),
	"right":  clickAt("Right-clicked at", browser.ClickOptions{Button: browser.ButtonRight}),
	"hover": func(ctx context.Context, s browser.Session, at []browser.Point) (string, browser.Hit, error) {
		hit, err := s.HoverAt(ctx, at[0])
		return "The pointer is at", hit, harmless(err)
	},
}

func clickAt(verb string, o browser.ClickOptions) pointAction {
	return func(ctx context.Context, s browser.Session, at []browser.Point) (string, browser.Hit, error) {
		hit, err := s.ClickAt(ctx, at[0], o)
		return verb, hit, err
	}
}

func dragTo(ctx context.Context, s browser.Session, at []browser.Point) (string, browser.Hit, error) {
	page, err := s.Drag(ctx, browser.Spot{At: &at[0]}, browser.Spot{At: &at[1]}, browser.DragOptions{})
	return "Dragged from", browser.Hit{Page: page}, err
}
