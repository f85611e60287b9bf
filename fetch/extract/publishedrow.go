package extract

import (
	"math"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// How many features a row has: of the page, of the day and of the place where people see it.
const (
	pageFeatures  = 20
	dayFeatures   = sources + 14
	shownFeatures = 34
	rowFeatures   = pageFeatures + dayFeatures + shownFeatures
)

// A row is the features of a place where people see a day, or of a day that is only
// declared.
type row struct {
	day      *day
	features []float32
}

// rows returns the features of all.
func (c *calendar) rows() (rows []row) {
	about := c.pageFeatures()
	order := slices.SortedFunc(slices.Values(c.inOrder), func(a, b *day) int { return strings.Compare(a.date, b.date) })
	of := map[*day][]float32{}
	for i, d := range order {
		of[d] = c.dayFeatures(d, order, i)
	}
	add := func(d *day, shown []float32) { rows = append(rows, row{d, slices.Concat(about, of[d], shown)}) }
	for _, s := range c.showings {
		add(s.day, s.features)
	}
	for _, d := range c.inOrder {
		if d.shown == 0 && d.mayBePublished() {
			add(d, slices.Repeat([]float32{-1}, shownFeatures))
		}
	}
	return rows
}

// mayBePublished reports whether a source says that it was the day of publication.
func (d *day) mayBePublished() bool {
	for source, n := range d.told {
		if n > 0 && source != thingOther && !saysModified(source) {
			return true
		}
	}
	return false
}

func logOf(n int) float32 {
	if n < 0 {
		return -logOf(-n)
	}
	return float32(math.Log1p(float64(n)))
}

func has(is bool) float32 {
	if is {
		return 1
	}
	return 0
}

// pageFeatures tells what kind of page it is.
func (c *calendar) pageFeatures() []float32 {
	kind := slices.IndexFunc(mainKinds[:], func(kind string) bool { return c.places["main"].Is(words()[kind]...) })
	card := ""
	if v := c.places["meta"].Get("og:type"); len(v) > 0 {
		card = strings.ToLower(v[0].Text)
	}
	own := strings.TrimRight(c.ownAddress(), "/")
	name := own[strings.LastIndex(own, "/")+1:]
	return []float32{
		float32(kind), has(card == "article"), has(card == "website"), has(card == "product"),
		has(c.places["page"] != nil), has(c.places["entry"] != nil), has(len(c.authors()) > 0), has(c.head.buys), float32(c.head.headings),
		has(own == ""), float32(strings.Count(own, "/")), float32(strings.Count(name, "-")),
		float32(c.reading.times), float32(c.reading.sections), logOf(c.reading.bytes), float32(len(c.showings)), float32(len(c.days)),
		has(c.declared() != nil), has(c.changed() != nil), has(c.firstShown() != nil),
	}
}

// declared returns the day that the page declares to be that of its publication,
// changed that of its change, and firstShown the first that people see outside of what
// surrounds the content; nil for none.
func (c *calendar) declared() *day {
	return c.firstOf(append(slices.Clip(declarations), pagePublished)...)
}

func (c *calendar) changed() *day { return c.firstOf(mainModified, metaModified, pageModified) }

func (c *calendar) firstShown() *day {
	for _, s := range c.showings {
		if s.day.own > 0 {
			return s.day
		}
	}
	return nil
}

// firstOf returns the first day that the first of the sources tells which tells any.
func (c *calendar) firstOf(from ...int) *day {
	for _, source := range from {
		for _, d := range c.inOrder {
			if d.told[source] > 0 {
				return d
			}
		}
	}
	return nil
}

// dayFeatures tells who says a day, and how far it is from others.
func (c *calendar) dayFeatures(d *day, order []*day, i int) []float32 {
	f, all := slices.Clone(d.told[:]), float32(0)
	for source, n := range f {
		all += min(n, 1)
		f[source] = min(n, 3)
	}
	return append(f, all, float32(d.shown), float32(d.own), float32(d.timed),
		float32(d.said[saidPublished]), float32(d.said[saidUpdated]), float32(d.said[saidOther]), float32(i), float32(len(order)-1-i),
		d.since(c.declared()), d.since(c.changed()), d.since(c.firstShown()), d.since(order[len(order)-1]), has(d.moment.Clock != ""))
}

// since returns how many days lie between two, as a logarithm.
func (d *day) since(o *day) float32 {
	const none = -20
	if o == nil {
		return none
	}
	a, _ := time.Parse(time.DateOnly, d.date) // both are dates
	b, _ := time.Parse(time.DateOnly, o.date)
	return logOf(int(a.Sub(b).Hours() / 24))
}

// shownFeatures tells how a date stands in its line and on the page, and counts it.
func (c *calendar) shownFeatures(n *html.Node, d *day, m dateLine, near, line said) []float32 {
	r, in := &c.reading, elementOf(n)
	beside := c.head.isBeside(in, false)
	d.shown++
	d.own += int(has(!beside))
	d.timed += int(has(in == n))
	heading := -nowhereNear
	if r.heading >= 0 {
		heading = r.bytes - r.heading
	}
	return append(c.around(in), has(in == n), has(tree.Is(in, atom.Time)), float32(near), float32(line), has(toDate().MatchString(m.behind) && anyDate().MatchString(m.behind)),
		has(beside), has(c.head.isBeside(in, true)), logOf(heading), logOf(r.bytes), float32(r.texts), float32(r.sections), float32(min(r.by, far)), float32(len(c.showings)),
		logOf(len(m.line)), logOf(len(m.before)), logOf(len(m.behind)), float32(len(m.date))/float32(len(m.line)))
}

// nowhereNear is how far in bytes the heading of a page is that has none.
const nowhereNear = 20_000

// saidInLine returns what the words of its line say of a date.
func saidInLine(m dateLine) said {
	switch {
	case mention.SaysUpdated(m.before):
		return saidUpdated
	case mention.SaysPublished(m.before):
		return saidPublished
	case isOtherLabel(m.before) || hours().MatchString(m.behind):
		return saidOther
	}
	return unsaid
}

const (
	// maxNamed is how many elements around a date may be called after it, and maxClass
	// how long in bytes a class is that is read.
	maxNamed = 4
	maxClass = 300
)

// dateName is in a class of what holds a date.
var dateName = lexicon.Pattern(`(?i)date|time|publish|posted|meta`)

// around tells what a date stands in.
func (c *calendar) around(in *html.Node) []float32 {
	depth, named := 0, maxNamed
	var article, item, list, others, called, updated float32
	within := map[atom.Atom]bool{}
	for a := in; a != nil && a.Type == html.ElementNode; a = a.Parent {
		c.page.Meter.Step(1)
		class := tree.AttrOr(a, "class")
		if class != "" && len(class) < maxClass && depth < maxNamed {
			if _, isDate := says(class); isDate {
				named = min(named, depth)
			}
			if depth < 2 {
				updated = max(updated, has(mention.SaysUpdated(class)))
				called = max(called, has(dateName().MatchString(class)))
			}
		}
		if class != "" && !tree.Is(a, atom.Body, atom.Html) {
			others = max(others, has(c.head.isOfOthers(class)))
		}
		item = max(item, has(!c.head.around[a] && c.head.isItem(a)))
		article += has(a.DataAtom == atom.Article)
		list += has(a.DataAtom == atom.Li)
		within[a.DataAtom] = true
		depth++
	}
	any := func(names ...atom.Atom) float32 {
		return has(slices.ContainsFunc(names, func(name atom.Atom) bool { return within[name] }))
	}
	return []float32{
		float32(depth), float32(named), called, updated, others, item, article, list, any(atom.Main), any(atom.Aside), any(atom.Footer), any(atom.Header), any(atom.Nav),
		any(atom.A), any(atom.Form), any(atom.Td, atom.Th, atom.Dd, atom.Dt), any(atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6),
	}
}
