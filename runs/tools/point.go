package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

// picture is how what the model has seen last in a picture lies in the viewport.
type picture struct {
	// Scale is pixels of the picture for one of the page; 0 is 1.
	Scale float64
	// Left and Top are where the picture begins, in pixels of the page.
	Left, Top float64
}

// point is a place in the picture as one of the page.
func (p picture) point(x, y float64) browser.Point {
	scale := p.Scale
	if scale == 0 {
		scale = 1
	}
	return browser.Point{X: p.Left + x/scale, Y: p.Top + y/scale}
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
	at := s.picture.point(float64(*in.X), float64(*in.Y))
	do, ok := pointActions[strings.ToLower(in.Action)]
	if strings.EqualFold(in.Action, "drag") {
		if in.ToX == nil || in.ToY == nil {
			return Result{}, badInput("to_x and to_y are required to drag")
		}
		do, ok = dragTo(s.picture.point(float64(*in.ToX), float64(*in.ToY))), true
	}
	if !ok {
		return Result{}, badInput("action must be click, double, right, hover or drag")
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
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

type pointAction func(context.Context, browser.Session, browser.Point) (verb string, hit browser.Hit, err error)

var pointActions = map[string]pointAction{
	"":       clickAt("Clicked at", browser.ClickOptions{}),
	"click":  clickAt("Clicked at", browser.ClickOptions{}),
	"double": clickAt("Double-clicked at", browser.ClickOptions{Count: 2}),
	"right":  clickAt("Right-clicked at", browser.ClickOptions{Button: browser.ButtonRight}),
	"hover": func(ctx context.Context, s browser.Session, at browser.Point) (string, browser.Hit, error) {
		hit, err := s.HoverAt(ctx, at)
		return "The pointer is at", hit, harmless(err)
	},
}

func clickAt(verb string, o browser.ClickOptions) pointAction {
	return func(ctx context.Context, s browser.Session, at browser.Point) (string, browser.Hit, error) {
		hit, err := s.ClickAt(ctx, at, o)
		return verb, hit, err
	}
}

func dragTo(to browser.Point) pointAction {
	return func(ctx context.Context, s browser.Session, at browser.Point) (string, browser.Hit, error) {
		page, err := s.Drag(ctx, browser.Spot{At: &at}, browser.Spot{At: &to}, browser.DragOptions{})
		return "Dragged from", browser.Hit{Page: page}, err
	}
}
