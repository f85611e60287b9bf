package publish

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// dependencies are what lock files name, installed once for all programs with the
// same key. The least recently used set goes when there are too many.
type dependencies struct {
	conf Config

	mu   sync.Mutex
	busy map[string]chan struct{} // by key: being installed
}

func (d *dependencies) init(c Config) {
	d.conf, d.busy = c, map[string]chan struct{}{}
}

const modules = "node_modules"

// link makes the set with a key the node_modules of a program, after install has
// installed it where it is missing.
func (d *dependencies) link(ctx context.Context, key, dir string, log Log, install func(into string) error) error {
	leave, err := d.enter(ctx, key)
	if err != nil {
		return err
	}
	defer leave()
	set := filepath.Join(d.conf.Dependencies, key)
	if _, err := os.Stat(set); err == nil {
		log("The dependencies of this lock file are installed already")
	} else if err := d.make(set, install); err != nil {
		return err
	}
	now := d.conf.Clock.Now()
	_ = os.Chtimes(set, now, now) // when it was used last
	d.trim(key)
	err = os.Symlink(filepath.Join(set, modules), filepath.Join(dir, modules))
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return err
}

// enter has one install a set at a time.
func (d *dependencies) enter(ctx context.Context, key string) (leave func(), err error) {
	for {
		d.mu.Lock()
		wait := d.busy[key]
		if wait == nil {
			mine := make(chan struct{})
			d.busy[key] = mine
			d.mu.Unlock()
			return func() {
				d.mu.Lock()
				delete(d.busy, key)
				d.mu.Unlock()
				close(mine)
			}, nil
		}
		d.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
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

// trim removes the sets that have not been used for longest. A program that still
// uses one is linked to nothing then, and prepared anew.
func (d *dependencies) trim(kept string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	entries, err := os.ReadDir(d.conf.Dependencies)
	if err != nil {
		return
	}
	type set struct {
		name string
		used time.Time
	}
	var all []set
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && !strings.HasPrefix(e.Name(), d.conf.Mark) && !strings.HasPrefix(e.Name(), ".") && e.Name() != kept && d.busy[e.Name()] == nil {
			all = append(all, set{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b set) int { return b.used.Compare(a.used) })
	for _, s := range all[min(len(all), d.conf.MaxDependencies-1):] {
		if err := os.RemoveAll(filepath.Join(d.conf.Dependencies, s.name)); err != nil {
			d.conf.Logger.Warn("publish: dependencies cannot be removed", "error", err)
		}
	}
}
