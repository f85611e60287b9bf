package builds

import (
	"context"
	"io"
	"time"

	"github.com/drover-go/drover/internal/child"
)

// Workshop makes programs of Node.js of what was published. It keeps their files, and
// removes those that were not used for longest: they can be made again. Programs are
// named by their builds.
//
// The interface may gain methods; implement it only inside Drover.
type Workshop interface {
	// Usable returns why nothing can be made here; nil where it can. Error kind
	// Unavailable.
	Usable(ctx context.Context) error
	// Memory is how many bytes each process of a build may take.
	Memory() int64
	// Make has do make a program in an empty place. Nothing is left of it where do
	// fails. A [Failure] of the place is returned as it is. Error kind Unavailable for
	// a full disk.
	Make(ctx context.Context, id string, do func(ctx context.Context, p Workplace) error) error
	// Ready returns the directory of a program that was made, which others may not
	// change; do makes it again where it is gone. Error kinds: those of Make.
	Ready(ctx context.Context, id string, do func(ctx context.Context, p Workplace) error) (dir string, err error)
	// Start starts a program whose directory Ready has returned, in a copy of its own, as
	// a child with the isolation and the limits of programs. What it has installed is
	// not copied: node_modules is a link to what may not be changed. Error kind
	// Unavailable for a full disk; a [Failure] where its command is not there; those of
	// [child.Manager.Start].
	Start(ctx context.Context, r Run) (*child.Process, error)
	// Drop removes a program that is not needed any more, as far as it can: what stays
	// is swept.
	Drop(id string)
	// Needs adds one who is asked whether a program is needed, before it is swept.
	Needs(needed func(ctx context.Context, id string) (bool, error))
}

// Run is a program that is to be started.
type Run struct {
	// ID is the build that has made it.
	ID string
	// Command is what is started, with its arguments: node, npm and npx are those of the
	// host, others are looked for among what is installed, and where the host has its own.
	Command []string
	// Dir is where it starts, below the root of the program. Default the root.
	Dir string
	// Env is its environment, as name=value. PATH, HOME and TMPDIR are added where they
	// are not listed. Default nothing.
	Env []string
	// Memory is how many bytes it may take with all that it starts. Default no limit.
	Memory int64
	// Grace is what it has to end when it is asked to. Default 5 s.
	Grace time.Duration
	// Output is told each line that it prints, without the directories that it lies in.
	// Default nothing is.
	Output func(child.Line)
}

// Workplace is where a program is made: everything in it runs with the limits and the
// isolation of builds. A [Failure] says what is wrong with what was published; its
// code is of no use.
type Workplace interface {
	// Dir is where the program is made.
	Dir() string
	// Unpack unpacks a tar file, also in gzip, or a zip file into Dir but for the
	// directories of the root that skip names, and returns the paths of links and the
	// like, which are left out. A folder that holds everything is taken for the root.
	Unpack(ctx context.Context, archive io.ReadSeeker, skip []string) (left []string, err error)
	// Install installs what package.json names.
	Install(ctx context.Context, w Wanted) (lock []byte, err error)
	// Script runs a script of package.json, with variables in the form name=value.
	Script(ctx context.Context, name string, env []string, log func(line string)) error
	// Prune removes kinds of dependencies that were installed alone.
	Prune(ctx context.Context, omit []string, log func(line string)) error
}

// Wanted says what is installed of what a program depends on.
type Wanted struct {
	// Project is whose program it is.
	Project string
	// Lock is what an earlier installation returned, which is a lock file that the
	// program does not have; nil for none.
	Lock []byte
	// Omit are kinds of dependencies that are left out: dev, optional or peer.
	Omit []string
	// Alone has them installed for this program, which may change them, and not shared
	// with others that have the same.
	Alone bool
	// Log takes what is said.
	Log func(line string)
}
