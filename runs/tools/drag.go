package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

func (s *Set) drag() tool {
	return tool{
		Tool: model.Tool{
			Name:        "drag",
			Description: "Drags an element onto another, or by an offset: sliders, sortable lists, drop areas.",
			Input: object(1, "ref", property("string", "The element to drag."),
				"to", property("string", "The reference of the element to drop it on. With dx and dy: that far from its middle."),
				"dx", property("number", "How far to the right, in pixels. Default 0."),
				"dy", property("number", "How far down, in pixels. Default 0."),
				"hold", property("number", "Press for so many seconds before moving, at most 10. Default 0.")),
		},
		acts: true,
		run:  s.runDrag,
	}
}

func (s *Set) runDrag(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Ref string `json:"ref"`
		To  string `json:"to"`
		DX  number `json:"dx"`
		DY  number `json:"dy"`

		Hold number `json:"hold"`
	}](raw)
	if err != nil {
		return Result{}, err
	}
	from, err := reference(in.Ref)
	var hold time.Duration
	if err == nil {
		hold, err = holdFor(in.Hold)
	}
	if err != nil {
		return Result{}, err
	}
	var to browser.Spot
	if in.To != "" {
		if to.Ref, err = reference(in.To); err != nil {
			return Result{}, err
		}
	}
	by := browser.Point{X: float64(in.DX), Y: float64(in.DY)}
	if in.To == "" && by == (browser.Point{}) {
		return Result{}, badInput("to is required, or dx and dy")
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		said := "Dragged " + s.nameOf(from)
		if to.Ref != "" {
			said += " to " + s.nameOf(to.Ref)
		}
		if by != (browser.Point{}) {
			said += fmt.Sprintf(" by %g, %g", by.X, by.Y)
		}
		page, err := session.Drag(ctx, browser.Spot{Ref: from}, to, browser.DragOptions{By: by, Hold: hold})
		return said + ".", page, err
	})
}
