package fetch

import (
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// Decode returns the content of an answer in format JSON as a T, whose schema
// the fetch had (drover.SchemaFor). Error kinds: Invalid for an answer in another
// format and for a content that is no T. Conflict where the page does not say
// what the schema requires: the error names it, and what the page says is
// returned besides.
func Decode[T any](a *Answer) (T, error) {
	var v T
	if a.Format != JSON {
		return v, errtypes.New(errtypes.Invalid, "the page is in format %q: only one that was fetched in format %q can be decoded", a.Format, JSON)
	}
	if err := json.Unmarshal([]byte(a.Content), &v); err != nil {
		return v, errtypes.New(errtypes.Invalid, "the content of the page is no %T", v).WithCause(err)
	}
	if len(a.Unsatisfied) > 0 {
		return v, errtypes.New(errtypes.Conflict, "the page does not say what the schema requires: %s", strings.Join(a.Unsatisfied, ", "))
	}
	return v, nil
}
