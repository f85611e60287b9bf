package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

// maxKeys bounds the keys of one call, in bytes.
const maxKeys = 2000

func (s *Set) press() tool {
	return tool{
		Tool: model.Tool{
			Name:        "press",
			Description: "Presses keys where the focus is, for menus, shortcuts, games and widgets. Text goes into fields with type.",
			Input: object(0, "keys", property("string", "Keys with spaces between, such as Enter, Escape, ArrowDown or Control+A Delete."),
				"text", property("string", "A text to type first, key by key, into what is no field: sheets, drawings, terminals."),
				"ref", property("string", "The element to focus first. Default: what has the focus."),
				"repeat", property("integer", "How often, 1 to 100. Default 1."),
				"hold", property("number", "Keep the last key down for so many seconds, at most 10. Default 0.")),
		},
		acts: true,
		run:  s.runPress,
	}
}

func (s *Set) runPress(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Keys   texts  `json:"keys"`
		Text   string `json:"text"`
		Ref    string `json:"ref"`
		Repeat number `json:"repeat"`
		Hold   number `json:"hold"`
	}](raw)
	if err != nil {
		return Result{}, err
	}
	keys := strings.Join(in.Keys, " ")
	o := browser.PressOptions{Repeat: int(in.Repeat), Text: in.Text}
	switch {
	case keys == "" && in.Text == "":
		return Result{}, badInput("keys is required, or text")
	case len(keys) > maxKeys || len(in.Text) > maxKeys:
		return Result{}, badInput("keys and text must be at most %d bytes", maxKeys)
	case s.opts.Variables.Uses(keys) || s.opts.Variables.Uses(in.Text):
		return Result{}, badInput("press takes no variables; use type")
	case s.boundTyped && copyKeys.MatchString(keys):
		return Result{}, badInput("a variable that may not leave its site has been typed, so nothing is copied or pasted in this run; use type")
	}
	if o.Hold, err = holdFor(in.Hold); err != nil {
		return Result{}, err
	}
	if in.Ref != "" {
		if o.Ref, err = reference(in.Ref); err != nil {
			return Result{}, err
		}
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		said := s.pressed(in.Text, keys)
		if o.Ref != "" {
			said += " on " + s.nameOf(o.Ref)
		}
		if o.Repeat > 1 {
			said += fmt.Sprintf(" %d times", o.Repeat)
		}
		page, err := session.Press(ctx, keys, o)
		return said + ".", page, err
	})
}

func (s *Set) pressed(text, keys string) string {
	keys = fmt.Sprintf("%q", cut(s.clean(keys), 200))
	if text == "" {
		return "Pressed " + keys
	}
	said := fmt.Sprintf("Typed %q", cut(s.clean(text), 200))
	if keys != `""` {
		said += " and pressed " + keys
	}
	return said
}

// copyKeys finds the keys with which a value could be carried from one site to
// another.
var copyKeys = regexp.MustCompile(`(?i)[+-](key)?[cvx](\s|$)|insert|shift[+-]del|paste|copy|\bcut\b`)
