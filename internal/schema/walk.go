package schema

import "strings"

// walk is the pre-check: it goes over a schema before the library does, keeps
// to the budgets, and gathers what is later needed.
//
// It looks only where the draft puts subschemas, and where a reference leads;
// a "$ref" inside an enum is data.
type walk struct {
	o   Options
	doc any

	seen       map[string]bool // JSON Pointers of the subschemas visited; true if the draft has one there
	keywords   int
	pointers   int               // bytes of the pointers in seen
	odd        map[string]string // where references lead that the draft has no subschema, and one from where
	resources  map[string]*resource
	byPointer  map[string]*resource
	refs       []ref
	dynamic    []string // JSON Pointers of what has a $dynamicAnchor
	patterns   map[string]*pattern
	patternSum int // their sizes
	reading    int // and what it took to read them
}

// node is a subschema that is an object.
type node struct {
	at  string
	obj map[string]any
	res *resource
}

// precheck walks doc and returns what it found, or what is wrong with it.
func precheck(doc any, o Options) (*walk, *placed) {
	w := &walk{
		o: o, doc: doc,
		seen:      map[string]bool{},
		odd:       map[string]string{},
		resources: map[string]*resource{},
		byPointer: map[string]*resource{},
		patterns:  map[string]*pattern{},
	}
	switch doc.(type) {
	case map[string]any, bool:
	default:
		return nil, placedf("", "must be an object or a boolean")
	}
	outside := &node{res: &resource{uri: rootURI, dialect: dialects[o.Draft]}}
	if bad := w.subschema(doc, "", outside); bad != nil {
		return nil, bad
	}
	if bad := w.resolveAll(); bad != nil {
		return nil, bad
	}
	return w, w.checkOdd()
}

// subschema walks what stands at a place for a subschema of the node around it.
func (w *walk) subschema(v any, at string, around *node) *placed {
	if _, seen := w.seen[at]; seen {
		return nil
	}
	if bad := w.visit(at); bad != nil {
		return bad
	}
	obj, ok := v.(map[string]any)
	if !ok {
		return nil // a boolean; the metaschema refuses anything else
	}
	n := &node{at: at, obj: obj, res: around.res}
	for _, step := range []func(*node) *placed{w.identify, w.anchors, w.references} {
		if bad := step(n); bad != nil {
			return bad
		}
	}
	if bad := w.countKeywords(len(obj)); bad != nil {
		return bad
	}
	for _, k := range keywordTable {
		if v, ok := obj[k.name]; ok && k.since <= n.res.dialect.version {
			if bad := w.keyword(n, k, v); bad != nil {
				return bad
			}
		}
	}
	return nil
}

// visit counts a subschema. The library keeps several copies of every pointer
// and compares each with all others, so their sum is limited, too: long names
// at the top of a deep schema are repeated in everything below.
func (w *walk) visit(at string) *placed {
	w.seen[at] = len(w.odd) == 0 // references are followed when the rest is done
	if len(w.seen) > w.o.MaxSubschemas {
		return placedf("", "has more than %d subschemas", w.o.MaxSubschemas)
	}
	if w.pointers += len(at); w.pointers > maxPointers {
		return placedf(at, "is where the names above the subschemas, taken together, exceed %d bytes", maxPointers)
	}
	return nil
}

func (w *walk) countKeywords(n int) *placed {
	if w.keywords += n; w.keywords > w.o.MaxKeywords {
		return placedf("", "has more than %d keywords", w.o.MaxKeywords)
	}
	return nil
}

// pattern compiles a regular expression of the schema, once.
func (w *walk) pattern(text, at string) *placed {
	if w.patterns[text] != nil {
		return nil
	}
	if w.reading += readingCost(text); w.reading > maxPatternReading {
		return placedf(at, "makes the regular expressions of the schema take too long to read")
	}
	p, why := compilePattern(text, w.o.MaxPattern)
	if why != "" {
		return placedf(at, "is a regular expression that %s", why)
	}
	if w.patternSum += p.size; w.patternSum > 10*w.o.MaxPattern {
		return placedf(at, "makes the regular expressions of the schema, taken together, larger than %d steps", 10*w.o.MaxPattern)
	}
	w.patterns[text] = p
	return nil
}

// dialectOf reads a $schema.
func dialectOf(uri string) (dialect, bool) {
	uri = strings.TrimSuffix(uri, "#")
	for _, d := range dialects {
		if uri == d.uri || uri == otherScheme(d.uri) {
			return d, true
		}
	}
	return dialect{}, false
}

// otherScheme turns http into https and back: both are in use for $schema.
func otherScheme(uri string) string {
	if rest, ok := strings.CutPrefix(uri, "https:"); ok {
		return "http:" + rest
	}
	return "https:" + strings.TrimPrefix(uri, "http:")
}
