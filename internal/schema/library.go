package schema

import (
	"errors"
	"net/url"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// noLoader refuses to load anything. The library's default reads files.
type noLoader struct{}

var errNoLoader = errors.New("nothing is loaded")

func (noLoader) Load(string) (any, error) { return nil, errNoLoader }

// engine gives the library the regular expressions of the pre-check. It asks
// while it compiles a schema and holds it against the metaschema.
func (s *Schema) engine(m *meter) jsonschema.RegexpEngine {
	return func(text string) (jsonschema.Regexp, error) {
		p := s.patterns[text]
		if p == nil {
			var why string
			if p, why = compilePattern(text, s.o.MaxPattern); why != "" {
				return nil, errors.New("a regular expression that " + why)
			}
		}
		return metered{p, m}, nil
	}
}

func (s *Schema) validRegex(text string) bool {
	_, why := compilePattern(text, s.o.MaxPattern)
	return why == ""
}

// refusal puts an error of the library into words. Nearly all are that the
// schema is not valid against its metaschema.
func refusal(err error) *placed {
	var invalid *jsonschema.SchemaValidationError
	var violation *jsonschema.ValidationError
	if !errors.As(err, &invalid) || !errors.As(invalid.Err, &violation) {
		return placedf("", "cannot be compiled as a JSON Schema")
	}
	first := mismatchOf(violation).Violations[0]
	return placedf(pointerOf(invalid.URL)+first.Instance, "%s", first.Message)
}

// fragmentOf turns a JSON Pointer into a URI fragment.
func fragmentOf(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i, t := range tokens {
		tokens[i] = url.PathEscape(t)
	}
	return strings.Join(tokens, "/")
}

// instance is a compiled schema with a meter built into it. It serves one
// validation at a time.
type instance struct {
	root   *jsonschema.Schema
	nodes  []*jsonschema.Schema // in order of their location
	m      *meter
	height int
}

// instance puts a check in front of every subschema of a graph.
func (s *Schema) instance(g *graph, m *meter, height int) *instance {
	unevaluated := false
	for _, n := range g.nodes {
		unevaluated = unevaluated || n.UnevaluatedItems != nil || n.UnevaluatedProperties != nil
	}
	for _, n := range g.nodes {
		install(n, m, unevaluated, s.validRegex)
	}
	return &instance{root: g.root, nodes: g.nodes, m: m, height: height}
}

// run validates v, which is nested depth levels deep, in at most so many steps.
func (in *instance) run(v any, depth, steps int) error { return in.runPart(in.root, v, depth, steps) }

// runPart validates v against a subschema.
func (in *instance) runPart(part *jsonschema.Schema, v any, depth, steps int) (err error) {
	in.m.left = steps
	in.m.each = stepsEach + in.height/32 + depth/8
	in.m.scope = depth * in.height / 16
	defer func() {
		switch r := recover().(type) {
		case nil:
		case exhausted:
			err = r.err()
		default:
			err = errPanic{r}
		}
	}()
	return part.Validate(v)
}

// take lends an instance, give takes it back.
func (s *Schema) take() *instance {
	if in := s.first.Swap(nil); in != nil {
		return in
	}
	in, _ := s.spare.Get().(*instance)
	return in
}

func (s *Schema) give(in *instance) {
	if !s.first.CompareAndSwap(nil, in) {
		s.spare.Put(in)
	}
}
