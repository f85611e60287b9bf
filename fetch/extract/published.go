package extract

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/read"
	"github.com/drover-go/drover/fetch/internal/forest"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// publishedWeights are the forest that TestGrowPublished has grown.
//
//go:embed published.bin
var publishedWeights []byte

// publishedForest tells how likely a page was published on a day. It is decoded when
// first asked for.
var publishedForest = sync.OnceValue(func() *forest.Forest {
	all, err := forest.Decode(publishedWeights)
	if err != nil || len(all) != 1 {
		panic("extract: published.bin is broken") // a test decodes it
	}
	return all[0]
})

// likely is from when on a day is taken. It is less than a half: two days share what
// is likely of a page that surely has a date.
const likely = 0.4

// treesAStep is how many trees count as a step.
const treesAStep = 8

// sparse is how many bytes a page shows that has hardly any text. The forest has
// seen few of them.
const sparse = 400

// published returns the day on which the page was published: the likeliest of those that
// it names, or nil where none is likely.
func (b *belief) published() *day {
	if b.isAsked {
		return b.day
	}
	c := calendarOf(b)
	if c.reading.bytes > sparse {
		rows, f := c.rows(), publishedForest()
		b.page.Meter.Step(len(rows) * (len(f.Trees)/treesAStep + 1))
		b.day = choose(rows, f)
	} else {
		b.day = c.plain()
	}
	b.isAsked = true
	return b.day
}

// plain returns the day of a page with hardly any text: the one that it declares, or
// the first that people see outside of what surrounds the content and of what has a label that does not say so.
func (c *calendar) plain() *day {
	if d := c.firstOf(declarations...); d != nil {
		return d
	}
	for _, s := range c.showings {
		if s.day.own > 0 && (s.day.said[saidPublished] > 0 || !isWithin(s.in, maxNamed, atom.Dd, atom.Dt, atom.H2, atom.H3, atom.H4) && !c.fillsCell(s.in)) {
			return s.day
		}
	}
	return nil
}

// fillsCell reports whether an element is all that a cell of a table has.
func (c *calendar) fillsCell(n *html.Node) bool {
	text := c.page.Shown(n)
	for levels := 0; n != nil && levels < maxNamed; n, levels = n.Parent, levels+1 {
		if n.DataAtom == atom.Td {
			return len(c.page.Shown(n)) == len(text)
		}
	}
	return false
}

// A calendar is the days that a page names, for machines or for people, and the places
// where people see them.
type calendar struct {
	*belief
	days     map[string]*day
	inOrder  []*day // as they were found
	showings []showing
	reading  reading
}

// A day is one that a page names.
type day struct {
	date string
	// moment is the best that is said of when on that day the page was published.
	moment mention.Moment
	// from is where it says so.
	from graph.Value
	// told is how often each source tells it.
	told [sources]float32
	// shown is how often people see it, own how often outside of what surrounds the
	// content, and said what the words before it say.
	shown, own, timed int
	said              [saidOther + 1]int
	// occasion says that a class calls it the day of an event.
	occasion bool
}

// The sources that declare a date.
const (
	mainPublished = iota
	mainCreated
	mainModified
	pagePublished
	pageModified
	thingPublished
	thingModified
	thingOther
	metaPublished
	metaModified
	metaOther
	entryPublished
	entryModified
	loosePublished
	looseModified
	ofAddress

	sources
	nowhere = -1
)

// declarations are the sources that declare when the page was published, the most
// believed first. The templates of shops and firms tell of every page when it was made.
var declarations = []int{mainPublished, mainCreated, metaPublished, metaOther, entryPublished, loosePublished}

// saysModified reports whether a source speaks of a change.
func saysModified(source int) bool {
	switch source {
	case mainModified, pageModified, thingModified, metaModified, entryModified, looseModified:
		return true
	}
	return false
}

const (
	// maxDays is how many days of a page are noted, and maxShowings how many places
	// where people see one.
	maxDays     = 40
	maxShowings = 60
	// maxThings is how many things of a page are asked for dates, and maxThingDepth how
	// deep they lie in others.
	maxThings     = 200
	maxThingDepth = 3
)

// calendarOf reads the days that a page names.
func calendarOf(b *belief) *calendar {
	c := &calendar{belief: b, days: map[string]*day{}}
	forms, seen := read.FormsOf(b.page), map[*graph.Entity]bool{}
	c.things(b.places["main"], 0, seen)
	for _, e := range slices.Concat(forms.JSONLD, forms.Microdata, forms.RDFa) {
		c.things(e, 0, seen)
	}
	if e := b.places["entry"]; e != nil {
		c.thing(e, entryPublished, entryModified, entryPublished)
	}
	if e := b.places["meta"]; e != nil {
		c.meta(e)
	}
	c.tell(loosePublished, graph.Microdata, b.head.shown.Get("datePublished"))
	c.tell(looseModified, graph.Microdata, b.head.shown.Get("dateModified"))
	for _, ref := range [...]string{b.page.Address(), b.ownAddress()} {
		if m := addressDate().FindStringSubmatch(ref); m != nil {
			c.tell(ofAddress, graph.Document, []graph.Value{{Text: strings.Join(m[1:], "-")}})
			break
		}
	}
	c.look()
	return c
}

// ownAddress returns the address that the page says is its own, or "".
func (b *belief) ownAddress() string {
	meta := b.places["meta"]
	return addressIn(slices.Concat(meta.Get("canonical"), meta.Get("og:url")))
}

// addressDate is the day in the address of a page.
var addressDate = lexicon.Pattern(`/((?:19|20)\d{2})[/-]?(\d{2})[/-]?(\d{2})(?:[/-]|$)`)

// things notes the dates of a thing and of those in it.
func (c *calendar) things(e *graph.Entity, depth int, seen map[*graph.Entity]bool) {
	if e == nil || seen[e] || depth > maxThingDepth || len(seen) >= maxThings {
		return
	}
	seen[e] = true
	switch e {
	case c.places["main"]:
		c.thing(e, mainPublished, mainModified, mainCreated)
	case c.places["page"]:
		c.thing(e, pagePublished, pageModified, pagePublished)
	default:
		c.thing(e, thingPublished, thingModified, thingOther)
	}
	for _, f := range e.Fields {
		c.page.Meter.Step(1)
		for _, v := range f.Values {
			c.things(v.Entity, depth+1, seen)
		}
	}
}

// thing notes the dates of a thing.
func (c *calendar) thing(e *graph.Entity, published, modified, created int) {
	for _, f := range e.Fields {
		source := nowhere
		switch name := strings.ToLower(f.Name); {
		case isOf("publishedField", name):
			source = published
		case isOf("modifiedField", name):
			source = modified
		case isOf("createdField", name):
			source = created
		case strings.Contains(name, "date") || strings.Contains(name, "valid"):
			source = thingOther
		}
		c.tell(source, e.Source, f.Values)
	}
}

// meta notes the dates of meta elements. Most have none.
func (c *calendar) meta(e *graph.Entity) {
	for _, f := range e.Fields {
		source := metaOther
		switch {
		case f.Name == "article:published_time":
			source = metaPublished
		case mention.SaysUpdated(f.Name) || f.Name == "lastmod":
			source = metaModified
		}
		c.tell(source, graph.Meta, f.Values)
	}
}

// maxDate is how long in bytes a date for machines is.
const maxDate = 80

// tell notes the dates among values. Those that are to come are none of what was
// published.
func (c *calendar) tell(source int, in graph.Source, values []graph.Value) {
	for _, v := range values {
		if source == nowhere || len(v.Text) > maxDate || !hasYear(v.Text) {
			continue
		}
		c.page.Meter.Step(1 + len(v.Text)/16)
		if at, ok := mention.ParseMoment(v.Text, c.page.Language); ok {
			v.Source = cmp.Or(v.Source, in)
			if v.Element == nil {
				v.Element = c.page.Doc
			}
			if d := c.day(at, v, saysModified(source)); d != nil {
				d.told[source]++
			}
		}
	}
}

// day returns a day of the calendar, nil where that has too many or it is to come. What
// is said of a change does not say when on that day the page was published.
func (c *calendar) day(at mention.Moment, from graph.Value, changed bool) *day {
	d := c.days[at.Date]
	if d == nil {
		if len(c.days) >= maxDays || !at.MayBePast() {
			return nil
		}
		d = &day{date: at.Date, moment: mention.Moment{Date: at.Date}, from: from}
		c.days[at.Date], c.inOrder = d, append(c.inOrder, d)
	}
	if d.moment.Zone == "" && at.Zone != "" && !changed {
		d.moment, d.from = at, from // without a zone, a time says nothing to someone elsewhere
	}
	return d
}

// value returns the day as a value of the page.
func (d *day) value() graph.Value {
	return graph.Value{Kind: graph.Time, Source: d.from.Source, Text: d.moment.String(), Element: d.from.Element, Place: d.from.Place}
}

// hasYear reports whether a text has four digits that may be a year.
func hasYear(s string) bool {
	for {
		i := strings.IndexAny(s, "12")
		if i < 0 || i+4 > len(s) {
			return false
		}
		if s = s[i:]; (s[:2] == "19" || s[:2] == "20") && isDigit(s[2]) && isDigit(s[3]) {
			return true
		}
		s = s[1:]
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// choose returns the likeliest day of the rows, or nil.
func choose(rows []row, f *forest.Forest) (best *day) {
	most := float32(likely)
	for _, r := range rows {
		if p := f.Probability(r.features); p >= most {
			best, most = r.day, p
		}
	}
	return best
}
