package mention

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/drover-go/drover/internal/lexicon"
)

// dateText is a date and perhaps a time: 2024-05-03, 3.5.2024, 3 May 2024, May
// 3, 2024.
var dateText = lexicon.Pattern(`(?i)^(?:\p{L}{2,12}[,:.]?\s+){0,2}(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\s?\d{1,2}[./]\s?\d{4}|\d{1,2}(?:st|nd|rd|th|\.|er)?\s+(?:de\s+)?\p{L}{3,10}\.?,?\s+(?:de\s+)?\d{4}|\p{L}{3,10}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}|\d{4}年\d{1,2}月\d{1,2}日)(?:[T,]?\s?(?:at\s|um\s)?\d{1,2}:\d{2}.{0,20})?$`)

// IsDate reports whether a text is a date, and not one of which the words before
// say that it is that of something else.
func IsDate(s string) bool {
	if len(s) < 8 || len(s) > 60 || !HasYear(s) || !dateText().MatchString(s) {
		return false
	}
	words := strings.TrimSpace(s[:strings.IndexAny(s, "0123456789")])
	return words == "" || IsMonth(words) || !SaysOther(words)
}

// MayBeDate reports whether a text that is no date that can be read may be one
// for people: "Spring 2026", "3 - 5 May 2026".
// One that a program has written and that is no day, "2024-13-45", is none.
func MayBeDate(s string) bool {
	return len(s) > 4 && threeDigits().MatchString(s) && !isNoDay(s)
}

var (
	threeDigits = lexicon.Pattern(`(?:\d\D*){3}`)
	writtenDate = lexicon.Pattern(`^-?\d{4,6}-\d\d-\d\d|^\d{10}(?:\d{3})?$`)
)

// isNoDay reports whether a text begins with what a program has written for a day and is none.
func isNoDay(s string) bool {
	day := writtenDate().FindString(s)
	_, err := time.Parse(time.DateOnly, day)
	return day != "" && err != nil
}

// HasYear reports whether s has four digits in a row, as a year is written.
func HasYear(s string) bool {
	n := 0
	for i := range len(s) {
		if n++; !isDigit(s[i]) {
			n = 0
		} else if n == 4 {
			return true
		}
	}
	return false
}

var (
	dateWords  = lexicon.Listed(files, "dates")
	otherDates = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[^\p{L}])(?:` + strings.Join(dateWords()["other"], "|") + `)(?:[^\p{L}]|$)`)
	})
)

// SaysOther reports whether words before a date say that it is not the day on
// which something was published: that of an event, a birth, the end of a time.
func SaysOther(words string) bool {
	words = strings.ToLower(words)
	for _, mark := range [...]string{". ", " · ", " • ", " | ", "» "} {
		words = words[strings.LastIndex(words, mark)+1:]
	}
	return !SaysPublished(words) && otherDates().MatchString(words)
}

// SaysPublished reports whether words before a date say that something was
// published on it, and SaysUpdated whether it was changed then.
func SaysPublished(words string) bool { return says("published", words) }

// SaysUpdated is described at [SaysPublished].
func SaysUpdated(words string) bool { return says("updated", words) }

func says(list, words string) bool {
	words = strings.ReplaceAll(strings.ToLower(words), " ", "_")
	return slices.ContainsFunc(dateWords()[list], func(w string) bool { return strings.Contains(words, w) })
}
