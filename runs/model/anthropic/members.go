package anthropic

import (
	"encoding/json"
	"strings"
)

// member is a tool of the provider's browser toolset.
type member struct {
	name string
	// served reports whether there are tools to do it with; nil for never.
	served func(t *toolset) bool
	// call is what does it.
	call func(t *toolset, in memberInput) (tool string, input map[string]any)
}

// memberInput are the inputs of all members.
type memberInput struct {
	URL       string          `json:"url"`
	Query     string          `json:"query"`
	Target    target          `json:"target"`
	From      target          `json:"from"`
	Modifiers string          `json:"modifiers"`
	Direction string          `json:"scroll_direction"`
	Amount    float64         `json:"scroll_amount"`
	Text      string          `json:"text"`
	Repeat    float64         `json:"repeat"`
	Value     json.RawMessage `json:"value"`
	Duration  *float64        `json:"duration"`
}

// target is an element, or a point of the viewport in pixels.
type target struct {
	Type string   `json:"type"`
	Ref  string   `json:"ref"`
	X    *float64 `json:"x"`
	Y    *float64 `json:"y"`
}

// ref is the reference as tools take it.
func (t target) ref() string { return strings.TrimPrefix(t.Ref, "ref_") }

// isPoint reports whether it is a point and no element.
func (t target) isPoint() bool { return t.Ref == "" && t.X != nil && t.Y != nil }

type fields = map[string]any

// members are all of the family but those that are off by default (file_upload,
// javascript_exec, read_console, read_network). Tabs stay Drover's own tool, because
// results of theirs would have to list them in a form of the provider's; what moves the
// pointer alone, or leaves a button down, has none.
var members = []member{
	{"navigate", has("navigate", "url"), navigateTo},
	{"read_page", has("snapshot"), func(*toolset, memberInput) (string, fields) { return "snapshot", fields{} }},
	{"find", func(t *toolset) bool { return t.takes("find", "text") || t.takes("snapshot", "find") }, find},
	{"get_page_text", has("read", "as"), func(*toolset, memberInput) (string, fields) { return "read", fields{"as": "text"} }},
	{"left_click", has("click", "ref"), click("click", fields{})},
	{"right_click", has("click", "ref", "button"), click("right", fields{"button": "right"})},
	{"middle_click", has("click", "ref", "button"), click("", fields{"button": "middle"})},
	{"double_click", has("click", "ref", "double"), click("double", fields{"double": true})},
	{"hover", has("hover", "ref"), hover},
	{"left_click_drag", has("point", "x", "y", "action", "to_x", "to_y"), drag},
	{"scroll", has("scroll", "direction", "pages"), scroll},
	{"scroll_to", has("scroll", "ref"), func(_ *toolset, in memberInput) (string, fields) { return "scroll", fields{"ref": in.Target.ref()} }},
	{"key", has("press", "keys", "repeat"), press},
	{"form_input", has("type", "ref", "text"), formInput},
	{"wait", has("wait", "seconds"), wait},
	{"screenshot", has("screenshot"), func(*toolset, memberInput) (string, fields) { return "screenshot", fields{} }},
	{name: "zoom"}, {name: "triple_click"}, {name: "left_mouse_down"}, {name: "left_mouse_up"}, {name: "mouse_move"},
	{"hold_key", has("press", "keys", "hold"), holdKey},
	{"type", has("press", "text"), func(_ *toolset, in memberInput) (string, fields) { return "press", fields{"text": in.Text} }},
	{name: "list_tabs"}, {name: "new_tab"}, {name: "switch_tab"}, {name: "close_tab"},
}

func has(tool string, inputs ...string) func(*toolset) bool {
	return func(t *toolset) bool { return t.takes(tool, inputs...) }
}

func navigateTo(t *toolset, in memberInput) (string, fields) {
	switch in.URL {
	case "back", "forward", "reload":
		if t.takes("back", "action") {
			return "back", fields{"action": in.URL}
		}
	}
	return "navigate", fields{"url": in.URL}
}

func find(t *toolset, in memberInput) (string, fields) {
	if t.takes("find", "text") {
		return "find", fields{"text": in.Query}
	}
	return "snapshot", fields{"find": in.Query}
}

// click is a click on an element, with what is added, or as an action at a point.
func click(action string, added fields) func(*toolset, memberInput) (string, fields) {
	return func(t *toolset, in memberInput) (string, fields) {
		if in.Target.isPoint() && action != "" && in.Modifiers == "" {
			return pointAt(in.Target, action)
		}
		f := fields{"ref": in.Target.ref()}
		for name, value := range added {
			f[name] = value
		}
		if held := modifiers(in.Modifiers); len(held) > 0 {
			f["modifiers"] = held
		}
		return "click", f
	}
}

func pointAt(at target, action string) (string, fields) {
	return "point", fields{"x": *at.X, "y": *at.Y, "action": action}
}

// modifierNames are how the provider calls the keys.
var modifierNames = map[string]string{
	"ctrl": "Control", "control": "Control", "alt": "Alt", "shift": "Shift", "cmd": "Meta", "meta": "Meta", "super": "Meta",
}

func modifiers(text string) (held []string) {
	for name := range strings.SplitSeq(strings.ToLower(text), "+") {
		if key, ok := modifierNames[strings.TrimSpace(name)]; ok {
			held = append(held, key)
		}
	}
	return held
}

func hover(t *toolset, in memberInput) (string, fields) {
	if in.Target.isPoint() {
		return pointAt(in.Target, "hover")
	}
	return "hover", fields{"ref": in.Target.ref()}
}

func drag(_ *toolset, in memberInput) (string, fields) {
	if !in.From.isPoint() || !in.Target.isPoint() {
		return "point", fields{} // it says what is missing
	}
	tool, f := pointAt(in.From, "drag")
	f["to_x"], f["to_y"] = *in.Target.X, *in.Target.Y
	return tool, f
}

// A notch of the wheel is 100 pixels, a view some 800.
const notchesOfView = 8

// scroll scrolls an element or what lies at a point; else the page or the largest part
// of it.
func scroll(t *toolset, in memberInput) (string, fields) {
	notches := in.Amount
	if notches == 0 {
		notches = 3
	}
	f := fields{"direction": in.Direction, "pages": min(max(notches, 1), 10) / notchesOfView}
	switch {
	case in.Target.Ref != "":
		f["ref"] = in.Target.ref()
	case in.Target.isPoint() && t.takes("scroll", "x", "y"):
		f["x"], f["y"] = *in.Target.X, *in.Target.Y
	}
	return "scroll", f
}

// press presses keys, which the provider may name as X11 does: Page_Up.
func press(_ *toolset, in memberInput) (string, fields) {
	f := fields{"keys": keys(in.Text)}
	if in.Repeat > 1 {
		f["repeat"] = in.Repeat
	}
	return "press", f
}

// holdKey holds keys for a time in seconds.
func holdKey(_ *toolset, in memberInput) (string, fields) {
	f := fields{"keys": keys(in.Text), "hold": 1.0}
	if in.Duration != nil {
		f["hold"] = *in.Duration
	}
	return "press", f
}

func keys(text string) string {
	var all []string
	for chord := range strings.FieldsSeq(text) {
		parts := strings.Split(chord, "+")
		for i, p := range parts {
			if key, ok := modifierNames[strings.ToLower(p)]; ok && i < len(parts)-1 {
				parts[i] = key
			} else if len(p) > 1 {
				parts[i] = strings.ReplaceAll(p, "_", "")
			}
		}
		all = append(all, strings.Join(parts, "+"))
	}
	return strings.Join(all, " ")
}

// formInput fills a field: text and options as they are, boxes with true and false.
func formInput(t *toolset, in memberInput) (string, fields) {
	ref := in.Target.ref()
	var text string
	if json.Unmarshal(in.Value, &text) == nil {
		return "type", fields{"ref": ref, "text": text}
	}
	text = string(in.Value) // a number or a boolean
	if (text == "true" || text == "false") && t.takes("fill_form", "fields") {
		return "fill_form", fields{"fields": []fields{{"ref": ref, "value": text}}}
	}
	return "type", fields{"ref": ref, "text": text}
}

func wait(_ *toolset, in memberInput) (string, fields) {
	f := fields{}
	if in.Duration != nil {
		f["seconds"] = *in.Duration
	}
	return "wait", f
}
