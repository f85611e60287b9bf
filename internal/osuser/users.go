package osuser

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/drover-go/drover/errtypes"
)

// Users lends the users of a range.
type Users struct {
	r      Range
	locks  string
	places []string // where everybody may make files

	sweeping sync.Mutex // one removes what users have left, for all who wait

	mu    sync.Mutex
	lent  map[int]*flock.Flock
	given map[int]bool // of them, those that are given back and not clean yet
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
	return &Users{
		r: r, locks: filepath.Join(os.TempDir(), "drover-users"), places: openPlaces(), lent: map[int]*flock.Flock{}, given: map[int]bool{},
	}, nil
}

// openPlaces are where everybody may make files, on common systems.
func openPlaces() []string {
	places := []string{"/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock", "/var/crash"}
	if temp := filepath.Clean(os.TempDir()); !slices.Contains(places, temp) {
		places = append(places, temp)
	}
	return places
}

// errAllTaken is that there is no user left.
var errAllTaken = errtypes.New(errtypes.Unavailable, "all users for processes are taken")

// Lend returns a user that nobody else runs as until it is given back, and of whom
// nothing is left: the one that was not used for longest. Giving back waits until
// what the user has left is removed. Error kind Unavailable.
func (u *Users) Lend() (uid uint32, giveBack func(), err error) {
	defer errtypes.Wrap(&err, "osuser.Lend")
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.makeLocks(); err != nil {
		return 0, nil, err
	}
	free, busy := u.byAge(), running()
	free = slices.DeleteFunc(free, func(c candidate) bool { return u.lent[c.uid] != nil || busy[c.uid] })
	for i, c := range free {
		if err := u.take(c, free[i+1:]); err != nil {
			if !errors.Is(err, errLocked) {
				return 0, nil, err
			}
			continue
		}
		return uint32(c.uid), sync.OnceFunc(func() { u.giveBack(c.uid) }), nil
	}
	return 0, nil, errAllTaken
}

// A candidate is a user that may be lent.
type candidate struct {
	uid  int
	used time.Time // when it was last; zero for never
}

// byAge lists all users, those first that were not used for longest.
func (u *Users) byAge() (all []candidate) {
	used := map[string]time.Time{}
	entries, _ := os.ReadDir(u.locks) // what is not listed has not been used
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			used[e.Name()] = info.ModTime()
		}
	}
	for n := u.r.First; n < u.r.First+u.r.users(); n++ {
		all = append(all, candidate{n, used[strconv.Itoa(n)]})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.used.Compare(b.used) })
	return all
}

// errLocked is that another host has a user.
var errLocked = errors.New("osuser: locked")

func (u *Users) lockFile(uid int) string { return filepath.Join(u.locks, strconv.Itoa(uid)) }

func (u *Users) lock(uid int) (*flock.Flock, error) {
	lock := flock.New(u.lockFile(uid), flock.SetPermissions(0o600))
	if ok, err := lock.TryLock(); err != nil || !ok {
		lock.Close()
		return nil, cmp.Or(err, errLocked)
	}
	return lock, nil
}

// take locks a user and notes that it is used. One of which it is not known that it
// is clean is made so, and with it some of the next. The lock is held.
func (u *Users) take(c candidate, next []candidate) error {
	lock, err := u.lock(c.uid)
	if err != nil {
		return err
	}
	if !u.isClean(c.uid) {
		err = u.cleanTogether(c, next)
	}
	if err == nil {
		err = os.Truncate(u.lockFile(c.uid), 0)
	}
	if err != nil {
		lock.Close()
		return errtypes.New(errtypes.Unavailable, "what was left by the user %d cannot be removed", c.uid).WithCause(err)
	}
	u.lent[c.uid] = lock
	return nil
}

// together is how many users are made clean in one go: finding what is left takes as
// long for many as for one.
const together = 32

// cleanTogether removes what a user, which is locked, and others have left.
func (u *Users) cleanTogether(c candidate, next []candidate) error {
	users := map[int]bool{c.uid: true}
	for _, other := range next[:min(len(next), together-1)] {
		lock, err := u.lock(other.uid)
		if err != nil {
			continue
		}
		defer lock.Close()
		if !u.isClean(other.uid) {
			users[other.uid] = true
		}
	}
	if err := clean(u.r, users, u.places); err != nil {
		return err
	}
	for _, other := range next {
		if users[other.uid] {
			if err := u.setClean(other.uid, other.used); err != nil {
				return err
			}
		}
	}
	return nil
}

// cleanMark is what stands in the lock of a user that has left nothing.
const cleanMark = "clean"

func (u *Users) isClean(uid int) bool {
	text, err := os.ReadFile(u.lockFile(uid))
	return err == nil && string(text) == cleanMark
}

// setClean notes that nothing is left of a user, which is locked.
func (u *Users) setClean(uid int, used time.Time) error {
	if used.IsZero() {
		used = time.Unix(0, 0)
	}
	if err := os.WriteFile(u.lockFile(uid), []byte(cleanMark), 0o600); err != nil {
		return err
	}
	return os.Chtimes(u.lockFile(uid), used, used)
}

// giveBack removes what a user has left, with that of others who come meanwhile. What
// cannot be removed keeps the user from being lent until it can.
func (u *Users) giveBack(uid int) {
	u.mu.Lock()
	u.given[uid] = true
	u.mu.Unlock()
	u.sweeping.Lock()
	defer u.sweeping.Unlock()
	users := u.takeGiven()
	if len(users) == 0 { // another has done it
		return
	}
	err, busy := clean(u.r, users, u.places), running()
	u.mu.Lock()
	defer u.mu.Unlock()
	for n := range users {
		if err == nil && !busy[n] {
			_ = u.setClean(n, time.Now()) // else it is made clean before it is lent
		}
		u.lent[n].Close()
		delete(u.lent, n)
	}
}

func (u *Users) takeGiven() map[int]bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	given := u.given
	u.given = map[int]bool{}
	return given
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
