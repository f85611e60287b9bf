// Package limit checks the numbers of options structs when the host starts. A
// limit below 0 would otherwise refuse everything, or nothing, long after.
//
// Each struct of limits has a method Validate that names its own fields, and
// whoever holds the struct puts the name of its field before them:
//
//	func (l Limits) Validate() error {
//		return limit.Check(limit.Of("MaxFile", l.MaxFile), limit.Of("MaxTime", l.MaxTime))
//	}
//
//	err := limit.Within("Options.Downloads", o.Downloads.Validate())
package limit

import (
	"errors"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// Value is a limit under the name of its field.
type Value struct {
	field    string
	shown    any // with its unit, if it has one
	negative bool
}

// Of is the limit n in the field of that name: a number, or a duration.
func Of[N ~int | ~int64](field string, n N) Value { return Value{field, n, n < 0} }

// Check returns an error for the first limit below 0. A field in which that has
// a meaning is not one to check. Error kind: Invalid, which names the field.
func Check(all ...Value) error {
	for _, v := range all {
		if v.negative {
			return errtypes.Field(v.field, "must not be below 0; it is %v", v.shown)
		}
	}
	return nil
}

// Within makes "Runs.MaxTask" of an error about "MaxTask", for the struct that
// is in the field Runs. Other errors, and nil, stay as they are.
func Within(field string, err error) error {
	e, ok := errors.AsType[*errtypes.Error](err)
	if !ok || e.Field == "" {
		return err
	}
	return errtypes.Field(field+"."+e.Field, "%s", strings.TrimPrefix(e.Message, e.Field+" "))
}
