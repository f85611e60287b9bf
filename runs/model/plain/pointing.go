package plain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// manner is how an element is pointed at; a click is the zero value.
type manner uint8

const (
	byClick manner = iota
	byDoubleClick
	byRightClick
	byHover
	byDrag
)

// manners are those of the verbs.
var manners = map[verb]manner{doubleVerb: byDoubleClick, rightVerb: byRightClick, hoverVerb: byHover}

// point reads what is pointed at in another way than by a click.
func (p *clauseParser) point() ([]step, string) {
	t, why := parseTarget(p.tokens)
	if why == "" && !t.named() {
		why = "it does not say what to " + p.first
	}
	return []step{{verb: clickVerb, how: manners[p.verb], target: t}}, why
}

// ways are the directions in which something is moved, in pixels.
var ways = map[string][2]float64{
	"right": {1, 0}, "rightwards": {1, 0}, "left": {-1, 0}, "leftwards": {-1, 0},
	"up": {0, -1}, "upwards": {0, -1}, "down": {0, 1}, "downwards": {0, 1},
}

var (
	dragWords = []string{"pixel", "pixels", "px", "by", "to", "onto", "into", "drop", "it", "on"}
	pixelForm = lexicon.Pattern(`^(\d{1,4})(px)?$`)
)

// drag reads drag "A" to "B", and drag "A" 50 pixels to the right.
func (p *clauseParser) drag() ([]step, string) {
	if i := slices.IndexFunc(p.tokens, func(t token) bool { return t.kind == wordToken && pixelForm().MatchString(t.text) }); i > 0 {
		return p.dragBy(p.tokens[:i], p.tokens[i:])
	}
	what, onto := cutAt(p.tokens, "to", "onto", "into", "on")
	t, why := parseTarget(what)
	if why != "" {
		return nil, why
	}
	to, why := parseTarget(onto)
	switch {
	case why != "":
	case !t.named():
		why = "it does not say what to drag"
	case !to.named():
		why = "it does not say where to drag it"
	}
	return []step{{verb: clickVerb, how: byDrag, target: t, to: to}}, why
}

func (p *clauseParser) dragBy(what, far []token) ([]step, string) {
	if n := len(what); n > 0 && what[n-1].lower() == "by" {
		what = what[:n-1]
	}
	t, why := parseTarget(what)
	if why == "" && !t.named() {
		why = "it does not say what to drag"
	}
	if why != "" {
		return nil, why
	}
	pixels, _ := strconv.ParseFloat(pixelForm().FindStringSubmatch(far[0].text)[1], 64)
	var rest []token
	var by [2]float64
	for _, tok := range far[1:] {
		if way, ok := ways[tok.lower()]; ok && by == [2]float64{} {
			by = [2]float64{way[0] * pixels, way[1] * pixels}
		} else {
			rest = append(rest, tok)
		}
	}
	if by == [2]float64{} {
		return nil, "it does not say in which direction to drag it"
	}
	return []step{{verb: clickVerb, how: byDrag, target: t, by: by}}, leftOver(rest, determiners, dragWords)
}

// scrollWords are words around a direction that change nothing, scrollEnds what
// the ends of a page are called.
var (
	scrollWords = append([]string{"to", "in", "on", "of", "further", "one", "view"}, append(whole, determiners...)...)
	scrollEnds  = map[string]string{"down": "down", "up": "up", "left": "left", "right": "right", "end": "bottom", "bottom": "bottom", "top": "top", "beginning": "top", "start": "top"}
)

// scroll reads scroll down, scroll to the end, scroll to "text", and each in
// "Label".
func (p *clauseParser) scroll() ([]step, string) {
	s := step{verb: scrollVerb}
	tokens := p.tokens
	if before, list := cutAt(tokens, "in", "within", "inside"); hasValue(list) {
		t, why := parseTarget(list)
		if why != "" {
			return nil, why
		}
		s.target, tokens = t, before
	}
	text, rest := "", []token(nil)
	for _, t := range tokens {
		switch way := scrollEnds[t.lower()]; {
		case t.isValue() && text == "":
			text = t.text
		case way != "" && (s.way == "" || s.way == "down" || s.way == "up"): // down to the end
			s.way = way
		default:
			rest = append(rest, t)
		}
	}
	s.text = text
	switch {
	case text != "" && (s.way == "bottom" || s.way == "top"), text == "" && s.way == "":
		return nil, "it does not say where to scroll"
	case text != "":
		s.way = ""
	}
	return []step{s}, leftOver(rest, scrollWords, []string{"until", "till", "text", "heading", "section"})
}

// keyNames are keys that nothing else is called, commonKeys those that a button
// may be called, too: they are keys where the word stands beside them.
var (
	keyNames = map[string]string{
		"escape": "Escape", "esc": "Escape", "tab": "Tab", "backspace": "Backspace", "pageup": "PageUp", "pagedown": "PageDown",
		"arrowdown": "ArrowDown", "arrowup": "ArrowUp", "arrowleft": "ArrowLeft", "arrowright": "ArrowRight",
		"arrow down": "ArrowDown", "arrow up": "ArrowUp", "arrow left": "ArrowLeft", "arrow right": "ArrowRight",
		"down arrow": "ArrowDown", "up arrow": "ArrowUp", "left arrow": "ArrowLeft", "right arrow": "ArrowRight",
	}
	commonKeys = map[string]string{
		"delete": "Delete", "space": "Space", "home": "Home", "end": "End", "insert": "Insert", "page down": "PageDown", "page up": "PageUp",
		"down": "ArrowDown", "up": "ArrowUp", "left": "ArrowLeft", "right": "ArrowRight", "enter": "Enter", "return": "Enter",
	}
	functionKey = lexicon.Pattern(`^[fF]([1-9]|1[0-2])$`)
	heldKeys    = lexicon.Pattern(`(?i)^((ctrl|control|shift|alt|meta|cmd|command)\+)+([a-z0-9]|[a-z]{2,10}|f\d\d?)$`)
	besideKeys  = append([]string{"key", "keys", "on", "keyboard", "button"}, determiners...)
)

// key reads press Escape, press the Home key, press Control+A in "Name"; ok is
// false where something else is pressed.
func (p *clauseParser) key() (s step, why string, ok bool) {
	if !isOneOf(p.first, []string{"press", "hit", "push", "tap"}) {
		return s, "", false
	}
	tokens, place := cutAt(p.tokens, "in")
	if place == nil && len(p.tokens) > 1 && !hasValue(p.tokens[:1]) {
		if before, after := cutAt(p.tokens, "on"); hasValue(after) {
			tokens, place = before, after
		}
	}
	said := indexOf(tokens, "key") >= 0 || indexOf(tokens, "keys") >= 0
	var names []string
	for _, t := range tokens {
		if t.isValue() && !said || t.kind != wordToken && !t.isValue() {
			return s, "", false
		}
		if !isOneOf(t.lower(), besideKeys) || t.isValue() {
			names = append(names, t.text)
		}
	}
	s.verb, s.text = pressVerb, keyNamed(strings.Join(names, " "), said)
	if s.text == "" && !said && len(names) > 1 && keyNamed(names[0], false) != "" {
		return s, "it says more than can be followed: " + strings.Join(names[1:], " "), true
	}
	if s.text == "" {
		return s, "there is no such key", said
	}
	if place != nil {
		s.target, why = parseTarget(place)
		if why == "" && !s.target.named() {
			why = "it does not say where to press it"
		}
	}
	return s, why, true
}

// keyNamed is the key as the tool calls it; empty for none.
func keyNamed(name string, said bool) string {
	low := strings.ToLower(name)
	switch {
	case keyNames[low] != "":
		return keyNames[low]
	case functionKey().MatchString(name):
		return strings.ToUpper(name)
	case heldKeys().MatchString(name):
		return name
	case !said:
		return ""
	case commonKeys[low] != "":
		return commonKeys[low]
	case len(name) == 1:
		return name
	}
	return ""
}

// severalOptions reads "A" and "B", of a list from which several can be chosen;
// nil for one.
func severalOptions(tokens []token) (options []string, why string) {
	var rest []token
	for _, t := range tokens {
		if t.isValue() {
			options = append(options, t.text)
		} else {
			rest = append(rest, t)
		}
	}
	if len(options) < 2 {
		return nil, ""
	}
	return options, leftOver(rest, determiners, []string{"and", "options", "option", "both"})
}

// pointAt is the call that points at an element in the step's manner.
func (m *machine) pointAt(s step, ref string) (action, bool) {
	input := map[string]any{"ref": ref}
	switch s.how {
	case byDoubleClick:
		input["double"] = true
	case byRightClick:
		input["button"] = "right"
	case byHover:
		return action{tool: "hover", input: input}, true
	case byDrag:
		return m.dragFrom(s, input)
	}
	return action{tool: "click", input: input}, true
}

func (m *machine) dragFrom(s step, input map[string]any) (action, bool) {
	if s.to.empty() {
		input["dx"], input["dy"] = s.by[0], s.by[1]
		return action{tool: "drag", input: input}, true
	}
	other := step{verb: clickVerb, how: byDrag, target: s.to, sentence: s.sentence}
	f := find(*m.view, other, -1)
	switch {
	case f.ok:
		input["to"] = string(f.line.Ref)
		return action{tool: "drag", input: input}, true
	case f.why != "":
		m.fail(s, f.why)
	default:
		m.fail(s, notFound(*m.view, other))
	}
	return action{}, false
}

// scrollTo is the call that scrolls the page, or the element.
func scrollTo(s step, ref string) action {
	input := map[string]any{}
	if s.way != "" {
		input["direction"] = s.way
	}
	if s.text != "" {
		input["text"] = s.text
	}
	if ref != "" {
		input["ref"] = ref
	}
	return action{tool: "scroll", input: input}
}

// pressKey is the call that presses a key where the focus is, or on the element.
func pressKey(s step, ref string) action {
	input := map[string]any{"keys": s.text}
	if ref != "" {
		input["ref"] = ref
	}
	return action{tool: "press", input: input}
}
