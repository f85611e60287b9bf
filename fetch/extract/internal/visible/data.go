package visible

import (
	"cmp"
	"iter"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/pagedata"
)

// Text returns what a page says, with its images and fields, a line for each of
// its own. It is to be called below the Run of the page's meter.
func Text(p *page.Page) string { return layOut(p, false, true).l.text }

// Data adds what a page shows as it stands there, in the order of the page, where
// [Read] finds what it means: headings, labelled values, tables and lists. It is to be
// called below the Run of the page's meter.
func Data(p *page.Page, d *pagedata.Data) {
	r := Options{MaxColumns: maxShownColumns, MaxValueBytes: maxShown}.begin(p, layOut(p, false, true).l)
	if len(r.nodes) == 0 {
		return
	}
	d.Lang = r.lang
	for _, title := range r.parts[0].entity.Get("title") {
		d.Title = cmp.Or(d.Title, title.Text)
	}
	if !r.Meter.Sparing(r.Meter.Limit()/2, r.findParts) {
		d.Incomplete = true
	}
	f := finder{reader: r, data: d, labels: r.labelsOfFields(), weak: map[string]bool{}}
	d.Incomplete = !r.Meter.Sparing(0, func() { f.walk(0) }) || d.Incomplete
	d.Values = append(d.Values, f.weakValues...)
}

// What is taken at most: of a text, a value and a label, in bytes, of a table, and
// of lists in each other.
const (
	maxShown        = 16 << 10
	maxShownValue   = 2000
	maxShownLabel   = 60
	maxShownColumns = 100
	maxShownRows    = 20_000
	maxShownLists   = 4
)

// A finder walks over a page once.
type finder struct {
	*reader
	data   *pagedata.Data
	labels map[string]int // by the id of their field
	// weakValues come behind the others, each label once.
	weakValues []pagedata.Value
	weak       map[string]bool
	heading    string        // the last one met
	depth      int           // how many lists we are in
	beside     int           // how many navigations, headers and footers we are in
	part       pagedata.Part // where we are, headings aside
	related    int8          // the level of the heading of related things we are under; 0 for none
}

// elementsIn yields the elements in node i that are in no other within it.
func (r *reader) elementsIn(i int) iter.Seq2[int, *node] {
	return func(yield func(int, *node) bool) {
		for c := i + 1; c < r.nodes[i].end; c = r.nodes[c].end {
			r.Meter.Step(1)
			if n := &r.nodes[c]; !n.is(isText) && !yield(c, n) {
				return
			}
		}
	}
}

func (f *finder) walk(i int) {
	for c := range f.elementsIn(i) {
		f.element(c)
	}
}

func (f *finder) element(i int) {
	switch n := &f.nodes[i]; {
	case n.level > 0 && !n.named(atom.Legend):
		f.head(i)
	case n.named(atom.Table):
		f.table(i)
	case n.named(atom.Dl):
		f.definitions(i)
	case n.named(atom.Nav, atom.Header, atom.Footer):
		f.beside++
		f.within(i, f.walk)
		f.beside--
	case n.named(atom.Aside, atom.Section, atom.Article, atom.Main):
		f.within(i, f.other)
	default:
		f.other(i)
	}
}

// within walks through a part of the page. What its headings say ends with it.
func (f *finder) within(i int, walk func(int)) {
	part, related := f.part, f.related
	switch n := &f.nodes[i]; {
	case n.named(atom.Nav):
		f.part = pagedata.Navigation
	case n.named(atom.Aside):
		f.part = pagedata.Aside
	case n.named(atom.Footer) && !InArticle(n.el):
		f.part = pagedata.Footer
	}
	walk(i)
	f.part, f.related = part, related
}

// here is the part of the page we are in.
func (f *finder) here() pagedata.Part {
	if f.related > 0 && f.part == "" {
		return pagedata.Related
	}
	return f.part
}

// headsIn keeps the headings of the items of a list: those of an article's sections
// make its contents, though the sections look alike.
func (f *finder) headsIn(i int) {
	for c := i + 1; c < f.nodes[i].end; c++ {
		if n := &f.nodes[c]; n.level > 0 && f.textOf(c) != "" {
			f.data.Headings = append(f.data.Headings, pagedata.Heading{Level: int(n.level), Text: f.textOf(c)})
		}
	}
}

var ownHeading = lexicon.Pattern(`(?i)\b(details?|information|specifications?|facts)\b`)

// head keeps a heading, and whether it begins or ends what is about other things.
func (f *finder) head(i int) {
	level, text := f.nodes[i].level, f.textOf(i)
	if text == "" {
		return
	}
	if level <= f.related {
		f.related = 0
	}
	if f.related == 0 && level > 1 && isRelatedHeading(text) && !ownHeading().MatchString(text) {
		f.related = level
	}
	if f.beside == 0 {
		f.heading = text
	}
	f.data.Headings = append(f.data.Headings, pagedata.Heading{Level: int(level), Text: text})
}

// other handles what has no meaning by its tag.
func (f *finder) other(i int) {
	if f.property(i) || f.pair(i) || f.plain(i) || f.field(i) {
		return
	}
	if f.beside == 0 && f.depth < maxShownLists && f.list(i) {
		f.headsIn(i)
		return
	}
	f.walk(i)
}

// add adds a value with a label, neither too long.
func (f *finder) add(label string, c pagedata.Cell) bool {
	label = strings.TrimSpace(strings.TrimRight(label, " :*"))
	if label == "" || len(label) > maxShownLabel || c == (pagedata.Cell{}) || len(c.Text) > maxShownValue {
		return false
	}
	f.data.Values = append(f.data.Values, pagedata.Value{Label: label, Value: c, Part: f.here()})
	return true
}

// cell is an element's text with its first link and image.
func (f *finder) cell(i int) (c pagedata.Cell) {
	c.Text = f.textOf(i)
	n := &f.nodes[i]
	for at := i; at < n.end && (n.is(hasLink) && c.URL == "" || n.is(hasImage) && c.Image == ""); at++ {
		f.Meter.Step(1)
		switch in := &f.nodes[at]; {
		case in.named(atom.A) && c.URL == "":
			c.URL = f.follow(attr(in.el, "href"))
		case in.named(atom.Img) && c.Image == "":
			c.Image = f.follow(attr(in.el, "src"))
		}
	}
	return c
}

// follow makes an address absolute.
func (f *finder) follow(ref string) string {
	if ref == "" {
		return ""
	}
	return strings.TrimSuffix(f.Links.Resolve(ref), "#")
}

// property reads microdata: <span itemprop="price" content="8.95">.
func (f *finder) property(i int) bool {
	el := f.nodes[i].el
	name, ok := tree.Attr(el, "itemprop")
	if _, scope := tree.Attr(el, "itemscope"); !ok || scope {
		return false
	}
	if v := cmp.Or(attr(el, "content"), attr(el, "datetime")); v != "" {
		return f.add(name, pagedata.Cell{Text: page.Collapse(v)})
	}
	return f.add(name, f.cell(i))
}

// pair reads <div><span class="label">Price</span><span class="value">8</span></div>.
func (f *finder) pair(i int) bool {
	label, value := f.pairOf(i)
	if label == "" || value == "" {
		return false
	}
	at := f.textsIn(f.unwrapped(i), 2)[1]
	n, isMarked := &f.nodes[at], f.saysLabel(i)
	if n.is(isText) { // a sentence may begin in bold
		isMarked = strings.Contains(f.text[f.nodes[i].from:n.from+1], ":")
	} else {
		isMarked = isMarked || strings.Contains(strings.ToLower(attr(n.el, "class")), "value")
	}
	c := f.cell(at)
	c.Text = value
	return isMarked && f.isPlain(at) && f.add(label, c)
}

// isPlain reports whether an element is made of words alone, without blocks and
// fields.
func (f *finder) isPlain(i int) bool {
	for c := i + 1; c < f.nodes[i].end; c++ {
		f.Meter.Step(1)
		n := &f.nodes[c]
		if c > i+maxLook || n.is(isBlock) || !n.is(isText) && (n.named(atom.Input, atom.Textarea) || attr(n.el, "itemprop") != "") {
			return false
		}
	}
	return true
}

// plain reads "Price: 8.95" that stands by itself, in whatever element.
func (f *finder) plain(i int) bool {
	if !f.isPlain(i) || f.nodes[i].named(atom.Input, atom.Textarea, atom.Select) {
		return false
	}
	text := f.textOf(i)
	name, value := mention.SplitLabel(text)
	if name == "" || strings.Count(text, ": ") > 1 {
		f.weakValue(i, text)
		return false
	}
	c := f.cell(i)
	c.Text = value
	return f.add(name, c)
}

var className = lexicon.Pattern(`^[A-Za-z][A-Za-z_-]{2,30}$`)

// weakValue keeps the text of an innermost element under its class name.
func (f *finder) weakValue(i int, text string) {
	for range f.elementsIn(i) {
		return
	}
	if f.beside > 0 || text == "" || len(text) > maxClassed {
		return
	}
	for class := range tree.Classes(f.nodes[i].el) {
		if key := class + string(f.here()); className().MatchString(class) && !f.weak[key] {
			f.weak[key] = true // the first of each part
			f.weakValues = append(f.weakValues, pagedata.Value{Label: class, Value: f.cell(i), Weak: true, Part: f.here()})
		}
	}
}

// field reads a form field by its label.
func (f *finder) field(i int) bool {
	n := &f.nodes[i]
	if !n.named(atom.Input, atom.Select, atom.Textarea, atom.Output) {
		return false
	}
	if n.from == n.to || f.beside > 0 {
		return true
	}
	label := page.Collapse(attr(n.el, "aria-label"))
	if at := f.labelOf(i, f.labels); at >= 0 && label == "" {
		label = f.textOf(at)
		if around := &f.nodes[at]; at < i && i < around.end { // the field stands in it
			label = oneLine(cmp.Or(strings.TrimSpace(f.text[around.from:n.from]), f.text[n.to:around.to]))
		}
	}
	f.add(label, pagedata.Cell{Text: f.textOf(i)})
	return true
}

// definitions reads a dl. Several dd of one dt are one value.
func (f *finder) definitions(i int) {
	first, from := -1, 0
	d := definition{reader: f.reader, define: func(terms []int, dd int) {
		c := f.cell(dd)
		if len(terms) > 0 && terms[0] == first {
			for k := range f.data.Values[from:] {
				if v := &f.data.Values[from+k].Value; c.Text != "" && len(v.Text)+len(c.Text) < maxShownValue {
					v.Text += ", " + c.Text
				}
			}
			return
		}
		from = len(f.data.Values)
		for _, t := range terms {
			first = terms[0]
			f.add(f.textOf(t), c)
		}
	}}
	d.children(i)
}
