package publish

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/source"
)

// The codes of failures (DECISIONS 26).
const (
	NoManifests      = "NO_MANIFESTS_FOUND"
	TooManyManifests = "TOO_MANY_MANIFESTS"
	ManifestTooLarge = "MANIFEST_TOO_LARGE"
	InvalidSession   = "INVALID_SESSION_CREATE_PARAMS"
)

// Log takes a line for the log of a build.
type Log func(line string)

// Source is what a program is made of.
type Source struct {
	// Project is whose program it is.
	Project string
	// Archive is what was published, and Entry its entry point as [Entry] returns it.
	Archive io.Reader
	Entry   string
	// Lock is what [Program].Lock was when the program was built; nil for none.
	Lock []byte
}

// Program is what can be run.
type Program struct {
	// Dir is its root, Entrypoint the bundle relative to it.
	Dir, Entrypoint string
	// Lock is the lock file that npm has written for a program without one: with it
	// the program is made again as it was. Nil where the program has its own.
	Lock []byte
	// Manifests are its functions, by name.
	Manifests []Manifest
}

// Publisher builds programs. It is safe for concurrent use.
type Publisher struct {
	conf Config
	deps *dependencies
}

// New returns a publisher. Error kind Invalid for a config that lacks something.
func New(c Config) (*Publisher, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	c = c.withDefaults()
	return &Publisher{c, newDependencies(c)}, nil
}

// Build makes a program in dir, which is there and empty. A [*builds.Failure] is what
// is wrong with what was published; dir is to be removed then.
func (p *Publisher) Build(ctx context.Context, src Source, dir string, log Log) (Program, error) {
	prog, err := p.Prepare(ctx, src, dir, log)
	if err != nil {
		return prog, err
	}
	prog.Manifests, err = p.introspect(ctx, prog, log)
	return prog, err
}

// Prepare is Build of what was built before: what it says of its functions is known.
func (p *Publisher) Prepare(ctx context.Context, src Source, dir string, log Log) (Program, error) {
	prog := Program{Dir: dir}
	log("Unpacking the archive")
	left, err := source.Unpack(ctx, src.Archive, dir, source.Options{Limits: p.conf.Source, Skip: []string{".browserbase", "node_modules"}})
	if errtypes.Is(err, errtypes.Invalid) {
		return prog, failed(NoManifests, "unpacking: %s", errtypes.Public(err).Message)
	}
	if err != nil {
		return prog, err
	}
	for _, name := range left {
		log("Left out " + name + ": only files and directories are taken")
	}
	found, ok := find(os.DirFS(dir), src.Entry)
	if !ok {
		return prog, failed(NoManifests, "the entry point %s is not in the archive", src.Entry)
	}
	if prog.Entrypoint, err = p.bundle(ctx, dir, found, log); err != nil { // it needs no package, and fails sooner
		return prog, err
	}
	prog.Lock, err = p.Install(ctx, Wanted{Project: src.Project, Lock: src.Lock, Omit: []string{"dev"}}, dir, log)
	return prog, err
}

// Used notes that the dependencies in a directory are used now.
func (p *Publisher) Used(dir string) { p.deps.sets.Used(filepath.Base(dir)) }

func failed(code, format string, args ...any) error {
	return &builds.Failure{Code: code, Message: errtypes.New(errtypes.Invalid, format, args...).Message}
}

// isFailure reports whether an error is about what was published.
func isFailure(err error) bool {
	var f *builds.Failure
	return errors.As(err, &f)
}
