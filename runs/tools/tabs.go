package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

func (s *Set) tabs() tool {
	return tool{
		Tool: model.Tool{
			Name:        "tabs",
			Description: "Lists, opens, switches to or closes tabs, and returns the page of the tab that is current then.",
			Input: object(1,
				"action", `{"type":"string","enum":["list","open","switch","close"],"description":"What to do."}`,
				"tab", property("string", "The tab to switch to or close, such as t2. Default for close: the current one."),
				"url", property("string", "The address to open. Default an empty tab.")),
		},
		acts: true,
		run:  s.runTabs,
	}
}

// tabsInput is the input of a call.
type tabsInput struct {
	Action string `json:"action"`
	Tab    string `json:"tab"`
	URL    string `json:"url"`
}

func (in *tabsInput) check() error {
	in.Tab, in.URL = strings.TrimSpace(in.Tab), strings.TrimSpace(in.URL)
	switch {
	case !slices.Contains([]string{"list", "open", "switch", "close"}, in.Action):
		return badInput("action must be list, open, switch or close")
	case in.Action == "switch" && in.Tab == "":
		return badInput("tab is required: the one to switch to")
	case len(in.Tab) > maxToolField:
		return badInput("tab must be the name of a tab, such as t2")
	case len(in.URL) > maxURL:
		return badInput("url must be at most %d bytes", maxURL)
	}
	return nil
}

func (s *Set) runTabs(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[tabsInput](raw)
	if err == nil {
		err = in.check()
	}
	if err != nil {
		return Result{}, err
	}
	address := ""
	if in.Action == "open" && in.URL != "" {
		if address, err = s.resolveURL(ctx, withScheme(in.URL)); err != nil {
			return Result{}, err
		}
		s.noteOpened(address, in.URL)
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		return s.doTabs(ctx, session, in, address)
	})
}

func (s *Set) doTabs(ctx context.Context, session browser.Session, in tabsInput, address string) (said string, page browser.Page, err error) {
	switch in.Action {
	case "open":
		page, err = session.OpenTab(ctx, address)
		said = "Opened a tab."
		if address != "" {
			said, err = fmt.Sprintf("Opened %q in a tab.", s.field(in.URL)), navigationError(err)
		}
	case "switch":
		page, err = session.SwitchTab(ctx, in.Tab)
		said = fmt.Sprintf("Switched to tab %q.", s.clean(in.Tab))
	case "close":
		page, err = session.CloseTab(ctx, in.Tab)
		said = "Closed the tab."
	default:
		page, err = session.Page(ctx)
		said = countTabs(page)
		s.view.body = "" // which has the list
	}
	return said, page, err
}
