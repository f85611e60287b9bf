package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

const refHelp = "The element's reference from the page, such as e12."

func (s *Set) click() tool {
	return tool{
		Tool: model.Tool{
			Name:        "click",
			Description: "Clicks an element and returns the page as it is then.",
			Input:       object(1, "ref", property("string", refHelp)),
		},
		acts: true,
		run:  s.runClick,
	}
}

func (s *Set) runClick(ctx context.Context, raw json.RawMessage) (Result, error) {
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
		said := fmt.Sprintf("Clicked %s.", s.nameOf(ref))
		page, err := session.Click(ctx, ref)
		return said, page, err
	})
}

// reference checks a model's reference. Brackets around it are forgiven.
func reference(text string) (browser.Ref, error) {
	if len(text) > 2 && text[0] == '[' && text[len(text)-1] == ']' {
		text = text[1 : len(text)-1]
	}
	if text == "" {
		return "", badInput("ref is required")
	}
	if line := (outline.Line{Element: browser.Element{Ref: browser.Ref(text)}}); line.String() != "- generic ["+text+"]" {
		return "", badInput("ref must be the reference of an element, such as e12")
	}
	return browser.Ref(text), nil
}
