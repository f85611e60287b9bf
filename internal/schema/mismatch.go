package schema

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
	kinds "github.com/santhosh-tekuri/jsonschema/v6/kind"
)

const (
	keptViolations  = 100       // those put into words
	sortedLeaves    = 2_000     // those put in order before
	violationMemory = 256 << 10 // bytes of the pointers of those kept
)

// mismatchOf flattens the tree of errors of the library. The library walks
// objects in no order, so the violations are put in that of their places.
func mismatchOf(err error) *Mismatch {
	f := &flattener{}
	if e, ok := err.(*jsonschema.ValidationError); ok {
		f.visit(e)
	}
	slices.SortStableFunc(f.leaves, func(a, b leaf) int {
		return cmp.Or(compareTokens(a.e.InstanceLocation, b.e.InstanceLocation), cmp.Compare(a.keyword, b.keyword))
	})
	// What is reached on several ways is said once.
	f.leaves = slices.CompactFunc(f.leaves, func(a, b leaf) bool {
		return a.keyword == b.keyword && slices.Equal(a.e.InstanceLocation, b.e.InstanceLocation)
	})
	m := &Mismatch{More: f.more}
	memory := 0
	for i, l := range f.leaves {
		v := l.violation()
		memory += len(v.Instance) + len(v.Keyword)
		if i > 0 && (i == keptViolations || memory > violationMemory) {
			m.More += len(f.leaves) - i
			break
		}
		m.Violations = append(m.Violations, v)
	}
	if len(m.Violations) == 0 {
		m.Violations = []Violation{{Message: "is not valid"}}
	}
	return m
}

// leaf is an error that becomes a violation.
type leaf struct {
	e       *jsonschema.ValidationError
	keyword string
	text    string // if not that of the error's own kind
}

func (l leaf) violation() Violation {
	text := l.text
	if text == "" {
		text = messageOf(l.e.ErrorKind)
	}
	v := Violation{
		Instance: join("", l.e.InstanceLocation...),
		Keyword:  l.keyword,
		Message:  text,
	}
	switch k := l.e.ErrorKind.(type) {
	case *kinds.Required:
		v.Missing = k.Missing
	case *kinds.DependentRequired:
		v.Missing = k.Missing
	case *kinds.Dependency:
		v.Missing = k.Missing
	case *kinds.AdditionalProperties:
		v.Extra = slices.Sorted(slices.Values(k.Properties))
	case *kinds.Format:
		if f, ok := k.Err.(*failure); ok {
			v.Duplicates = f.duplicates
		}
	}
	return v
}

type flattener struct {
	leaves []leaf
	more   int
}

func (f *flattener) visit(e *jsonschema.ValidationError) {
	switch k := e.ErrorKind.(type) {
	case *kinds.Schema, *kinds.Group, *kinds.Reference, *kinds.AllOf:
		for _, cause := range e.Causes {
			f.visit(cause)
		}
	case *kinds.AnyOf:
		f.alternatives(e)
	case *kinds.OneOf:
		if len(k.Subschemas) == 0 {
			f.alternatives(e)
			return
		}
		f.add(e, "")
	default:
		f.add(e, "")
	}
}

func (f *flattener) add(e *jsonschema.ValidationError, text string) {
	if len(f.leaves) == sortedLeaves {
		f.more++
		return
	}
	f.leaves = append(f.leaves, leaf{e, keywordOf(e), text})
}

// alternatives reports an anyOf or oneOf of which nothing matched. If all but
// one alternative are for another type of value, or name another constant
// where a union has its tag, what is wrong is what is wrong with that one.
func (f *flattener) alternatives(e *jsonschema.ValidationError) {
	depth := len(e.InstanceLocation)
	left := e.Causes
	for _, other := range []func(*jsonschema.ValidationError) bool{
		func(l *jsonschema.ValidationError) bool {
			return len(l.InstanceLocation) == depth && keywordName(l) == "type"
		},
		func(l *jsonschema.ValidationError) bool {
			return len(l.InstanceLocation) == depth+1 && keywordName(l) == "const"
		},
	} {
		fitting := slices.DeleteFunc(slices.Clone(left), func(c *jsonschema.ValidationError) bool { return contains(c, other) })
		if len(fitting) == 1 {
			f.visit(fitting[0])
			return
		}
		if len(fitting) > 0 {
			left = fitting
		}
	}
	f.add(e, "matches none of the "+strconv.Itoa(len(e.Causes))+" alternatives")
}

// contains reports whether one of the errors that e consists of is such. It
// does not look into nested alternatives.
func contains(e *jsonschema.ValidationError, such func(*jsonschema.ValidationError) bool) bool {
	switch e.ErrorKind.(type) {
	case *kinds.Group, *kinds.Reference, *kinds.AllOf:
		return slices.ContainsFunc(e.Causes, func(c *jsonschema.ValidationError) bool { return contains(c, such) })
	}
	return such(e)
}

// keywordName is the keyword that e is about.
func keywordName(e *jsonschema.ValidationError) string {
	path := keywordPath(e)
	if len(path) == 0 {
		return ""
	}
	return path[0]
}

func keywordPath(e *jsonschema.ValidationError) []string {
	switch k := e.ErrorKind.(type) {
	case nil:
		return nil
	case *kinds.Format:
		if f, ok := k.Err.(*failure); ok {
			return []string{f.keyword}
		}
	case *kinds.Not:
		return []string{"not"}
	case *kinds.Dependency:
		return []string{"dependencies", k.Prop}
	}
	return e.ErrorKind.KeywordPath()
}

func keywordOf(e *jsonschema.ValidationError) string {
	return join(pointerOf(e.SchemaURL), keywordPath(e)...)
}

// compareTokens orders places: indexes by value, the rest by letters.
func compareTokens(a, b []string) int {
	return slices.CompareFunc(a, b, func(a, b string) int {
		if isIndex(a) && isIndex(b) {
			return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
		}
		return cmp.Compare(a, b)
	})
}

// isIndex reports whether a token looks like the index of an item.
func isIndex(token string) bool {
	return token != "" && scanDigits(token) == len(token) && (token[0] != '0' || token == "0")
}
