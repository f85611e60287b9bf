package chrome

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/runs/browser/chrome/internal/process"
)

// ExecPathEnv is the environment variable that names the Chromium to use.
const ExecPathEnv = process.ExecPathEnv

// Find looks for Chromium, or a browser made from it, as a [Provider] does that
// is given no path: first what DROVER_CHROMIUM names, then the usual names in
// PATH and the usual places. It asks what it finds for its version, as
// "156.0.8078.79". The error's kind is Unavailable; its message says how to get
// Chromium.
func Find() (path, version string, err error) {
	defer errtypes.Wrap(&err, "chrome.Find()")
	if path, err = process.FindExec(""); err != nil {
		return "", "", err
	}
	version, err = versionOf(path)
	return path, version, err
}

// ExecPath returns the browser that a [Provider] starts which is given a path or a name,
// or nothing: an absolute path. It starts nothing. Error kind Unavailable.
func ExecPath(given string) (path string, err error) {
	defer errtypes.Wrap(&err, "chrome.ExecPath(%q)", given)
	if path, err = process.FindExec(given); err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// versionOf asks a browser for its version, of no provider's processes.
func versionOf(path string) (version string, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	o := Options{}.ChildOptions()
	o.Leave = true
	children, err := child.Open(o)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, children.Close()) }()
	return process.VersionOf(context.Background(), children, path)
}
