package jsonld

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/loose"
	"github.com/drover-go/drover/fetch/extract/internal/page"
)

// scope is the context that holds at a place: what its own object defines, and
// then what those around it do. Nil is that of schema.org.
type scope struct {
	around *scope
	terms  map[string]term
}

// term is what a context says of a name.
type term struct {
	// name is the keyword or the name without its vocabulary that is meant.
	name string
	// address says that strings are addresses, languages that an object has a
	// value for each language.
	address, languages bool
}

// with returns the scope inside of an object.
func (s *scope) with(object *loose.Value) *scope {
	if c := object.Get("@context"); c != nil {
		return s.define(c)
	}
	return s
}

// define returns the scope in which a context holds. The definition of a prefix is
// one of a name, too: it matters not, for no name is used with its vocabulary.
func (s *scope) define(c *loose.Value) *scope {
	if c.Kind == loose.Array {
		for i := range c.Items {
			s = s.define(&c.Items[i])
		}
		return s
	}
	inner := &scope{around: s, terms: map[string]term{}}
	for _, v := range c.Items {
		if strings.HasPrefix(v.Name, "@") {
			continue
		}
		t := term{name: bare(v.Name)}
		if v.Kind == loose.String {
			t.name = bare(v.Text)
		} else if id := v.Get("@id"); id != nil {
			t.name = bare(id.Text)
		}
		kind, holder := v.Get("@type"), v.Get("@container")
		t.address = kind != nil && (kind.Text == "@id" || kind.Text == "@vocab")
		t.languages = holder != nil && holder.Text == "@language"
		inner.terms[v.Name] = t
	}
	if len(inner.terms) == 0 {
		return s
	}
	return inner
}

// meaning returns what a name in an object means.
func (s *scope) meaning(name string) term {
	for ; s != nil; s = s.around {
		if t, ok := s.terms[name]; ok {
			return t
		}
	}
	if strings.HasPrefix(name, "@") {
		return term{name: strings.ToLower(name)}
	}
	return term{name: bare(name)}
}

// bare returns a name or a type without its vocabulary; keywords stay.
func bare(name string) string {
	if strings.HasPrefix(name, "@") {
		return name
	}
	return page.Bare(name)
}
