package records

import (
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/schema"
)

// How many items are told that do not match, and how many errors of each.
const maxInvalid, maxItemErrors = 100, 100

// checker holds items against the schema of their dataset. One of none accepts
// all.
type checker struct {
	schema     *schema.Schema
	violations violations
	invalid    InvalidItems
}

// checker is the one of a dataset. Schemas are not for named ones.
func (s *service) checker(st row) (*checker, error) {
	fields := schemaOf(st.Schema).Fields
	if st.Name != "" || fields == nil {
		return &checker{}, nil
	}
	compiled, err := s.schemas.Compile("schema.fields", fields)
	return &checker{schema: compiled, violations: violations{schema: fields}}, err
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
			bad.Errors = c.violations.addTo(bad.Errors, v)
		}
	} else {
		bad.Errors = []ItemError{{SchemaPath: "/items", Params: map[string]any{}, Message: errtypes.Public(err).Message}}
	}
	c.invalid.Items = append(c.invalid.Items, bad)
	return nil
}

// result is the error of all items.
func (c *checker) result() error {
	if len(c.invalid.Items) == 0 {
		return nil
	}
	return errtypes.OfType(errtypes.TypeSchemaValidationError, "Schema validation failed").WithCause(&c.invalid)
}
