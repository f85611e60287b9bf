package functions

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/nodejs"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/osuser"
)

// Isolation says as whom published programs are built and run. The zero value runs
// each process as a user of its own where the host is root and the system is Linux:
// it cannot read the files, the environment and the memory of the host and of other
// programs. Elsewhere programs are as trusted as the host is: see docs/security.md.
type Isolation struct {
	// Off runs programs as the host's user all the same. Default false.
	Off bool
	// Required refuses to publish and to run programs where they cannot have users
	// of their own. Default false: there they run as the host's, and the log says so.
	Required bool
	// FirstUser is the first of the numbers of users and groups that nobody else on
	// the machine uses, and Users how many there are, half of them for users. Two
	// hosts on a machine that keep programs need numbers of their own. Default 60706
	// and 478.
	FirstUser, Users int
	// Sandbox is a command in front of every process of a program and of a build, such
	// as bwrap with its arguments; the first word is an absolute path. {dir} in it is
	// where the process starts, {home} its own directory for temporary files. Default
	// none.
	Sandbox []string
}

func (i Isolation) numbers() osuser.Range { return osuser.Range{First: i.FirstUser, Count: i.Users} }

// Validate refuses numbers that are out of range, and a sandbox that is none. Error
// kind Invalid, which names the field.
func (i Isolation) Validate() error {
	if len(i.Sandbox) > 0 && !filepath.IsAbs(i.Sandbox[0]) {
		return errtypes.Field("Sandbox", "must begin with the absolute path of a program")
	}
	if i.Off && i.Required {
		return errtypes.Field("Required", "cannot be had together with Off")
	}
	return cmp.Or(limit.Check(limit.Of("FirstUser", i.FirstUser), limit.Of("Users", i.Users)), i.numbers().Validate())
}

// isolation lends users to processes of programs.
type isolation struct {
	conf      Isolation
	dir, home string // of all programs, which is known when they are begun, and of the host
	// users is nil where they run as the host's; why says so.
	users *osuser.Users
	why   error

	children *child.Manager
	wayMade  func() error // for processes to what they need
	mu       sync.Mutex   // who gives groups to programs
	warned   func()       // says once that programs run as the host's user
}

// errOff is why programs run as the host's user.
var errOff = errtypes.New(errtypes.Unavailable, "it is switched off")

// openIsolation finds out whether processes can have users of their own. tools are
// programs that they need. Error kind Unavailable where they must have them and
// cannot.
func openIsolation(c ProgramsConfig, tools ...string) (i *isolation, err error) {
	i = &isolation{conf: c.Isolation, home: c.Home, children: c.Children}
	i.wayMade = sync.OnceValue(i.makeWay)
	i.warned = sync.OnceFunc(func() {
		c.Logger.Warn("functions: published programs run as the user of this process, and can read what it can", "why", errtypes.Public(i.why).Message)
	})
	if i.conf.Off {
		i.why = errOff
		return i, nil
	}
	if i.users, err = osuser.Open(i.conf.numbers()); err != nil {
		i.why = err
		if i.conf.Required {
			return nil, errtypes.New(errtypes.Unavailable, "programs cannot be run as users of their own: %s", errtypes.Public(err).Message).WithCause(err)
		}
		return i, nil
	}
	return i, reachable(tools...)
}

// reachable returns an error of kind Unavailable where other users cannot reach one of
// the paths. An empty one is none.
func reachable(paths ...string) error {
	var errs []error
	for _, path := range paths {
		if path != "" {
			errs = append(errs, osuser.Reachable(path))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return errtypes.New(errtypes.Unavailable, "programs cannot be run as users of their own, as they are where the host is root: %v", err).WithCause(err)
	}
	return nil
}

// ReachesPrograms reports whether processes that run programs can reach what lies in
// a directory of the host's, once the host lets them through that itself.
func ReachesPrograms(i Isolation, dir string) bool {
	if i.Off {
		return true
	}
	if _, err := osuser.Open(i.numbers()); err != nil {
		return true // they are the host's user
	}
	return osuser.Reachable(dir) == nil
}

// makeWay makes the directories that processes come through, which they cannot list.
func (i *isolation) makeWay() error {
	if i.home != "" {
		if err := osuser.LetThrough(i.home); err != nil {
			return err
		}
	}
	for _, dir := range []string{"", builtDir, dependenciesDir, newDir} {
		dir = filepath.Join(i.dir, dir)
		if err := os.MkdirAll(dir, 0o711); err != nil {
			return err
		}
		if err := os.Chmod(dir, 0o711); err != nil {
			return err
		}
	}
	children, err := i.children.Dir()
	if err != nil {
		return err
	}
	return reachable(filepath.Join(i.dir, builtDir), children)
}

// HowIsolated says as whom programs would run on this machine, for a person, and
// returns an error of kind Unavailable where they could not.
func HowIsolated(o ProgramOptions) (string, error) {
	tools, err := nodejs.Find(nodejs.Tools{Node: o.Node, Npm: o.Npm, Pnpm: o.Pnpm})
	if err != nil {
		return "", err
	}
	i, err := openIsolation(ProgramsConfig{ProgramOptions: o}, tools.Node, tools.Npm, tools.Pnpm)
	switch {
	case err != nil:
		return "", err
	case i.users != nil:
		return "each process has a user of its own", nil
	}
	said := "programs run as the user of the host, and can read what it can (" + errtypes.Public(i.why).Message + ")"
	if len(o.Isolation.Sandbox) > 0 {
		said += "; in front of them stands " + o.Isolation.Sandbox[0]
	}
	return said, nil
}

// lend returns a user of a process's own.
func (i *isolation) lend() (*child.User, func(), error) {
	if err := i.wayMade(); err != nil {
		return nil, nil, err
	}
	uid, giveBack, err := i.users.Lend()
	if err != nil {
		return nil, nil, err
	}
	return &child.User{UID: uid, GID: uid, Exclusive: true}, giveBack, nil
}

// toRun returns the user of a process that runs the program in a directory, which
// only its processes can read from then on.
func (i *isolation) toRun(dir string) (*child.User, func(), error) {
	if i.users == nil {
		i.warned()
		return nil, func() {}, nil
	}
	gid, err := i.groupFor(dir)
	if err != nil {
		return nil, nil, err
	}
	user, giveBack, err := i.lend()
	if err == nil {
		user.Groups = []uint32{uint32(gid)}
	}
	return user, giveBack, err
}

// toBuild returns the user of a process that builds in a directory, which is that
// user's until it is given back.
func (i *isolation) toBuild(dir string) (*child.User, func() error, error) {
	if i.users == nil {
		i.warned()
		return nil, func() error { return nil }, nil
	}
	user, giveBack, err := i.lend()
	if err != nil {
		return nil, nil, err
	}
	takeBack := func() error {
		defer giveBack()
		return osuser.TakeBack(dir, user.UID)
	}
	if err := osuser.Give(dir, user.UID); err != nil {
		return nil, nil, errors.Join(err, takeBack())
	}
	return user, takeBack, nil
}

// hide closes a program that was made until it is run.
func (i *isolation) hide(dir string) error {
	if i.users == nil {
		return nil
	}
	return os.Chmod(dir, 0o700)
}

// groupFor returns the group that a program is shared with, and gives it one where it
// has none yet: one that no other program has.
func (i *isolation) groupFor(dir string) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	gid, err := osuser.GroupOf(dir)
	if err != nil || i.conf.numbers().HasGroup(gid) {
		return gid, err
	}
	lock, err := lockFile(filepath.Join(i.dir, "groups.lock"))
	if err != nil {
		return 0, err
	}
	defer lock.Close()
	taken, err := i.takenGroups()
	if err != nil {
		return 0, err
	}
	for _, gid := range i.conf.numbers().Groups() {
		if !taken[gid] {
			return gid, osuser.Share(dir, gid)
		}
	}
	return 0, errtypes.New(errtypes.Unavailable, "all %d groups for programs are taken: Isolation.Users must be more than twice MaxPrograms", len(taken))
}

func (i *isolation) takenGroups() (map[int]bool, error) {
	taken := map[int]bool{}
	entries, err := os.ReadDir(filepath.Join(i.dir, builtDir))
	for _, e := range entries {
		if gid, err := osuser.GroupOf(filepath.Join(i.dir, builtDir, e.Name())); err == nil && i.conf.numbers().HasGroup(gid) {
			taken[gid] = true
		}
	}
	return taken, err
}
