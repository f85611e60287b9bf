package process

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	"github.com/drover-go/drover/internal/child"
)

// ChildOptions are those of a manager of browsers: it knows the processes of one
// that a dead host has left, which write over the environment that others are known
// by. It lives by the machine's clock, as browsers do.
func ChildOptions(tempDir string, log *slog.Logger) child.Options {
	return child.Options{TempDir: shortEnough(tempDir, log), Names: IsBrowser, Logger: log}
}

// IsBrowser tells a command line of a browser: it keeps a search of the user's own for the directory (grep, ls, an
// editor) out of the list: a browser's process names the directory in a flag.
func IsBrowser(cmdline []byte) bool {
	return bytes.Contains(cmdline, []byte("--user-data-dir=")) || bytes.Contains(cmdline, []byte("--database="))
}

// Browsers make a socket in their temporary directory, whose name must fit
// into the 107 bytes that Linux has for it. What comes below TempDir:
const socketTail = "/drover-child-4294967295/999999/tmp/org.chromium.Chromium.XXXXXX/SingletonSocket"

// shortEnough returns dir, or the system's directory in place of one whose
// name is too long for the browser's sockets.
func shortEnough(dir string, log *slog.Logger) string {
	full, err := filepath.Abs(dir)
	if runtime.GOOS != "linux" || err != nil || len(full)+len(socketTail) <= 107 {
		return dir
	}
	instead := os.TempDir()
	if len(instead)+len(socketTail) > 107 {
		instead = "/tmp"
	}
	log.Warn("chrome: TempDir is too long for the browser's sockets", "dir", dir, "instead", instead)
	return instead
}
