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
	"github.com/drover-go/drover/internal/workdir"
)

// Programs are the published programs of a host: where they lie, what makes them and
// the processes that run them. Close it after the queue was stopped.
type Programs struct {
	conf  ProgramsConfig
	tools nodejs.Tools
	// missing is why nothing is published or run here; nil where it is.
	missing error
	// isolation is nil where nothing is run.
	isolation *isolation

	// What follows is there once it is used: see begin.
	once      sync.Once
	err       error
	temp      *workdir.Dir // of data in memory
	dir       string
	publisher *publish.Publisher
	endpoint  *runtime.Endpoint
	pool      *program.Pool

	mu   sync.Mutex
	busy map[string]chan struct{} // by build: being made
}

// OpenPrograms finds Node.js. A machine without it has no published programs, and
// whoever asks for one is told. It starts nothing, and makes nothing on disk. Error
// kind Invalid for options.
func OpenPrograms(c ProgramsConfig) (_ *Programs, err error) {
	defer errtypes.Wrap(&err, "functions.OpenPrograms")
	if err := c.validate(); err != nil {
		return nil, err
	}
	p := &Programs{conf: c.withDefaults(), busy: map[string]chan struct{}{}}
	p.tools, err = nodejs.Find(nodejs.Tools{Node: c.Node, Npm: c.Npm, Pnpm: c.Pnpm})
	if errtypes.Is(err, errtypes.Unavailable) {
		p.missing, err = err, nil
	}
	if err != nil || p.missing != nil {
		return p, err
	}
	p.isolation, err = openIsolation(p.conf, p.tools.Node, p.tools.Npm, p.tools.Pnpm)
	if errtypes.Is(err, errtypes.Unavailable) {
		p.missing, err = err, nil
	}
	return p, err
}

// tempPrefix begins the names of directories of programs of data in memory.
const tempPrefix = "drover-programs-"

// begin makes what building and running needs, once.
func (p *Programs) begin() error {
	p.once.Do(func() { p.err = p.open() })
	return p.err
}

func (p *Programs) open() (err error) {
	if p.dir = p.conf.Dir; p.dir == "" {
		if p.temp, err = workdir.New(p.conf.TempDir, tempPrefix); err != nil {
			return err
		}
		p.dir = p.temp.Path()
	}
	p.isolation.dir = p.dir
	how := p.conf.publisher(p.isolation)
	how.Node, how.Npm, how.Pnpm = p.tools.Node, p.tools.Npm, p.tools.Pnpm
	how.Dependencies, how.Work, how.Mark = p.path(dependenciesDir), p.path(newDir), p.mark()
	if p.publisher, err = publish.New(how); err != nil {
		return err
	}
	p.endpoint = runtime.New(runtime.Options{MaxResult: int64(p.conf.MaxResult), Clock: p.conf.Clock, Logger: p.conf.Logger})
	run := p.conf.pool(p.isolation)
	run.Node, run.Endpoint = p.tools.Node, p.endpoint
	p.pool, err = program.New(run)
	return err
}

// Close ends all processes. It is idempotent.
func (p *Programs) Close() (err error) {
	p.once.Do(func() { p.err = errNoPrograms }) // nothing begins any more
	if p.pool != nil {
		err = errors.Join(p.pool.Close(), p.endpoint.Close())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.temp != nil {
		err = errors.Join(err, p.temp.Remove())
		p.temp = nil
	}
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

// The directories in Dir.
const (
	builtDir        = "built"
	dependenciesDir = "dependencies"
	newDir          = "new" // what is not ready yet
)

func (p *Programs) path(name ...string) string {
	return filepath.Join(append([]string{p.dir}, name...)...)
}

// mark is how the names of half-made directories of this opening begin.
func (p *Programs) mark() string { return p.conf.Instance + "_" }

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
	id, project, entry, bundle string
	source                     func(context.Context) (io.ReadCloser, error)
	lock                       func(context.Context) ([]byte, error)
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
	lock, err := b.lock(ctx)
	if err != nil {
		return err
	}
	dir, err := p.fresh()
	if err != nil {
		return err
	}
	if _, err = p.publisher.Prepare(ctx, publish.Source{Project: b.project, Archive: source, Entry: b.entry, Lock: lock}, dir, func(string) {}); err == nil {
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
