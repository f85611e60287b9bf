package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

func (s *Set) selectOptions() tool {
	return tool{
		Tool: model.Tool{
			Name:        "select",
			Description: "Chooses options of a list, a drop-down or a menu by their text: these and no others. It opens what has to be opened.",
			Input:       object(2, "ref", property("string", refHelp), "options", listOf("The texts of the options.")),
		},
		acts: true,
		run:  s.runSelect,
	}
}

func (s *Set) runSelect(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Ref     string `json:"ref"`
		Options *texts `json:"options"`
	}](raw)
	if err != nil {
		return Result{}, err
	}
	ref, err := reference(in.Ref)
	if err != nil {
		return Result{}, err
	}
	if in.Options == nil {
		return Result{}, badInput("options is required")
	}
	if err := s.checkOptions(*in.Options); err != nil {
		return Result{}, err
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		said := fmt.Sprintf("Selected %s in %s.", s.quoted(*in.Options), s.nameOf(ref))
		page, err := session.Select(ctx, ref, *in.Options...)
		return said, page, err
	})
}

// checkOptions bounds what is chosen. A variable's value is in no list that a
// model could choose from.
func (s *Set) checkOptions(options texts) error {
	size := 0
	for _, o := range options {
		if size += len(o); s.opts.Variables.Uses(o) {
			return badInput("options takes no variables; use type")
		}
	}
	if len(options) > 100 || size > maxTyped {
		return badInput("options must be at most 100, and %d bytes", maxTyped)
	}
	return nil
}

func (s *Set) quoted(options texts) string {
	if len(options) == 0 {
		return "nothing"
	}
	all := make([]string, len(options))
	for i, o := range options {
		all[i] = fmt.Sprintf("%q", cut(s.clean(o), 100))
	}
	return cut(strings.Join(all, ", "), 500)
}
