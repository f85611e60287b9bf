package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

func (s *Set) hover() tool {
	return tool{
		Tool: model.Tool{
			Name:        "hover",
			Description: "Moves the pointer over an element and leaves it there, for menus and hints that open by that.",
			Input:       object(1, "ref", property("string", refHelp)),
		},
		run: s.runHover,
	}
}

func (s *Set) runHover(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Ref string `json:"ref"`
	}](raw)
	if err != nil {
		return Result{}, err
	}
	ref, err := reference(in.Ref)
	if err != nil {
		return Result{}, err
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		said := fmt.Sprintf("The pointer is over %s.", s.nameOf(ref))
		page, err := session.Hover(ctx, ref)
		return said, page, harmless(err)
	})
}
