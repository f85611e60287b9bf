package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

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
			Input: object(1, "ref", property("string", refHelp),
				"button", oneOf("Default left.", "left", "right", "middle"),
				"double", property("boolean", "Click twice. Default false."),
				"modifiers", listOf("Keys held meanwhile: Control, Shift, Alt, Meta."),
				"hold", property("number", "Keep the button down for so many seconds, at most 10. Default 0.")),
		},
		acts: true,
		run:  s.runClick,
	}
}

func (s *Set) runClick(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Ref       string `json:"ref"`
		Button    string `json:"button"`
		Double    flag   `json:"double"`
		Modifiers texts  `json:"modifiers"`
		Hold      number `json:"hold"`
	}](raw)
	if err != nil {
		return Result{}, err
	}
	ref, err := reference(in.Ref)
	if err != nil {
		return Result{}, err
	}
	o, err := clickOptions(in.Button, bool(in.Double), in.Modifiers)
	if err == nil {
		o.Hold, err = holdFor(in.Hold)
	}
	if err != nil {
		return Result{}, err
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		said := fmt.Sprintf("%s %s.", clicked(o), s.nameOf(ref))
		page, err := clickRef(ctx, session, ref, o)
		return said, page, err
	})
}

func clickRef(ctx context.Context, session browser.Session, ref browser.Ref, o browser.ClickOptions) (browser.Page, error) {
	if o == (browser.ClickOptions{}) {
		return session.Click(ctx, ref)
	}
	return session.ClickWith(ctx, ref, o)
}

func clickOptions(button string, double bool, modifiers texts) (o browser.ClickOptions, err error) {
	switch b := browser.Button(strings.ToLower(button)); b {
	case "", browser.ButtonLeft:
	case browser.ButtonRight, browser.ButtonMiddle:
		o.Button = b
	default:
		return o, badInput("button must be left, right or middle")
	}
	if double {
		o.Count = 2
	}
	for _, name := range modifierNames(modifiers) {
		held, ok := held[strings.ToLower(name)]
		if !ok {
			return o, badInput("modifiers must be of Control, Shift, Alt, Meta")
		}
		o.Held |= held
	}
	return o, nil
}

// maxHold is how many seconds a button or a key is held at most.
const maxHold = 10

func holdFor(seconds number) (time.Duration, error) {
	if !(seconds >= 0 && seconds <= maxHold) {
		return 0, badInput("hold must be 0 to %d seconds", maxHold)
	}
	return time.Duration(float64(seconds) * float64(time.Second)), nil
}

// held are the keys that can be held, as models call them.
var held = map[string]browser.Modifiers{
	"control": browser.Control, "ctrl": browser.Control, "shift": browser.Shift, "alt": browser.Alt, "option": browser.Alt,
	"meta": browser.Meta, "cmd": browser.Meta, "command": browser.Meta, "super": browser.Meta,
}

// clicked says what was done.
func clicked(o browser.ClickOptions) string {
	said := "Clicked"
	switch {
	case o.Count == 2 && o.Button == "":
		said = "Double-clicked"
	case o.Button != "":
		said = strings.ToUpper(string(o.Button[:1])) + string(o.Button[1:]) + "-clicked"
	}
	if o.Held != 0 {
		said += " with keys held"
	}
	if o.Hold > 0 {
		said += fmt.Sprintf(" for %v", o.Hold)
	}
	return said
}

// reference checks a model's reference. Brackets around it, and "ref=" before it, are
// forgiven.
func reference(text string) (browser.Ref, error) {
	text = strings.TrimSpace(text)
	if len(text) > 2 && text[0] == '[' && text[len(text)-1] == ']' {
		text = text[1 : len(text)-1]
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "ref="), "@")
	if text == "" {
		return "", badInput("ref is required")
	}
	if line := (outline.Line{Element: browser.Element{Ref: browser.Ref(text)}}); line.String() != "- generic ["+text+"]" {
		return "", badInput("ref must be the reference of an element, such as e12")
	}
	return browser.Ref(text), nil
}
