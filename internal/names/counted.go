package names

// Counted returns what a name asks how many there are of, stemmed: "resultCount",
// "totalResults", "numberOfJobs". It is "" for others, and for the counts that
// have a concept.
func Counted(name string) string {
	words := Words(name)
	if n := Parse(name); len(words) < 2 || len(n.Concepts) > 0 {
		return ""
	}
	last := words[len(words)-1]
	switch {
	case (words[0] == "number" || words[0] == "num" || words[0] == "total") && !fillers[last] && !countWords[last]:
		return stem(last)
	case countWords[last]:
		what := words[len(words)-2]
		if what == "total" && len(words) > 2 {
			what = words[len(words)-3]
		}
		return stem(what)
	}
	return ""
}

var countWords = setOf("count total counts number")

// SameCounted reports whether a word is the one that is counted, or one for the
// same kind of things.
func SameCounted(word, counted string) bool {
	if stem(word) == counted {
		return true
	}
	a, b := families()[stem(word)], families()[counted]
	return len(a) > 0 && len(b) > 0 && a[0] == b[0]
}
