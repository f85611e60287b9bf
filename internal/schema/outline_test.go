package schema

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOutlineKeepsTheOrderAndFollowsReferences(t *testing.T) {
	s := mustCompile(t, `{"$defs":{"n":{"type":"string","format":"date"},"t":{"properties":{"more":{"$ref":"#/$defs/t"}}}},
		"title":"Thing","required":["z"],"properties":{"z":{"$ref":"#/$defs/n"},"a":{"items":{"const":1}},"m~/":{"$ref":"#/$defs/t","description":"d"}}}`, Options{})
	o, err := s.Outline()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range o.Properties {
		names = append(names, p.Name)
	}
	if diff := cmp.Diff([]string{"z", "a", "m~/"}, names); diff != "" {
		t.Error(diff)
	}
	z, a, m := o.Properties[0].Schema, o.Properties[1].Schema, o.Properties[2].Schema
	if o.Title != "Thing" || z.Ref.Format != "date" || z.Ref.Types[0] != "string" || len(a.Items.Enum) != 1 || a.MaxItems != -1 || m.Description != "d" {
		t.Errorf("%+v %+v %+v", z.Ref, a, m)
	}
	if tree := m.Ref; tree.Properties[0].Schema.Ref != tree {
		t.Error("the circle is not closed")
	}
}

func TestOutlineOfItemsInEveryDraft(t *testing.T) {
	for _, text := range []string{
		`{"prefixItems":[{"type":"null"}],"items":{"type":"string"},"maxItems":3}`,
		in(Draft7, `{"items":[{"type":"null"}],"additionalItems":{"type":"string"},"maxItems":3}`),
	} {
		o, err := mustCompile(t, text, Options{}).Outline()
		if err != nil || len(o.Prefix) != 1 || o.Items == nil || o.Items.Types[0] != "string" || o.MaxItems != 3 {
			t.Errorf("%s: %+v, %v", text, o, err)
		}
	}
	o, err := mustCompile(t, `{"items":false}`, Options{}).Outline()
	if err != nil || !o.Items.Never {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestValidatePart(t *testing.T) {
	s := mustCompile(t, `{"required":["a","b"],"properties":{"a":{"minimum":3},"l":{"items":{"type":"string","pattern":"^(a|b)+$"}}}}`, Options{})
	o, err := s.Outline()
	if err != nil {
		t.Fatal(err)
	}
	a, list := o.Properties[0].Schema, o.Properties[1].Schema
	if taken, err := s.ValidatePart(a, 3, 100); err != nil || taken < 1 {
		t.Errorf("%d, %v", taken, err)
	}
	var m *Mismatch
	if _, err := s.ValidatePart(a, 2, 100); !errors.As(err, &m) {
		t.Errorf("2: %v", err)
	}
	if _, err := s.ValidatePart(o, map[string]any{"a": 3}, 100); !errors.As(err, &m) || m.Violations[0].Missing[0] != "b" {
		t.Errorf("%v", err)
	}
	if _, err := s.ValidatePart(list, []any{strings.Repeat("ab", 50_000)}, 100); !errors.Is(err, ErrTooMuchWork) {
		t.Errorf("long: %v", err)
	}
}

func TestOutlineOfMembersWithoutAName(t *testing.T) {
	o, err := mustCompile(t, in(Draft7, `{"patternProperties":{"^z":{"title":"z"},"^a/":{"title":"a"}},"additionalProperties":{"title":"more"},
		"if":{"required":["a"]},"then":{"title":"then"},"dependencies":{"a":{"title":"with a"},"b":["c"]}}`), Options{}).Outline()
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Patterns) != 2 || o.Patterns[0].Schema.Title != "z" || o.Patterns[1].Schema.Title != "a" || !o.Patterns[1].Match("a/b") || o.Patterns[1].Match("b") {
		t.Errorf("patterns %+v", o.Patterns)
	}
	if o.Additional.Title != "more" || o.Closed || len(o.Conditional) != 2 || o.Conditional[0].Title != "then" || o.Conditional[1].Title != "with a" {
		t.Errorf("%+v", o)
	}
	if o, err := mustCompile(t, `{"additionalProperties":false}`, Options{}).Outline(); err != nil || !o.Closed || o.Additional != nil {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestWhatDependsOnAnotherIsMissing(t *testing.T) {
	for _, text := range []string{`{"dependentRequired":{"a":["b"]}}`, in(Draft7, `{"dependencies":{"a":["b"]}}`)} {
		s := mustCompile(t, text, Options{})
		if m := mismatchOn(t, s, `{"a":1}`); len(m.Violations) != 1 || len(m.Violations[0].Missing) != 1 || m.Violations[0].Missing[0] != "b" {
			t.Errorf("%s: %+v", text, m.Violations)
		}
	}
}
