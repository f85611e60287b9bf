package shape

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// scalar brings a value into the type that a view asks for, and returns it if
// it passes.
func (sh *shaper) scalar(p *prop, v *view, f found, depth int) *node {
	sh.m.Step(2)
	if f.value.Kind == graph.Thing {
		return sh.insideThing(p, v, f, depth)
	}
	sh.m.Read(len(f.value.Text))
	for _, made := range sh.coerce(p, v, f) {
		n := leaf(made, f)
		if v.outline == nil || sh.passes(v.outline, n) {
			return n
		}
	}
	return nil
}

// coerce returns what a value may be, the best first.
func (sh *shaper) coerce(p *prop, v *view, f found) []any {
	val := f.value
	if v.enum != nil {
		if b, ok := mention.Bool(val.Text); ok && val.Kind == graph.Bool && p.is("availability") {
			val.Shown = val.Text
			if val.Text = "OutOfStock"; b {
				val.Text = "InStock"
			}
		}
		return sh.member(v.enum, val)
	}
	order := v.order
	if !v.typed {
		order = []types{typeString}
		switch val.Kind {
		case graph.Number:
			order = []types{typeNumber}
		case graph.Bool:
			order = []types{typeBoolean}
		}
	}
	var all []any
	for _, t := range order {
		all = append(all, sh.coerceTo(p, v, f, t)...)
	}
	return all
}

func (sh *shaper) coerceTo(p *prop, v *view, f found, t types) []any {
	val := f.value
	switch t {
	case typeNumber, typeInteger:
		return sh.numbers(p, f, t == typeInteger)
	case typeBoolean:
		for _, text := range []string{val.Text, val.Shown} {
			if b, ok := mention.Bool(text); ok {
				return []any{b}
			}
			if b, ok := mention.Remote(text); ok && p.is("jobLocationType") {
				return []any{b}
			}
		}
	case typeString:
		var all []any
		texts := sh.texts(p, v, val)
		if source := sourceOf(f.entity, &val); v.format == "" && source >= graph.Table && source <= graph.Label && sh.name(f.name).Key == p.key.Key {
			texts = append(texts, plainTexts(val)...) // what stands behind the very name is meant, whatever it is
		}
		for _, text := range texts {
			if text = strings.TrimSpace(text); text != "" {
				all = append(all, text)
			}
		}
		return all
	}
	return nil
}

// member finds the member of an enum that a value stands for.
func (sh *shaper) member(enum []any, val graph.Value) []any {
	texts := make([]string, len(enum))
	for i, m := range enum {
		switch m := m.(type) {
		case string:
			texts[i] = m
		case json.Number:
			texts[i] = string(m)
		}
	}
	sh.m.Step(len(enum))
	for _, text := range []string{val.Text, val.Shown} {
		if text == "" {
			continue
		}
		if i := mention.Member(text, texts); i >= 0 {
			return []any{enum[i]}
		}
		if b, ok := mention.Bool(text); ok && slices.Contains(enum, any(b)) {
			return []any{b}
		}
		if n, ok := mention.Number(text, sh.o.Language); ok && slices.Contains(enum, any(json.Number(n))) {
			return []any{json.Number(n)}
		}
	}
	return nil
}

// textOfScalar returns a string or a number as text.
func textOfScalar(n *node) string {
	switch v := n.value.(type) {
	case string:
		return v
	case json.Number:
		return string(v)
	}
	return ""
}
