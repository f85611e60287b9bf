package osuser

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// maxEntries is how many entries of directories are looked at to find what users
// have left, and maxDepth how deep directories are gone into at once.
const (
	maxEntries = 1_000_000
	maxDepth   = 64
)

// A cleaning removes what users have left in one place. Others can change what is
// there meanwhile: nothing is reached by a path of more than one name, and no link is
// followed.
type cleaning struct {
	r      Range
	users  map[int]bool
	top    int // the place itself, and the device that it is on
	device uint64
	left   int // entries that may still be looked at
	raised int // directories that were moved to the top
}

// clean removes the files of users in places, their directories with all that is in
// them, and what they have left of the means by which processes talk to each other.
// None of the users may have a process.
func clean(r Range, users map[int]bool, places []string) error {
	errs := []error{removeIPC(users)}
	for _, place := range places {
		c := &cleaning{r: r, users: users, left: maxEntries}
		if err := c.place(place); err != nil && !errors.Is(err, unix.ENOENT) {
			errs = append(errs, fmt.Errorf("osuser: cleaning %s: %w", place, err))
		}
	}
	return errors.Join(errs...)
}

func (c *cleaning) place(place string) (err error) {
	if c.top, err = unix.Open(place, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err != nil {
		return err
	}
	defer unix.Close(c.top)
	var info unix.Stat_t
	if err := unix.Fstat(c.top, &info); err != nil {
		return err
	}
	c.device = info.Dev
	for {
		c.raised = 0
		if err := c.directory(unix.AT_FDCWD, place, 0, false); err != nil || c.raised == 0 {
			return err
		}
	}
}

// directory goes over what is in a directory. All of it goes where the directory
// itself does.
func (c *cleaning) directory(parent int, name string, depth int, all bool) error {
	flags := unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC
	if depth > 0 {
		flags |= unix.O_NOFOLLOW
	}
	fd, err := unix.Openat(parent, name, flags, 0)
	if err != nil {
		return gone(err)
	}
	dir := os.NewFile(uintptr(fd), name)
	defer dir.Close()
	var errs []error
	for {
		names, _ := dir.Readdirnames(1000) // what cannot be read keeps the directory from being removed
		if len(names) == 0 {
			return errors.Join(errs...)
		}
		for _, name := range names {
			if c.left--; c.left < 0 {
				return fmt.Errorf("there are more than %d files", maxEntries)
			}
			if err := c.entry(fd, name, depth, all); err != nil && len(errs) < 10 {
				errs = append(errs, err)
			}
		}
	}
}

func (c *cleaning) entry(parent int, name string, depth int, all bool) error {
	var info unix.Stat_t
	if err := unix.Fstatat(parent, name, &info, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return gone(err)
	}
	all = all || c.users[int(info.Uid)]
	isDir := info.Mode&unix.S_IFMT == unix.S_IFDIR
	switch {
	case !isDir && all:
		return gone(unix.Unlinkat(parent, name, 0))
	case !isDir || info.Dev != c.device || !all && !c.open(&info):
		return nil
	case all && depth >= maxDepth:
		return c.raise(parent, name)
	case depth >= maxDepth:
		return nil
	}
	if err := c.directory(parent, name, depth+1, all); err != nil || !all {
		return err
	}
	err := gone(unix.Unlinkat(parent, name, unix.AT_REMOVEDIR))
	if errors.Is(err, unix.ENOTEMPTY) && c.raised > 0 {
		return nil
	}
	return err
}

// open reports whether users may have come into a directory: it is open to
// everybody, or somebody's who can open it and close it again.
func (c *cleaning) open(info *unix.Stat_t) bool {
	uid, gid := int(info.Uid), int(info.Gid)
	return info.Mode&0o001 != 0 || uid >= c.r.First && uid < c.r.First+c.r.Count || c.r.HasGroup(gid)
}

// raise moves a directory to the top, from where it is removed in the next round:
// one in another without end would take a file of the host's for each.
func (c *cleaning) raise(parent int, name string) error {
	c.raised++
	return gone(unix.Renameat(parent, name, c.top, ".drover-left-"+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(c.left)))
}

// gone is nil where what the error is of is not there any more.
func gone(err error) error {
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) {
		return nil
	}
	return err
}
