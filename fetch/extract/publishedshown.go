package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// A showing is a place where people see a day, with its features.
type showing struct {
	day      *day
	in       *html.Node
	timed    bool // a time of day stands behind it
	features []float32
}

// reading is how far a page was read.
type reading struct {
	bytes, texts int
	heading      int // where the heading is, in bytes
	sections     int // headings of the second level so far
	times        int // time elements
	last         string
	by           int // how many texts ago it said who wrote it
}

// far is more texts ago than count.
const far = 20

// nodesAStep is how many nodes that are only passed make one step.
const nodesAStep = 4

// look notes the days that people see on the page.
func (c *calendar) look() {
	c.reading = reading{heading: -1, by: far}
	for n, passed := c.page.Doc.FirstChild, 0; n != nil; passed++ {
		if passed%nodesAStep == 0 {
			c.page.Meter.Step(1)
		}
		hidden := n.DataAtom == atom.Head || n.Type == html.ElementNode && (page.IsSilent(n) || tree.IsHidden(n))
		switch {
		case n.Type == html.TextNode:
			c.words(n)
		case !hidden:
			c.element(n)
		}
		if n.FirstChild != nil && !hidden {
			n = n.FirstChild
		} else {
			n = page.After(n, c.page.Doc)
		}
	}
	c.withoutHeadings()
	c.showings = slices.DeleteFunc(c.showings, func(s showing) bool { return s.day.occasion && s.day.said[saidPublished] == 0 })
}

// withoutHeadings leaves out the days in headings below that of the page where several have
// one: those of a list of releases, or of events. With a time of day they are of posts.
func (c *calendar) withoutHeadings() {
	isHead := func(s showing) bool {
		return !s.timed && !isWithin(s.in, 2*maxNamed, atom.Aside) && isWithin(s.in, maxNamed, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
	}
	first := slices.IndexFunc(c.showings, isHead)
	if first >= 0 && slices.ContainsFunc(c.showings[first:], func(s showing) bool { return s.day != c.showings[first].day && isHead(s) }) {
		c.showings = slices.DeleteFunc(c.showings, isHead)
	}
}

// clockBehind is a time of day at the beginning of a text.
var clockBehind = lexicon.Pattern(`^[ ,T]{0,2}\d{1,2}:\d{2}`)

// isWithin reports whether an element, or one of so many with those around it, has one of some names.
func isWithin(n *html.Node, levels int, names ...atom.Atom) bool {
	for ; n != nil && levels > 0; n, levels = n.Parent, levels-1 {
		if tree.Is(n, names...) {
			return true
		}
	}
	return false
}

// element notes what an element is, and the date of a time element.
func (c *calendar) element(n *html.Node) {
	if n == c.head.first {
		c.reading.heading = c.reading.bytes
	}
	switch n.DataAtom {
	case atom.H2:
		c.reading.sections++
	case atom.Time:
		c.reading.times++
		if at, ok := mention.ParseMoment(cutText(tree.AttrOr(n, "datetime"), maxDate), c.page.Language); ok {
			c.show(n, at, dateLine{line: at.Date, date: at.Date})
		}
	}
}

const (
	// maxPieces is how long a text is of which the date may stand in several elements,
	// and maxPieced how long their line.
	maxPieces = 40
	maxPieced = 100
	// maxDates is how many dates of a line are noted.
	maxDates = 3
)

// words notes the dates in a text, or in the line of which it is a part: the day and the
// year may stand in elements of their own.
func (c *calendar) words(n *html.Node) {
	text := strings.TrimSpace(n.Data)
	if text == "" {
		return
	}
	r := &c.reading
	r.texts++
	r.by++
	if isBy(r.last) || len(text) <= maxByline && bylinePeople(page.Collapse(text)) != nil {
		r.by = 0
	}
	if hasYear(text) {
		line := page.Collapse(cutText(text, maxOpeningText))
		found := c.dates(n, line)
		for a := n.Parent; !found && len(text) <= maxPieces && a != nil && a != n.Parent.Parent.Parent; a = a.Parent {
			whole := page.Collapse(c.page.Shown(a))
			if len(whole) > maxPieced {
				break
			}
			found = whole != line && c.dates(n, whole)
		}
	}
	r.bytes += len(text)
	r.last = cutText(text, maxByline)
}

// cutText returns the beginning of a text.
func cutText(s string, size int) string { return strings.ToValidUTF8(s[:min(len(s), size)], "") }

// anyDate is what may be a date.
var anyDate = lexicon.Pattern(`\b\d{4}[./-]\s?\d{1,2}[./-]\s?\d{1,2}|\b\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{4}\b` +
	`|\b\d{1,2}(?:st|nd|rd|th|er|º|\.)?[-\s]?(?:de\s|of\s|d')?\s?\p{L}{3,}\.?,?[-\s]\s?(?:del?\s)?\d{4}\b|\p{L}{3,}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}\b`)

// A dateLine is a date in its line.
type dateLine struct{ line, before, date, behind string }

// dates notes the dates in a line, and reports whether it has any.
func (c *calendar) dates(n *html.Node, line string) (found bool) {
	from := 0
	all := anyDate().FindAllStringIndex(line, maxDates)
	for i, m := range all {
		c.page.Meter.Step(1)
		at, ok := mention.ParseMoment(line[m[0]:m[1]], c.page.Language)
		if !ok {
			continue
		}
		end := len(line)
		if i+1 < len(all) {
			end = all[i+1][1]
		}
		c.show(n, at, dateLine{line: line, before: line[from:m[0]], date: line[m[0]:m[1]], behind: line[m[1]:end]})
		found, from = true, m[1]
	}
	return found
}

// elementOf returns an element, or that of a text.
func elementOf(n *html.Node) *html.Node {
	if n.Type == html.TextNode {
		return n.Parent
	}
	return n
}

// show notes a place where people see a date.
func (c *calendar) show(n *html.Node, at mention.Moment, m dateLine) {
	if len(c.showings) >= maxShowings {
		return
	}
	near, line := c.head.saidBefore(n), saidInLine(m)
	what := line
	if what == unsaid {
		what = near
	}
	in := elementOf(n)
	ofEvent := (line == unsaid || line == saidOther) && isOfOccasion(in, m.before == "")
	if ofEvent || what == unsaid && isWithin(in, 2, atom.Th) {
		what = saidOther
	}
	d := c.day(at, graph.Value{Source: graph.Class, Element: in}, what >= saidUpdated)
	if d == nil {
		return
	}
	d.said[what]++
	d.occasion = d.occasion || ofEvent
	if what < saidUpdated {
		c.showings = append(c.showings, showing{d, in, clockBehind().MatchString(m.behind), c.shownFeatures(n, d, m, near, line)})
	}
}

// isOfOccasion reports whether the class of an element or of the one around it calls what it
// holds the date of an event, or an event where the line begins with the date: behind who
// wrote it, it is that of a text about one.
func isOfOccasion(n *html.Node, first bool) bool {
	for levels := 0; n != nil && levels < 2; n, levels = n.Parent, levels+1 {
		if class := tree.AttrOr(n, "class"); len(class) >= maxClass || tree.Is(n, atom.Body, atom.Main) {
			continue
		} else if callsOccasion(class, first) {
			return true
		}
	}
	return false
}

// callsOccasion reports whether a class has the words of the date of an event, or that of
// an event alone.
func callsOccasion(class string, first bool) bool {
	for name := range strings.FieldsSeq(strings.ToLower(class)) {
		all := strings.FieldsFunc(name, func(c rune) bool { return c == '-' || c == '_' })
		any := func(list string) bool { return slices.ContainsFunc(all, func(w string) bool { return isOf(list, w) }) }
		if any("event") && (any("dateOfEvent") || first && len(all) == 1) || len(all) == 2 && isOf("startsOrEnds", all[0]) && isOf("dateOfEvent", all[1]) {
			return true
		}
	}
	return false
}
