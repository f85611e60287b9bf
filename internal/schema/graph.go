package schema

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// graph is a compiled schema as the library will walk it. An edge is either in
// place, to a subschema that looks at the same value, or deeper, to one that
// looks at a part of it.
type graph struct {
	root      *jsonschema.Schema
	nodes     []*jsonschema.Schema // in order of their location
	anchors   map[string][]*jsonschema.Schema
	recursive []*jsonschema.Schema // where a $recursiveRef may lead
}

// newGraph gathers all that can be reached from the root. The subschemas with
// a $dynamicAnchor are given beside it: the library reaches them by name.
func newGraph(root *jsonschema.Schema, dynamic []*jsonschema.Schema) *graph {
	g := &graph{root: root, anchors: map[string][]*jsonschema.Schema{}}
	seen := map[*jsonschema.Schema]bool{}
	queue := append([]*jsonschema.Schema{root}, dynamic...)
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if s == nil || seen[s] {
			continue
		}
		seen[s] = true
		g.nodes = append(g.nodes, s)
		queue = append(queue, inPlace(s)...)
		queue = append(queue, deeper(s)...)
		queue = append(queue, s.RecursiveRef)
		if s.DynamicRef != nil {
			queue = append(queue, s.DynamicRef.Ref)
		}
	}
	slices.SortFunc(g.nodes, func(a, b *jsonschema.Schema) int { return strings.Compare(a.Location, b.Location) })
	g.findTargets()
	return g
}

// findTargets notes what $dynamicRef and $recursiveRef may lead to, rather too
// much than too little: which it is depends on the way taken.
func (g *graph) findTargets() {
	resources := 0
	for _, s := range g.nodes {
		if s.DynamicAnchor != "" {
			g.anchors[s.DynamicAnchor] = append(g.anchors[s.DynamicAnchor], s)
		}
		if s.RecursiveAnchor {
			g.recursive = append(g.recursive, s)
		}
		if s.ID != "" {
			resources++
		}
	}
	if resources < 2 {
		return
	}
	// Where a reference leads into the middle of a resource with a
	// $recursiveAnchor, the library takes that place for the resource.
	for _, s := range g.nodes {
		if s.Ref != nil {
			g.recursive = append(g.recursive, s.Ref)
		}
	}
}

// inPlace returns the subschemas that s always or sometimes applies to the
// same value, those behind $dynamicRef and $recursiveRef left out.
func inPlace(s *jsonschema.Schema) []*jsonschema.Schema {
	next := present(s.Ref, s.Not, s.If, s.Then, s.Else)
	next = append(next, s.AllOf...)
	next = append(next, s.AnyOf...)
	next = append(next, s.OneOf...)
	next = append(next, sorted(s.DependentSchemas)...)
	for _, name := range slices.Sorted(maps.Keys(s.Dependencies)) {
		if sub, ok := s.Dependencies[name].(*jsonschema.Schema); ok {
			next = append(next, sub)
		}
	}
	return next
}

// deeper returns the subschemas that s applies to parts of the value.
func deeper(s *jsonschema.Schema) []*jsonschema.Schema {
	next := present(s.PropertyNames, s.Contains, s.Items2020, s.UnevaluatedItems, s.UnevaluatedProperties, s.ContentSchema)
	next = append(next, s.PrefixItems...)
	next = append(next, sorted(s.Properties)...)
	for _, sub := range s.PatternProperties {
		next = append(next, sub)
	}
	for _, either := range []any{s.AdditionalProperties, s.AdditionalItems, s.Items} {
		switch sub := either.(type) {
		case *jsonschema.Schema:
			next = append(next, sub)
		case []*jsonschema.Schema:
			next = append(next, sub...)
		}
	}
	return next
}

// chosen returns, for each reference of s whose target depends on the way
// taken, all that it may be.
func (g *graph) chosen(s *jsonschema.Schema) (choices [][]*jsonschema.Schema) {
	if to := s.RecursiveRef; to != nil {
		choice := []*jsonschema.Schema{to}
		if to.RecursiveAnchor {
			choice = append(choice, g.recursive...)
		}
		choices = append(choices, choice)
	}
	if to := s.DynamicRef; to != nil {
		choice := []*jsonschema.Schema{to.Ref}
		if to.Anchor != "" && to.Ref.DynamicAnchor == to.Anchor {
			choice = append(choice, g.anchors[to.Anchor]...)
		}
		choices = append(choices, choice)
	}
	return choices
}

func present(subs ...*jsonschema.Schema) []*jsonschema.Schema {
	return slices.DeleteFunc(subs, func(s *jsonschema.Schema) bool { return s == nil })
}

func sorted(m map[string]*jsonschema.Schema) []*jsonschema.Schema {
	var subs []*jsonschema.Schema
	for _, name := range slices.Sorted(maps.Keys(m)) {
		subs = append(subs, m[name])
	}
	return subs
}

// pointerOf turns a location of the library into a JSON Pointer into the
// document; of a metaschema it keeps the URI.
func pointerOf(location string) string {
	uri, fragment, _ := strings.Cut(location, "#")
	if uri != rootURI {
		return location
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return fragment
	}
	return pointer
}
