package functions

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/program"
	"github.com/drover-go/drover/functions/internal/publish"
	"github.com/drover-go/drover/functions/internal/source"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/limit"
)

// ProgramOptions say how published programs are built and run. The zero value of
// every field stands for its default.
type ProgramOptions struct {
	// Node is the Node.js that runs programs, an absolute path. Default "node" in
	// PATH; without one nothing is published or run.
	Node string
	// Npm and Pnpm are the installers' programs for Node.js, an absolute path each.
	// Default those of the machine.
	Npm, Pnpm string
	// Scripts lets packages run their install scripts. Default false.
	Scripts bool
	// Dir is where programs and their dependencies lie. Default "programs" in the
	// data directory; of data in memory a temporary one.
	Dir string
	// MaxFunctions is how many functions a program may have. Default 10.
	MaxFunctions int
	// MaxUnpacked is how many bytes the files of a program may have, and MaxFiles
	// how many there may be. Default 200 MiB and 20,000.
	MaxUnpacked int64
	MaxFiles    int
	// MaxPrograms is how many programs are kept ready to be run, and MaxDependencies
	// how many sets of dependencies. Those that were not used for longest go; the
	// programs are made again when they are invoked. Default 100 and 40, and always
	// more than MaxProcesses.
	MaxPrograms, MaxDependencies int
	// Introspect is how long a program may take to say which functions it has, and how
	// long bundling it may take. Default 60 seconds.
	Introspect time.Duration
	// MaxProcesses is how many processes of programs there may be at the same time,
	// and so how many invocations. Default 16.
	MaxProcesses int
	// PerFunction is how many invocations of each published function this process
	// executes at the same time; others wait. Default no limit but MaxProcesses. Go
	// functions have FuncOptions.Concurrent.
	PerFunction int
	// Idle is how long a process waits for the next invocation. Default 5 minutes.
	Idle time.Duration
	// ProcessMemory is how many bytes a process may take, with all that it starts.
	// Default 1 GiB.
	ProcessMemory int64
	// ProcessChildren is how many processes one may be at the same time, with all
	// that it starts. Default 100.
	ProcessChildren int
	// ProcessDisk is how many bytes the files of a process may take in its directory for
	// temporary ones. Default 1 GiB.
	ProcessDisk int64
	// ProcessCPUs is how many processors a process may use at once, where the
	// system can hold that. Default no limit.
	ProcessCPUs float64
	// Isolation says as whom programs are built and run.
	Isolation Isolation
	// BuildMemory is how many bytes each process of a build may take. Default 2 GiB.
	BuildMemory int64
	// BuildDisk is how many bytes the files of a build may take, those of the program
	// and of its dependencies among them. Default 2 GiB.
	BuildDisk int64
	// FileSize is how large a file may become to which a process of a program or of a
	// build writes, on Linux. Default 512 MiB.
	FileSize int64
}

// Validate refuses limits below 0, and fewer users than programs need. Error kind:
// Invalid, which names the field.
func (o ProgramOptions) Validate() error {
	if o.ProcessCPUs < 0 {
		return errtypes.Field("ProcessCPUs", "must not be negative")
	}
	return cmp.Or(o.validateLimits(), o.validateUsers())
}

// validateUsers holds the groups of the isolation, which are half of its users,
// against the programs, each of which has one.
func (o ProgramOptions) validateUsers() error {
	groups := len(o.Isolation.numbers().Groups())
	if programs := o.withDefaults().MaxPrograms; !o.Isolation.Off && groups <= programs {
		return errtypes.Field("Isolation.Users", "must be more than twice MaxPrograms, which is %d", programs)
	}
	return nil
}

func (o ProgramOptions) validateLimits() error {
	return cmp.Or(limit.Within("Isolation", o.Isolation.Validate()), limit.Check(
		limit.Of("MaxFunctions", o.MaxFunctions), limit.Of("MaxUnpacked", o.MaxUnpacked), limit.Of("MaxFiles", o.MaxFiles),
		limit.Of("MaxPrograms", o.MaxPrograms), limit.Of("MaxDependencies", o.MaxDependencies), limit.Of("Introspect", o.Introspect),
		limit.Of("MaxProcesses", o.MaxProcesses), limit.Of("PerFunction", o.PerFunction), limit.Of("Idle", o.Idle), limit.Of("ProcessMemory", o.ProcessMemory),
		limit.Of("ProcessChildren", o.ProcessChildren), limit.Of("BuildMemory", o.BuildMemory),
		limit.Of("ProcessDisk", o.ProcessDisk), limit.Of("BuildDisk", o.BuildDisk), limit.Of("FileSize", o.FileSize),
	))
}

func (o ProgramOptions) withDefaults() ProgramOptions {
	o.MaxProcesses = cmp.Or(o.MaxProcesses, 16)
	o.MaxPrograms = max(cmp.Or(o.MaxPrograms, 100), o.MaxProcesses+1)
	o.MaxDependencies = max(cmp.Or(o.MaxDependencies, 40), o.MaxProcesses+1)
	o.ProcessMemory = cmp.Or(o.ProcessMemory, 1<<30)
	o.ProcessChildren = cmp.Or(o.ProcessChildren, 100)
	o.ProcessDisk = cmp.Or(o.ProcessDisk, 1<<30)
	o.BuildMemory = cmp.Or(o.BuildMemory, 2<<30)
	o.BuildDisk = cmp.Or(o.BuildDisk, 2<<30)
	o.FileSize = cmp.Or(o.FileSize, 512<<20)
	return o
}

// ProgramsConfig configures [OpenPrograms]. Children, Memory, and Dir or TempDir are
// required.
type ProgramsConfig struct {
	ProgramOptions
	// Home is a directory of the host's own in which Dir lies. Others may come through
	// it, by the names of what lies in it. Default none.
	Home string
	// Children starts the processes.
	Children *child.Manager
	// Memory admits them.
	Memory *admission.Ledger
	// TempDir is where a directory is made that stands for Dir, and is removed by
	// Close, where there is no Dir.
	TempDir string
	// MaxResult are the most bytes of a result. Default 6 MiB.
	MaxResult int
	// Instance tells the directories of this opening of the data from those of
	// others, see [Programs.Sweep].
	Instance string
	// Clock is the source of time. Default the machine's.
	Clock clock.Clock
	// Logger hears of what goes wrong. Default discards.
	Logger *slog.Logger
}

func (c ProgramsConfig) withDefaults() ProgramsConfig {
	c.ProgramOptions = c.ProgramOptions.withDefaults()
	if c.Clock == nil {
		c.Clock = clock.System()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c ProgramsConfig) validate() error {
	for field, missing := range map[string]bool{"Dir": c.Dir == "" && c.TempDir == "", "Children": c.Children == nil, "Memory": c.Memory == nil} {
		if missing {
			return errtypes.Field("Config."+field, "is required")
		}
	}
	return limit.Within("Programs", c.ProgramOptions.Validate())
}

// pool is how programs are run.
func (c ProgramsConfig) pool(i *isolation) program.Config {
	return program.Config{
		Children: c.Children, Memory: c.Memory, Args: []string{"--enable-source-maps"}, Max: c.MaxProcesses, Idle: c.Idle,
		Limits: child.Limits{Memory: c.ProcessMemory, CPUs: c.ProcessCPUs, Processes: c.ProcessChildren, Disk: c.ProcessDisk, FileSize: c.FileSize},
		User:   i.toRun, Wrapper: c.Isolation.Sandbox, Clock: c.Clock, Logger: c.Logger,
	}
}

// publisher is how programs are made.
func (c ProgramsConfig) publisher(i *isolation) publish.Config {
	return publish.Config{
		Children: c.Children, Scripts: c.Scripts, MaxDependencies: c.MaxDependencies, MaxFunctions: c.MaxFunctions, Introspect: c.Introspect,
		Source: source.Limits{MaxUnpacked: c.MaxUnpacked, MaxFiles: c.MaxFiles},
		Limits: child.Limits{Memory: c.BuildMemory, Disk: c.BuildDisk, FileSize: c.FileSize}, User: i.toBuild, Wrapper: c.Isolation.Sandbox, Clock: c.Clock, Logger: c.Logger,
	}
}
