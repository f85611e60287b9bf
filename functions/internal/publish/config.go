package publish

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/source"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/clock"
)

// Config configures [New]. Children, Node and Dependencies are required.
type Config struct {
	// Children starts the processes.
	Children *child.Manager
	// Node runs programs and Npm, an absolute path each: Npm is npm's program for
	// Node.js, npm-cli.js. Pnpm is that of pnpm. Each may be empty where the machine
	// does not have it.
	Node, Npm, Pnpm string
	// Dependencies is a directory in which what lock files name is installed, and
	// kept for builds with the same ones.
	Dependencies string
	// Work is a directory on the same file system in which sets are installed before
	// they have their place, below names that begin with Mark. Default Dependencies.
	Work, Mark string
	// MaxDependencies is how many sets of dependencies are kept. Default 20.
	MaxDependencies int
	// Scripts lets packages run their install scripts. Default false.
	Scripts bool
	// Source bounds what is unpacked.
	Source source.Limits
	// MaxFunctions is how many functions a program may have. Default 10.
	MaxFunctions int
	// MaxManifest is the most bytes of what a program says of one function. Default
	// 256 KiB.
	MaxManifest int64
	// Introspect is how long a program may take to say which functions it has, and how
	// long bundling it may take. Default 60 seconds.
	Introspect time.Duration
	// Limits of each process of a build. Default 2 GiB of memory and 200 processes.
	Limits child.Limits
	// User gives a directory to whom a process runs as, and takes it back when nothing
	// is left of that. Default the host's user.
	User func(dir string) (user *child.User, takeBack func() error, err error)
	// Wrapper is a command in front of each process: see package child. Default none.
	Wrapper []string
	// Clock is the source of time. Default the machine's.
	Clock clock.Clock
	// Logger hears of what could not be removed. Default discards.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	c.Work, c.Mark = cmp.Or(c.Work, c.Dependencies), cmp.Or(c.Mark, "new-")
	c.MaxDependencies = cmp.Or(c.MaxDependencies, 20)
	c.MaxFunctions = cmp.Or(c.MaxFunctions, 10)
	c.MaxManifest = cmp.Or(c.MaxManifest, 256<<10)
	c.Introspect = cmp.Or(c.Introspect, time.Minute)
	c.Limits.Memory = cmp.Or(c.Limits.Memory, 2<<30)
	c.Limits.Processes = cmp.Or(c.Limits.Processes, 200)
	if c.User == nil {
		c.User = func(string) (*child.User, func() error, error) { return nil, func() error { return nil }, nil }
	}
	if c.Clock == nil {
		c.Clock = clock.System()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c Config) validate() error {
	for field, missing := range map[string]bool{
		"Children": c.Children == nil, "Node": c.Node == "", "Dependencies": c.Dependencies == "",
	} {
		if missing {
			return errtypes.Field("Config."+field, "is required")
		}
	}
	return nil
}
