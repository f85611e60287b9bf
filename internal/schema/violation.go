package schema

import (
	"fmt"
	"strings"
)

// Violation is one thing about a value that its schema does not accept.
type Violation struct {
	// Instance is the JSON Pointer (RFC 6901) of what is wrong in the value.
	Instance string
	// Keyword is the JSON Pointer of the keyword in the schema; the absolute
	// location where it is of a metaschema.
	Keyword string
	// Message says what is wrong, in words that follow the name of the thing:
	// "must be string, but is number".
	Message string
	// Missing are the names of properties that must be there and are not, if
	// that is what is wrong.
	Missing []string
	// Extra are the names of properties that must not be there and are, if that is what
	// is wrong.
	Extra []string
	// Duplicates are the indexes of two items that are equal and must not be, if that is
	// what is wrong.
	Duplicates []int
}

// String is the violation as a sentence: "/items/0/price must be …".
func (v Violation) String() string {
	if v.Instance == "" {
		return "it " + v.Message
	}
	return shortPointer(v.Instance) + " " + v.Message
}

// Mismatch is all that is wrong with a value. It is the cause of the error
// that [Schema.Validate] returns.
type Mismatch struct {
	// Violations are ordered by their place in the value: the first 100.
	Violations []Violation
	// More is how many there are beyond those.
	More int
}

// shownViolations is how many violations the text of a mismatch has.
const shownViolations = 5

// Text lists the first five violations.
func (m *Mismatch) Text() string {
	var list []string
	for _, v := range m.Violations[:min(len(m.Violations), shownViolations)] {
		list = append(list, v.String())
	}
	text := strings.Join(list, "; ")
	if more := len(m.Violations) - len(list) + m.More; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

// Error counts the violations: the error it is the cause of has their text.
func (m *Mismatch) Error() string {
	if n := len(m.Violations) + m.More; n > 1 {
		return fmt.Sprintf("%d violations", n)
	}
	return "1 violation"
}
