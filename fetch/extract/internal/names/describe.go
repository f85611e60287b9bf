package names

import (
	"slices"
	"strings"
)

// maxDescription is how many words of a description are read: what it is about
// comes first.
const maxDescription = 24

// longestPhrase is how many words a name in a description may have.
const longestPhrase = 4

// Describe returns the concepts of the one name that a description has: the
// longest, and of those the first. "The name of the author" is the author and
// not a name.
func Describe(text string) []string {
	words := descriptionWords(text)
	if found := asked(words); found != "" {
		return []string{found}
	}
	if found := otherPrice(words); found != "" {
		return []string{found}
	}
	if found := possessive(words); found != nil {
		return found
	}
	for size := min(longestPhrase, len(words)); size > 0; size-- {
		for i := 0; i+size <= len(words); i++ {
			if size == 1 && vague[words[i]] {
				continue
			}
			if found := phrase(words[i : i+size]); found != nil {
				return found
			}
		}
	}
	for _, w := range words {
		if telling[w] {
			return phrase([]string{w})
		}
	}
	return nil
}

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

// possessive reads "name of the author": the two together if they are a name,
// "authorname", or else what it is the name of.
func possessive(words []string) []string {
	i := slices.IndexFunc(words, func(w string) bool { return slices.Contains(ofWords, w) })
	if i < 1 {
		return nil
	}
	after := i + 1
	for after < len(words) && fillers[words[after]] {
		after++
	}
	if after == len(words) {
		return nil
	}
	member := words[i-1]
	for size := 2; size > 0; size-- {
		if after+size <= len(words) {
			whole := strings.Join(words[after:after+size], " ")
			if n := Parse(whole + " " + member); len(n.Concepts) > 0 {
				return n.Concepts
			}
		}
	}
	return nil
}

var ofWords = []string{"of", "de", "du", "des", "der", "von", "di", "da", "do", "van", "del"}
