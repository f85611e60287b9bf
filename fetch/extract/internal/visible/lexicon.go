package visible

import (
	"embed"

	"github.com/drover-go/drover/internal/lexicon"
)

// files are the lists of what elements are called, and of what headings and
// lines say.
//
//go:embed lexicon/*.txt
var files embed.FS

// phrasesOf has the words of lists, and is reports whether a word is in one.
var (
	phrasesOf = lexicon.Phrases(files, "structure", "offers", "labels")
	is        = lexicon.In(phrasesOf)
)
