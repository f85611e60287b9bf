package drover

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/drover-go/drover/internal/schema"
)

// SchemaFor returns the JSON Schema of T, for the ResultSchema of a run and the
// Schema of a fetch. Fields are named by their json tags and described by their
// jsonschema tags; a field with omitempty or omitzero is optional, all others
// are required: what is required and not found is reported as unsatisfied. It panics if T has no schema, as a
// function, a channel and a type that contains itself have none: the types of
// a program are known when it is written.
func SchemaFor[T any]() json.RawMessage {
	raw, err := schema.For[T]()
	if err != nil {
		panic(fmt.Sprintf("drover.SchemaFor[%v]: %v", reflect.TypeFor[T](), err))
	}
	return raw
}
