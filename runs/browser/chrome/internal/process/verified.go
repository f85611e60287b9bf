package process

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/runs/browser"
)

// A Kind is what of a session's options is decided when its browser is
// started. Sessions of different kinds are in different processes.
type Kind struct {
	Verified bool // no marks of automation
}

// KindOf is that of the browser that a session needs.
func KindOf(o browser.Options) Kind { return Kind{Verified: o.Verified} }

// Of is o for browsers of the kind.
func (k Kind) Of(o Options) Options {
	o.Kind = k
	o.Windowed = o.Windowed || k.Verified && hasDisplay()
	return o
}

// hasDisplay reports whether a window could be shown.
func hasDisplay() bool {
	if runtime.GOOS != "linux" {
		return runtime.GOOS == "windows" || runtime.GOOS == "darwin"
	}
	if os.Getenv("WAYLAND_DISPLAY") != "" && os.Getenv("XDG_RUNTIME_DIR") != "" {
		return there(filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), os.Getenv("WAYLAND_DISPLAY")))
	}
	host, number, _ := strings.Cut(os.Getenv("DISPLAY"), ":")
	number, _, _ = strings.Cut(number, ".")
	return number != "" && (host != "" || there("/tmp/.X11-unix/X"+number))
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// plainFlags leave out the marks of automation: without a window, the browser
// names itself another one. version is its own, as "156.0.8078.79".
func (k Kind) plainFlags(windowed bool, version string) []string {
	if !k.Verified {
		return []string{"--enable-automation"}
	}
	flags := []string{"--disable-blink-features=AutomationControlled", "--accept-lang=en-US,en"}
	if !windowed {
		flags = append(flags, "--user-agent="+ordinaryAgent(version))
	}
	return flags
}

// versionNeeded is the version of the browser, for kinds that name it.
func (k Kind) versionNeeded(ctx context.Context, children *child.Manager, path string) (string, error) {
	if !k.Verified {
		return "", nil
	}
	return VersionOf(ctx, children, path)
}

// ordinaryAgent is the user agent of a browser with a window. The minor
// numbers and the system's are the same for all.
func ordinaryAgent(version string) string {
	system := map[string]string{
		"windows": "Windows NT 10.0; Win64; x64", "darwin": "Macintosh; Intel Mac OS X 10_15_7",
	}[runtime.GOOS]
	if system == "" {
		system = "X11; Linux x86_64"
	}
	major, _, _ := strings.Cut(version, ".")
	return "Mozilla/5.0 (" + system + ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" + major + ".0.0.0 Safari/537.36"
}
