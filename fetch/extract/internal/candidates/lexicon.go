package candidates

import (
	"embed"
	"slices"
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

// A sense is what a word says, a bit for each kind of them; the first are those of
// places.
type sense uint16

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

// kindsOfWords are the names that the lists have for the senses.
var kindsOfWords = []string{"ingredients", "instructions", "other", "recipe", "units", "foods", "verbs", "times", "counting"}

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
				says := sense(1) << slices.Index(kindsOfWords, e.Name)
				words[word] |= says
				words[mention.Fold(word)] |= says
			}
		}
	}
	return words
}
