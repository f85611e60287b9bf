package publish

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/internal/workdir"
)

// dependencies are what lock files name, installed once for all programs with the
// same key, which can only read them. The least recently used set goes when there are
// too many.
//
// A program that still uses one that went is linked to nothing then, and prepared
// anew.
type dependencies struct {
	conf Config
	sets *workdir.LRU // by key
}

func newDependencies(c Config) *dependencies {
	return &dependencies{c, workdir.NewLRU(workdir.LRUConfig{Dir: c.Dependencies, Mark: c.Mark, Max: c.MaxDependencies, Clock: c.Clock, Logger: c.Logger})}
}

const modules = "node_modules"

// link makes the set with a key the node_modules of a program, after install has
// installed it where it is missing.
func (d *dependencies) link(ctx context.Context, key, dir string, log Log, install func(into string) error) error {
	unlock, err := d.sets.Lock(ctx, key)
	if err != nil {
		return err
	}
	defer unlock()
	set := d.sets.Path(key)
	if _, err := os.Stat(set); err == nil {
		log("The dependencies of this lock file are installed already")
	} else if err := d.make(set, install); err != nil {
		return err
	}
	if err := lock(set); err != nil {
		return err
	}
	d.sets.Used(key)
	d.sets.Trim(key)
	err = os.Symlink(filepath.Join(set, modules), filepath.Join(dir, modules))
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return err
}

// make lets a half-made set never have the name of a whole one.
func (d *dependencies) make(set string, install func(into string) error) error {
	for _, dir := range []string{d.conf.Dependencies, d.conf.Work} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	work, err := os.MkdirTemp(d.conf.Work, d.conf.Mark)
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.Chmod(work, 0o755); err != nil {
		return err
	}
	if err := install(work); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(work, modules), 0o755); err != nil { // of a program without any
		return err
	}
	err = os.Rename(work, set)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		err = nil
	}
	return err
}

// lock makes a set read-only: programs share it. Where they have users of their own
// it is the host's, and no program can write to it; elsewhere a program would have to
// take that back on purpose. The set itself comes last, so that one which was cut
// short is locked when it is used next.
func lock(set string) error {
	top, err := os.Stat(set)
	if err != nil || top.Mode().Perm()&writable == 0 {
		return err
	}
	err = filepath.WalkDir(set, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == set || !e.IsDir() && !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err != nil || info.Mode().Perm()&writable == 0 {
			return err
		}
		return os.Chmod(path, info.Mode().Perm()&^writable)
	})
	if err != nil {
		return err
	}
	return os.Chmod(set, top.Mode().Perm()&^writable)
}

// writable are the bits that let anybody write.
const writable = 0o222
