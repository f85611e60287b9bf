package request

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// Flag is Bool for callers who may also write 1 and 0.
func (q *Query) Flag(name string) bool {
	on := q.OptionalFlag(name)
	return on != nil && *on
}

// OptionalFlag is Flag, nil when it is not there.
func (q *Query) OptionalFlag(name string) *bool {
	s := q.OneOf(name, "true", "false", "1", "0")
	if s == "" {
		return nil
	}
	return new(s == "true" || s == "1")
}

// List returns the texts that stand in one parameter with commas between them,
// without the space around them and without empty ones; nil when there are none.
// If any are allowed, it takes no others.
func (q *Query) List(name string, allowed ...string) (all []string) {
	for s := range strings.SplitSeq(q.String(name), ",") {
		s = strings.TrimSpace(s)
		if s != "" && len(allowed) > 0 && !slices.Contains(allowed, s) {
			q.fail(errtypes.Field(name, "must have none but %s, with commas between them", strings.Join(allowed, ", ")))
			return nil
		}
		if s != "" {
			all = append(all, s)
		}
	}
	return all
}
