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
	if mention.IsUnfilled(f.value.Text) {
		return nil
	}
	for _, made := range sh.coerce(p, v, f) {
		n := leaf(made, f)
		if v.outline == nil || sh.passes(v.outline, n) {
			return n
		}
	}
	return nil
}

// coerce returns what a value may be, the best first.
func (sh *shaper) coerce(p *prop, v *view, f found) (all []any) {
	val := f.value
	if v.Enum != nil {
		if b, ok := mention.Bool(val.Text); ok && val.Kind == graph.Bool && p.is("availability") {
			val.Shown = val.Text
			if val.Text = "OutOfStock"; b {
				val.Text = "InStock"
			}
		}
		if made := sh.member(v.Enum, val); made != nil || !p.is("availability") {
			return made
		}
		if b, ok := mention.CanBeHad(val.Text); ok { // PreOrder, where only two states are asked for
			val.Text = "OutOfStock"
			if b {
				val.Text = "InStock"
			}
			return sh.member(v.Enum, val)
		}
		return nil
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
	for _, t := range order {
		switch t {
		case typeNumber, typeInteger:
			all = append(all, sh.numbers(p, f, t == typeInteger)...)
		case typeBoolean:
			all = append(all, bools(p, val)...)
		case typeString:
			for _, text := range sh.texts(p, v, f) {
				if text = strings.TrimSpace(text); text != "" {
					all = append(all, text)
				}
			}
		}
	}
	return all
}

func bools(p *prop, val graph.Value) []any {
	for _, text := range textsIn(val) {
		if b, ok := mention.Bool(text); ok {
			return []any{b}
		}
		if state := mention.StockNow(text); state != "" && p.is("availability") {
			return []any{state == "InStock"}
		}
		if b, ok := mention.Remote(text); ok && p.is("jobLocationType") {
			return []any{b}
		}
	}
	return nil
}

// member finds the member of an enum that a value stands for.
func (sh *shaper) member(enum []any, val graph.Value) []any {
	texts := make([]string, len(enum))
	for i, m := range enum {
		texts[i] = textOf(m)
	}
	sh.m.Step(len(enum))
	for _, text := range textsIn(val) {
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

// textOf returns a string or a number as text, and "" for others.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return string(v)
	}
	return ""
}
