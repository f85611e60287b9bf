package visible

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/lexicon"
)

// files are the lists of what elements are called, and of what headings and
// lines say.
//
//go:embed lexicon/*.txt
var files embed.FS

// phrasesOf has the words of lists, in which _ stands for a space.
var phrasesOf = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, file := range [...]string{"structure", "offers", "labels"} {
		for _, e := range lexicon.Read(files, file) {
			for i, w := range e.Words {
				e.Words[i] = strings.ReplaceAll(w, "_", " ")
			}
			all[e.Name] = append(all[e.Name], e.Words...)
		}
	}
	return all
})

// listsOf has the lists that a word is in: most words are in none, which one
// look says.
var listsOf = sync.OnceValue(func() map[string][]string {
	all := make(map[string][]string, 1<<11)
	for name, words := range phrasesOf() {
		for _, w := range words {
			all[w] = append(all[w], name)
		}
	}
	return all
})

// is reports whether a word is in a list.
func is(list, word string) bool { return slices.Contains(listsOf()[word], list) }

// holdsAny reports whether a text has one of the phrases of a list.
func holdsAny(list, text string) bool {
	for _, w := range phrasesOf()[list] {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
