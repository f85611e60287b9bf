package visible

import (
	"embed"
	"slices"

	"github.com/drover-go/drover/internal/lexicon"
)

// files are the lists of what elements are called, and of what headings and
// lines say.
//
//go:embed lexicon/*.txt
var files embed.FS

// phrasesOf has the words of lists, and listsOf the lists that a word is in.
var (
	phrasesOf = lexicon.Phrases(files, "structure", "offers", "labels")
	listsOf   = lexicon.Lists(phrasesOf)
)

// is reports whether a word is in a list.
func is(list, word string) bool { return slices.Contains(listsOf(word), list) }
