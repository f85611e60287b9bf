package extract

import (
	"embed"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

//go:embed lexicon
var files embed.FS

// words are those that tell the metadata of a page, by what they are.
var words = lexicon.Listed(files, "words")

// isOf reports whether a text in lower case is one of a list.
func isOf(list, text string) bool {
	return slices.Contains(words()[list], strings.ReplaceAll(text, " ", "_"))
}
