package visible

import (
	"embed"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// In the words of these lists a "_" stands for a space.
//
//go:embed lexicon/*.txt
var files embed.FS

// words are the lists of words.txt, by what they are.
var words = lexicon.Listed(files, "words")

// isOneOf reports whether a list of words.txt has a word, in any case.
func isOneOf(list, word string) bool {
	return slices.Contains(words()[list], strings.ReplaceAll(strings.ToLower(word), " ", "_"))
}
