package bundler

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/drover-go/drover/internal/child"
)

// Spec returns how the bundler is started: which program, and its limits apart. What
// it is asked stands in Stdin, and its answer comes to Stdout; both are the caller's.
func Spec() (child.Spec, error) {
	self, err := ownProgram()
	return child.Spec{Path: self, Prepare: prepare}, err
}

// ownProgram is the program of this process. On Linux it is the file itself, wherever
// it lies and whatever was put in its place since.
func ownProgram() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// prepare gives the program its other name, in the directory of the child: by a link
// where who runs it can follow that, and else by a copy.
func prepare(dir string, s *child.Spec) error {
	name := filepath.Join(dir, Name)
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	self := s.Path
	s.Path = name
	if len(s.Wrapper) == 0 && runs(self, s.User) && os.Symlink(self, name) == nil {
		return nil
	}
	return copyProgram(self, name)
}

// runs reports whether a user may run a program: every other one, if it is not the
// host's.
func runs(name string, u *child.User) bool {
	info, err := os.Stat(name)
	return err == nil && (u == nil || info.Mode().Perm()&0o005 == 0o005)
}

// copyProgram holds up the start of other processes: one that had the file open to
// write could not be told from somebody who changes it, and nothing changed is run.
func copyProgram(from, to string) (err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
