package main

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ignoring are the lines of .gitignore and .actorignore, in this order: the last that
// matches counts.
type ignoring []ignoreRule

// ignoreRule is a line. What stands in brackets, and "\" before a letter, mean what
// they mean to path.Match.
type ignoreRule struct {
	parts    []string // of the path, from the root; "**" is any number
	dirsOnly bool
	keep     bool // the line begins with "!"
}

// ignoreFiles are read in the directory of the Actor alone.
var ignoreFiles = []string{".gitignore", ".actorignore"}

func readIgnoring(dir string) (all ignoring, err error) {
	for _, name := range ignoreFiles {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if rule, ok := parseIgnore(line); ok {
				all = append(all, rule)
			}
		}
	}
	return all, nil
}

// parseIgnore reads a line; false for a comment and an empty one.
func parseIgnore(line string) (r ignoreRule, ok bool) {
	line = strings.TrimRight(line, " \t\r\n")
	if line == "" || strings.HasPrefix(line, "#") {
		return r, false
	}
	line, r.keep = strings.CutPrefix(line, "!")
	line, r.dirsOnly = strings.CutSuffix(line, "/")
	anchored := strings.Contains(line, "/")
	r.parts = strings.Split(strings.TrimPrefix(line, "/"), "/")
	if !anchored {
		r.parts = append([]string{"**"}, r.parts...)
	}
	return r, line != ""
}

// ignores reports whether a file or directory is left out. What a directory that is
// left out has is not asked for.
func (all ignoring) ignores(name string, dir bool) bool {
	parts := strings.Split(name, "/")
	for _, r := range slices.Backward(all) {
		if (dir || !r.dirsOnly) && matches(r.parts, parts) {
			return !r.keep
		}
	}
	return false
}

// matches reports whether a pattern is that of a path.
func matches(pattern, name []string) bool {
	switch {
	case len(pattern) == 0:
		return len(name) == 0
	case pattern[0] == "**" && len(pattern) == 1:
		return len(name) > 0
	case pattern[0] == "**":
		return matches(pattern[1:], name) || len(name) > 0 && matches(pattern, name[1:])
	case len(name) == 0:
		return false
	}
	same, err := path.Match(pattern[0], name[0])
	return err == nil && same && matches(pattern[1:], name[1:])
}

// isStayingHome reports whether a file or directory of an Actor is never sent.
func isStayingHome(name string) bool {
	return leftOut(name) || slices.Contains([]string{"storage", "apify_storage", "crawlee_storage"}, name)
}
