// Package lexicon reads lists of words from files, and makes them and patterns
// when they are first needed: a program that links a package with many of them
// does not pay for what it never asks.
package lexicon

import (
	"io/fs"
	"regexp"
	"slices"
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

// Entries returns a list in its order.
func Entries(files fs.FS, name string) func() []Entry {
	return sync.OnceValue(func() []Entry { return Read(files, name) })
}

// Listed returns the words of a list by their names, of one that is there again
// the last.
func Listed(files fs.FS, name string) func() map[string][]string {
	return read(files, name, func(m map[string][]string, e Entry) { m[e.Name] = e.Words })
}

// ByWord returns the names of a list by their words, of several the last.
func ByWord(files fs.FS, name string) func() map[string]string {
	return read(files, name, func(m map[string]string, e Entry) {
		for _, w := range e.Words {
			m[w] = e.Name
		}
	})
}

// Phrases returns the words of several lists by their names. In them _ stands for
// a space.
func Phrases(files fs.FS, lists ...string) func() map[string][]string {
	return sync.OnceValue(func() map[string][]string {
		m := map[string][]string{}
		for _, list := range lists {
			for _, e := range Read(files, list) {
				for _, w := range e.Words {
					m[e.Name] = append(m[e.Name], strings.ReplaceAll(w, "_", " "))
				}
			}
		}
		return m
	})
}

// Is returns what reports whether a word is one of those of a name.
func Is(files fs.FS, name string) func(name, word string) bool {
	lists := Lists(Listed(files, name))
	return func(name, word string) bool { return slices.Contains(lists(word), name) }
}

// Lists tells in which lists a word is: most words are in none, which one look says.
func Lists(listed func() map[string][]string) func(word string) []string {
	lists := sync.OnceValue(func() map[string][]string {
		m := make(map[string][]string, 1<<11)
		for name, words := range listed() {
			for _, w := range words {
				m[w] = append(m[w], name)
			}
		}
		return m
	})
	return func(word string) []string { return lists()[word] }
}

func read[V any](files fs.FS, name string, add func(map[string]V, Entry)) func() map[string]V {
	return sync.OnceValue(func() map[string]V {
		m := map[string]V{}
		for _, e := range Read(files, name) {
			add(m, e)
		}
		return m
	})
}

// Pattern returns a regular expression.
func Pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
