// Package lexicon reads lists of words from files, and makes them and patterns
// when they are first needed: a program that links a package with many of them
// does not pay for what it never asks.
package lexicon

import (
	"io/fs"
	"regexp"
	"strings"
	"sync"
)

// Entry is what a list has for a name.
type Entry struct {
	Name  string
	Words []string
}

// Read reads the list lexicon/name.txt: a line for each name, "name: words",
// which the lines below that are set in go on with. A line may be a comment,
// behind #. It panics for a file that is not there.
func Read(files fs.FS, name string) (all []Entry) {
	text, err := fs.ReadFile(files, "lexicon/"+name+".txt")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		name, words, isNew := strings.Cut(line, ":")
		switch {
		case line[0] == '#':
		case line[0] == ' ':
			last := &all[len(all)-1]
			last.Words = append(last.Words, strings.Fields(line)...)
		case isNew:
			all = append(all, Entry{name, strings.Fields(words)})
		}
	}
	return all
}

// Listed returns the words of a list by their names.
func Listed(files fs.FS, name string) func() map[string][]string {
	return sync.OnceValue(func() map[string][]string {
		m := map[string][]string{}
		for _, e := range Read(files, name) {
			m[e.Name] = e.Words
		}
		return m
	})
}

// ByWord returns the names of a list by their words, of several the last.
func ByWord(files fs.FS, name string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		m := map[string]string{}
		for _, e := range Read(files, name) {
			for _, w := range e.Words {
				m[w] = e.Name
			}
		}
		return m
	})
}

// Pattern returns a regular expression.
func Pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
