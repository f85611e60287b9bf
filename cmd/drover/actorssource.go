package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
)

// actorDir are the flags that say which Actor is sent.
type actorDir struct {
	Dir string `arg:"" optional:"" default:"." help:"Directory of the Actor, which has .actor/actor.json. What is sent of it: all files but those in node_modules, .git and storage, .env files, and what .gitignore and .actorignore name. Default the current one."`
}

// actorFile is where an Actor says what it is.
const actorFile = ".actor/actor.json"

// actorSource is an Actor in a directory.
type actorSource struct {
	dir string
	def actorDefinition
	// files are those that are sent, by their paths with slashes.
	files []string
	size  int64
}

// actorDefinition is what matters of actor.json here; the build reads the rest.
type actorDefinition struct {
	Name, Title, Description string
	Version, BuildTag        string
	Dockerfile               string
	EnvironmentVariables     map[string]string
}

// load reads the Actor and finds what is sent.
func (a actorDir) load() (s actorSource, err error) {
	s.dir = a.Dir
	if s.def, err = readDefinition(a.Dir); err != nil {
		return s, err
	}
	if err := s.find(); err != nil {
		return s, errtypes.New(errtypes.Invalid, "the files of the Actor cannot be read: %v", err)
	}
	return s, s.startable()
}

func readDefinition(dir string) (d actorDefinition, err error) {
	at := filepath.Join(dir, filepath.FromSlash(actorFile))
	raw, err := os.ReadFile(at)
	if errors.Is(err, fs.ErrNotExist) {
		return d, errtypes.New(errtypes.NotFound, `there is no %s: name the directory of an Actor, or write the file, at least {"actorSpecification": 1, "name": "my-actor", "version": "0.1"}`, at)
	}
	if err == nil {
		err = json.Unmarshal(raw, &d)
	}
	if err != nil {
		return d, errtypes.New(errtypes.Invalid, "%s cannot be read: %v", at, err)
	}
	for field, value := range map[string]string{"name": d.Name, "version": d.Version} {
		if value == "" {
			return d, errtypes.New(errtypes.Invalid, `%s must have a %s, such as "name": "my-actor" and "version": "0.1"`, at, field)
		}
	}
	return d, nil
}

// find lists the files that are sent.
func (s *actorSource) find() error {
	rules, err := readIgnoring(s.dir)
	if err != nil {
		return err
	}
	return filepath.WalkDir(s.dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || at == s.dir {
			return err
		}
		name, err := filepath.Rel(s.dir, at)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case e.IsDir() && (isStayingHome(e.Name()) || rules.ignores(name, true)):
			return fs.SkipDir
		case !e.Type().IsRegular() || isStayingHome(e.Name()) || rules.ignores(name, false):
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		s.files, s.size = append(s.files, name), s.size+info.Size()
		return nil
	})
}

func (s actorSource) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(s.files, name) })
}

// startable refuses what no build can make an Actor of, before it is sent.
func (s actorSource) startable() error {
	switch {
	case s.def.Dockerfile != "" || s.has(".actor/Dockerfile", "Dockerfile", "main.js", "index.js"):
		return nil
	case s.has("package.json"):
		var manifest struct {
			Main    string
			Scripts map[string]string
		}
		raw, err := os.ReadFile(filepath.Join(s.dir, "package.json"))
		if err != nil || json.Unmarshal(raw, &manifest) != nil || manifest.Main != "" || manifest.Scripts["start"] != "" {
			return err // the build says what is wrong with a file that is no JSON
		}
	case s.has("requirements.txt", "pyproject.toml", "main.py", "src/__main__.py") || slices.ContainsFunc(s.files, func(name string) bool { return strings.HasSuffix(name, ".py") }):
		return errtypes.New(errtypes.Invalid, "the Actor in %s is in Python, and only Actors of Node.js are built here", s.dir)
	}
	return errtypes.New(errtypes.Invalid, `nothing in %s says how the Actor is started: give package.json a "main" or a script "start", or write main.js or .actor/Dockerfile`, s.dir)
}

// sourceFile is a file as the service takes it.
type sourceFile struct {
	Name    string `json:"name"`
	Format  string `json:"format"`
	Content string `json:"content"`
}

// asFiles reads the files.
func (s actorSource) asFiles() (all []sourceFile, err error) {
	for _, name := range s.files {
		content, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		f := sourceFile{name, "TEXT", string(content)}
		if !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0 {
			f.Format, f.Content = "BASE64", base64.StdEncoding.EncodeToString(content)
		}
		all = append(all, f)
	}
	return all, nil
}

// archive writes the files as a tar file in gzip.
func (s actorSource) archive(w io.Writer) error {
	return packed(w, func(add func(string, fs.FileInfo) error) error {
		for _, name := range s.files {
			info, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(name)))
			if err != nil {
				return err
			}
			if err := add(filepath.FromSlash(name), info); err != nil {
				return err
			}
		}
		return nil
	}, s.dir)
}
