package schema

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// rootURI is the base of a schema that gives itself no $id. Its scheme is
// nobody's, so that nothing relative to it can be mistaken for a file.
const rootURI = "drover:///schema"

// resource is a part of the document with an identity of its own: the whole,
// or a subschema with an $id. References and anchors are relative to it.
type resource struct {
	uri     string
	at      string
	dialect dialect
	anchors map[string]string // to JSON Pointers
}

// ref is a reference to be resolved when the whole document is known.
type ref struct {
	at   string
	text string
	from *resource
}

// identify reads $schema and $id and opens a resource where there is one.
func (w *walk) identify(n *node) *placed {
	d := n.res.dialect
	if text, ok := n.obj["$schema"].(string); ok {
		named, known := dialectOf(text)
		if !known {
			return placedf(join(n.at, "$schema"), "%s is not a supported draft (4, 6, 7, 2019-09, 2020-12)", quote(text))
		}
		d = named
	}
	id := idOf(n.obj, d)
	if id == "" && n.at != "" {
		d = n.res.dialect // $schema counts only where a resource begins
		id = idOf(n.obj, d)
		if id == "" {
			return nil
		}
	}
	return w.open(n, id, d)
}

// idOf returns the $id without its fragment. Up to draft 7 a $ref hides
// everything beside it.
func idOf(obj map[string]any, d dialect) string {
	if _, hidden := obj["$ref"]; hidden && d.version < 2019 {
		return ""
	}
	id, _ := obj[d.id].(string)
	id, _, _ = strings.Cut(id, "#")
	return id
}

func (w *walk) open(n *node, id string, d dialect) *placed {
	uri, why := resolveURI(n.res.uri, id)
	if why != "" {
		return placedf(join(n.at, d.id), "%s %s", quote(id), why)
	}
	if other := w.resources[uri]; other != nil {
		return placedf(join(n.at, d.id), "%s is used twice, also at %s", quote(uri), orRoot(other.at))
	}
	if len(w.resources) > maxIDs {
		return placedf(join(n.at, d.id), "is one identifier too many: the most is %d", maxIDs)
	}
	n.res = &resource{uri: uri, at: n.at, dialect: d, anchors: map[string]string{}}
	w.resources[uri] = n.res
	w.byPointer[n.at] = n.res
	return nil
}

// anchors notes the plain names of a subschema.
func (w *walk) anchors(n *node) *placed {
	version := n.res.dialect.version
	if version < 2019 {
		return w.anchorInID(n)
	}
	if name, ok := n.obj["$anchor"].(string); ok {
		if bad := n.res.addAnchor(name, n.at, "$anchor"); bad != nil {
			return bad
		}
	}
	if name, ok := n.obj["$dynamicAnchor"].(string); ok && version >= 2020 {
		w.dynamic = append(w.dynamic, n.at)
		return n.res.addAnchor(name, n.at, "$dynamicAnchor")
	}
	return nil
}

// anchorInID reads the anchor of the drafts that write it as $id "#name".
func (w *walk) anchorInID(n *node) *placed {
	if _, hidden := n.obj["$ref"]; hidden {
		return nil
	}
	keyword := n.res.dialect.id
	id, _ := n.obj[keyword].(string)
	_, fragment, _ := strings.Cut(id, "#")
	name, err := url.PathUnescape(fragment)
	if err != nil {
		return placedf(join(n.at, keyword), "has a fragment with a broken percent-encoding")
	}
	if name == "" || name[0] == '/' {
		return nil
	}
	return n.res.addAnchor(name, n.at, keyword)
}

func (r *resource) addAnchor(name, at, keyword string) *placed {
	if other, twice := r.anchors[name]; twice && other != at {
		return placedf(join(at, keyword), "%s is used twice, also at %s", quote(name), orRoot(other))
	}
	r.anchors[name] = at
	return nil
}

// references notes the references of a subschema.
func (w *walk) references(n *node) *placed {
	version := n.res.dialect.version
	for _, k := range [...]struct {
		name  string
		since int
	}{{"$ref", 4}, {"$recursiveRef", 2019}, {"$dynamicRef", 2020}} {
		text, ok := n.obj[k.name].(string)
		if !ok || version < k.since {
			continue
		}
		if len(w.refs) == w.o.MaxRefs {
			return placedf("", "has more than %d references", w.o.MaxRefs)
		}
		w.refs = append(w.refs, ref{at: join(n.at, k.name), text: text, from: n.res})
	}
	return nil
}

// resolveAll follows every reference. What one leads to may hold more.
func (w *walk) resolveAll() *placed {
	for i := 0; i < len(w.refs); i++ {
		if bad := w.resolve(w.refs[i]); bad != nil {
			return bad
		}
	}
	return nil
}

func (w *walk) resolve(r ref) *placed {
	text, fragment, _ := strings.Cut(r.text, "#")
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return placedf(r.at, "%s has a broken percent-encoding", quote(r.text))
	}
	uri, why := resolveURI(r.from.uri, text)
	if why != "" {
		return placedf(r.at, "%s %s", quote(r.text), why)
	}
	res := w.resources[uri]
	if uri == rootURI {
		res = w.byPointer[""]
	}
	if res == nil {
		return w.outside(r, uri, fragment)
	}
	at, ok := res.locate(fragment)
	if !ok {
		return placedf(r.at, "%s refers to an anchor that is not there", quote(r.text))
	}
	return w.target(r, at)
}

// outside judges a reference to another document. The metaschemas are part of
// the library; a schema that describes schemas may use them.
func (w *walk) outside(r ref, uri, fragment string) *placed {
	for _, d := range dialects {
		if uri == d.uri && fragment == "" {
			return nil
		}
	}
	return placedf(r.at, "%s refers to another document; only references within the schema are followed", quote(r.text))
}

// locate turns a fragment into a JSON Pointer into the document.
func (r *resource) locate(fragment string) (string, bool) {
	if fragment == "" || fragment[0] == '/' {
		return r.at + fragment, true
	}
	at, ok := r.anchors[fragment]
	return at, ok
}

// target checks what a reference leads to. That may be a place where the
// draft knows no subschema (#/components/…); it then becomes one.
func (w *walk) target(r ref, at string) *placed {
	v, ok := lookup(w.doc, at)
	if !ok {
		return placedf(r.at, "%s refers to nothing", quote(r.text))
	}
	switch v.(type) {
	case map[string]any, bool:
	default:
		return placedf(r.at, "%s refers to what is not a schema", quote(r.text))
	}
	if w.seen[at] || w.odd[at] != "" {
		return nil
	}
	w.odd[at] = r.at
	return w.subschema(v, at, &node{res: w.around(at)})
}

// checkOdd limits what references to odd places cost. For each of them the
// library copies its index of the document, and holds all that is below
// against the metaschema again.
func (w *walk) checkOdd() *placed {
	below := 0
	for at := range w.seen {
		for up, more := at, len(w.odd) > 0; more; up, more = above(up) {
			if w.odd[up] != "" {
				below++
			}
		}
	}
	if len(w.odd)*len(w.seen) <= maxOddWork && below <= 2*w.o.MaxSubschemas {
		return nil
	}
	from := slices.Min(slices.Collect(maps.Values(w.odd)))
	return placedf(from, "is one of too many references to what is not in $defs, definitions or another place for subschemas")
}

// above cuts the last token off a JSON Pointer.
func above(pointer string) (up string, more bool) {
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return "", false
	}
	return pointer[:i], true
}

// around returns the resource that a place in the document belongs to.
func (w *walk) around(at string) *resource {
	for {
		if res := w.byPointer[at]; res != nil {
			return res
		}
		at, _ = above(at)
	}
}

// resolveURI makes ref absolute (RFC 3986, section 5); why says, in words that
// follow the reference, why it cannot.
func resolveURI(base, ref string) (uri, why string) {
	if ref == "" {
		return base, ""
	}
	to, err := url.Parse(ref)
	if err != nil {
		return "", "is not a URI reference"
	}
	from, err := url.Parse(base)
	if err != nil {
		return "", "is relative to an identifier that is not a URI"
	}
	if !to.IsAbs() && from.Opaque != "" {
		return "", "cannot be relative to " + quote(base)
	}
	return from.ResolveReference(to).String(), ""
}

func orRoot(at string) string {
	if at == "" {
		return "the top"
	}
	return shortPointer(at)
}
