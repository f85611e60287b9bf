package visible

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// heard listens to a value with a label: dates and times of day become when
// something begins and ends, and pay that is a range has two ends.
func (r *reader) heard(part int, name string, v graph.Value) {
	if v.Kind != graph.Text || len(v.Text) > maxPattern || len(name) > 24 || !hasDigit(v.Text) || r.hears ||
		v.Source != graph.Label && v.Source != graph.Definition && v.Source != graph.Table {
		return
	}
	r.hears = true
	defer func() { r.hears = false }()
	key := oneName.Replace(strings.ToLower(name))
	if is("pay label", strings.ToLower(key)) {
		r.payRange(part, v)
	}
	if is("day label", strings.ToLower(key)) {
		if found := endsOf(v.Text, r.lang); found.start != "" {
			r.addPeriod(part, found, v)
			return
		}
		if at, ok := mention.ParseMoment(v.Text, r.lang); ok && at.Clock == "" && len(r.days) < maxOfAKind {
			r.days = append(r.days, told{part, v})
		}
	}
	if is("clock label", strings.ToLower(key)) && len(r.clocks) < maxOfAKind && endsOf("2000-01-01 "+v.Text, "").start != "" {
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

// amountRange is an amount of money or a range of two, as pay is written, and
// perPeriod the time that it is paid for.
const (
	amountRange = `(?:up to |from |ab |bis zu |bis |de |à partir de |desde |hasta |da |fino a |vanaf |tot )?(?:[A-Z]{3}\s?)?[$€£¥₹]?\s?\d[\d.,'’ \x{A0}]*k?\s?(?:[$€£]|[A-Z]{3}|euros?)?(?:\s?(?:-|–|—|to|bis|à|a|al|and|y|tot)\s?(?:[A-Z]{3}\s?)?[$€£¥₹]?\s?\d[\d.,'’ \x{A0}]*k?\s?(?:[$€£]|[A-Z]{3}|euros?)?)?`
	perPeriod   = `\s*(?:(?:per|a|an|/|p\.|pro|im|par|por|al|el|à l'|all'|de l')\s?(?:annum|year|yr|hour|hr|h|a\.?|hora|heure|ora|uur|stunde|std\.?|jahr|an|année|año|anno|jaar|ano)|p\.?\s?a\.?|annually|hourly|yearly|jährlich|brutto/jahr|brut/an|brut annuel|brutos/año|lordi annui|l'heure)\b\.?(?:\s*(?:gross|brutto|brut|bruto|brutos|lordi|plus .{1,30}|\+ .{1,30}|dependent on .{1,30}|doe|pro rata|\([^)]{1,40}\)))?`
)

var (
	payText = lexicon.Pattern(`(?i)^` + amountRange + `(?:` + perPeriod + `|\s*(?:per|a|/|pro|par|por|al)\s?(?:month|week|day|monat|woche|tag|mois|semaine|jour|mes|día|mese|maand|mês)\b)?\.?$`)
	payEnds = lexicon.Pattern(`(?i)^\D{0,8}(\d[\d.,'’ \x{A0}]*k?)\s?(?:[$€£]|[A-Z]{3}|euros?)?\s?(?:-|–|—|to|bis|à|a|al|tot)\s?\D{0,5}?(\d[\d.,'’ \x{A0}]*k?)(?:\D|$)`)
)

// payRange adds the ends of a range of pay behind a label.
func (r *reader) payRange(part int, v graph.Value) {
	if m := payEnds().FindStringSubmatch(v.Text); m != nil {
		v.Shown, v.Text = v.Text, m[1]
		r.add(part, "salary min", v)
		v.Text = m[2]
		r.add(part, "salary max", v)
	}
}

// moments puts days and times of day together that stand apart, each once in
// its part, and reads lines that are spans, or a day with the time in the next
// line.
func (r *reader) moments() {
	for _, d := range r.days {
		for _, c := range r.clocks {
			r.Meter.Step(1)
			if c.part == d.part {
				r.addPeriod(d.part, endsOf(d.from.Text+" "+c.from.Text, r.lang), d.from)
				break
			}
		}
	}
	for i := range r.lines {
		r.pass(i)
		l := &r.lines[i]
		s := r.text[l.from:l.to]
		if c := strings.IndexByte(s, ':'); len(s) > maxPattern || !hasFourDigits(s) || r.nodes[l.first].is(inTable) || c > 0 && !hasDigit(s[:c]) {
			continue
		}
		found := endsOf(s, r.lang)
		if found.start == "" && i+1 < len(r.lines) && isDate(s) {
			next := r.lines[i+1]
			if next.to-next.from < maxMoney && r.areNear(l.first, next.first) {
				found = endsOf(s+" "+r.text[next.from:next.to], r.lang)
			}
		}
		r.addPeriod(r.nodes[l.first].part, found, r.said(l.first, s, graph.Class))
	}
}

// addPeriod adds when something begins and ends, as the value from which it was
// read says.
func (r *reader) addPeriod(part int, s period, from graph.Value) {
	from.Kind, from.Shown = graph.Time, from.Text
	if from.Text = s.start; len(r.parts[part].entity.Get("start date")) < maxOfAKind {
		r.add(part, "start date", from)
	}
	if from.Text = s.end; len(r.parts[part].entity.Get("end date")) < maxOfAKind {
		r.add(part, "end date", from)
	}
}

// period is when something begins and ends, as RFC 3339 has it, as far as it is
// known, or "".
type period struct{ start, end string }

var (
	yearIn    = lexicon.Pattern(`(?:19|20)\d\d`)
	rangeMark = lexicon.Pattern(`(?i)\s*[–—-]\s*|\s+(?:to|until|till|through|bis(?: zum)?|au|al|a|às|alle|t/m|tot(?: en met)?|até)\s+`)
	halfOfDay = lexicon.Pattern(`(?i)\s*[ap]\.?m\.?$`)
	// beforeClock is what stands between a day and a time of day.
	beforeClock = lexicon.Pattern(`(?i)(\pL|\d)(?:\s*[·|•@]|,?\s+(?:at|um|om|à|a las|às|alle|from|von|de|de las|des|da|dalle|dalle ore|das|van|entre))\s*(\d{1,2}(?:[:.h]\d{2}|\s?(?:[ap]\.?m|uhr|h)\b))`)
	firstNumber = lexicon.Pattern(`^\d{1,2}(\D.*)$`)
)

// endsOf reads the period of a text: "Friday, June 7, 2024, 8:30 PM – 11 PM",
// "7–9 June 2024", "30 May to 2 June 2024". A single date is none, unless a time
// of day stands with it.
func endsOf(s, language string) period {
	if len(s) > maxPattern || len(s) < 8 || !hasFourDigits(s) || !yearIn().MatchString(s) {
		return period{}
	}
	s = beforeClock().ReplaceAllString(strings.TrimSpace(s), "$1, $2")
	for _, at := range rangeMark().FindAllStringIndex(s, 4) {
		if found := periodOf(strings.TrimSpace(s[:at[0]]), strings.TrimSpace(s[at[1]:]), language); found.start != "" {
			return found
		}
	}
	if m, ok := mention.ParseMoment(s, language); ok && m.Clock != "" {
		return period{start: m.String()}
	}
	return period{}
}

// periodOf reads the two sides of a range. What one of them lacks, the month, the
// year, the day or the half of the day, it has in common with the other one.
func periodOf(left, right, language string) period {
	if left == "" || right == "" {
		return period{}
	}
	lefts, rights, year := []string{left}, []string{right}, yearIn().FindString(right)
	if half := halfOfDay().FindString(right); half != "" {
		lefts = append(lefts, left+half)
	}
	if (year == "" || len(right) <= len("2000h")) && isClock(right) {
		rights = nil
		for _, l := range lefts {
			if start, ok := mention.ParseMoment(l, language); ok && start.Clock != "" {
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
		end, ok := mention.ParseMoment(r, language)
		for i := 0; ok && i < len(lefts); i++ {
			if start, isStart := mention.ParseMoment(lefts[i], language); isStart {
				if found := ordered(start, end); found.start != "" {
					return found
				}
			}
		}
	}
	return period{}
}

// isClock reports whether a text is a time of day.
func isClock(s string) bool {
	m, ok := mention.ParseMoment("2000-01-01 "+s, "")
	return ok && m.Clock != ""
}

// ordered returns a period whose end is not before its start: what ends at a
// smaller hour of the same day ends on the next one.
func ordered(start, end mention.Moment) period {
	if end.Date == start.Date && end.Clock != "" && end.Clock < start.Clock && end.Clock < "12" {
		if at, err := time.Parse(time.DateOnly, end.Date); err == nil {
			end.Date = at.AddDate(0, 0, 1).Format(time.DateOnly)
		}
	}
	if end.String() < start.String() {
		return period{}
	}
	return period{start.String(), end.String()}
}

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

// Days of the week, as hours of opening name them, and the hours.
const (
	dayWord   = `(?:mon(?:day)?s?|tues?(?:day)?s?|wed(?:nesday)?s?|thu(?:rs?|rsday)?s?|fri(?:day)?s?|sat(?:urday)?s?|sun(?:day)?s?|weekdays?|weekends?|daily|every day|public holidays?|mo(?:ntag)?|di(?:enstag)?|mi(?:ttwoch)?|do(?:nnerstag)?|fr(?:eitag)?|sa(?:mstag)?|so(?:nntag)?|feiertags?|täglich|werktags|lun(?:di|es|edì)?|mar(?:di|tes|tedì)?|mer(?:credi|coledì)?|mié(?:rcoles)?|jeu(?:di)?|jue(?:ves)?|ven(?:dredi|erdì)?|vie(?:rnes)?|sam(?:edi)?|sáb(?:ado)?|sab(?:ato)?|dim(?:anche)?|dom(?:ingo|enica)?|gio(?:vedì)?|ma(?:andag)?|di(?:nsdag)?|wo(?:ensdag)?|donderdag|vrijdag|zaterdag|zondag|segunda|terça|quarta|quinta|sexta|diariamente)(?:-feira)?\.?`
	dayRange  = dayWord + `(?:\s?(?:-|–|—|to|bis|&|and|und|,|/|au|à|a|al|t/m|tot|et|y|e|até)\s?` + dayWord + `){0,3}`
	hourRange = `(?:(?:from |von |de )?\d{1,2}(?:[:.h]\d{0,2})?\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)?\s?(?:-|–|—|to|till|until|bis|à|a|al|tot|às)\s?\d{1,2}(?:[:.h]\d{0,2})?\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)?(?:\s?(?:,|/|&|and|und|et|y|e|en)\s?\d.{3,30})?|closed|geschlossen|ruhetag|fermé|cerrado|chiuso|gesloten|fechado|open 24 hours|24 hours|24h|by appointment|nach vereinbarung|sur rendez-vous)`
)

var (
	dayText  = lexicon.Pattern(`(?i)^` + dayRange + `\s*:?$`)
	dayHours = lexicon.Pattern(`(?i)^` + dayRange + `\s*:?\s+` + hourRange + `$`)
)

// maxDays is how long the names of days are at most, in bytes.
const maxDays = 60

// opening reads the hours of a shop: at least two lines, or rows, each of days
// and of hours.
func (r *reader) opening() {
	var nodes []int
	var found []string
	for i := 0; i < len(r.lines) && len(found) <= maxOfAKind; i++ {
		r.pass(i)
		l := &r.lines[i]
		s := r.text[l.from:l.to]
		if len(s) > maxPattern || r.nodes[l.first].is(isStruck) || !is("first of days", firstWord(s)) {
			continue
		}
		if i+1 < len(r.lines) && len(s) <= maxDays && !hasDigit(s) && dayText().MatchString(s) { // the hours are on the next line
			if next := &r.lines[i+1]; next.to-next.from <= maxMoney {
				s = strings.TrimRight(s, " :") + " " + r.text[next.from:next.to]
			}
		}
		if dayHours().MatchString(s) {
			nodes, found = append(nodes, l.first), append(found, s)
		}
	}
	if len(found) < 2 || r.has(0, "opening hours") {
		return
	}
	for k, s := range found {
		r.add(0, "opening hours", r.textValue(s, 0, r.elementOf(nodes[k])))
	}
}
