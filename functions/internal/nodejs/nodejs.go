// Package nodejs finds the Node.js of the machine, and the installers of packages
// that came with it.
package nodejs

import (
	"os"
	"os/exec"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
)

// Tools are programs, each as an absolute path. Npm and Pnpm are run by Node; they
// are empty where the machine does not have them.
type Tools struct {
	Node, Npm, Pnpm string
}

// Find fills in what t does not name. Error kinds: Invalid for a program that is
// named and not there; Unavailable where the machine has no Node.js.
func Find(t Tools) (Tools, error) {
	for field, path := range map[string]string{"Node": t.Node, "Npm": t.Npm, "Pnpm": t.Pnpm} {
		if path == "" {
			continue
		}
		if info, err := os.Stat(path); !filepath.IsAbs(path) || err != nil || !info.Mode().IsRegular() {
			return t, errtypes.Field(field, "must be the absolute path of a program, and %q is none", path)
		}
	}
	if t.Node == "" {
		node, err := exec.LookPath("node")
		if err == nil {
			node, err = filepath.Abs(node)
		}
		if err != nil {
			return t, errtypes.New(errtypes.Unavailable, "there is no Node.js on this machine: no program \"node\" in PATH").WithCause(err)
		}
		t.Node = node
	}
	modules := filepath.Join(filepath.Dir(filepath.Dir(resolved(t.Node))), "lib", "node_modules")
	if t.Npm == "" {
		t.Npm = script("npm", filepath.Join(modules, "npm", "bin", "npm-cli.js"))
	}
	if t.Pnpm == "" {
		t.Pnpm = script("pnpm", filepath.Join(modules, "pnpm", "bin", "pnpm.cjs"), filepath.Join(modules, "pnpm", "bin", "pnpm.mjs"))
	}
	return t, nil
}

// script is the file that a command of a package leads to, for Node.js to run; else
// one beside Node.js; empty where there is neither.
func script(command string, beside ...string) string {
	if path, err := exec.LookPath(command); err == nil {
		switch path = resolved(path); filepath.Ext(path) {
		case ".js", ".cjs", ".mjs":
			return path
		}
	}
	for _, path := range beside {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// resolved is an absolute path without links, where there is one.
func resolved(path string) string {
	path, _ = filepath.Abs(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
