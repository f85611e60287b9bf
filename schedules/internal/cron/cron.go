// Package cron says when a cron expression is due: five fields (minute, hour, day of the
// month, month, day of the week), six with seconds before them, or a shortcut.
//
// An expression is evaluated by local dates of a zone. Where clocks are put forward, a
// time that is left out moves forward by as much as the clocks do; where they are put
// back, a time that comes twice is due at its first occurrence; what coincides is due
// once. An expression for all hours is due at every real instant that reads as it says
// (DECISIONS 31).
package cron

import (
	"fmt"
	"strings"
	"time"
)

// Expression is a parsed one.
type Expression struct {
	// The sets have a bit for each value.
	seconds, minutes, hours, days, months, weekdays uint64
	// anyDay and anyWeekday are fields that say nothing. Where neither does, a date is
	// due that one of them names.
	anyDay, anyWeekday bool
	// lastDay is whether the last day of the month is one.
	lastDay bool
	// nth are sets of weekdays by which of the month is meant, 1 to 5; 0 is the last.
	nth [6]uint64
	// Shortcut is how often a shortcut is due; empty for expressions in fields.
	Shortcut Shortcut
}

// Shortcut is a name for an expression.
type Shortcut string

// The shortcuts, in lower case only.
const (
	Hourly  Shortcut = "@hourly"
	Daily   Shortcut = "@daily"
	Weekly  Shortcut = "@weekly"
	Monthly Shortcut = "@monthly"
	Yearly  Shortcut = "@yearly"
)

var shortcuts = map[string]struct {
	name   Shortcut
	fields string
}{
	"@hourly": {Hourly, "0 * * * *"}, "@daily": {Daily, "0 0 * * *"}, "@weekly": {Weekly, "0 0 * * 0"},
	"@monthly": {Monthly, "0 0 1 * *"}, "@yearly": {Yearly, "0 0 1 1 *"}, "@annually": {Yearly, "0 0 1 1 *"},
}

// MaxLength is how long an expression may be, in bytes.
const MaxLength = 100

// Parse reads an expression. An error names the field, what it has, and what it may have.
func Parse(s string) (Expression, error) {
	if len(s) > MaxLength {
		return Expression{}, fmt.Errorf("an expression has at most %d characters", MaxLength)
	}
	text := strings.TrimSpace(s)
	if strings.HasPrefix(text, "@") {
		return parseShortcut(text)
	}
	return parseFields(strings.Fields(text))
}

func parseShortcut(s string) (Expression, error) {
	short, ok := shortcuts[s]
	if !ok {
		return Expression{}, fmt.Errorf("%q is no shortcut: @hourly, @daily, @weekly, @monthly and @yearly are", s)
	}
	e, err := parseFields(strings.Fields(short.fields))
	e.Shortcut = short.name
	return e, err
}

func parseFields(fields []string) (Expression, error) {
	switch len(fields) {
	case 5:
		fields = append([]string{"0"}, fields...)
	case 6:
	default:
		return Expression{}, fmt.Errorf("an expression has five fields, or six with seconds; this one has %d", len(fields))
	}
	var e Expression
	for i, f := range layout {
		if err := f.parse(&e, fields[i]); err != nil {
			return Expression{}, err
		}
	}
	if _, ok := e.nextLocal(civil(2000, time.January, 1), civil(2000+horizon, time.January, 1)); !ok {
		return Expression{}, fmt.Errorf("no date has this day and month")
	}
	return e, nil
}

// everyHour is whether all hours are meant.
func (e Expression) everyHour() bool { return e.hours == span(0, 23) }
