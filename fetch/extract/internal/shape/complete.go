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
// JSON; nil if it has none, or if that cannot be looked for.
func (r *Result) Part(pointer string) (raw json.RawMessage) {
	err := r.sh.m.Run(func() error {
		if o := r.sh.partAt(r.top, pointer); o != nil {
			raw = r.sh.schema.RawAt(o)
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return raw
}

// Complete puts answers of somebody else in the places that are unsatisfied, by
// their pointers. An answer that does not fit its part of the schema, or for
// which nobody asked, is left out; refused are the pointers of the former.
func (r *Result) Complete(answers map[string]any) (done *Result, refused []string, err error) {
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
	n, o := nodeOf(v), r.sh.partAt(r.top, pointer)
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

// tokensOf splits a JSON Pointer.
func tokensOf(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, t := range tokens {
		tokens[i] = tokenUnescaper.Replace(t)
	}
	return tokens
}

// holder returns what a JSON Pointer leads into, nil if nothing is there, and
// its last token.
func (n *node) holder(pointer string) (*node, string) {
	tokens := tokensOf(pointer)
	for i, t := range tokens {
		if n == nil || i == len(tokens)-1 {
			return n, t
		}
		n = n.child(t)
	}
	return nil, ""
}

// child returns the member or the item that a token names, nil if there is none.
func (n *node) child(token string) *node {
	if n.kind != array {
		return n.member(token)
	}
	if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.items) {
		return n.items[i]
	}
	return nil
}

// member returns the member of a name, nil if there is none.
func (n *node) member(name string) *node {
	for _, m := range n.members {
		if m.name == name {
			return m.node
		}
	}
	return nil
}

// set puts a member where a JSON Pointer says, if what is to hold it is there
// and has none.
func (n *node) set(pointer string, v *node) bool {
	in, name := n.holder(pointer)
	if in == nil || in.kind != object || in.member(name) != nil {
		return false
	}
	in.insert(name, v)
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

// remove takes out what a JSON Pointer leads to and reports whether it was
// there.
func (n *node) remove(pointer string) bool {
	in, token := n.holder(pointer)
	if in == nil {
		return false
	}
	out := in.child(token)
	in.members = slices.DeleteFunc(in.members, func(m member) bool { return m.node == out })
	in.items = slices.DeleteFunc(in.items, func(item *node) bool { return item == out })
	return out != nil
}

// partAt follows a JSON Pointer into a schema; nil for the whole, and where it
// has nothing there.
func (sh *shaper) partAt(o *schema.Outline, pointer string) *schema.Outline {
	if pointer == "" {
		return nil
	}
	for _, t := range tokensOf(pointer) {
		if o = sh.partOf(o, t); o == nil {
			return nil
		}
	}
	return o
}

func (sh *shaper) partOf(o *schema.Outline, token string) *schema.Outline {
	v := sh.view(o)
	i, err := strconv.Atoi(token)
	for _, v := range append([]*view{v}, sh.variants(v)...) {
		for _, p := range v.props {
			if p.name == token {
				return p.sub
			}
		}
		switch {
		case err != nil || i < 0:
		case i < len(v.prefix):
			return v.prefix[i]
		case v.items != nil:
			return v.items
		}
	}
	return nil
}
