package visible

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/lexicon"
)

var (
	dateWords  = lexicon.Listed(files, "dates")
	otherDates = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[^\p{L}])(?:` + strings.Join(dateWords()["other"], "|") + `)(?:[^\p{L}]|$)`)
	})
)

// OtherDate reports whether words before a date say that it is not the day on
// which something was published: that of an event, a birth, the end of a time.
func OtherDate(words string) bool {
	words = strings.ToLower(words)
	for _, mark := range [...]string{". ", " · ", " • ", " | ", "» "} {
		words = words[strings.LastIndex(words, mark)+1:]
	}
	return !PublishedDate(words) && otherDates().MatchString(words)
}

// PublishedDate reports whether words before a date say that something was
// published on it.
func PublishedDate(words string) bool {
	words = strings.ToLower(words)
	return slices.ContainsFunc(dateWords()["published"], func(w string) bool {
		return strings.Contains(words, strings.ReplaceAll(w, "_", " "))
	})
}
