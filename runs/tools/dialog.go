package tools

import (
	"context"
	"encoding/json"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

const dialogName = "dialog"

func (s *Set) dialog() tool {
	return tool{
		Tool: model.Tool{
			Name:        dialogName,
			Description: "Answers the dialog that the page shows (confirm or prompt), and returns the page.",
			Input: object(1,
				"accept", property("boolean", "True for OK, false for Cancel."),
				"text", property("string", "What to write into a prompt, with variables as %name%. Default empty.")),
		},
		acts: true,
		run:  s.runDialog,
	}
}

func (s *Set) runDialog(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Accept *bool  `json:"accept"`
		Text   string `json:"text"`
	}](raw)
	switch {
	case err != nil:
		return Result{}, err
	case in.Accept == nil:
		return Result{}, badInput("accept is required")
	case len(in.Text) > maxTyped:
		return Result{}, badInput("text must be at most %d bytes", maxTyped)
	}
	if err := s.freshen(ctx, in.Text); err != nil {
		return Result{}, err
	}
	text, _, err := s.opts.Variables.Resolve(in.Text)
	if err != nil {
		return Result{}, err
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		said := "Dismissed the dialog."
		if *in.Accept {
			said = "Accepted the dialog."
		}
		page, err := session.Answer(ctx, browser.DialogAnswer{Accept: *in.Accept, Text: text, Allow: s.allow(in.Text)})
		return said, page, err
	})
}
