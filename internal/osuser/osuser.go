// Package osuser lends users of the operating system to processes that run code of
// strangers, each to one process at a time, on a host that is root.
//
// The users have no names and own nothing: they are numbers of a range that nobody
// else uses. A user that is lent is locked for all hosts of the machine, and none is
// lent as which a process runs.
package osuser

import (
	"cmp"

	"github.com/drover-go/drover/errtypes"
)

// Range is where the users, and groups, of a host are. The zero value stands for the
// default.
type Range struct {
	// First is the first number. Default 60706: on systems with systemd nobody has
	// those up to 61183.
	First int
	// Count is how many there are, at least 4. Default 478. The lower half are users,
	// the upper one groups.
	Count int
}

func (r Range) withDefaults() Range {
	return Range{cmp.Or(r.First, 60706), cmp.Or(r.Count, 478)}
}

// Validate refuses a range with root in it, one that is too small, and numbers that
// mean something else to the system. Error kind Invalid, which names the field.
func (r Range) Validate() error {
	r = r.withDefaults()
	switch {
	case r.First < 1 || r.First >= 1<<31:
		return errtypes.Field("First", "must be the number of a user that is not root")
	case r.Count < 4 || r.First+r.Count > 1<<31:
		return errtypes.Field("Count", "must be at least 4, and end below 2147483648")
	case r.First <= 65535 && r.First+r.Count > 65534: // the one that is nobody, and the one that is none
		return errtypes.Field("First", "must keep 65534 and 65535 out of the range")
	}
	return nil
}

func (r Range) users() int { return r.Count / 2 }

// HasGroup reports whether a group is one of the range.
func (r Range) HasGroup(gid int) bool {
	r = r.withDefaults()
	return gid >= r.First+r.users() && gid < r.First+r.Count
}

// Groups returns the numbers of all groups.
func (r Range) Groups() (all []int) {
	r = r.withDefaults()
	for gid := r.First + r.users(); gid < r.First+r.Count; gid++ {
		all = append(all, gid)
	}
	return all
}
