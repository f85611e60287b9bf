// Package recipe reads the source of an Actor: what it says of itself, what is
// installed and run to build it, and how it is started.
//
// There are no containers here. Of a Dockerfile only what Node.js needs is followed;
// what it asks beyond that is said, line by line.
package recipe

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
)

// Recipe is what an Actor's source says.
type Recipe struct {
	// Definition is actor.json with the schemas that it names in it; nil for none.
	Definition json.RawMessage
	// InputSchema is JSON; empty for none.
	InputSchema string
	Readme      string
	// Package says that there is a package.json.
	Package bool
	// Scripts of package.json are run, in this order, to build it.
	Scripts []string
	// Omit are the kinds of dependencies that it runs without.
	Omit []string
	// Start is a command and its arguments. "node" and "npm" are those of the host.
	Start []string
	// Dir is where it starts, relative to its root.
	Dir string
	// Env are variables in the form name=value.
	Env []string
	// Notes are lines for the log.
	Notes []string
}

// Limits of the files that are read.
const (
	maxFile        = 1 << 20
	maxInputSchema = 500_000
)

// Read reads the files of an Actor. Error kind Invalid for what is wrong with them.
func Read(root fs.FS) (Recipe, error) {
	r := &reader{root: root}
	if err := r.definition(); err != nil {
		return Recipe{}, err
	}
	pack, err := r.manifest()
	if err != nil {
		return Recipe{}, err
	}
	d, err := r.dockerfile()
	if err != nil {
		return Recipe{}, err
	}
	r.build(d, pack)
	return r.Recipe, r.start(d, pack)
}

// reader is a recipe that is being read.
type reader struct {
	Recipe
	root fs.FS
	// docker is the Dockerfile that actor.json names; empty for none.
	docker string
}

func (r *reader) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

func invalid(format string, args ...any) error {
	return errtypes.New(errtypes.Invalid, format, args...)
}

// file reads a file; found is false where there is none.
func (r *reader) file(name string) (text []byte, found bool, err error) {
	if !fs.ValidPath(name) {
		return nil, false, nil
	}
	info, err := fs.Stat(r.root, name)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular():
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case info.Size() > maxFile:
		return nil, false, invalid("%s must be at most %d bytes", name, maxFile)
	}
	f, err := r.root.Open(name)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	text, err = io.ReadAll(io.LimitReader(f, maxFile))
	if err == nil && !utf8.Valid(text) {
		err = invalid("%s must be valid UTF-8", name)
	}
	return text, err == nil, err
}

// first reads the first file that there is; name is empty for none.
func (r *reader) first(names ...string) (name string, text []byte, err error) {
	for _, name := range names {
		if text, found, err := r.file(name); found || err != nil {
			return name, text, err
		}
	}
	return "", nil, nil
}

// object reads JSON that is an object.
func object(name string, text []byte) (o map[string]any, err error) {
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, invalid("%s is not a valid JSON object: %v", name, err)
	}
	if o == nil {
		return nil, invalid("%s must be a JSON object", name)
	}
	return o, nil
}

// actorFolder is where an Actor keeps what it says of itself.
const actorFolder = ".actor"

// beside is a path that a file in the folder of an Actor names.
func beside(named string) string { return path.Join(actorFolder, strings.ReplaceAll(named, `\`, "/")) }
