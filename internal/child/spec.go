package child

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// A Spec says what to start, and how. Path is all that it needs.
type Spec struct {
	// Path is the program, an absolute path.
	Path string
	// Args are its arguments, without the program's name.
	Args []string
	// Dir is where it starts. Default its own directory.
	Dir string
	// Env is its environment, as "name=value": it gets nothing of the host's
	// ([Inherit] picks from that). TMPDIR, TEMP, TMP and HOME are its own
	// directory unless they are listed; the marker is added. Default nothing.
	Env []string
	// Stdin and Stdout are the child's ends; Start closes them, whatever comes
	// of it. Default an empty input, and an output that is read as lines.
	Stdin, Stdout *os.File
	// Files are the child's file descriptors from 3 on; Start closes them, too.
	// None on Windows. Default none.
	Files []*os.File
	// Wrapper is a command that is started in the place of the program, an absolute
	// path and arguments, behind which that and its arguments stand: a sandbox, for
	// example. {home} in it stands for the child's own directory, {dir} for where it
	// starts. Default none.
	Wrapper []string
	// User is another user to run as, for hosts that are root. Default the
	// host's.
	User *User
	// Limits of all its processes together. Default none.
	Limits Limits
	// Fills are directories beside its own whose files count for [Limits].Disk. Default
	// none.
	Fills []string
	// Output is called with each line that it prints, one at a time and in
	// order; how slow it is holds up nothing but Done. Default nothing is
	// called, and only the tail is kept.
	Output func(Line)
	// OutputLimits bound what Output is called with.
	OutputLimits OutputLimits
	// Ask is how the child is asked to leave, instead of by SIGTERM to its first
	// process. It must not block.
	Ask func()
	// Grace is what it is given after it was asked, before it is killed; below
	// 0 it is not asked. Default 5 s.
	Grace time.Duration
	// Prepare is called when its directory is there, before the start. It may
	// put files there, and change the other fields.
	Prepare func(dir string, s *Spec) error
	// Measured is called by the one who looks whenever the memory was measured.
	// It must not block. Default nothing is called.
	Measured func(Usage)
}

// A User is whom a child runs as. On Linux neither the child nor what comes of it
// gains another user, another group or a capability by running a file that has these
// (no_new_privs), and they have shared memory, queues and semaphores of their own where
// the host may give them that (CAP_SYS_ADMIN).
type User struct {
	UID, GID uint32
	// Groups are others that it is in. Default none.
	Groups []uint32
	// Exclusive says that nothing else on the machine runs as this user while
	// the child does: every process of the user is the child's, then, and is
	// ended with it, whatever it has done to hide.
	Exclusive bool
}

// Limits bound all processes of a child together. They hold to the byte where
// the kernel keeps them (see [Options].Cgroup), else to what is found when it is
// looked, every [Options].Every. 0 is no limit.
type Limits struct {
	// Memory is in bytes: what the control group says, else the proportional
	// share of each process (PSS), or its resident memory where the share is
	// not told. Swap counts. A child over it is killed.
	Memory int64
	// CPUTime is the time of processors that it may take. A child over it is
	// killed.
	CPUTime time.Duration
	// CPUs is how many processors it may use at once, 0.5 for half of one. Only
	// a control group that was delegated can hold it; else it has no effect.
	CPUs float64
	// Processes is how many it may have at once, threads not counted. A child
	// over it is killed. In a control group it may have no more than 64 threads for
	// each of them, too, and is killed where it tries.
	Processes int
	// Disk is how many bytes files may take in its own directory and in those that it
	// fills, as far as they are found: blocks of the disk, at least 4 KiB for a name. A
	// child over it is killed, and one that is found to have been over it at its end
	// ends like that.
	Disk int64
	// FileSize is how large a file may become that it writes to, wherever it is, on
	// Linux. Writing on is an error then, or ends the process that tries
	// ([syscall.SIGXFSZ]).
	FileSize int64
	// Time is how long it may run. Then it is asked to leave and killed after
	// its grace.
	Time time.Duration
}

const defaultGrace = 5 * time.Second

// checked returns the spec with its defaults. What is at fault is named as a
// field.
func (s Spec) checked() (Spec, error) {
	s.Grace = cmp.Or(s.Grace, defaultGrace)
	s.OutputLimits = s.OutputLimits.withDefaults()
	if !filepath.IsAbs(s.Path) {
		return s, errtypes.Field("Path", "must be the absolute path of a program")
	}
	if len(s.Wrapper) > 0 && !filepath.IsAbs(s.Wrapper[0]) {
		return s, errtypes.Field("Wrapper", "must begin with the absolute path of a program")
	}
	l := s.Limits
	if l.Memory < 0 || l.CPUTime < 0 || l.CPUs < 0 || l.Processes < 0 || l.Disk < 0 || l.FileSize < 0 || l.Time < 0 {
		return s, errtypes.Field("Limits", "must not be negative")
	}
	if s.User != nil && s.User.Exclusive && s.User.UID == 0 {
		return s, errtypes.Field("User", "root is nobody's alone")
	}
	for _, e := range s.Env {
		name, _, ok := strings.Cut(e, "=")
		if !ok || name == "" || strings.ContainsRune(e, 0) {
			return s, errtypes.Field("Env", "must have the form name=value")
		}
		if name == markerName {
			return s, errtypes.Field("Env", "must leave %s to Drover", markerName)
		}
	}
	return s, nil
}

// closeFiles closes the child's ends, which it has by then, or will never have.
func (s Spec) closeFiles() {
	for _, f := range append([]*os.File{s.Stdin, s.Stdout}, s.Files...) {
		if f != nil {
			f.Close()
		}
	}
}
