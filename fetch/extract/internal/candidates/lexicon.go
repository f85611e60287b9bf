package candidates

import (
	"embed"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/mention"
)

// lexicon has a file for each language, and names.txt for the names that people
// give to elements.
//
//go:embed lexicon/*.txt
var lexicon embed.FS

// A sense is what a word says.
type sense uint16

const (
	ofIngredients sense = 1 << iota
	ofInstructions
	ofOther // something that stands beside both
	ofUnit
	ofFood
	ofVerb // what a step begins with
	ofTime
	ofRecipe
)

var senses = map[string]sense{
	"ingredients": ofIngredients, "instructions": ofInstructions, "other": ofOther, "units": ofUnit, "foods": ofFood,
	"verbs": ofVerb, "times": ofTime, "recipe": ofRecipe,
}

// A vocabulary is the senses of words in lower case, with and without accents.
type vocabulary map[string]sense

// spoken has the words of texts, named those of markup. Both are read when first needed.
var (
	spoken = sync.OnceValue(func() vocabulary { return readLexicon(func(name string) bool { return name != "names.txt" }) })
	named  = sync.OnceValue(func() vocabulary { return readLexicon(func(name string) bool { return name == "names.txt" }) })
)

func readLexicon(wanted func(string) bool) vocabulary {
	words := vocabulary{}
	files, _ := lexicon.ReadDir("lexicon")
	for _, f := range files {
		if !wanted(f.Name()) {
			continue
		}
		text, _ := lexicon.ReadFile("lexicon/" + f.Name())
		for line := range strings.Lines(string(text)) {
			kind, rest, _ := strings.Cut(line, ":")
			for _, word := range strings.Fields(rest) {
				words[word] |= senses[kind]
				words[mention.Fold(word)] |= senses[kind]
			}
		}
	}
	return words
}
