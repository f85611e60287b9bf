package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

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
	key = oneName.Replace(key)
	if payNames[key] {
		r.payRange(part, v)
	}
	if key == "date/time" || whenNames[key] {
		if found := endsOf(v.Text, r.lang); found.start != "" {
			r.addPeriod(part, found, v)
			return
		}
		if at, ok := mention.ParseMoment(v.Text, r.lang); ok && at.Clock == "" && len(r.days) < maxOfAKind {
			r.days = append(r.days, told{part, at, v})
		}
	}
	if clockNames[key] && len(r.clocks) < maxOfAKind && isClockText(v.Text) {
		r.clocks = append(r.clocks, toldClock{part, v})
	}
}

// oneName writes a label of two words as one name.
var oneName = strings.NewReplacer(" & ", "/", " and ", "/", " und ", "/", " ", "")

var payNames = setOf("salary pay compensation salaryrange payrange gehalt vergütung salaire rémunération salario stipendio retribuzione salaris salário")

// told is a day with a label, and toldClock a time of day with one.
type told struct {
	part int
	at   mention.Moment
	from graph.Value
}

type toldClock struct {
	part int
	from graph.Value
}

// isClockText reports whether a text opens with a time of day.
func isClockText(s string) bool {
	first := rangeMark().Split(wholeHours(withoutZoneName(strings.TrimSpace(s))), 2)
	if _, ok := mention.ParseClock(first[0]); ok {
		return true
	}
	if len(first) < 2 {
		return false
	}
	_, ok := mention.ParseClock(first[0] + halfOfDay().FindString(first[1]))
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
		r.pass(i)
		l := &r.lines[i]
		n := &r.nodes[l.first]
		if s := r.text[l.from:l.to]; len(s) <= maxPattern && hasDigit(s) && !n.is(inTable) && r.mayBegin(n.part) {
			r.momentLine(i, s)
		}
	}
}

// mayBegin reports whether a part gets another time when something begins: the
// page several, an item one.
func (r *reader) mayBegin(part int) bool {
	if part > 0 {
		return !r.has(part, "start date")
	}
	return len(r.parts[0].entity.Get("start date")) < maxOfAKind
}

// clockAfter writes a time of day, or a span of two, so that it can follow a day.
func clockAfter(s string) string {
	return wholeHours(withoutZoneName(strings.TrimSpace(s)))
}

// momentLine reads a line that is a span, or a day with the time in the next
// line.
func (r *reader) momentLine(at int, s string) {
	l := &r.lines[at]
	if c := strings.IndexByte(s, ':'); c > 0 && !hasDigit(s[:c]) {
		return // behind a label
	}
	found := endsOf(s, r.lang)
	if found.start == "" && at+1 < len(r.lines) && r.areNear(l.first, r.lines[at+1].first) && isDate(s) {
		next := r.lines[at+1]
		if day, ok := mention.ParseMoment(s, r.lang); ok && day.Clock == "" && next.to-next.from < maxMoney && isClockText(r.text[next.from:next.to]) {
			found = endsOf(day.Date+" "+clockAfter(r.text[next.from:next.to]), r.lang)
		}
	}
	if found.start == "" {
		return
	}
	v := r.textValue(s, graph.Class, r.elementOf(l.first))
	v.Aside = r.nodes[l.first].is(isAside)
	r.addPeriod(r.nodes[l.first].part, found, v)
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
