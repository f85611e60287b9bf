package functions

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"

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
	node      nodeCheck

	// What follows is there once it is used: see begin. begun says that it is.
	once      sync.Once
	err       error
	begun     atomic.Bool
	temp      *workdir.Dir // of data in memory
	dir       string
	built     *workdir.LRU // programs that can be run, by their build
	publisher *publish.Publisher
	endpoint  *runtime.Endpoint
	pool      *program.Pool

	mu    sync.Mutex // who removes temp, or adds to needs
	needs []func(ctx context.Context, buildID string) (bool, error)

	lent sync.WaitGroup // users whose processes a workshop has started
}

// OpenPrograms finds Node.js. A machine without it has no published programs, and
// whoever asks for one is told. It starts nothing, and makes nothing on disk. Error
// kind Invalid for options.
func OpenPrograms(c ProgramsConfig) (_ *Programs, err error) {
	defer errtypes.Wrap(&err, "functions.OpenPrograms")
	if err := c.validate(); err != nil {
		return nil, err
	}
	p := &Programs{conf: c.withDefaults()}
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

func (p *Programs) open() (err error) {
	if p.dir = p.conf.Dir; p.dir == "" {
		if p.temp, err = workdir.New(p.conf.TempDir, tempPrefix); err != nil {
			return err
		}
		p.dir = p.temp.Path()
	}
	p.isolation.dir = p.dir
	p.built = p.lru(p.dir)
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
	p.begun.Store(err == nil)
	return err
}

// lru keeps the programs below a directory.
func (p *Programs) lru(dir string) *workdir.LRU {
	return workdir.NewLRU(workdir.LRUConfig{Dir: filepath.Join(dir, builtDir), Max: p.conf.MaxPrograms, Clock: p.conf.Clock, Logger: p.conf.Logger})
}

// Close ends all processes but those of a workshop, which have ended by then, and waits
// until their users are given back. It is idempotent.
func (p *Programs) Close() (err error) {
	p.once.Do(func() { p.err = errNoPrograms }) // nothing begins any more
	if p.pool != nil {
		err = errors.Join(p.pool.Close(), p.endpoint.Close())
	}
	p.lent.Wait() // their processes have ended
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.temp != nil {
		err = errors.Join(err, p.temp.Remove())
		p.temp = nil
	}
	return err
}

// Missing says why nothing can be published or run here; nil where it can, as far as
// that is known without starting Node.js. Error kind Unavailable.
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
