package visible

import "strings"

// abbreviations are short words with a dot in names: "Max. power".
var abbreviations = setOf("max min no nr num approx appr art ref vol temp ca avg dim qty est std incl excl opt prod int ext diam mfr mfg cat ser")

// endsSentence reports whether a text has the end of a sentence in it, which a
// name has not.
func endsSentence(s string) bool {
	for {
		before, rest, found := strings.Cut(s, ". ")
		if !found {
			return false
		}
		word := before[strings.LastIndexAny(before, " (/")+1:]
		if !abbreviations[strings.ToLower(word)] {
			return true
		}
		s = rest
	}
}
