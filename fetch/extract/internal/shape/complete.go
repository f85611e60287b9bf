package shape

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/schema"
)

// Part returns the schema of what stands at a JSON Pointer in the content, as
// JSON; nil if it has none.
func (r *Result) Part(pointer string) json.RawMessage {
	known := r.sh.parts[pointer]
	if known.enum != nil {
		raw, err := json.Marshal(map[string]any{"enum": known.enum})
		if err != nil {
			return nil
		}
		return raw
	}
	if known.outline == nil {
		err := r.sh.m.Run(func() error {
			known.outline = r.sh.partAt(r.top, pointer)
			return nil
		})
		if err != nil {
			return nil // what cannot be looked for is not asked for
		}
	}
	if known.outline == nil {
		return nil
	}
	return r.sh.schema.RawAt(known.outline)
}

// partAt follows a JSON Pointer into a schema.
func (sh *shaper) partAt(o *schema.Outline, pointer string) *schema.Outline {
	if pointer == "" {
		return nil
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		if o = sh.partOf(o, tokenUnescaper.Replace(token)); o == nil {
			return nil
		}
	}
	return o
}

func (sh *shaper) partOf(o *schema.Outline, token string) *schema.Outline {
	v := sh.view(o)
	for _, v := range append([]*view{v}, sh.variants(v)...) {
		for _, p := range v.props {
			if p.name == token {
				return p.sub
			}
		}
		if i, err := strconv.Atoi(token); err == nil && i >= 0 {
			if i < len(v.prefix) {
				return v.prefix[i]
			}
			if v.items != nil {
				return v.items
			}
		}
	}
	return nil
}

// Complete puts answers of somebody else in the places that are unsatisfied, by
// their pointers. An answer that does not fit its part of the schema, or for
// which nobody asked, is left out; refused are the pointers of the former.
func (r *Result) Complete(answers map[string]any) (_ *Result, refused []string, err error) {
	var done *Result
	err = r.sh.m.Run(func() error {
		for _, pointer := range r.Unsatisfied {
			if v, ok := answers[pointer]; ok && !r.place(pointer, v) {
				refused = append(refused, pointer)
			}
		}
		done, err = r.sh.settle(r.node, r.top)
		return err
	})
	return done, refused, err
}

// place puts one answer in its place.
func (r *Result) place(pointer string, v any) bool {
	n, known := nodeOf(v), r.sh.parts[pointer]
	if known.enum != nil {
		return n.kind == scalar && slices.Contains(known.enum, n.value) && r.node.set(pointer, n)
	}
	o := known.outline
	if o == nil {
		o = r.sh.partAt(r.top, pointer)
	}
	return o != nil && r.sh.passes(o, n) && r.node.set(pointer, n)
}

// nodeOf makes a node of decoded JSON.
func nodeOf(v any) *node {
	switch v := v.(type) {
	case map[string]any:
		n := &node{kind: object}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			n.add(name, nodeOf(v[name]))
		}
		return n
	case []any:
		n := &node{kind: array}
		for _, item := range v {
			n.push(nodeOf(item))
		}
		return n
	}
	return leaf(v, found{value: graph.Value{Source: graph.Model}})
}

// set puts a member where a JSON Pointer says, if what is to hold it is there
// and has none.
func (n *node) set(pointer string, v *node) bool {
	token, rest, deeper := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	name := tokenUnescaper.Replace(token)
	if n.kind == array {
		i, err := strconv.Atoi(name)
		return err == nil && i >= 0 && i < len(n.items) && deeper && n.items[i].set(rest, v)
	}
	for _, m := range n.members {
		if m.name == name {
			return deeper && m.node.set(rest, v)
		}
	}
	if deeper || n.kind != object {
		return false
	}
	n.insert(name, v)
	return true
}

// insert puts a member where the order of the schema has it.
func (n *node) insert(name string, v *node) {
	i, at := len(n.members), slices.Index(n.order, name)
	for at >= 0 && i > 0 {
		if before := slices.Index(n.order, n.members[i-1].name); before >= 0 && before < at {
			break
		}
		i--
	}
	n.members = slices.Insert(n.members, i, member{name, v})
	n.filled += v.filled
}
