// Package candidates finds the lists that a page shows, whatever they are
// written as: real lists, rows of tables, siblings that are built alike, lines
// that are broken. Each has its items and a row of features, from which forests
// tell what it lists. A candidate knows nothing of what is asked for.
//
// The page is laid out once, as a list of its shown elements over one text, and
// all that is found refers to that. Work is linear in the size of the page, and
// counted in steps.
package candidates

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/page"
)

// Form is what the items of a list are written as.
type Form uint8

// The forms.
const (
	Marked Form = iota // a list of HTML
	Rows               // rows of a table
	Terms              // a definition list
	Alike              // siblings that are built alike
	Lines              // lines of one element
)

// An Item is one item of a list.
type Item struct {
	// Text is what a reader sees, white space and line breaks as one space.
	Text string
	// Element is where it stands.
	Element *html.Node
}

// A List is a candidate.
type List struct {
	Form Form
	node int    // that the items stand in
	kind string // of the items and what they stand in: lists of one kind belong together
	at   []item
	head int // index of the label before it, or -1
	row  []float32
}

func (l *List) from() int { return l.at[0].from }
func (l *List) to() int   { return l.at[len(l.at)-1].to }

// An item refers to the layout.
type item struct {
	node     int
	from, to int
}

// A Page is what is found on one page.
type Page struct {
	*layout
	labels []label
	lists  []List
	recipe bool // a name, or the title, says that it is one
}

const (
	maxLists = 4000
	maxItems = 500
	// maxItemText is how long an item is at most, in bytes.
	maxItemText = 4000
	// maxNested is how many lists a text is in at most.
	maxNested = 6
)

// Read finds the lists of a page. It is to be called below the Run of the
// page's meter.
func Read(p *page.Page) *Page {
	r := &Page{layout: lay(p)}
	r.label()
	r.collect()
	r.describe()
	return r
}

// Lists returns the number of lists.
func (p *Page) Lists() int { return len(p.lists) }

// Row returns the features of a list.
func (p *Page) Row(i int) []float32 { return p.lists[i].row }

// Items returns the items of a list.
func (p *Page) Items(i int) []Item {
	l := &p.lists[i]
	items := make([]Item, 0, len(l.at))
	for _, it := range l.at {
		p.meter.Read(it.to - it.from)
		if text := oneLine(p.text[it.from:it.to]); text != "" {
			items = append(items, Item{text, p.nodes[it.node].el})
		}
	}
	return items
}

// oneLine returns a text without line breaks and without the mark of a list.
func oneLine(text string) string {
	return strings.TrimLeft(strings.ReplaceAll(text, "\n", " "), "•·▢☐□◦‣∙*–—- \t")
}

// SaysRecipe reports whether the title or the address says that the page is a recipe.
func (p *Page) SaysRecipe() bool { return p.recipe }
