package backup

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/storage"
)

// place is where a data directory is to be. It is made elsewhere on the same disk
// and moved there whole.
type place struct {
	target string
	own    *workdir.Dir
	// inside is whether it is made inside of the target, which is there and empty:
	// its owner and mode stay, and a mount point cannot be replaced.
	inside bool
	// before is where a directory goes that is not empty; empty for none.
	before string
}

const insidePrefix = ".restoring-"

// findPlace refuses a directory that is in use, and one that has something in it
// unless it is to be replaced.
func findPlace(dir string, o ReadOptions) (*place, error) {
	target, err := filepath.Abs(dir)
	if err != nil {
		return nil, unwritable(err)
	}
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	p := &place{target: target}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p.beside()
	case err != nil:
		return nil, unwritable(err)
	case !info.IsDir():
		return nil, errtypes.New(errtypes.Conflict, "%s is no directory", dir)
	}
	empty, err := p.look()
	if err != nil {
		return nil, err
	}
	if empty {
		p.inside = true
		return p.make(target, insidePrefix)
	}
	if !o.Replace {
		return nil, errtypes.New(errtypes.Conflict, "%s is not empty, and nothing in it is overwritten: name another directory, or have it moved aside (ReadOptions.Replace, drover restore --force)", dir)
	}
	p.before = target + ".before-restore-" + o.Clock.Now().UTC().Format("20060102T150405.000Z")
	return p.beside()
}

// look refuses a directory that is in use, removes what a dead restore has left,
// and reports whether nothing else is there.
func (p *place) look() (empty bool, err error) {
	used, err := storage.InUse(p.target)
	if err != nil {
		return false, err
	}
	if used {
		return false, errtypes.New(errtypes.Conflict, "another process has the data in %s open: end it first", p.target)
	}
	workdir.Sweep(p.target, insidePrefix, slog.New(slog.DiscardHandler), nil)
	files, err := os.ReadDir(p.target)
	if err != nil {
		return false, unwritable(err)
	}
	return !slices.ContainsFunc(files, func(f os.DirEntry) bool { return f.Name() != "lost+found" }), nil
}

// beside has the directory made in that of the target.
func (p *place) beside() (*place, error) {
	parent, base := filepath.Split(p.target)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, unwritable(err)
	}
	prefix := "." + base + insidePrefix
	workdir.Sweep(parent, prefix, slog.New(slog.DiscardHandler), nil)
	return p.make(parent, prefix)
}

func (p *place) make(in, prefix string) (*place, error) {
	own, err := workdir.New(in, prefix)
	if err != nil {
		return nil, unwritable(err)
	}
	p.own = own
	if err := os.Mkdir(p.staging(), 0o700); err != nil {
		return nil, errors.Join(unwritable(err), own.Remove())
	}
	return p, nil
}

// staging is where the directory is made.
func (p *place) staging() string { return filepath.Join(p.own.Path(), "data") }

// settle moves what is whole to its place.
func (p *place) settle() (before string, err error) {
	if p.inside {
		return "", p.moveIn()
	}
	if p.before != "" {
		if _, err := p.look(); err != nil { // somebody may have come meanwhile
			return "", err
		}
		if err := os.Rename(p.target, p.before); err != nil {
			return "", errtypes.New(errtypes.Unavailable, "%s cannot be moved aside; if it is a mount point, empty it by hand", p.target).WithCause(err)
		}
	}
	if err := os.Rename(p.staging(), p.target); err != nil {
		if p.before != "" {
			err = errors.Join(err, os.Rename(p.before, p.target))
		}
		return "", unwritable(err)
	}
	return p.before, p.durable(filepath.Dir(p.target))
}

// moveIn moves the files into the target one by one. An empty database comes first
// and the whole one last: beside the files of another, Drover refuses an empty one,
// so that what stands there after a crash is not taken for data.
func (p *place) moveIn() error {
	f, err := os.OpenFile(filepath.Join(p.target, databaseName), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return unwritable(err)
	}
	if err := f.Close(); err != nil {
		return unwritable(err)
	}
	files, err := os.ReadDir(p.staging())
	if err != nil {
		return unwritable(err)
	}
	for _, last := range []bool{false, true} {
		for _, f := range files {
			if last != (f.Name() == databaseName) {
				continue
			}
			if err := os.Rename(filepath.Join(p.staging(), f.Name()), filepath.Join(p.target, f.Name())); err != nil {
				return unwritable(err)
			}
		}
	}
	return p.durable(p.target)
}

func (p *place) durable(dir string) error {
	if err := syncDir(dir); err != nil {
		return unwritable(err)
	}
	return nil
}
