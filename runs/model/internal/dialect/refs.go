package dialect

import (
	"net/url"
	"strconv"
	"strings"
)

// references finds what each $ref of a document leads to. A tool's schema may
// contain one that was a document of its own (the result's, say): a reference
// that leads nowhere from the root is looked for in what it stands in, from the
// inside. Those that lead nowhere at all are not in the answer. within is false
// if a reference does not lead to a place in the document from the root.
func references(doc any) (refs map[*object]*object, within bool) {
	r := resolver{doc: doc, names: map[string]*object{}, refs: map[*object]*object{}, within: true}
	if o, ok := doc.(*object); ok {
		r.base = strings.TrimSuffix(o.text("$id"), "#")
	}
	r.anchors(doc)
	r.walk(doc, nil)
	return r.refs, r.within
}

type resolver struct {
	doc    any
	base   string
	names  map[string]*object // by anchor
	refs   map[*object]*object
	within bool
}

func (r *resolver) anchors(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			r.anchors(item)
		}
	case *object:
		if name := v.text("$anchor"); name != "" {
			r.names[name] = v
		}
		if name, ok := strings.CutPrefix(v.text("$id"), "#"); ok && name != "" {
			r.names[name] = v
		}
		for _, name := range v.names {
			r.anchors(v.values[name])
		}
	}
}

// maxEnclosing is how many of the schemas around a reference are looked into.
const maxEnclosing = 16

func (r *resolver) walk(v any, around []*object) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			r.walk(item, around)
		}
	case *object:
		around = append(around, v)
		if ref, ok := v.values["$ref"].(string); ok {
			r.resolve(v, ref, around)
		}
		for _, name := range v.names {
			r.walk(v.values[name], around)
		}
	}
}

func (r *resolver) resolve(at *object, ref string, around []*object) {
	if r.base != "" {
		ref = strings.TrimPrefix(ref, r.base)
	}
	fragment, ok := strings.CutPrefix(ref, "#")
	if text, err := url.PathUnescape(fragment); ok && err == nil {
		if target := r.names[text]; target != nil {
			r.refs[at] = target
			return
		}
		if target, found := lookup(r.doc, text); found {
			r.refs[at] = target
			return
		}
		r.within = false
		for i := len(around) - 1; i > max(0, len(around)-maxEnclosing); i-- {
			if target, found := lookup(around[i], text); found && target != at {
				r.refs[at] = target
				return
			}
		}
	}
	r.within = false
}

// lookup follows a JSON Pointer to an object.
func lookup(v any, pointer string) (*object, bool) {
	if pointer != "" {
		rest, ok := strings.CutPrefix(pointer, "/")
		if !ok {
			return nil, false
		}
		for token := range strings.SplitSeq(rest, "/") {
			if v, ok = step(v, unescape.Replace(token)); !ok {
				return nil, false
			}
		}
	}
	o, ok := v.(*object)
	return o, ok
}

func step(v any, token string) (any, bool) {
	switch v := v.(type) {
	case *object:
		return v.get(token)
	case []any:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(v) {
			return v[i], true
		}
	}
	return nil, false
}

var (
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
)
