package schema

import (
	"bytes"
	"cmp"
	"encoding/json"

	"github.com/drover-go/drover/errtypes"
)

// Keep checks a schema that is about to be stored and returns it without the
// white space between its parts; nil for nil. It must be an object: true and
// false, which are schemas too, are refused. Error kind Invalid.
func Keep(raw json.RawMessage, o Options) (json.RawMessage, error) {
	if raw == nil {
		return nil, nil
	}
	field := cmp.Or(o.Field, "schema")
	if !bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{")) {
		return nil, errtypes.Field(field, "must be an object")
	}
	if _, err := Compile(raw, o); err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return nil, errtypes.Field(field, "must be JSON").WithCause(err)
	}
	return compact.Bytes(), nil
}
