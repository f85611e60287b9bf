package visible

import (
	"embed"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/lexicon"
)

// In the words of these lists a "_" stands for a space.
//
//go:embed lexicon/*.txt
var files embed.FS

// words are the lists of words.txt, by what they are.
var words = sync.OnceValue(func() map[string]map[string]bool {
	lists := map[string]map[string]bool{}
	for _, e := range lexicon.Read(files, "words") {
		list := map[string]bool{}
		for _, w := range e.Words {
			list[strings.ReplaceAll(w, "_", " ")] = true
		}
		lists[e.Name] = list
	}
	return lists
})

// isOneOf reports whether a list of words.txt has a word, in any case.
func isOneOf(list, word string) bool { return words()[list][strings.ToLower(word)] }
