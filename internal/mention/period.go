package mention

import (
	"strings"
	"time"

	"github.com/drover-go/drover/internal/lexicon"
)

// A Period is when something begins and ends, as RFC 3339 has it, as far as it
// is known, or "".
type Period struct{ Start, End string }

var (
	yearIn    = lexicon.Pattern(`(?:19|20)\d\d`)
	rangeMark = lexicon.Pattern(`(?i)\s*[–—-]\s*|\s+(?:to|until|till|through|bis(?: zum)?|au|al|a|às|alle|t/m|tot(?: en met)?|até)\s+`)
	halfOfDay = lexicon.Pattern(`(?i)\s*[ap]\.?m\.?$`)
	// beforeClock is what stands between a day and a time of day.
	beforeClock = lexicon.Pattern(`(?i)(\pL|\d)(?:\s*[·|•@]|,?\s+(?:at|um|om|à|a las|às|alle|from|von|de|de las|des|da|dalle|dalle ore|das|van|entre))\s*(\d{1,2}(?:[:.h]\d{2}|\s?(?:[ap]\.?m|uhr|h)\b))`)
	firstNumber = lexicon.Pattern(`^\d{1,2}(\D.*)$`)
)

// maxPeriod is how long the text of a period is, in bytes.
const maxPeriod = 120

// ParsePeriod reads the period of a text: "Friday, June 7, 2024, 8:30 PM – 11 PM",
// "7–9 June 2024", "30 May to 2 June 2024". A single date is none, unless a time
// of day stands with it.
func ParsePeriod(s, language string) Period {
	if len(s) > maxPeriod || len(s) < 8 || !HasYear(s) || !yearIn().MatchString(s) {
		return Period{}
	}
	s = beforeClock().ReplaceAllString(strings.TrimSpace(s), "$1, $2")
	for _, at := range rangeMark().FindAllStringIndex(s, 4) {
		if found := periodOf(strings.TrimSpace(s[:at[0]]), strings.TrimSpace(s[at[1]:]), language); found.Start != "" {
			return found
		}
	}
	if m, ok := ParseMoment(s, language); ok && m.Clock != "" {
		return Period{Start: m.String()}
	}
	return Period{}
}

// periodOf reads the two sides of a range. What one of them lacks, the month, the
// year, the day or the half of the day, it has in common with the other one.
func periodOf(left, right, language string) Period {
	if left == "" || right == "" {
		return Period{}
	}
	lefts, rights, year := []string{left}, []string{right}, yearIn().FindString(right)
	if half := halfOfDay().FindString(right); half != "" {
		lefts = append(lefts, left+half)
	}
	if (year == "" || len(right) <= len("2000h")) && isClock(right) {
		rights = nil
		for _, l := range lefts {
			if start, ok := ParseMoment(l, language); ok && start.Clock != "" {
				rights = append(rights, start.Date+" "+right+start.Zone)
			}
		}
	} else {
		lefts = append(lefts, left+" "+year, left+", "+year, strings.TrimSuffix(left, ".")+"."+year)
		if m := firstNumber().FindStringSubmatch(right); m != nil {
			lefts = append(lefts, strings.TrimRight(left[strings.LastIndexByte(left, ' ')+1:], ".")+m[1])
		}
		month, _, _ := strings.Cut(left, " ")
		rights = append(rights, month+" "+right)
	}
	for _, r := range rights {
		end, ok := ParseMoment(r, language)
		for i := 0; ok && i < len(lefts); i++ {
			if start, isStart := ParseMoment(lefts[i], language); isStart {
				if found := ordered(start, end); found.Start != "" {
					return found
				}
			}
		}
	}
	return Period{}
}

// isClock reports whether a text is a time of day.
func isClock(s string) bool {
	m, ok := ParseMoment("2000-01-01 "+s, "")
	return ok && m.Clock != ""
}

// ordered returns a period whose end is not before its start: what ends at a
// smaller hour of the same day ends on the next one.
func ordered(start, end Moment) Period {
	if end.Date == start.Date && end.Clock != "" && end.Clock < start.Clock && end.Clock < "12" {
		if at, err := time.Parse(time.DateOnly, end.Date); err == nil {
			end.Date = at.AddDate(0, 0, 1).Format(time.DateOnly)
		}
	}
	if end.String() < start.String() {
		return Period{}
	}
	return Period{start.String(), end.String()}
}
