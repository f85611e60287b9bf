package shape

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

type kind uint8

const (
	scalar kind = iota
	object
	array
)

// node is a value that was made, with where it is from.
type node struct {
	kind    kind
	value   any // of a scalar: a string, a json.Number or a bool
	members []member
	order   []string // of the members, as far as the schema has one
	items   []*node
	filled  int // how many scalars are in it
	from    found
	of      *graph.Entity // the thing that an item of a list was made of, nil if it was made of a text
}

type member struct {
	name string
	node *node
}

// found is a value on the page, in its place.
type found struct {
	entity *graph.Entity
	name   string
	value  graph.Value
}

// said is the first text that a thing has under one of some names.
func said(e *graph.Entity, names ...string) found {
	for _, name := range names {
		if vs := e.Get(name); len(vs) > 0 && vs[0].Kind != graph.Thing && vs[0].Text != "" {
			return found{e, name, vs[0]}
		}
	}
	return found{}
}

// plain returns the value as encoding/json would decode it.
func (n *node) plain() any {
	switch n.kind {
	case object:
		obj := make(map[string]any, len(n.members))
		for _, m := range n.members {
			obj[m.name] = m.node.plain()
		}
		return obj
	case array:
		arr := make([]any, len(n.items))
		for i, item := range n.items {
			arr[i] = item.plain()
		}
		return arr
	}
	return n.value
}

func (n *node) add(name string, sub *node) {
	n.members = append(n.members, member{name, sub})
	n.filled += sub.filled
}

func (n *node) push(item *node) {
	n.items = append(n.items, item)
	n.filled += item.filled
}

func leaf(v any, from found) *node { return &node{kind: scalar, value: v, filled: 1, from: from} }

// write appends the value as JSON, and where its scalars are from.
func (n *node) write(b *bytes.Buffer, at string, origins *[]Origin) {
	switch n.kind {
	case object:
		b.WriteByte('{')
		slices.SortStableFunc(n.members, func(a, b member) int { return cmp.Compare(n.place(a.name), n.place(b.name)) })
		for i, m := range n.members {
			comma(b, i)
			writeScalar(b, m.name)
			b.WriteByte(':')
			m.node.write(b, at+"/"+escapeToken(m.name), origins)
		}
		b.WriteByte('}')
	case array:
		b.WriteByte('[')
		for i, item := range n.items {
			comma(b, i)
			item.write(b, at+"/"+strconv.Itoa(i), origins)
		}
		b.WriteByte(']')
	default:
		writeScalar(b, n.value)
		*origins = append(*origins, Origin{at, n.from.entity, n.from.name, n.from.value})
	}
}

// place is where the order of the schema has a member: those that it does not name
// come last.
func (n *node) place(name string) int {
	if i := slices.Index(n.order, name); i >= 0 {
		return i
	}
	return len(n.order)
}

func comma(b *bytes.Buffer, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}

func writeScalar(b *bytes.Buffer, v any) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err == nil {
		b.Truncate(b.Len() - 1) // the line break
	}
}

var tokenEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func escapeToken(t string) string { return tokenEscaper.Replace(t) }

var tokenUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
