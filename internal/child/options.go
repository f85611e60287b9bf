package child

import (
	"cmp"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
)

// Options configure [Open]. The zero value is useful.
type Options struct {
	// TempDir is where the directories of children are made. Hosts with the same
	// one clean up after each other. Default the system's.
	TempDir string
	// Every is how often processes are looked at where that is how limits are
	// kept, at least: a twentieth of a processor is the most that looking
	// takes. Default 250 ms.
	Every time.Duration
	// Measure is how often the memory of children is measured for
	// [Process.Usage] and [Spec].Measured. Default 5 s.
	Measure time.Duration
	// Cgroup is the directory of a control group of version 2 that was
	// delegated to this host and holds no process itself: limits are the
	// kernel's there. "off" uses none. Default the host's own group where that
	// can be written to: what has hidden is ended by it, too, and limits are the
	// kernel's only where their controllers are passed on already.
	Cgroup string
	// Leave has Open leave what dead hosts have left: to Sweep, or to another host.
	Leave bool
	// Names reports whether a command line that names the directory of a
	// child, blanks between its words, is one of a child's process, and not
	// that of a user who looks for it. It is for programs that write over
	// their environment, as Chromium does. Default none is.
	Names func(cmdline []byte) bool
	// Clock paces everything but what the system paces. Default the machine's.
	Clock clock.Clock
	// Logger hears of what could not be ended or removed. Default discards.
	Logger *slog.Logger
}

func (o Options) withDefaults() (Options, error) {
	o.TempDir = cmp.Or(o.TempDir, os.TempDir())
	o.Every = cmp.Or(o.Every, 250*time.Millisecond)
	o.Measure = cmp.Or(o.Measure, 5*time.Second)
	if o.Names == nil {
		o.Names = func([]byte) bool { return false }
	}
	o.Clock = cmp.Or(o.Clock, clock.System())
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Every < 0 || o.Measure < 0 {
		return o, errtypes.Field("Every", "and Measure must not be negative")
	}
	if o.Cgroup != "" && o.Cgroup != noGroups && !filepath.IsAbs(o.Cgroup) {
		return o, errtypes.Field("Cgroup", "must be an absolute path or %q", noGroups)
	}
	var err error
	if o.TempDir, err = filepath.Abs(o.TempDir); err != nil {
		return o, errtypes.Field("TempDir", "cannot be resolved").WithCause(err)
	}
	return o, nil
}

// noGroups is the Cgroup that stands for none.
const noGroups = "off"

// restTimes is how many times as long as a look takes there is rest after it: a
// twentieth of a processor is the most that looking takes.
const restTimes = 19
