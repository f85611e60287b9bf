package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
)

// example is what init writes. The file gitignore gets its point there, so that it
// does not count here.
//
//go:embed example
var example embed.FS

type functionsInitCmd struct {
	Dir string `arg:"" optional:"" default:"." help:"Directory to write to; made if need be. Default the current one."`
}

// Run writes all files or, where one is there already, none.
func (cmd functionsInitCmd) Run(c console) error {
	entries, err := example.ReadDir("example")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, err := os.Lstat(cmd.path(e)); err == nil {
			return errtypes.New(errtypes.Conflict, "%s is there already; name another directory", cmd.path(e))
		}
	}
	if err := os.MkdirAll(cmd.Dir, 0o755); err != nil {
		return err
	}
	for _, e := range entries {
		if err := cmd.write(e); err != nil {
			return err
		}
		fmt.Fprintln(c.stdout, "Wrote", cmd.path(e))
	}
	fmt.Fprintf(c.stdout, "Next, with a service that \"drover serve\" runs and its key in %s:\n  cd %s && npm install\n  drover functions publish\n  drover functions invoke title --params '{\"url\": \"https://example.com\"}'\n", keyVariable, cmd.Dir)
	return nil
}

func (cmd functionsInitCmd) path(e fs.DirEntry) string {
	name := e.Name()
	if name == "gitignore" {
		name = ".gitignore"
	}
	return filepath.Join(cmd.Dir, name)
}

func (cmd functionsInitCmd) write(e fs.DirEntry) error {
	content, err := example.ReadFile("example/" + e.Name())
	if err != nil {
		return err
	}
	f, err := os.OpenFile(cmd.path(e), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
