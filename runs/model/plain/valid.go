package plain

import (
	"encoding/json"

	"github.com/drover-go/drover/internal/schema"
)

// valid reports whether a single value is what its schema allows. One that is
// optional is left out if not: the run need not fail for it. Objects and lists
// are for the whole schema to judge.
func (f *filler) valid(raw json.RawMessage, v any) bool {
	switch v.(type) {
	case string, json.Number, bool:
	default:
		return true
	}
	check, known := f.checks[string(raw)]
	if !known {
		check = f.compile(raw)
		f.checks[string(raw)] = check
	}
	if check == nil {
		return true
	}
	_, err := check.ValidateJSON(encode(v))
	return err == nil
}

// compile returns nil for a schema that means nothing without what is around it.
func (f *filler) compile(raw json.RawMessage) *schema.Schema {
	var part, root map[string]json.RawMessage
	if json.Unmarshal(raw, &part) != nil || json.Unmarshal(f.schema, &root) != nil || part == nil {
		return nil
	}
	for _, shared := range []string{"$defs", "definitions", "$schema"} {
		if _, own := part[shared]; !own && root[shared] != nil {
			part[shared] = root[shared]
		}
	}
	check, err := schema.Compile(encode(part), schema.Options{AssertFormat: true})
	if err != nil {
		return nil
	}
	return check
}
