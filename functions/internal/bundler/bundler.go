package bundler

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/drover-go/drover/internal/disk"
)

// Suffix is what the name of a bundle ends in. It lies beside the entry point, so
// that what the program reads relative to its own address is where it was.
const Suffix = ".drover.mjs"

// Request is what is bundled.
type Request struct {
	// Dir is the root of the program: no file outside of it gets into the bundle.
	Dir string `json:"dir"`
	// Entry is the entry point, slash-separated and relative to Dir.
	Entry string `json:"entry"`
}

// Answer is what came of it.
type Answer struct {
	// Bundle is the module that was written, relative to Dir. It means nothing where
	// there are errors.
	Bundle string `json:"bundle"`
	// Warnings and Errors are a line each, with the place in the program.
	Warnings []string `json:"warnings,omitempty"`
	Errors   []string `json:"errors,omitempty"`
	// Full says that the bundle does not fit on the disk.
	Full bool `json:"full,omitempty"`
}

// bundle writes the entry point with all files of the program that it imports as one
// module; packages stay where they are installed.
func bundle(r Request) (a Answer) {
	dir, err := filepath.EvalSymlinks(r.Dir)
	if err != nil {
		return Answer{Errors: []string{err.Error()}}
	}
	a.Bundle = path.Join(path.Dir(r.Entry), strings.TrimSuffix(path.Base(r.Entry), path.Ext(r.Entry))+Suffix)
	settings, warnings := readTSConfig(dir, path.Dir(r.Entry))
	files := &files{dir: dir, entry: r.Entry, shifted: map[string]shift{}}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(dir, filepath.FromSlash(r.Entry))}, Outfile: filepath.Join(dir, filepath.FromSlash(a.Bundle)),
		AbsWorkingDir: dir, Bundle: true, AllowOverwrite: true,
		Platform: api.PlatformNode, Target: api.ES2022, Format: api.FormatESModule, Packages: api.PackagesExternal,
		Sourcemap: api.SourceMapInline, LogLevel: api.LogLevelSilent, TsconfigRaw: settings,
		Banner: map[string]string{"js": banner(r.Entry)}, Define: ownAddress,
		Plugins: []api.Plugin{{Name: "files", Setup: files.setup}},
	})
	a.Warnings = append(warnings, files.lines(result.Warnings)...)
	if a.Errors = files.lines(result.Errors); len(a.Errors) > 0 {
		return a
	}
	return a.written(os.WriteFile(filepath.Join(dir, filepath.FromSlash(a.Bundle)), result.OutputFiles[0].Contents, 0o644))
}

// written notes how the bundle was written: a full disk is not the program's fault.
func (a Answer) written(err error) Answer {
	switch {
	case disk.IsFull(err):
		a.Full = true
	case err != nil:
		a.Errors = []string{err.Error()}
	}
	return a
}

// What is said of a program is bounded: one can be wrong in as many places as it
// pleases.
const (
	maxLines = 50
	maxLine  = 1000
)

// lines are messages with where they belong to.
func (f *files) lines(all []api.Message) (lines []string) {
	for _, m := range all[:min(len(all), maxLines)] {
		line := m.Text
		if m.Location != nil {
			line = fmt.Sprintf("%s:%d:%d: %s", m.Location.File, m.Location.Line, f.column(m.Location), m.Text)
		}
		lines = append(lines, strings.ToValidUTF8(line[:min(len(line), maxLine)], ""))
	}
	if left := len(all) - maxLines; left > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", left))
	}
	return lines
}
