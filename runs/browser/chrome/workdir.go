package chrome

import (
	"log/slog"
	"os"
	"runtime"

	"github.com/drover-go/drover/internal/workdir"
)

// A provider's workdir holds what its browsers write.
const workdirPrefix = "drover-chrome-"

// Browsers make a socket in their temporary directory, whose name must fit
// into the 107 bytes that Linux has for it. What comes below TempDir:
const socketTail = "/" + workdirPrefix + "4294967295/9999/tmp/org.chromium.Chromium.XXXXXX/SingletonSocket"

// shortEnough returns dir, or the system's directory in place of one whose
// name is too long for the browser's sockets.
func shortEnough(dir string, log *slog.Logger) string {
	if runtime.GOOS != "linux" || len(dir)+len(socketTail) <= 107 {
		return dir
	}
	instead := os.TempDir()
	if len(instead)+len(socketTail) > 107 {
		instead = "/tmp"
	}
	log.Warn("chrome: TempDir is too long for the browser's sockets", "dir", dir, "instead", instead)
	return instead
}

// newWorkdir makes a workdir in temp.
func newWorkdir(temp string) (*workdir.Dir, error) { return workdir.New(temp, workdirPrefix) }

// sweep removes the workdirs in temp that have lost their owner, and ends
// browsers that still use them.
func sweep(temp string, log *slog.Logger) {
	workdir.Sweep(temp, workdirPrefix, log, func(path string) {
		if n := killUsing(path); n > 0 {
			log.Info("chrome: ended the browsers of a dead process", "dir", path, "processes", n)
		}
	})
}

// Sweep removes what providers of dead processes have left in TempDir, as New
// does. It takes nothing from processes that live.
func (p *Provider) Sweep() {
	sweep(p.opts.TempDir, p.opts.Logger)
	sweepProfiles(p.opts.TempDir, p.opts.Logger)
}
