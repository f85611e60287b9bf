// Package osuser lends users of the operating system to processes that run code of
// strangers, each to one process at a time, on a host that is root.
//
// The users have no names and own nothing: they are numbers of a range that nobody
// else uses. A user that is lent is locked for all hosts of the machine, and none is
// lent as which a process runs.
package osuser

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/gofrs/flock"

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

// Users lends the users of a range.
type Users struct {
	r     Range
	locks string

	mu   sync.Mutex
	next int
	lent map[int]*flock.Flock
}

// Open returns who lends the users of a range. Error kinds: Invalid for the range;
// Unavailable where this process cannot run others as these users, which says why.
func Open(r Range) (_ *Users, err error) {
	defer errtypes.Wrap(&err, "osuser.Open")
	if err := r.Validate(); err != nil {
		return nil, err
	}
	r = r.withDefaults()
	if err := possible(r); err != nil {
		return nil, err
	}
	return &Users{r: r, locks: filepath.Join(os.TempDir(), "drover-users"), lent: map[int]*flock.Flock{}}, nil
}

// errAllTaken is that there is no user left.
var errAllTaken = errtypes.New(errtypes.Unavailable, "all users for processes are taken")

// Lend returns a user that nobody else runs as until it is given back. Error kind
// Unavailable.
func (u *Users) Lend() (uid uint32, giveBack func(), err error) {
	defer errtypes.Wrap(&err, "osuser.Lend")
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.makeLocks(); err != nil {
		return 0, nil, err
	}
	for range u.r.users() {
		n := u.r.First + u.next
		u.next = (u.next + 1) % u.r.users()
		if u.lent[n] != nil || runsAs(n) {
			continue
		}
		lock := flock.New(filepath.Join(u.locks, strconv.Itoa(n)), flock.SetPermissions(0o600))
		if ok, err := lock.TryLock(); err != nil || !ok {
			lock.Close()
			continue
		}
		u.lent[n] = lock
		return uint32(n), sync.OnceFunc(func() { u.giveBack(n) }), nil
	}
	return 0, nil, errAllTaken
}

func (u *Users) giveBack(n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lent[n].Close()
	delete(u.lent, n)
}

// makeLocks makes the directory with the locks, in which nobody but root can make
// any: it lies where everybody may.
func (u *Users) makeLocks() error {
	err := os.Mkdir(u.locks, 0o700)
	if err != nil && !errors.Is(err, os.ErrExist) {
		return errtypes.New(errtypes.Unavailable, "users for processes cannot be locked").WithCause(err)
	}
	info, err := os.Lstat(u.locks)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o022 != 0 || owner(info) != 0 {
		return errtypes.New(errtypes.Unavailable, "users for processes cannot be locked: %s is not a directory of root's alone", u.locks).WithCause(err)
	}
	return nil
}
