package mention

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover/internal/lexicon"
)

// Moment is a date, with a time of day and a zone as far as they are known.
type Moment struct {
	// Date is "2006-01-02".
	Date string
	// Clock is "15:04:05", with decimals if the page has them, or "".
	Clock string
	// Zone is "Z", "+02:00" or "".
	Zone string
}

// String returns the moment as RFC 3339 does, as far as it is known: what a
// page does not say is not made up.
func (m Moment) String() string {
	if m.Clock == "" {
		return m.Date
	}
	return m.Date + "T" + m.Clock + m.Zone
}

// Time returns the time of day as RFC 3339 does, "" if it is not known.
func (m Moment) Time() string { return m.Clock + m.Zone }

// ParseMoment reads a date, with or without a time: ISO 8601, RFC 1123, and as
// people write it in several languages ("3 May 2024", "3. Mai 2024, 10:30 Uhr",
// "03.05.2024"). Of 03/04/2024 the language of the page, a tag such as en-US,
// says which is the month; where it does not, the text is none. So is a year
// of two digits and a date without a day.
func ParseMoment(text, lang string) (Moment, bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxText {
		return Moment{}, false
	}
	if m := isoMoment().FindStringSubmatch(text); m != nil {
		return isoParts(m)
	}
	folded := wholeClock(Fold(text))
	for _, read := range []func(string, string) (Moment, bool){namedDate, englishDate, digitDate} {
		if m, ok := read(folded, lang); ok {
			return m, true
		}
	}
	return Moment{}, false
}

// Letters of a zone behind a time say little, for there are several of a name;
// an hour alone is one with a half of the day behind it.
var (
	zoneBehind = lexicon.Pattern(`(\d|\bh|m\.?|uhr)\s+\(?(?:[a-z]{1,3}st|[a-z]{1,3}dt|[ecmp]t|mez|mesz|cet|wet|eet|local time|ortszeit)\)?$`)
	bareHour   = lexicon.Pattern(`([\s,])(\d{1,2})\s?(am|pm|a\.m\.|p\.m\.|uhr|h)$`)
)

// wholeClock writes the time behind a date, in lower case, as the patterns of
// dates have it: "3 may 2024, 8 pm bst" with minutes and without the zone.
func wholeClock(folded string) string {
	if folded == "" {
		return ""
	}
	switch folded[len(folded)-1] {
	case 't', 'z', ')', 'e':
		folded = zoneBehind().ReplaceAllString(folded, "$1")
	}
	switch folded[len(folded)-1] {
	case 'm', '.', 'r', 'h':
		folded = bareHour().ReplaceAllString(folded, "$1$2:00 $3")
	}
	return folded
}

var isoMoment = lexicon.Pattern(`^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]\s*(\d{2}):?(\d{2})(?::?(\d{2})([.,]\d+)?)?\s*(Z|z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$`)

func isoParts(m []string) (Moment, bool) {
	at, ok := day(m[1], m[2], m[3])
	if !ok || m[4] == "" {
		return at, ok
	}
	fraction := strings.ReplaceAll(strings.TrimRight(m[7], "0"), ",", ".")
	if at.Clock, ok = clock(m[4], m[5], m[6]); !ok {
		return Moment{}, false
	}
	if len(fraction) > 1 {
		at.Clock += fraction[:min(len(fraction), 10)]
	}
	at.Zone = zone(m[8])
	return at, true
}

// zone writes the offset from UTC as RFC 3339 does.
func zone(text string) string {
	switch strings.ToUpper(text) {
	case "":
		return ""
	case "Z", "UTC", "GMT", "+0000", "+00:00":
		return "Z"
	}
	digits := strings.ReplaceAll(text[1:], ":", "")
	if len(digits) == 2 {
		digits += "00"
	}
	return text[:1] + digits[:2] + ":" + digits[2:]
}

// day checks a date and writes it.
func day(y, m, d string) (Moment, bool) {
	year, _ := strconv.Atoi(y)
	month, _ := strconv.Atoi(m)
	dom, _ := strconv.Atoi(d)
	t := time.Date(year, time.Month(month), dom, 0, 0, 0, 0, time.UTC)
	if len(y) != 4 || year == 0 || t.Day() != dom || int(t.Month()) != month {
		return Moment{}, false
	}
	return Moment{Date: fmt.Sprintf("%04d-%02d-%02d", year, month, dom)}, true
}

func clock(h, m, s string) (string, bool) {
	hour, _ := strconv.Atoi(h)
	minute, _ := strconv.Atoi(m)
	second, _ := strconv.Atoi(s)
	if hour > 23 || minute > 59 || second > 59 {
		return "", false
	}
	return fmt.Sprintf("%02d:%02d:%02d", hour, minute, second), true
}

// What may stand behind a date: a time of day and a zone; in front of it: a
// weekday or a few words such as "published on".
const (
	lead = `^(?:[a-z]+[.:,]?\s+){0,3}?`
	tail = `(?:,?\s*(?:(?:at|um|a|alle|as|om|-|–|\||kl\.?)\s*)?(\d{1,2})[:h.](\d{2})(?::(\d{2}))?\s*(am|pm|a\.m\.|p\.m\.|uhr|uur|h|hrs)?\s*(z|utc|gmt|[+-]\d{2}:?\d{2})?)?$`
)

var (
	namedMoment   = lexicon.Pattern(lead + `(\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s*[-\s]?(?:de\s+|of\s+|d')?([a-z]{3,})\.?,?[-\s]\s*(?:de\s+|del\s+)?(\d{4})` + tail)
	englishMoment = lexicon.Pattern(lead + `([a-z]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})` + tail)
	digitMoment   = lexicon.Pattern(lead + `(\d{1,4})([./-])\s?(\d{1,2})[./-]\s?(\d{1,4})` + tail)
)

func namedDate(text, _ string) (Moment, bool) {
	m := namedMoment().FindStringSubmatch(text)
	if m == nil || months()[m[2]] == "" {
		return Moment{}, false
	}
	return withClock(m[4:], m[3], months()[m[2]], m[1])
}

func englishDate(text, _ string) (Moment, bool) {
	m := englishMoment().FindStringSubmatch(text)
	if m == nil || months()[m[1]] == "" {
		return Moment{}, false
	}
	return withClock(m[4:], m[3], months()[m[1]], m[2])
}

func digitDate(text, lang string) (Moment, bool) {
	m := digitMoment().FindStringSubmatch(text)
	if m == nil {
		return Moment{}, false
	}
	a, mark, b, c := m[1], m[2], m[3], m[4]
	if len(a) == 4 {
		return withClock(m[5:], a, b, c)
	}
	first, _ := strconv.Atoi(a)
	second, _ := strconv.Atoi(b)
	switch {
	case mark == "." || first > 12 || dayFirst(lang):
		return withClock(m[5:], c, b, a)
	case second > 12 || monthFirst(lang) || first == second:
		return withClock(m[5:], c, a, b)
	}
	return Moment{}, false
}

// dayFirst and monthFirst say how a language writes dates in digits. English
// alone says neither.
func dayFirst(lang string) bool {
	main, region, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(lang, "_", "-")), "-")
	if main == "en" {
		return region == "gb" || region == "au" || region == "nz" || region == "ie" || region == "in"
	}
	return commaLanguages[main]
}

func monthFirst(lang string) bool {
	return strings.EqualFold(strings.ReplaceAll(lang, "_", "-"), "en-US")
}

// withClock adds the time of day that a pattern found to a date.
func withClock(m []string, y, mo, d string) (Moment, bool) {
	at, ok := day(y, mo, d)
	if !ok || m[0] == "" {
		return at, ok
	}
	hour, _ := strconv.Atoi(m[0])
	switch half := strings.ReplaceAll(m[3], ".", ""); {
	case (half == "am" || half == "pm") && (hour < 1 || hour > 12):
		return Moment{}, false
	case half == "pm" && hour < 12:
		hour += 12
	case half == "am" && hour == 12:
		hour = 0
	}
	if at.Clock, ok = clock(strconv.Itoa(hour), m[1], m[2]); !ok {
		return Moment{}, false
	}
	at.Zone = zone(m[4])
	return at, true
}

// Unix returns the moment of a number of seconds or milliseconds since 1970,
// as scripts keep it: 10 or 13 digits.
func Unix(digits string) (Moment, bool) {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || len(digits) != 10 && len(digits) != 13 {
		return Moment{}, false
	}
	t := time.Unix(n, 0)
	if len(digits) == 13 {
		t = time.UnixMilli(n)
	}
	t = t.UTC()
	return Moment{Date: t.Format(time.DateOnly), Clock: t.Format("15:04:05"), Zone: "Z"}, true
}

// ParseClock reads a time of day: "14:30", "2:30 pm", "14h30", "14.30 Uhr".
func ParseClock(text string) (string, bool) {
	if len(text) > maxText {
		return "", false
	}
	if at, ok := ParseMoment("2000-01-01T"+strings.TrimSpace(text), ""); ok && at.Clock != "" {
		return at.Time(), true
	}
	m := clockOnly().FindStringSubmatch(Fold(text))
	if m == nil {
		return "", false
	}
	at, ok := withClock(m[1:], "2000", "1", "1")
	return at.Time(), ok
}

var clockOnly = lexicon.Pattern(`^(\d{1,2})[:h.](\d{2})(?::(\d{2}))?\s*(am|pm|a\.m\.|p\.m\.|uhr|uur|h|hrs)?\s*(z|utc|gmt|[+-]\d{2}:?\d{2})?$`)

// months are the numbers of months by their names.
var months = lexicon.ByWord(files, "months")

// IsMonth reports whether a word is the name of a month, whole or cut.
func IsMonth(word string) bool { return months()[strings.Trim(Fold(word), ". ")] != "" }
