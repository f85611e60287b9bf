package names

import "strings"

// maxDescription is how many words of a description are read: what it is about
// comes first.
const maxDescription = 24

// longestPhrase is how many words a name in a description may have.
const longestPhrase = 4

// Describe returns the concepts of the one name that a description has.
func Describe(text string) []string { return Tell(text).Concepts }

// telling are those of the vague words that say something where no other does.
var telling = setOf("name title date language currency url link description category")

// vague are words that stand in descriptions of anything.
var vague = setOf("name text number type time date value list language currency url link description title id count total size unit format category")

func descriptionWords(text string) []string {
	if len(text) > 400 {
		text = strings.ToValidUTF8(text[:400], "")
	}
	var words []string
	for part := range strings.FieldsSeq(text) {
		words = append(words, Words(part)...)
	}
	return words[:min(len(words), maxDescription)]
}

func phrase(words []string) []string {
	var stems []string
	for _, w := range words {
		if fillers[w] {
			return nil
		}
		stems = append(stems, stem(w))
	}
	return conceptsOf(words, stems)
}

var ofWords = []string{"of", "de", "du", "des", "der", "von", "di", "da", "do", "van", "del"}
