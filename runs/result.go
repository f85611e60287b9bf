package runs

import (
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

func decodeResult[T any](r Run) (T, error) {
	var v T
	switch {
	case r.Status != Completed:
		return v, errtypes.New(errtypes.Conflict, "run %s has no result: it is %s%s", r.ID, r.Status, r.Cause.suffix())
	case len(r.Result) == 0:
		return v, errtypes.New(errtypes.Conflict, "run %s completed without a result", r.ID)
	}
	if err := json.Unmarshal(r.Result, &v); err != nil {
		return v, errtypes.New(errtypes.Invalid, "the result of run %s is not a %T", r.ID, v).WithCause(err)
	}
	return v, nil
}

func decodeExtracted[T any](e Extracted) (T, error) {
	var v T
	if err := json.Unmarshal(e.Result, &v); err != nil {
		return v, errtypes.New(errtypes.Invalid, "what was extracted is not a %T", v).WithCause(err)
	}
	if len(e.Unsatisfied) > 0 {
		return v, errtypes.New(errtypes.Conflict, "the page does not say what the schema requires: %s", strings.Join(e.Unsatisfied, ", "))
	}
	return v, nil
}

// suffix is the cause in words behind a status; empty without one.
func (c *Cause) suffix() string {
	if c == nil {
		return ""
	}
	return " (" + c.Code + ": " + c.Message + ")"
}
