package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// check is what the library runs first whenever it applies one subschema to a
// value: it stands in the place of "format". It counts the step, and it takes
// over the keywords whose cost the library leaves open: type, const, enum,
// uniqueItems, propertyNames and format itself.
type check struct {
	m         *meter
	types     kind // 0 if any
	constant  *any
	enum      *enumeration
	unique    bool
	names     *jsonschema.Schema
	format    *jsonschema.Format
	bounds    int  // steps to compare a number with the bounds there are
	perObject int  // steps for lists of names
	perMember int  // steps for each member of an object or array
	dynamic   bool // has a reference that looks through all schemas around it
}

// install puts a check in front of s. unevaluated says whether the schema uses
// the unevaluated keywords anywhere: the library then keeps a list of members
// for every subschema applied to an object or array.
func install(s *jsonschema.Schema, m *meter, unevaluated bool, regex func(string) bool) {
	if s.Bool != nil {
		return
	}
	c := &check{
		m: m, constant: s.Const, unique: s.UniqueItems, names: s.PropertyNames, format: s.Format,
		bounds:    boundSteps(s),
		dynamic:   s.DynamicRef != nil || s.RecursiveRef != nil,
		perMember: 1 + len(s.PatternProperties),
		perObject: nameSteps(s),
	}
	if s.Types != nil {
		c.types = kindsOf(s.Types.ToStrings())
	}
	if s.Enum != nil {
		c.enum = newEnumeration(s.Enum.Values)
	}
	if unevaluated {
		c.perMember += booleans(inPlace(s))
	}
	if s.Format != nil && s.Format.Name == "regex" {
		c.format = &jsonschema.Format{Name: "regex", Validate: c.regexFormat(regex)}
	}
	s.Types, s.Const, s.Enum, s.UniqueItems, s.PropertyNames = nil, nil, nil, false, nil
	s.Format = &jsonschema.Format{Name: "check", Validate: c.run}
}

// nameSteps is how many names of members the library looks up in an object.
func nameSteps(s *jsonschema.Schema) int {
	n := len(s.Required) + len(s.DependentRequired) + len(s.DependentSchemas) + len(s.Dependencies)
	for _, names := range s.DependentRequired {
		n += len(names)
	}
	for _, either := range s.Dependencies {
		if names, ok := either.([]string); ok {
			n += len(names)
		}
	}
	return n
}

// booleans counts the subschemas true and false, which have no check.
func booleans(subs []*jsonschema.Schema) int {
	n := 0
	for _, s := range subs {
		if s.Bool != nil {
			n++
		}
	}
	return n
}

// stepsFailure is what a failure takes more than a success.
const stepsFailure = 3

// run is the check of one value.
func (c *check) run(v any) error {
	c.pay(v)
	err := c.judge(v)
	if err != nil {
		c.m.spend(stepsFailure)
	}
	return err
}

func (c *check) judge(v any) error {
	k := kindOf(v)
	if c.types != 0 && !c.types.accepts(k, v) {
		return &failure{keyword: "type", text: func() string { return fmt.Sprintf("must be %s, but is %s", c.types, k) }}
	}
	if c.constant != nil && !equal(v, *c.constant, c.m) {
		return &failure{keyword: "const", text: func() string { return "must be " + show(*c.constant) }}
	}
	if c.enum != nil && !c.enum.has(v, c.m) {
		return &failure{keyword: "enum", text: c.enum.message}
	}
	switch v := v.(type) {
	case []any:
		if c.unique {
			return c.checkUnique(v)
		}
	case map[string]any:
		if c.names != nil {
			return c.checkNames(v)
		}
	case string:
		if c.format != nil {
			return c.checkFormat(v)
		}
	}
	return nil
}

// pay takes the steps off the meter that the library itself will need for v,
// those of the subschemas in it not counted: they pay for themselves.
func (c *check) pay(v any) {
	steps := c.m.each
	if c.dynamic {
		steps += c.m.scope
	}
	switch v := v.(type) {
	case map[string]any:
		steps += c.perObject + len(v)*c.perMember
	case []any:
		steps += len(v) * c.perMember
	case string:
		steps += len(v) / 128
	case json.Number:
		if c.bounds > 0 {
			steps += c.bounds + numberSteps(string(v))
		}
	default:
		steps += c.bounds
	}
	c.m.spend(steps)
}

// numberSteps is what it takes to make a fraction of a number: 1e400 has 1,329
// binary digits.
func numberSteps(text string) int {
	steps := 3 + len(text)/3
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		e, _ := strconv.Atoi(text[i+1:])
		steps += max(e, -e) / 8
	}
	return steps
}

// boundSteps is what it takes to compare a fraction with the bounds of s.
func boundSteps(s *jsonschema.Schema) int {
	steps := 0
	for _, bound := range []*big.Rat{s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf, s.MultipleOf} {
		if bound != nil {
			steps += 2 + (bound.Num().BitLen()+bound.Denom().BitLen())/128
		}
	}
	return steps
}

func (c *check) checkUnique(arr []any) error {
	i, j, dup := duplicates(arr, c.m)
	if !dup {
		return nil
	}
	return &failure{keyword: "uniqueItems", duplicates: []int{i, j}, text: func() string {
		return fmt.Sprintf("must not have equal items, but items %d and %d are", i, j)
	}}
}

// checkNames applies propertyNames. The library would do it, too, but reports
// the wrong place when it fails.
func (c *check) checkNames(obj map[string]any) error {
	for _, name := range sortedNames(obj, c.m) {
		if err := c.names.Validate(name); err != nil {
			return &failure{keyword: "propertyNames", text: func() string {
				return "has the name " + quote(name) + ", which " + mismatchOf(err).Violations[0].Message
			}}
		}
	}
	return nil
}

func (c *check) checkFormat(s string) error {
	c.m.spend(len(s) / 16)
	if c.format.Validate(s) != nil {
		return &failure{keyword: "format", text: func() string { return "is not a valid " + c.format.Name }}
	}
	return nil
}

// regexFormat is the format "regex": the text is of the data, so reading it
// costs steps.
func (c *check) regexFormat(valid func(string) bool) func(any) error {
	return func(v any) error {
		s := v.(string)
		c.m.spend(10 * readingCost(s[:min(len(s), maxPatternText)]))
		if !valid(s) {
			return errors.New("not a regular expression")
		}
		return nil
	}
}

// failure is what a check finds. Its text is made when somebody reads it: most
// failures are of alternatives that need not match.
type failure struct {
	keyword    string
	text       func() string
	duplicates []int // of uniqueItems
}

func (f *failure) Error() string { return f.text() }
