package candidates

import (
	"embed"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// files has a list for each language, and names.txt for the names that people
// give to elements.
//
//go:embed lexicon/*.txt
var files embed.FS

// A sense is what a word says.
type sense uint16

// The first are those of places.
const (
	ofIngredients sense = 1 << iota
	ofInstructions
	ofOther // something that stands beside both
	ofRecipe
	ofUnit
	ofFood
	ofVerb // what a step begins with
	ofTime
	ofCounting // which of several alike

	places = 4
)

var senses = map[string]sense{
	"ingredients": ofIngredients, "instructions": ofInstructions, "other": ofOther, "units": ofUnit, "foods": ofFood,
	"verbs": ofVerb, "times": ofTime, "recipe": ofRecipe, "counting": ofCounting,
}

// spoken has the senses of the words of texts, named of those of markup, in lower
// case, with and without accents. Both are read when first needed.
var (
	spoken = sync.OnceValue(func() map[string]sense { return readLexicon(false) })
	named  = sync.OnceValue(func() map[string]sense { return readLexicon(true) })
)

func readLexicon(names bool) map[string]sense {
	words := map[string]sense{}
	lists, _ := files.ReadDir("lexicon")
	for _, l := range lists {
		if (l.Name() == "names.txt") != names {
			continue
		}
		for _, e := range lexicon.Read(files, strings.TrimSuffix(l.Name(), ".txt")) {
			for _, word := range e.Words {
				words[word] |= senses[e.Name]
				words[mention.Fold(word)] |= senses[e.Name]
			}
		}
	}
	return words
}
