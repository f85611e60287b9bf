package program

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/runtime"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/clock"
)

// Config configures [New]. Children, Memory, Endpoint and Node are required.
type Config struct {
	// Children starts the processes.
	Children *child.Manager
	// Memory admits them.
	Memory *admission.Ledger
	// Endpoint is where they ask for invocations.
	Endpoint *runtime.Endpoint
	// Node is the program that runs them, an absolute path.
	Node string
	// Args stand before the entry point. Default none.
	Args []string
	// Max is how many processes there may be at the same time. Default 16.
	Max int
	// Idle is how long a process waits for the next invocation of its version.
	// Default 5 minutes.
	Idle time.Duration
	// Reserve is the memory that a process is expected to take, in bytes. Default
	// 64 MiB.
	Reserve int64
	// Limits of each process. Default: see package child.
	Limits child.Limits
	// User returns whom a process runs as that runs the program in a directory, and
	// takes that back when nothing is left of it. Default the host's user.
	User func(dir string) (user *child.User, release func(), err error)
	// Wrapper is a command in front of each process: see package child. Default none.
	Wrapper []string
	// Clock is the source of time. Default the machine's.
	Clock clock.Clock
	// Logger hears of processes that ended badly. Default discards.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	c.Max = cmp.Or(c.Max, 16)
	c.Idle = cmp.Or(c.Idle, 5*time.Minute)
	c.Reserve = cmp.Or(c.Reserve, 64<<20)
	if c.User == nil {
		c.User = func(string) (*child.User, func(), error) { return nil, func() {}, nil }
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
		"Children": c.Children == nil, "Memory": c.Memory == nil, "Endpoint": c.Endpoint == nil, "Node": c.Node == "",
	} {
		if missing {
			return errtypes.Field("Config."+field, "is required")
		}
	}
	return nil
}

// Version is what a process runs.
type Version struct {
	// ID tells it from others: a process of one serves no other.
	ID string
	// Project is whose memory it counts for.
	Project string
	// Dir is where the program lies, which the process's user may read; Entrypoint
	// is its file, relative to that.
	Dir, Entrypoint string
	// Env is added to what every process has, as "name=value". Default none.
	Env []string
}
