package visible

import (
	"strings"
	"time"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// period is when something begins and ends, as RFC 3339 has it, as far as it is
// known, or "".
type period struct{ start, end string }

// endsOf reads the period of a text: "Friday, June 7, 2024, 8:30 PM – 11 PM",
// "7–9 June 2024", "30 May to 2 June 2024". A single date is none, unless a time
// of day stands with it.
func endsOf(s, language string) period {
	if len(s) > maxPattern || len(s) < 8 || !hasFourDigits(s) || !yearIn().MatchString(s) {
		return period{}
	}
	s = wholeHours(withoutZoneName(strings.TrimSpace(s)))
	s = openingWord().ReplaceAllString(s, "")
	s = dayToClock().ReplaceAllString(s, "$1, $2")
	places := rangeMark().FindAllStringIndex(s, 4)
	for _, at := range places {
		if found := periodOf(strings.TrimSpace(s[:at[0]]), strings.TrimSpace(s[at[1]:]), language); found.start != "" {
			return found
		}
	}
	if m, ok := mention.ParseMoment(s, language); ok && m.Clock != "" {
		return period{start: m.String()}
	}
	return period{}
}

var (
	yearIn      = lexicon.Pattern(`(?:19|20)\d\d`)
	rangeMark   = lexicon.Pattern(`(?i)\s*[–—-]\s*|\s+(?:to|until|till|through|bis(?: zum)?|au|al|a|às|alle|t/m|tot(?: en met)?|até)\s+`)
	openingWord = lexicon.Pattern(`(?i)^(?:from|vom|von|du|del|dal|van|de|entre le)\s+`)
	bareHour    = lexicon.Pattern(`(?i)(^|[^:.\d])(\d{1,2})\s?(am|pm|a\.m\.|p\.m\.|uhr|h)(\s|$|[,;)–—-])`)
	zoneName    = lexicon.Pattern(`\s+\(?(?:[A-Z]{1,3}ST|[A-Z]{1,3}DT|ET|PT|CT|MT|MEZ|MESZ|CET|local time)\)?$`)
	// dayToClock is what stands between a day and a time of day.
	dayToClock = lexicon.Pattern(`(?i)(\pL|\d)(?:\s*[·|•@]|,?\s+(?:at|from|um|à|a las|alle|om|às))\s*(\d{1,2}[:.h]\d{2})`)
	clockFirst = lexicon.Pattern(`(?i)^\d{1,2}(?:[:.h]\d{2})?\s*(?:am|pm|a\.m\.|p\.m\.|uhr|h)?$`)
)

// wholeHours writes "11 PM" as "11:00 PM".
func wholeHours(s string) string {
	if !hasBareHour(s) {
		return s
	}
	for range 2 { // the end of one match may be the beginning of the next
		s = bareHour().ReplaceAllString(s, "$1$2:00 $3$4")
	}
	return s
}

// hasBareHour reports whether a digit stands before what may be a half of a day.
func hasBareHour(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if '0' <= s[i] && s[i] <= '9' {
			next := strings.TrimLeft(s[i+1:], " \t\n\r\f")
			if next != "" && strings.IndexByte("apuh", next[0]|0x20) >= 0 {
				return true
			}
		}
	}
	return false
}

// withoutZoneName cuts off the letters of a zone, which say little: there are
// several of a name.
func withoutZoneName(s string) string { return zoneName().ReplaceAllString(s, "") }

// periodOf reads the two sides of a range.
func periodOf(left, right, language string) period {
	if left == "" || right == "" {
		return period{}
	}
	if clockFirst().MatchString(right) {
		return clockPeriod(left, right, language)
	}
	end, ok := mention.ParseMoment(right, language)
	if ok {
		if start, ok := mention.ParseMoment(left, language); ok {
			return ordered(start, end)
		}
		if start, ok := completed(left, right, end, language); ok {
			return ordered(start, end)
		}
		return period{}
	}
	// June 7–9, 2024
	month, day, ok := strings.Cut(left, " ")
	year := right[strings.LastIndexAny(right, " ,")+1:]
	if !ok || len(year) != 4 || !isDigits(year) || !isDigits(strings.Trim(day, " .")) {
		return period{}
	}
	start, ok := mention.ParseMoment(left+", "+year, language)
	if !ok {
		return period{}
	}
	if end, ok = mention.ParseMoment(month+" "+right, language); !ok {
		return period{}
	}
	return ordered(start, end)
}

// completed reads the first date of a range that has its month or its year in
// common with the second: "7" of "9 June 2024", "30 May" and "May 30".
func completed(left, right string, end mention.Moment, language string) (mention.Moment, bool) {
	if at := strings.LastIndexByte(left, ' '); at >= 0 && isDigits(strings.Trim(left[at+1:], ".")) && !hasDigit(left[:at]) && !mention.IsMonth(left[:at]) {
		left = left[at+1:] // a weekday before it
	}
	bare := strings.TrimRight(left, ".")
	year := end.Date[:4]
	switch {
	case isDigits(bare) && len(bare) <= 2:
		if at := strings.IndexFunc(right, func(c rune) bool { return c < '0' || c > '9' }); at > 0 && at <= 2 {
			return mention.ParseMoment(bare+right[at:], language)
		}
		return mention.Moment{}, false
	case digitDay().MatchString(left):
		return mention.ParseMoment(strings.TrimRight(left, ".")+"."+year, language)
	}
	if start, ok := mention.ParseMoment(left+" "+year, language); ok {
		return start, true
	}
	return mention.ParseMoment(left+", "+year, language)
}

var digitDay = lexicon.Pattern(`^\d{1,2}\.\s?\d{1,2}\.?$`)

// clockPeriod reads a date with a time, and the time when it ends.
func clockPeriod(left, right, language string) period {
	clock, ok := mention.ParseClock(right)
	if !ok {
		return period{}
	}
	left = beforeClock().ReplaceAllString(left, ", $1")
	start, ok := mention.ParseMoment(left, language)
	if !ok || start.Clock == "" { // 7–9 pm: half a day for both
		if half := halfOfDay().FindString(right); half != "" {
			start, ok = mention.ParseMoment(wholeHours(left+half), language)
		}
	}
	if !ok || start.Clock == "" {
		return period{}
	}
	return ordered(start, mention.Moment{Date: start.Date, Clock: clock, Zone: start.Zone})
}

// beforeClock is a word between a date and the time of day.
var beforeClock = lexicon.Pattern(`(?i),?\s+(?:from|von|de|de las|des|da|dalle|dalle ore|das|van|entre)\s+(\d{1,2}[:.h]\d{2})$`)

var halfOfDay = lexicon.Pattern(`(?i)\s*[ap]\.?m\.?$`)

// ordered returns a period whose end is not before its start: what ends at a
// smaller hour of the same day ends on the next one.
func ordered(start, end mention.Moment) period {
	if end.Date == start.Date && end.Clock != "" && end.Clock < start.Clock {
		if at, err := time.Parse(time.DateOnly, end.Date); err == nil && end.Clock < "12" {
			end.Date = at.AddDate(0, 0, 1).Format(time.DateOnly)
		}
	}
	if end.String() < start.String() {
		return period{}
	}
	return period{start.String(), end.String()}
}
