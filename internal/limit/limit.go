// Package limit checks the numbers of options structs when the host starts. A
// limit below 0 would otherwise refuse everything, or nothing, long after.
//
// Each struct of limits has a method Validate that names its own fields, and
// whoever holds the struct puts the name of its field before them:
//
//	func (l *Limits) values() []limit.Value {
//		return []limit.Value{limit.Or("MaxFile", &l.MaxFile, 1<<20), limit.Or("MaxTime", &l.MaxTime, time.Minute)}
//	}
//
//	func (l Limits) Validate() error { return limit.Check(l.values()...) }
//
//	err := limit.Within("Options.Downloads", o.Downloads.Validate())
package limit

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// Value is a limit under the name of its field.
type Value struct {
	field    string
	shown    any // with its unit, if it has one
	negative bool
	fill     func() // sets its default; nil for one of Of
}

// Of is the limit n in the field of that name: a number, or a duration.
func Of[N ~int | ~int64](field string, n N) Value {
	return Value{field: field, shown: n, negative: n < 0}
}

// Or is the limit in a field that has a default.
func Or[N ~int | ~int64](field string, at *N, otherwise N) Value {
	v := Of(field, *at)
	v.fill = func() { *at = cmp.Or(*at, otherwise) }
	return v
}

// Signed is the limit where below 0 has a meaning, too.
func (v Value) Signed() Value {
	v.negative = false
	return v
}

// Fill sets the fields that are 0 to their defaults.
func Fill(all ...Value) {
	for _, v := range all {
		if v.fill != nil {
			v.fill()
		}
	}
}

// Required returns an error for a field that is missing, by its name. Error kind:
// Invalid.
func Required(missing map[string]bool) error {
	for _, field := range slices.Sorted(maps.Keys(missing)) {
		if missing[field] {
			return errtypes.Field("Config."+field, "is required")
		}
	}
	return nil
}

// Check returns an error for the first limit below 0. Error kind: Invalid, which
// names the field.
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
