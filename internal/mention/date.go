package mention

import (
	"cmp"
	"regexp"
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

// What may stand behind a date: a time of day and a zone; in front of it: a
// weekday or a few words such as "published on". Letters of a zone say little,
// for there are several of a name.
const (
	lead    = `^(?:\pL+[.:,]?\s+){0,3}?`
	tail    = `(?:,?\s*(?:(?:at|um|a|alle|as|om|-|–|\||kl\.?)\s*)?` + clock + `)?$`
	clock   = `(\d{1,2})(?:[:h.](\d{2})(?::(\d{2}))?)?()\s*(am|pm|a\.m\.|p\.m\.|uhr|uur|h|hrs)?\s*(z|utc|gmt|[+-]\d{2}:?\d{2})?` + zoneName
	isoTail = `(?:[t ]\s*(\d{2}):?(\d{2})(?::?(\d{2})([.,]\d+)?)?()\s*(z|utc|gmt|[+-]\d{2}(?::?\d{2})?)?)?$`

	zoneName = `(?:\s+\(?(?:[a-z]{1,3}[sd]t|[ecmp]t|mez|mesz|cet|wet|eet|local time|ortszeit)\)?)?`
)

// forms are the ways in which dates are written, in lower case without accents,
// with the order of year, month and day where it is sure.
var forms = []struct {
	pattern func() *regexp.Regexp
	order   string
}{
	{lexicon.Pattern(`^(\d{4})-?(\d{2})-?(\d{2})` + isoTail), "ymd"},
	{lexicon.Pattern(lead + `(\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s*[-\s]?(?:de\s+|of\s+|d')?(\pL{3,})\.?,?[-\s]\s*(?:de\s+|del\s+)?(\d{4})(?:\.|\s*(?:года|року|[грr])\.?)?` + tail), "dmy"},
	{lexicon.Pattern(lead + `(\pL{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})` + tail), "mdy"},
	{lexicon.Pattern(lead + `(\d{4})\.?\s+(\pL{3,})\.?\s+(\d{1,2})\.?` + tail), "ymd"},
	{lexicon.Pattern(lead + `(\d{4})[./-]\s?(\d{1,2})[./-]\s?(\d{1,2})\.?` + tail), "ymd"},
	{lexicon.Pattern(lead + `(\d{1,2}) thang (\d{1,2}),?(?: nam)? (\d{4})` + tail), "dmy"},
	{lexicon.Pattern(lead + `(\d{1,2})\.\s?(\d{1,2})[./-]\s?(\d{4})` + tail), "dmy"},
	{lexicon.Pattern(lead + `(\d{1,2})[/-]\s?(\d{1,2})[./-]\s?(\d{4})` + tail), ""},
}

// ParseMoment reads a date, with or without a time: ISO 8601, RFC 1123, and as
// people write it in several languages ("3 May 2024", "3. Mai 2024, 10:30 Uhr",
// "03.05.2024", "2024年5月3日"). Of 03/04/2024 the language of the page, a tag such as en-US,
// says which is the month; where it does not, the text is none. So is a year
// of two digits and a date without a day.
func ParseMoment(text, lang string) (Moment, bool) {
	if len(text) > maxText || !HasYear(text) {
		return Moment{}, false
	}
	if strings.ContainsAny(text, "年년") {
		text = inCharacters().ReplaceAllString(text, "$1-$2-$3 ")
	}
	text = Fold(text)
	language, _ := regionOf(lang)
	for _, f := range forms {
		m := f.pattern().FindStringSubmatch(text)
		if m == nil {
			continue
		}
		part := map[rune]string{}
		for i, is := range cmp.Or(f.order, orderOf(m[1], m[2], lang)) {
			part[is] = m[i+1]
		}
		if at, ok := momentOf(part['y'], cmp.Or(monthNumbers()[language+":"+part['m']], monthNumbers()[part['m']], part['m']), part['d'], m[4:]); ok {
			return at, true
		}
	}
	return Moment{}, false
}

// IsUnset reports whether it is the first day of a calendar, as programs write where they
// know of none.
func (m Moment) IsUnset() bool { return m.Date == "1970-01-01" || m.Date < "0100" }

// MayBePast reports whether something may have been published or changed on the day, which
// nothing was on one to come.
func (m Moment) MayBePast() bool {
	return !m.IsUnset() && m.Date <= time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
}

// inCharacters is a date of East Asia, perhaps with the day of the week.
var inCharacters = lexicon.Pattern(`(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]\s?(?:[(（][\p{Han}\p{Hangul}]{1,3}[)）]|\s?(?:星期|周|礼拜)\p{Han})?`)

// orderOf returns in which order a language writes dates in digits, "" where
// that is not sure: English alone says nothing.
func orderOf(a, b, lang string) string {
	first, _ := strconv.Atoi(a)
	second, _ := strconv.Atoi(b)
	main, region := regionOf(lang)
	switch {
	case first > 12, is("comma", main), main == "en" && is("dayFirst", region):
		return "dmy"
	case second > 12, first == second, main == "en" && region == "us":
		return "mdy"
	}
	return ""
}

// momentOf checks a date and the time of day behind it, as clock has it, and
// writes them.
func momentOf(year, month, day string, m []string) (Moment, bool) {
	date, err := time.Parse("2006-1-2", year+"-"+month+"-"+day)
	at := Moment{Date: date.Format(time.DateOnly)}
	if err != nil || date.Year() == 0 || m[0] == "" {
		return at, err == nil && date.Year() > 0
	}
	layout, half := "15:4:5", strings.ToUpper(strings.ReplaceAll(m[4], ".", ""))
	if m[1] == "" && !strings.ContainsAny(half, "MUH") {
		return Moment{}, false // an hour alone is one with a half of the day behind it
	}
	if half != "AM" && half != "PM" {
		half = ""
	} else {
		layout = "3:4:5PM"
	}
	clock, err := time.Parse(layout, m[0]+":"+cmp.Or(m[1], "0")+":"+cmp.Or(m[2], "0")+m[3]+half)
	at.Clock, at.Zone = clock.Format("15:04:05.999999999"), zone(m[5])
	return at, err == nil
}

// zone writes the offset from UTC as RFC 3339 does.
func zone(text string) string {
	switch text {
	case "":
		return ""
	case "z", "utc", "gmt", "+0000", "+00:00":
		return "Z"
	}
	digits := strings.ReplaceAll(text[1:], ":", "") + "00"
	return text[:1] + digits[:2] + ":" + digits[2:4]
}

// Unix returns the moment of a number of seconds or milliseconds since 1970,
// as scripts keep it: 10 or 13 digits.
func Unix(digits string) (Moment, bool) {
	if len(digits) == 10 {
		digits += "000"
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || len(digits) != 13 {
		return Moment{}, false
	}
	t := time.UnixMilli(n).UTC()
	return Moment{Date: t.Format(time.DateOnly), Clock: t.Format(time.TimeOnly), Zone: "Z"}, true
}

// ParseClock reads a time of day: "14:30", "2:30 pm", "14h30", "14.30 Uhr".
func ParseClock(text string) (string, bool) {
	if text = Fold(text); !matches(clockOnly, text) {
		return "", false
	}
	at, ok := ParseMoment("2000-01-01 "+text, "")
	return at.Time(), ok
}

// ClockEnds returns the times of day of a text that looks like one or a span of
// them, as far as such are set apart.
func ClockEnds(text string) []string {
	if !likeClock().MatchString(text) {
		return nil
	}
	return betweenClocks().Split(text, 3)
}

var (
	likeClock     = lexicon.Pattern(`(?i)\d[:.h]\d\d|\d\s?[ap]\.?m\b`)
	betweenClocks = lexicon.Pattern(`\s*[-–—]\s*|\s(?:to|bis|until|à|a|tot)\s`)
)

// clockOnly is how a time of day begins, but for those of ISO 8601 that have no colon.
var clockOnly = lexicon.Pattern(`^\d{1,2}[:h.]\d{2}`)

// monthNumbers are the numbers of months by their names.
var monthNumbers = lexicon.ByWord(files, "months")

// IsMonth reports whether a word is the name of a month, whole or cut.
func IsMonth(word string) bool { return monthNumbers()[strings.Trim(Fold(word), ". ")] != "" }
