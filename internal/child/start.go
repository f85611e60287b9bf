package child

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// start makes what the child needs and starts it. Nothing is left where it
// fails.
func (p *Process) start() (err error) {
	p.out = newOutput(p.m.opts.Clock, p.spec.OutputLimits, p.spec.Output)
	defer func() {
		if err != nil {
			p.out.finish()
			err = errors.Join(err, p.group.remove(), p.removeFiles())
		}
	}()
	if err := os.Mkdir(p.dir, 0o700); err != nil {
		return err
	}
	if p.spec.Prepare != nil {
		if err := p.spec.Prepare(p.dir, &p.spec); err != nil {
			return err
		}
		if p.spec, err = p.spec.checked(); err != nil {
			return err
		}
	}
	if err := p.takeUser(); err != nil {
		return err
	}
	p.group = p.m.groups.add(p.id, p.spec.Limits)
	return p.launch()
}

// launch opens the child's files and starts the program.
func (p *Process) launch() (err error) {
	var f files
	defer f.close()
	attr := &os.ProcAttr{Dir: p.dir, Env: environment(p.spec.Env, p.dir)}
	if p.spec.Dir != "" {
		attr.Dir = p.spec.Dir
	}
	in, out := p.spec.Stdin, p.spec.Stdout
	if in == nil {
		in = f.open(os.DevNull)
	}
	if out == nil {
		out = f.pipe()
	}
	errs := f.pipe()
	if f.err != nil {
		return f.err
	}
	attr.Files = append([]*os.File{in, out, errs}, p.spec.Files...)
	err = p.m.starterFor(p.spec.User).do(func() (err error) {
		p.proc, err = p.m.firsts.start(p, func() (*os.Process, error) { return p.startProcess(attr) })
		return err
	})
	if err != nil {
		return err
	}
	if err := p.limitFiles(p.proc); err != nil { // a filter of system calls
		p.m.unlimited.Do(func() { p.m.opts.Logger.Warn("child: the size of files cannot be limited", "error", err) })
	}
	readers := f.release()
	p.out.follow(readers[len(readers)-1], Stderr)
	if len(readers) > 1 {
		p.out.follow(readers[0], Stdout)
	}
	return nil
}

// command is what is started, and its arguments with its name.
func (p *Process) command() (program string, argv []string) {
	argv = append([]string{p.spec.Path}, p.spec.Args...)
	if len(p.spec.Wrapper) == 0 {
		return p.spec.Path, argv
	}
	words := strings.NewReplacer("{home}", p.dir, "{dir}", cmp.Or(p.spec.Dir, p.dir))
	var wrapper []string
	for _, word := range p.spec.Wrapper {
		wrapper = append(wrapper, words.Replace(word))
	}
	return wrapper[0], append(wrapper, argv...)
}

// files are those that are opened for a start. The first error stays.
type files struct {
	ours, theirs []*os.File
	err          error
}

func (f *files) open(name string) *os.File {
	file, err := os.Open(name)
	f.err = errors.Join(f.err, err)
	f.theirs = append(f.theirs, file)
	return file
}

// pipe returns the end that is written to.
func (f *files) pipe() *os.File {
	r, w, err := os.Pipe()
	f.err = errors.Join(f.err, err)
	f.ours, f.theirs = append(f.ours, r), append(f.theirs, w)
	return w
}

// release hands over the ends of pipes that are read, which close leaves open
// then.
func (f *files) release() (readers []*os.File) {
	readers, f.ours = f.ours, nil
	return readers
}

func (f *files) close() {
	for _, file := range append(f.ours, f.theirs...) {
		file.Close() // of nil, too: an error that is the first one's echo
	}
}

// userFile is where the host keeps, beside the directory of a child, which user
// is the child's alone, for the one who sweeps. The child cannot write there.
func (p *Process) userFile() string { return p.dir + userSuffix }

const userSuffix = ".user"

// takeUser gives the directory to the child's user, and lets it be reached.
func (p *Process) takeUser() error {
	u := p.spec.User
	if u == nil {
		return nil
	}
	if os.Geteuid() != 0 {
		return errtypes.Field("User", "can be another one only where the host is root")
	}
	if u.Exclusive {
		if err := p.m.reserveUser(u.UID, p); err != nil {
			return err
		}
		if err := os.WriteFile(p.userFile(), []byte(strconv.FormatUint(uint64(u.UID), 10)), 0o600); err != nil {
			return err
		}
	}
	if err := os.Chmod(p.m.work.Path(), 0o711); err != nil {
		return err
	}
	return filepath.WalkDir(p.dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(u.UID), int(u.GID))
	})
}

// releaseUser undoes what takeUser did, when nothing of the child is left.
func (p *Process) releaseUser() error {
	if p.spec.User == nil || !p.m.freeUser(p.spec.User.UID, p) {
		return nil
	}
	err := os.Remove(p.userFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// reserveUser keeps a user for one child.
func (m *Manager) reserveUser(uid uint32, p *Process) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.users[uid] != nil {
		return errtypes.Field("User", "%d is another process's alone", uid)
	}
	m.users[uid] = p
	return nil
}

// freeUser reports whether the user was kept for the child.
func (m *Manager) freeUser(uid uint32, p *Process) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.users[uid] != p {
		return false
	}
	delete(m.users, uid)
	return true
}
