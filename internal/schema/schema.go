package schema

import (
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is a JSON Schema that was accepted. It is safe for concurrent use.
type Schema struct {
	raw       json.RawMessage
	doc       any
	o         Options
	patterns  map[string]*pattern
	dynamic   []string
	subs      int
	canObject bool

	// A validation has an instance to itself, because the instance holds its
	// meter. The first is kept; those made while it was in use are for the
	// garbage collector to take when they are not.
	first atomic.Pointer[instance]
	spare sync.Pool
}

// Compile reads a JSON Schema of draft 4, 6, 7, 2019-09 or 2020-12. What is
// not one, or goes beyond the limits, is an error of kind Invalid with
// o.Field as its field and the place in its message. Nothing is ever loaded:
// references lead to places in the schema itself or to a metaschema.
func Compile(raw []byte, o Options) (*Schema, error) {
	o = o.withDefaults()
	s, bad := compile(raw, o)
	if bad != nil {
		return nil, bad.of(o.Field)
	}
	return s, nil
}

func compile(raw []byte, o Options) (*Schema, *placed) {
	doc, _, bad := parse(raw, parseLimits{size: o.MaxSize, depth: o.MaxDepth, values: o.MaxSize})
	if bad != nil {
		return nil, bad
	}
	w, bad := precheck(doc, o)
	if bad != nil {
		return nil, bad
	}
	s := &Schema{
		raw: slices.Clone(raw), doc: doc, o: o,
		patterns: w.patterns, dynamic: w.dynamic, subs: len(w.seen),
	}
	g, m, bad := s.load()
	if bad != nil {
		return nil, bad
	}
	e, bad := expand(g, o.MaxExpansion)
	if bad != nil {
		return nil, bad
	}
	s.canObject = objectTest{s.doc, map[*jsonschema.Schema]bool{}}.accepts(g.root)
	height := e.tallest()
	s.first.Store(s.instance(g, m, height))
	s.spare.New = func() any {
		g, m, bad := s.load()
		if bad != nil {
			return nil // it was loaded before
		}
		return s.instance(g, m, height)
	}
	return s, nil
}

// Raw returns the schema as it was given. The caller must not change it.
func (s *Schema) Raw() json.RawMessage { return s.raw }

// RootCanBeObject reports whether an object may satisfy the schema: false if
// its "type", "const", "enum" or a combination of them says that none does.
func (s *Schema) RootCanBeObject() bool { return s.canObject }

// Draft returns the draft that the schema is written for.
func (s *Schema) Draft() Draft {
	if obj, ok := s.doc.(map[string]any); ok {
		if text, ok := obj["$schema"].(string); ok {
			named, _ := dialectOf(text)
			return Draft(slices.IndexFunc(dialects[:], func(d dialect) bool { return d.uri == named.uri }))
		}
	}
	return s.o.Draft
}

// load has the library compile the document. The meter counts from then on
// what its regular expressions do.
func (s *Schema) load() (*graph, *meter, *placed) {
	m := &meter{left: s.o.MaxWork}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(dialects[s.o.Draft].compiles)
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(s.engine(m))
	if s.o.AssertFormat {
		c.AssertFormat()
	}
	if err := c.AddResource(rootURI, s.doc); err != nil {
		return nil, nil, refusal(err)
	}
	root, err := c.Compile(rootURI)
	if err != nil {
		return nil, nil, refusal(err)
	}
	var dynamic []*jsonschema.Schema
	for _, at := range s.dynamic {
		// What has been compiled already is returned, not compiled again.
		sub, err := c.Compile(rootURI + "#" + fragmentOf(at))
		if err != nil {
			return nil, nil, refusal(err)
		}
		dynamic = append(dynamic, sub)
	}
	return newGraph(root, dynamic), m, nil
}
