package records

import (
	"errors"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/schema"
)

// maxInvalid is how many items are told that do not match.
const maxInvalid = 100

// checker holds items against the schema of their dataset. One of none accepts
// all.
type checker struct {
	schema  *schema.Schema
	invalid InvalidItems
}

// checker is the one of a dataset. Schemas are not for named ones.
func (s *service) checker(st row) (*checker, error) {
	fields := schemaOf(st.Schema).Fields
	if st.Name != "" || fields == nil {
		return &checker{}, nil
	}
	compiled, err := s.schemas.Compile("schema.fields", fields)
	return &checker{schema: compiled}, err
}

// check looks at an item. Its error is of a fault, and not of the item.
func (c *checker) check(position int, item []byte) error {
	if c.schema == nil || len(c.invalid.Items) >= maxInvalid {
		return nil
	}
	_, err := c.schema.ValidateJSON(item)
	if err == nil {
		return nil
	}
	if !errtypes.Is(err, errtypes.Invalid) {
		return err
	}
	bad := InvalidItem{Position: position}
	if m, ok := errors.AsType[*schema.Mismatch](err); ok {
		for _, v := range m.Violations {
			bad.Errors = append(bad.Errors, itemErrors(v)...)
		}
	} else {
		bad.Errors = []ItemError{{SchemaPath: "/items", Params: map[string]any{}, Message: errtypes.Public(err).Message}}
	}
	c.invalid.Items = append(c.invalid.Items, bad)
	return nil
}

// itemErrors tells a violation; one of each property that is missing.
func itemErrors(v schema.Violation) []ItemError {
	e := ItemError{
		InstancePath: v.Instance, SchemaPath: "/items" + v.Keyword, Keyword: v.Keyword[strings.LastIndexByte(v.Keyword, '/')+1:],
		Params: map[string]any{}, Message: v.Message,
	}
	if len(v.Missing) == 0 {
		return []ItemError{e}
	}
	var all []ItemError
	for _, name := range v.Missing {
		e.Params = map[string]any{"missingProperty": name}
		all = append(all, e)
	}
	return all
}

// result is the error of all items.
func (c *checker) result() error {
	if len(c.invalid.Items) == 0 {
		return nil
	}
	return errtypes.OfType(errtypes.TypeSchemaValidationError, "Schema validation failed").WithCause(&c.invalid)
}
