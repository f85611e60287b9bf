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
	_ = r.sh.m.Run(func() error { // which ends without one where it takes too long
		if o := r.sh.partAt(r.top, pointer); o != nil {
			raw = r.sh.schema.RawAt(o)
		}
		return nil
	})
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

// place puts one answer in its place, if what is to hold it is there and has none.
func (r *Result) place(pointer string, v any) bool {
	n, o := nodeOf(v), r.sh.partAt(r.top, pointer)
	in, name := r.node.holder(pointer)
	if o == nil || in == nil || in.kind != object || in.member(name) != nil || !r.sh.passes(o, n) {
		return false
	}
	in.add(name, n)
	return true
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
	tokens := strings.Split(pointer, "/")[1:]
	for i, t := range tokens {
		tokens[i] = tokenUnescaper.Replace(t)
	}
	return tokens
}

// holder returns what a JSON Pointer leads into, nil if nothing is there, and
// its last token.
func (n *node) holder(pointer string) (in *node, token string) {
	for _, t := range tokensOf(pointer) {
		in, n, token = n, n.child(t), t
	}
	return in, token
}

// child returns the member or the item that a token names, nil if there is none.
func (n *node) child(token string) *node {
	if n == nil {
		return nil
	}
	if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.items) {
		return n.items[i]
	}
	return n.member(token)
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

// remove takes out what a JSON Pointer leads to and reports whether it was
// there.
func (n *node) remove(pointer string) bool {
	in, token := n.holder(pointer)
	out := in.child(token)
	if out == nil {
		return false
	}
	in.members = slices.DeleteFunc(in.members, func(m member) bool { return m.node == out })
	in.items = slices.DeleteFunc(in.items, func(item *node) bool { return item == out })
	return true
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
		case i < len(v.Prefix):
			return v.Prefix[i]
		case v.Items != nil:
			return v.Items
		}
	}
	return nil
}
