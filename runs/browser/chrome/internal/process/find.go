package process

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/drover-go/drover/errtypes"
)

// ExecPathEnv is the environment variable that names the Chromium to use.
const ExecPathEnv = "DROVER_CHROMIUM"

// FindExec returns the browser to start: the given one, the one that the
// environment names, or the first of the usual ones. Its errors, as those of
// [VersionOf], name paths in their cause alone: callers from afar see the
// message.
func FindExec(given string) (string, error) {
	if given = cmp.Or(given, os.Getenv(ExecPathEnv)); given != "" {
		path, err := exec.LookPath(given)
		if err != nil {
			return "", errtypes.New(errtypes.Unavailable, "there is no program to start as the browser").WithCause(fmt.Errorf("%s: %w", given, err))
		}
		return path, nil
	}
	for _, candidate := range candidates(runtime.GOOS) {
		if path, err := exec.LookPath(candidate); err == nil {
			return path, nil
		}
	}
	return "", errtypes.New(errtypes.Unavailable, "no Chromium was found; %s, or name one in %s", howToGet(runtime.GOOS), ExecPathEnv)
}

// candidates are names for PATH and places, the best first: the system's
// Chromium, then Chrome, then what else is made from Chromium.
func candidates(goos string) []string {
	switch goos {
	case "darwin":
		return []string{
			"/Applications/Chromium.app/Contents/MacOS/Chromium",
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
			"chromium", "google-chrome",
		}
	case "windows":
		return windowsCandidates()
	}
	return []string{
		"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome",
		"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/lib/chromium/chromium",
		"/opt/google/chrome/chrome", "/snap/bin/chromium", "/usr/local/bin/chrome",
		"microsoft-edge-stable", "microsoft-edge", "headless-shell", "headless_shell",
	}
}

func windowsCandidates() []string {
	list := []string{"chrome", "chromium"}
	for _, product := range []string{`Chromium\Application\chrome.exe`, `Google\Chrome\Application\chrome.exe`, `Microsoft\Edge\Application\msedge.exe`} {
		for _, root := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			if dir := os.Getenv(root); dir != "" {
				list = append(list, filepath.Join(dir, product))
			}
		}
	}
	return list
}

func howToGet(goos string) string {
	switch goos {
	case "linux":
		return "install it with the system's package manager (apt-get install chromium, dnf install chromium, apk add chromium)"
	case "darwin":
		return "install it with: brew install --cask chromium"
	}
	return "install Chromium or Google Chrome"
}
