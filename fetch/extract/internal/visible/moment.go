package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/shorten"
)

// heard listens to a value with a label: dates and times of day become when
// something begins and ends, and pay that is a range has two ends.
func (r *reader) heard(part int, name string, v graph.Value) {
	if v.Kind != graph.Text || len(v.Text) > maxPattern || len(name) > 24 || !mention.HasDigit(v.Text) || r.hears ||
		v.Source != graph.Label && v.Source != graph.Definition && v.Source != graph.Table {
		return
	}
	r.hears = true
	defer func() { r.hears = false }()
	key := oneName.Replace(strings.ToLower(name))
	if is("pay label", key) {
		r.payRange(part, v)
	}
	if is("day label", key) {
		if found := mention.ParsePeriod(v.Text, r.lang); found.Start != "" {
			r.addPeriod(part, found, v)
			return
		}
		if at, ok := mention.ParseMoment(v.Text, r.lang); ok && at.Clock == "" && len(r.days) < maxOfAKind {
			r.days = append(r.days, told{part, v})
		}
	}
	if is("clock label", key) && len(r.clocks) < maxOfAKind && mention.ParsePeriod("2000-01-01 "+v.Text, "").Start != "" {
		r.clocks = append(r.clocks, told{part, v})
	}
}

// oneName writes a label of two words as one name.
var oneName = strings.NewReplacer(" & ", "/", " and ", "/", " und ", "/", " ", "")

// told is a day, or a time of day, with a label.
type told struct {
	part int
	from graph.Value
}

// payRange adds the ends of a range of pay behind a label.
func (r *reader) payRange(part int, v graph.Value) {
	least, most := mention.PayRange(v.Text)
	v.Shown, v.Text = v.Text, least
	r.add(part, "salary min", v)
	v.Text = most
	r.add(part, "salary max", v)
}

// moments puts days and times of day together that stand apart, each once in
// its part, and reads lines that are spans, or a day with the time in the next
// line.
func (r *reader) moments() {
	for _, d := range r.days {
		for _, c := range r.clocks {
			r.Meter.Step(1)
			if c.part == d.part {
				r.addPeriod(d.part, mention.ParsePeriod(d.from.Text+" "+c.from.Text, r.lang), d.from)
				break
			}
		}
	}
	for i, s := range r.texts() {
		first := r.lines[i].first
		if c := strings.IndexByte(s, ':'); len(s) > maxPattern || !mention.HasYear(s) || r.nodes[first].is(inTable) || c > 0 && !mention.HasDigit(s[:c]) {
			continue
		}
		found := mention.ParsePeriod(s, r.lang)
		if found.Start == "" && i+1 < len(r.lines) && mention.IsDate(s) {
			if next := r.lineText(i + 1); len(next) < maxMoney && r.areNear(first, r.lines[i+1].first) {
				found = mention.ParsePeriod(s+" "+next, r.lang)
			}
		}
		r.addPeriod(r.nodes[first].part, found, r.said(first, s, graph.Class))
	}
}

// addPeriod adds when something begins and ends, as the value from which it was
// read says.
func (r *reader) addPeriod(part int, s mention.Period, from graph.Value) {
	from.Kind, from.Shown = graph.Time, from.Text
	for _, end := range [...][2]string{{"start date", s.Start}, {"end date", s.End}} {
		if from.Text = end[1]; len(r.parts[part].entity.Get(end[0])) < maxOfAKind {
			r.add(part, end[0], from)
		}
	}
}

// opening reads the hours of a shop: at least two lines, or rows, each of days
// and of hours.
func (r *reader) opening() {
	var found []graph.Value
	for i, s := range r.texts() {
		first := r.lines[i].first
		if len(found) > maxOfAKind || r.nodes[first].is(isStruck) || !mention.OpensDay(s) {
			continue
		}
		if i+1 < len(r.lines) && mention.IsDays(s) { // the hours are on the next line
			s = strings.TrimRight(s, " :") + " " + shorten.Prefix(r.lineText(i+1), maxMoney+1)
		}
		if mention.IsOpening(s) {
			found = append(found, r.textValue(s, 0, r.elementOf(first)))
		}
	}
	if len(found) < 2 || r.has(0, "opening hours") {
		return
	}
	for _, v := range found {
		r.add(0, "opening hours", v)
	}
}
