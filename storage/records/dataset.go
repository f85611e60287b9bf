package records

import (
	"encoding/json"
	"fmt"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/records/internal/items"
)

// ItemsQuery selects items of a dataset and says what becomes of them, in the order
// of its fields. A record is what becomes of an item; an item may become several,
// or none.
type ItemsQuery struct {
	// Offset and Limit are the page, counted in items as they were pushed. A
	// Limit of 0 has none. Default all.
	Offset, Limit int64
	// Desc turns the order of items around; records of one item keep theirs.
	// Default false.
	Desc bool
	// SkipFailedPages leaves out items with an errorInfo. Default false.
	SkipFailedPages bool
	// Unwind are fields, one after the other: of an array comes a record for each
	// element, of an object one; members of objects take the place of the field.
	// Default none.
	Unwind []string
	// Flatten are fields whose objects become fields with names such as "a.b".
	// Default none.
	Flatten []string
	// Fields are picked, in this order; what was unwound goes by the name of its
	// field, too. Default all.
	Fields []string
	// OutputFields are the new names of Fields, as many. Default the same.
	OutputFields []string
	// Omit are left out, whatever Fields says. Default none.
	Omit []string
	// SkipHidden leaves out fields whose name begins with "#". SkipEmpty leaves
	// out records without fields. Clean is both. Default false.
	SkipHidden, SkipEmpty, Clean bool
	// Simplified is the form of old crawlers: Fields url, pageFunctionResult and
	// errorInfo, with pageFunctionResult unwound, unless something else is asked
	// for. Default false.
	Simplified bool
	// View is one of the views of the dataset's schema, which says what is not
	// asked for otherwise. Default none.
	View string
}

// maxNames is how many names each list of a query may have.
const maxNames = 2000

func (q ItemsQuery) check() error {
	switch {
	case q.Offset < 0:
		return errtypes.Field("offset", "must not be below 0")
	case q.Limit < 0:
		return errtypes.Field("limit", "must not be below 0")
	case len(q.OutputFields) > 0 && len(q.OutputFields) != len(q.Fields):
		return errtypes.Field("outputFields", "must have as many names as fields, which has %d, not %d", len(q.Fields), len(q.OutputFields))
	}
	for field, names := range map[string][]string{"unwind": q.Unwind, "flatten": q.Flatten, "fields": q.Fields, "omit": q.Omit} {
		if len(names) > maxNames {
			return errtypes.Field(field, "must have at most %d names", maxNames)
		}
	}
	return nil
}

// view is a view of a schema: what it says of how items are shown.
type view struct {
	Transformation struct {
		Fields, Unwind, Flatten, Omit []string
		Limit                         int64
		Desc                          bool
	}
}

// with is the query with what a view and the old form say.
func (q ItemsQuery) with(views map[string]view) (ItemsQuery, error) {
	if q.View != "" {
		v, ok := views[q.View]
		if !ok {
			return q, errtypes.OfType(errtypes.TypeRequestedDatasetViewDoesNotExist, "the dataset has no view %.100q", q.View)
		}
		t := v.Transformation
		q.Fields, q.Unwind, q.Flatten, q.Omit = or(q.Fields, t.Fields), or(q.Unwind, t.Unwind), or(q.Flatten, t.Flatten), or(q.Omit, t.Omit)
		if q.Desc = q.Desc || t.Desc; q.Limit == 0 {
			q.Limit = max(0, t.Limit)
		}
	}
	if q.Simplified {
		q.Fields, q.Unwind = or(q.Fields, []string{"url", "pageFunctionResult", "errorInfo"}), or(q.Unwind, []string{"pageFunctionResult"})
	}
	return q, q.check()
}

func or(names, otherwise []string) []string {
	if len(names) > 0 {
		return names
	}
	return otherwise
}

// transform is what the query does with each item.
func (q ItemsQuery) transform() items.Transform {
	t := items.Transform{
		SkipFailed: q.SkipFailedPages, Unwind: q.Unwind, Flatten: q.Flatten, Omit: q.Omit,
		SkipHidden: q.SkipHidden || q.Clean, SkipEmpty: q.SkipEmpty || q.Clean,
	}
	if len(q.Fields) > 0 {
		t.Fields = q.Fields
	}
	if len(q.OutputFields) > 0 {
		t.Output = q.OutputFields
	}
	return t
}

// InvalidItem is an item that the schema of a dataset does not accept.
type InvalidItem struct {
	// Position of the item in what was pushed, from 0 up.
	Position int
	// Errors are what is wrong with it, at most 100.
	Errors []ItemError
}

// ItemError is one thing that is wrong with an item.
type ItemError struct {
	// InstancePath is a JSON Pointer to what is wrong in the item.
	InstancePath string
	// SchemaPath is a JSON Pointer to the keyword, in a schema of an array of
	// items: "/items/properties/f/type".
	SchemaPath string
	// Keyword is the last part of SchemaPath.
	Keyword string
	// Params are what the keyword is about, such as missingProperty; never nil.
	Params map[string]any
	// Message says what is wrong.
	Message string
}

// InvalidItems is the cause of the error of a push whose items do not match the
// schema.
type InvalidItems struct {
	// Items, the first 100.
	Items []InvalidItem
}

// Error says how many there are.
func (e *InvalidItems) Error() string { return fmt.Sprintf("%d items do not match", len(e.Items)) }

// FieldStatistics is what the values of a field come to: of numbers their value, of
// strings, arrays and objects their length.
type FieldStatistics struct {
	// Min and Max are nil where no value has either.
	Min, Max *float64
	// Nulls and Empties count null, and strings, arrays and objects of no length.
	Nulls, Empties int64
}

// datasetSchema is what is understood of the schema of a dataset.
type datasetSchema struct {
	Fields json.RawMessage
	Views  map[string]view
}

// schemaOf reads a schema. What it does not understand it leaves out.
func schemaOf(raw json.RawMessage) (s datasetSchema) {
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return datasetSchema{}
	}
	if string(s.Fields) == "null" || string(s.Fields) == "{}" {
		s.Fields = nil
	}
	return s
}
