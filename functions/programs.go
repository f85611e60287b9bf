package functions

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/nodejs"
	"github.com/drover-go/drover/functions/internal/program"
	"github.com/drover-go/drover/functions/internal/publish"
	"github.com/drover-go/drover/functions/internal/runtime"
)

// Programs are the published programs of a host: where they lie, what makes them and
// the processes that run them. Close it after the queue was stopped.
type Programs struct {
	conf ProgramsConfig
	// missing is why nothing is published or run here; nil where it is.
	missing   error
	publisher *publish.Publisher
	isolation *isolation
	endpoint  *runtime.Endpoint
	pool      *program.Pool

	mu   sync.Mutex
	busy map[string]chan struct{} // by build: being made
}

// OpenPrograms finds Node.js. A machine without it has no published programs, and
// whoever asks for one is told. It starts nothing. Error kind Invalid for options.
func OpenPrograms(c ProgramsConfig) (_ *Programs, err error) {
	defer errtypes.Wrap(&err, "functions.OpenPrograms")
	if err := c.validate(); err != nil {
		return nil, err
	}
	p := &Programs{conf: c.withDefaults(), busy: map[string]chan struct{}{}}
	tools, err := nodejs.Find(nodejs.Tools{Node: c.Node, Npm: c.Npm, Pnpm: c.Pnpm})
	switch {
	case errtypes.Is(err, errtypes.Unavailable):
		p.missing = err
		return p, nil
	case err != nil:
		return nil, err
	}
	switch err := p.open(tools); {
	case errtypes.Is(err, errtypes.Unavailable):
		p.missing = err
	case err != nil:
		return nil, err
	}
	return p, nil
}

func (p *Programs) open(tools nodejs.Tools) (err error) {
	if p.isolation, err = openIsolation(p.conf, tools.Node, tools.Npm, tools.Pnpm); err != nil {
		return err
	}
	how := p.conf.publisher(p.isolation)
	how.Node, how.Npm, how.Pnpm = tools.Node, tools.Npm, tools.Pnpm
	how.Dependencies, how.Work, how.Mark = p.path(dependenciesDir), p.path(newDir), p.mark()
	if p.publisher, err = publish.New(how); err != nil {
		return err
	}
	p.endpoint = runtime.New(runtime.Options{MaxResult: int64(p.conf.MaxResult), Clock: p.conf.Clock, Logger: p.conf.Logger})
	run := p.conf.pool(p.isolation)
	run.Node, run.Endpoint = tools.Node, p.endpoint
	p.pool, err = program.New(run)
	return err
}

// Missing says why nothing can be published or run here; nil where it can. Error
// kind Unavailable.
func (p *Programs) Missing() error {
	if p == nil {
		return errNoPrograms
	}
	return p.missing
}

var errNoPrograms = errtypes.New(errtypes.Unavailable, "this host runs no published programs")

// Close ends all processes. It is idempotent.
func (p *Programs) Close() error {
	if p.missing != nil {
		return nil
	}
	return errors.Join(p.pool.Close(), p.endpoint.Close())
}

// The directories in Dir.
const (
	builtDir        = "built"
	dependenciesDir = "dependencies"
	newDir          = "new" // what is not ready yet
)

func (p *Programs) path(name ...string) string {
	return filepath.Join(append([]string{p.conf.Dir}, name...)...)
}

// mark is how the names of half-made directories of this opening begin.
func (p *Programs) mark() string { return p.conf.Instance + "_" }

// Sweep removes what openings of the data that are no more have left half made.
func (p *Programs) Sweep(alive func(instance string) bool) error {
	entries, err := os.ReadDir(p.path(newDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if instance, _, ok := strings.Cut(e.Name(), "_"); ok && !alive(instance) {
			err = errors.Join(err, os.RemoveAll(p.path(newDir, e.Name())))
		}
	}
	return err
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
// used for longest.
func (p *Programs) keep(dir, buildID string) error {
	defer p.trim(buildID)
	to := p.path(builtDir, buildID)
	if err := p.isolation.hide(dir); err != nil {
		return err
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return os.Rename(dir, to)
}

func (p *Programs) discard(buildID string) {
	if err := os.RemoveAll(p.path(builtDir, buildID)); err != nil {
		p.conf.Logger.Warn("functions: a program cannot be removed", "build", buildID, "error", err)
	}
}

// built is what has to be known of a build to run its program.
type built struct {
	id, entry, bundle string
	source            func(context.Context) (io.ReadCloser, error)
}

// ready returns the directory of a program, which is made again where it is gone.
func (p *Programs) ready(ctx context.Context, b built) (dir string, err error) {
	dir = p.path(builtDir, b.id)
	for {
		if p.whole(dir, b.bundle) {
			return dir, nil
		}
		leave, wait := p.enter(b.id)
		if leave != nil {
			defer leave()
			return dir, p.prepare(ctx, b)
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// enter lets one make a program; others wait.
func (p *Programs) enter(buildID string) (leave func(), wait <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if wait := p.busy[buildID]; wait != nil {
		return nil, wait
	}
	mine := make(chan struct{})
	p.busy[buildID] = mine
	return func() {
		p.mu.Lock()
		delete(p.busy, buildID)
		p.mu.Unlock()
		close(mine)
	}, nil
}

// whole reports whether a program can be run, with its dependencies, and notes that
// it is used.
func (p *Programs) whole(dir, bundle string) bool {
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(bundle))); err != nil {
		return false
	}
	now := p.conf.Clock.Now()
	_ = os.Chtimes(dir, now, now)
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Lstat(modules); err != nil {
		return true
	}
	set, err := filepath.EvalSymlinks(modules)
	if err == nil {
		_ = os.Chtimes(filepath.Dir(set), now, now)
	}
	return err == nil
}

func (p *Programs) prepare(ctx context.Context, b built) error {
	source, err := b.source(ctx)
	if err != nil {
		return err
	}
	defer source.Close()
	dir, err := p.fresh()
	if err != nil {
		return err
	}
	if _, err = p.publisher.Prepare(ctx, source, b.entry, dir, func(string) {}); err == nil {
		err = p.keep(dir, b.id)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}

// trim removes the programs that were not used for longest.
func (p *Programs) trim(kept string) {
	entries, err := os.ReadDir(p.path(builtDir))
	if err != nil || len(entries) <= p.conf.MaxPrograms {
		return
	}
	type one struct {
		id   string
		used time.Time
	}
	var all []one
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != kept {
			all = append(all, one{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b one) int { return b.used.Compare(a.used) })
	for _, o := range all[min(len(all), p.conf.MaxPrograms-1):] {
		p.discard(o.id)
	}
}
