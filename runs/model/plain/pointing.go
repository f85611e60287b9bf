package plain

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
