package names

import (
	"embed"
	"strings"
	"sync"
)

//go:embed lexicon/*.txt
var lexicon embed.FS

// entry is what a list of the lexicon has for a name.
type entry struct {
	name  string
	words []string
}

// entriesOf reads a list: a line for each name, which the lines below that are
// set in go on with.
func entriesOf(list string) (all []entry) {
	text, err := lexicon.ReadFile("lexicon/" + list + ".txt")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		name, words, isNew := strings.Cut(line, ":")
		switch {
		case line[0] == '#':
		case line[0] == ' ':
			last := &all[len(all)-1]
			last.words = append(last.words, strings.Fields(line)...)
		case isNew:
			all = append(all, entry{name, strings.Fields(words)})
		}
	}
	return all
}

// listed returns the words of a list by their names, read when first needed.
func listed(list string) func() map[string][]string {
	return sync.OnceValue(func() map[string][]string {
		m := map[string][]string{}
		for _, e := range entriesOf(list) {
			m[e.name] = e.words
		}
		return m
	})
}
