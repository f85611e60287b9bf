package visible

import (
	"regexp"
	"strings"
	"time"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/value"
)

// period is when something begins and ends, as RFC 3339 has it, as far as it is
// known, or "".
type period struct{ start, end string }

// endsOf reads the period of a text: "Friday, June 7, 2024, 8:30 PM – 11 PM",
// "7–9 June 2024", "30 May to 2 June 2024". A single date is none, unless a time
// of day stands with it.
func endsOf(s, language string) period {
	if len(s) > maxPattern || len(s) < 8 || !yearIn.MatchString(s) {
		return period{}
	}
	s = wholeHours(withoutZoneName(strings.TrimSpace(s)))
	s = openingWord.ReplaceAllString(s, "")
	places := rangeMark.FindAllStringIndex(s, 4)
	for _, at := range places {
		if found := periodOf(strings.TrimSpace(s[:at[0]]), strings.TrimSpace(s[at[1]:]), language); found.start != "" {
			return found
		}
	}
	if m, ok := value.ParseMoment(s, language); ok && m.Clock != "" {
		return period{start: m.String()}
	}
	return period{}
}

var (
	yearIn      = regexp.MustCompile(`(?:19|20)\d\d`)
	rangeMark   = regexp.MustCompile(`(?i)\s*[–—-]\s*|\s+(?:to|until|till|through|bis(?: zum)?|au|al|a|às|alle|t/m|tot(?: en met)?|até)\s+`)
	openingWord = regexp.MustCompile(`(?i)^(?:from|vom|von|du|del|dal|van|de|entre le)\s+`)
	bareHour    = regexp.MustCompile(`(?i)(^|[^:.\d])(\d{1,2})\s?(am|pm|a\.m\.|p\.m\.|uhr|h)(\s|$|[,;)–—-])`)
	zoneName    = regexp.MustCompile(`\s+\(?(?:[A-Z]{1,3}ST|[A-Z]{1,3}DT|ET|PT|CT|MT|MEZ|MESZ|CET|local time)\)?$`)
	clockFirst  = regexp.MustCompile(`(?i)^\d{1,2}(?:[:.h]\d{2})?\s*(?:am|pm|a\.m\.|p\.m\.|uhr|h)?$`)
)

// wholeHours writes "11 PM" as "11:00 PM".
func wholeHours(s string) string {
	for range 2 { // the end of one match may be the beginning of the next
		s = bareHour.ReplaceAllString(s, "$1$2:00 $3$4")
	}
	return s
}

// withoutZoneName cuts off the letters of a zone, which say little: there are
// several of a name.
func withoutZoneName(s string) string { return zoneName.ReplaceAllString(s, "") }

// periodOf reads the two sides of a range.
func periodOf(left, right, language string) period {
	if left == "" || right == "" {
		return period{}
	}
	if clockFirst.MatchString(right) {
		return clockPeriod(left, right, language)
	}
	end, ok := value.ParseMoment(right, language)
	if ok {
		if start, ok := value.ParseMoment(left, language); ok {
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
	start, ok := value.ParseMoment(left+", "+year, language)
	if !ok {
		return period{}
	}
	if end, ok = value.ParseMoment(month+" "+right, language); !ok {
		return period{}
	}
	return ordered(start, end)
}

// completed reads the first date of a range that has its month or its year in
// common with the second: "7" of "9 June 2024", "30 May" and "May 30".
func completed(left, right string, end value.Moment, language string) (value.Moment, bool) {
	if at := strings.LastIndexByte(left, ' '); at >= 0 && isDigits(strings.Trim(left[at+1:], ".")) && !hasDigit(left[:at]) && !value.IsMonth(left[:at]) {
		left = left[at+1:] // a weekday before it
	}
	bare := strings.TrimRight(left, ".")
	year := end.Date[:4]
	switch {
	case isDigits(bare) && len(bare) <= 2:
		if at := strings.IndexFunc(right, func(c rune) bool { return c < '0' || c > '9' }); at > 0 && at <= 2 {
			return value.ParseMoment(bare+right[at:], language)
		}
		return value.Moment{}, false
	case digitDay.MatchString(left):
		return value.ParseMoment(strings.TrimRight(left, ".")+"."+year, language)
	}
	if start, ok := value.ParseMoment(left+" "+year, language); ok {
		return start, true
	}
	return value.ParseMoment(left+", "+year, language)
}

var digitDay = regexp.MustCompile(`^\d{1,2}\.\s?\d{1,2}\.?$`)

// clockPeriod reads a date with a time, and the time when it ends.
func clockPeriod(left, right, language string) period {
	clock, ok := value.ParseClock(right)
	if !ok {
		return period{}
	}
	start, ok := value.ParseMoment(left, language)
	if !ok || start.Clock == "" { // 7–9 pm: half a day for both
		if half := halfOfDay.FindString(right); half != "" {
			start, ok = value.ParseMoment(wholeHours(left+half), language)
		}
	}
	if !ok || start.Clock == "" {
		return period{}
	}
	return ordered(start, value.Moment{Date: start.Date, Clock: clock, Zone: start.Zone})
}

var halfOfDay = regexp.MustCompile(`(?i)\s*[ap]\.?m\.?$`)

// ordered returns a period whose end is not before its start: what ends at a
// smaller hour of the same day ends on the next one.
func ordered(start, end value.Moment) period {
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

// whenNames are labels of when something is, and clockNames of at what time.
var (
	whenNames  = setOf("when date dates wann datum termin termine quand dates cuándo cuando fecha fechas quando data date/time zeit wanneer start beginn datum/uhrzeit")
	clockNames = setOf("time times uhrzeit zeit heure horaire horaires hora horario ora orario tijd tijdstip hours starttime beginn start")
)

// heard listens to a value with a label: dates and times of day become when
// something begins and ends.
func (r *reader) heard(part int, name string, v graph.Value) {
	if v.Kind != graph.Text || len(v.Text) > maxPattern || len(name) > 24 || !hasDigit(v.Text) || r.hears {
		return
	}
	switch v.Source {
	case graph.Label, graph.Definition, graph.Table:
	default:
		return
	}
	r.hears = true
	defer func() { r.hears = false }()
	key := strings.ToLower(name)
	key = strings.NewReplacer(" & ", "/", " and ", "/", " und ", "/", " ", "").Replace(key)
	if payNames[key] {
		r.payRange(part, v)
	}
	if key == "date/time" || whenNames[key] {
		if found := endsOf(v.Text, r.lang); found.start != "" {
			r.addPeriod(part, found, v)
			return
		}
		if at, ok := value.ParseMoment(v.Text, r.lang); ok && at.Clock == "" && len(r.days) < maxOfAKind {
			r.days = append(r.days, told{part, at, v})
		}
	}
	if clockNames[key] && len(r.clocks) < maxOfAKind && isClockText(v.Text) {
		r.clocks = append(r.clocks, toldClock{part, v})
	}
}

var payNames = setOf("salary pay compensation salaryrange payrange gehalt vergütung salaire rémunération salario stipendio retribuzione salaris salário")

// told is a day with a label, and toldClock a time of day with one.
type told struct {
	part int
	at   value.Moment
	from graph.Value
}

type toldClock struct {
	part int
	from graph.Value
}

// isClockText reports whether a text opens with a time of day.
func isClockText(s string) bool {
	first := rangeMark.Split(wholeHours(withoutZoneName(strings.TrimSpace(s))), 2)
	if _, ok := value.ParseClock(first[0]); ok {
		return true
	}
	if len(first) < 2 {
		return false
	}
	_, ok := value.ParseClock(first[0] + halfOfDay.FindString(first[1]))
	return ok
}

// moments puts days and times of day together that stand apart, each once in
// its part, and reads lines that are spans.
func (r *reader) moments() {
	for _, d := range r.days {
		for _, c := range r.clocks {
			r.Meter.Step(1)
			if c.part == d.part {
				if found := endsOf(d.at.Date+" "+clockAfter(c.from.Text), r.lang); found.start != "" {
					r.addPeriod(d.part, found, d.from)
				}
				break
			}
		}
	}
	for i := range r.lines {
		r.Meter.Step(1)
		l := &r.lines[i]
		n := &r.nodes[l.first]
		if s := r.text[l.from:l.to]; len(s) <= maxPattern && hasDigit(s) && !n.is(inTable) && (n.part == 0 || !r.has(n.part, "start date")) {
			r.momentLine(i, s)
		}
	}
}

// clockAfter writes a time of day, or a span of two, so that it can follow a day.
func clockAfter(s string) string {
	return wholeHours(withoutZoneName(strings.TrimSpace(s)))
}

// momentLine reads a line that is a span, or a day with the time in the next
// line.
func (r *reader) momentLine(at int, s string) {
	l := &r.lines[at]
	v := r.textValue(s, graph.Class, r.elementOf(l.first))
	v.Aside = r.nodes[l.first].is(isAside)
	if c := strings.IndexByte(s, ':'); c > 0 && !hasDigit(s[:c]) {
		return // behind a label
	}
	found := endsOf(s, r.lang)
	if found.start == "" && at+1 < len(r.lines) && isDate(s) && r.areNear(l.first, r.lines[at+1].first) {
		next := r.lines[at+1]
		if day, ok := value.ParseMoment(s, r.lang); ok && day.Clock == "" && next.to-next.from < maxMoney && isClockText(r.text[next.from:next.to]) {
			found = endsOf(day.Date+" "+clockAfter(r.text[next.from:next.to]), r.lang)
		}
	}
	if found.start != "" {
		r.addPeriod(r.nodes[l.first].part, found, v)
	}
}

// addPeriod adds when something begins and ends, as the value from which it was
// read says.
func (r *reader) addPeriod(part int, s period, from graph.Value) {
	from.Kind, from.Shown = graph.Time, from.Text
	if from.Text = s.start; len(r.parts[part].entity.Get("start date")) < maxOfAKind {
		r.add(part, "start date", from)
	}
	if from.Text = s.end; s.end != "" && len(r.parts[part].entity.Get("end date")) < maxOfAKind {
		r.add(part, "end date", from)
	}
}
