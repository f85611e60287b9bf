package functions

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/publish"
	"github.com/drover-go/drover/internal/disk"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/workdir"
)

// Sweep removes what openings of the data that are no more have left half made, and
// the directories of dead hosts whose data was in memory.
func (p *Programs) Sweep(alive func(instance string) bool) error {
	if p.conf.Dir == "" {
		workdir.Sweep(p.conf.TempDir, tempPrefix, p.conf.Logger, nil)
		return nil
	}
	dir := filepath.Join(p.conf.Dir, newDir)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if instance, _, ok := strings.Cut(e.Name(), "_"); ok && !alive(instance) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// sweepBuilt removes programs that were not used for a while, and that are not needed:
// while one is built, nothing says yet that it is.
func (p *Programs) sweepBuilt(needed func(buildID string) (bool, error)) error {
	if p.conf.Dir == "" {
		return nil
	}
	built := p.lru(p.conf.Dir)
	for _, id := range built.Names() {
		if built.Age(id) < retention.OrphanSpared {
			continue
		}
		if needed, err := needed(id); err != nil {
			return err
		} else if !needed {
			built.Remove(id)
		}
	}
	return nil
}

// drop removes a program that is not needed any more. What cannot be removed here is
// swept.
func (p *Programs) drop(buildID string) {
	switch {
	case p == nil:
	case p.begun.Load():
		p.built.Remove(buildID)
	case p.conf.Dir != "": // which others have made
		p.lru(p.conf.Dir).Remove(buildID)
	}
}

// dropVersion ends processes that wait for invocations of a version which is gone.
func (p *Programs) dropVersion(id string) {
	if p != nil && p.begun.Load() {
		p.pool.Drop(id)
	}
}

// orFull says of an error that it is a full disk, where it is that. Error kind
// Unavailable then.
func orFull(err error) error {
	if !disk.IsFull(err) {
		return err
	}
	return errtypes.New(errtypes.Unavailable, "no space is left on the disk where programs are made and run").WithCause(err)
}

// fresh makes an empty directory for a program that is about to be made.
func (p *Programs) fresh() (string, error) {
	for _, dir := range []string{builtDir, newDir} {
		if err := os.MkdirAll(p.path(dir), 0o755); err != nil {
			return "", err
		}
	}
	dir, err := os.MkdirTemp(p.path(newDir), p.mark())
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o755)
}

// keep gives a program that was made its place, and removes those that nobody has
// used for longest. Where another host on the same data was faster, its program
// stays: it may run already.
func (p *Programs) keep(dir string, b built) error {
	defer p.built.Trim(b.id)
	if err := p.isolation.hide(dir); err != nil {
		return err
	}
	lock, err := lockFile(p.path("built.lock"))
	if err != nil {
		return err
	}
	defer lock.Close()
	if p.whole(b) {
		return os.RemoveAll(dir)
	}
	to := p.built.Path(b.id)
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.Rename(dir, to); err != nil {
		return err
	}
	p.built.Used(b.id)
	return nil
}

// lockFile waits until no other host on the same data, and nobody in this one, holds
// the lock. Close it.
func lockFile(path string) (*flock.Flock, error) {
	lock := flock.New(path, flock.SetPermissions(0o600))
	return lock, lock.Lock()
}

// built is what has to be known of a build to run its program.
type built struct {
	id, project, entry, bundle string
	source                     func(context.Context) (io.ReadCloser, error)
	lock                       func(context.Context) ([]byte, error)
}

// ready returns the directory of a program, which is made again where it is gone.
func (p *Programs) ready(ctx context.Context, b built) (dir string, err error) {
	if dir = p.built.Path(b.id); p.whole(b) {
		return dir, nil
	}
	unlock, err := p.built.Lock(ctx, b.id)
	if err != nil {
		return "", err
	}
	defer unlock()
	if p.whole(b) { // another has made it
		return dir, nil
	}
	return dir, p.prepare(ctx, b)
}

// whole reports whether a program can be run, with its dependencies, and notes that
// it is used.
func (p *Programs) whole(b built) bool {
	dir := p.built.Path(b.id)
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(b.bundle))); err != nil {
		return false
	}
	p.built.Used(b.id)
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Lstat(modules); err != nil {
		return true
	}
	set, err := filepath.EvalSymlinks(modules)
	if err == nil {
		p.publisher.Used(filepath.Dir(set))
	}
	return err == nil
}

func (p *Programs) prepare(ctx context.Context, b built) (err error) {
	defer func() { err = orFull(err) }()
	source, err := b.source(ctx)
	if err != nil {
		return err
	}
	defer source.Close()
	lock, err := b.lock(ctx)
	if err != nil {
		return err
	}
	dir, err := p.fresh()
	if err != nil {
		return err
	}
	if _, err = p.publisher.Prepare(ctx, publish.Source{Project: b.project, Archive: source, Entry: b.entry, Lock: lock}, dir, func(string) {}); err == nil {
		err = p.keep(dir, b)
	}
	if err == nil {
		p.pool.DropDir(p.built.Path(b.id)) // their user may not read what is there now
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}
