package schema

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// objectTest decides whether an object may satisfy a schema. It says no only
// where that is certain. That no subschema is in place of itself is known when
// it runs.
type objectTest struct {
	doc   any
	known map[*jsonschema.Schema]bool
}

func (t objectTest) accepts(s *jsonschema.Schema) bool {
	answer, known := t.known[s]
	if !known {
		answer = t.decide(s)
		t.known[s] = answer
	}
	return answer
}

func (t objectTest) decide(s *jsonschema.Schema) bool {
	if s.Bool != nil {
		return *s.Bool
	}
	if s.Types != nil && !slices.Contains(s.Types.ToStrings(), "object") {
		return false
	}
	if s.Const != nil && kindOf(*s.Const) != kindObject {
		return false
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum.Values, func(v any) bool { return kindOf(v) == kindObject }) {
		return false
	}
	if s.Ref != nil && !t.accepts(s.Ref) || t.forbids(s.Not) || !t.condition(s) {
		return false
	}
	return t.all(s.AllOf) && t.any(s.AnyOf) && t.any(s.OneOf)
}

func (t objectTest) all(subs []*jsonschema.Schema) bool {
	return !slices.ContainsFunc(subs, func(s *jsonschema.Schema) bool { return !t.accepts(s) })
}

// any of none is true: the keyword is not there.
func (t objectTest) any(subs []*jsonschema.Schema) bool {
	return len(subs) == 0 || slices.ContainsFunc(subs, t.accepts)
}

// condition is about if, then and else: one of the two will hold.
func (t objectTest) condition(s *jsonschema.Schema) bool {
	if s.If == nil || s.Then == nil || s.Else == nil {
		return true
	}
	return t.accepts(s.Then) || t.accepts(s.Else)
}

// forbids reports whether "not" holds just a type, and objects are of it.
func (t objectTest) forbids(not *jsonschema.Schema) bool {
	if not == nil {
		return false
	}
	if not.Bool != nil {
		return *not.Bool
	}
	v, _ := lookup(t.doc, pointerOf(not.Location))
	obj, _ := v.(map[string]any)
	return len(obj) == 1 && not.Types != nil && slices.Contains(not.Types.ToStrings(), "object")
}
