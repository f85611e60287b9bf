package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

func (s *Set) back() tool {
	return tool{
		Tool: model.Tool{
			Name:        "back",
			Description: "Goes back to the page before this one in the tab, or forward again, or reloads the page. Returns the page.",
			Input:       object(0, "action", `{"type":"string","enum":["back","forward","reload"],"description":"Default back."}`),
		},
		acts: true,
		run:  s.runBack,
	}
}

// moves are the ways through the history of a tab, and what is said of each.
var moves = map[string]struct {
	said string
	do   func(browser.Session, context.Context) (browser.Page, error)
}{
	"":        {"Went back", browser.Session.Back},
	"back":    {"Went back", browser.Session.Back},
	"forward": {"Went forward", browser.Session.Forward},
	"reload":  {"Loaded the page again", browser.Session.Reload},
}

func (s *Set) runBack(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Action string `json:"action"`
	}](raw)
	if err != nil {
		return Result{}, err
	}
	move, ok := moves[in.Action]
	if !ok {
		return Result{}, badInput("action must be back, forward or reload")
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		page, err := move.do(session, ctx)
		return fmt.Sprintf("%s; %d pages are behind and %d ahead.", move.said, page.Behind, page.Ahead), page, navigationError(err)
	})
}
