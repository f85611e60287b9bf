package plain

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/pagedata"
)

// fact is a text that a page, or a row of a table, has under a name.
type fact struct {
	// label is what stands beside it or above its column; for a bare one it is
	// what it is: a heading, an image.
	label string
	cell  pagedata.Cell
	rank  rank
	weak  bool
	part  pagedata.Part
	table *pagedata.Table // that it is in; nil for none
	at    int             // its column
}

// rank is the order in which the facts of a name are taken.
type rank int

const (
	labelled rank = iota
	// elsewhere is labelled, in a footer or the like: where the page proper has
	// nothing of the name.
	elsewhere
	// single is in the only row of a table.
	single
	// bare is what every page has, without a label.
	bare
	// bareCell is of a row that has nothing of the name under its headers.
	bareCell
)

// maxTitle is how much of a title is looked at.
const maxTitle = 300

// pageFacts are those of the page.
func (r reading) pageFacts() (all []fact) {
	for _, v := range r.data.Values {
		f := fact{label: v.Label, cell: v.Value, weak: v.Weak, part: v.Part}
		if v.Part != "" {
			f.rank = elsewhere
		}
		all = append(all, f)
	}
	for _, t := range r.tables(func(t *pagedata.Table) bool { return len(t.Rows) == 1 && t.Part == "" }) {
		for _, f := range rowFacts(t, t.Rows[0])[:len(t.Columns)] {
			f.rank = single
			all = append(all, f)
		}
	}
	for _, own := range []string{"title", "heading", "url", "text"} {
		f := fact{label: own, cell: pagedata.Cell{Text: r.own(own)}, rank: bare}
		if own == "url" {
			f.cell.URL = f.cell.Text
		}
		if f.cell.Text != "" && (own != "title" || len(f.cell.Text) <= maxTitle) {
			all = append(all, f)
		}
	}
	return all
}

// rowFacts are those of a row: of each column, and what a row has without a
// header.
func rowFacts(t *pagedata.Table, row []pagedata.Cell) []fact {
	all := make([]fact, 0, len(row)+3)
	image, unnamed := -1, -1
	for i, c := range row {
		all = append(all, fact{label: t.Columns[i], cell: c, table: t, at: i})
		if image < 0 && c.Image != "" {
			image = i
		}
		if unnamed < 0 && (t.Columns[i] == "" && c.Text != "" || t.List && len(row) == 1) {
			unnamed = i
		}
	}
	for i, at := range [...]int{image, onlyLink(row), unnamed} {
		if f := (fact{label: [...]string{"image", "link", "name"}[i], rank: bareCell, table: t}); at >= 0 {
			f.cell = onlyThe(row[at], f.label)
			all = append(all, f)
		}
	}
	return all
}

// onlyThe is a cell, or only the address or image of it.
func onlyThe(c pagedata.Cell, kind string) pagedata.Cell {
	switch kind {
	case "image":
		return pagedata.Cell{Text: c.Image, URL: c.Image}
	case "link":
		return pagedata.Cell{Text: c.URL, URL: c.URL}
	}
	return c
}

// onlyLink is the cell with the link of the row: the row's first with a text, or
// the only one; -1 for none.
func onlyLink(row []pagedata.Cell) int {
	link := slices.IndexFunc(row, func(c pagedata.Cell) bool { return c.Text != "" })
	if link >= 0 && row[link].URL != "" {
		return link
	}
	link = -1
	for i, c := range row {
		switch {
		case c.URL == "" || c.URL == c.Image:
		case link < 0:
			link = i
		case row[link].URL != c.URL:
			return -1
		}
	}
	return link
}

// choice is the fact that a name means.
type choice struct {
	*fact
	// score is how well it does.
	score int
	// several says that others that say something else do as well.
	several bool
}

func (c choice) found() bool { return c.score > 0 && !c.several }

func (c *choice) consider(f *fact, score int) {
	switch {
	case score == 0 || c.fact != nil && f.rank >= bare:
	case c.fact != nil && f.rank == single && f.table != c.table:
		c.several = true
	case score > c.score:
		*c = choice{fact: f, score: score}
	case score == c.score:
		c.several = c.several || f.table != nil || f.cell.Text != c.cell.Text
	}
}

// choices are the facts that names may mean, one of each rank that has any.
// Where it is not certain which of those with labels is meant, that is all.
func (r reading) choices(names []string) (all []choice) {
	joined := strings.Join(names, "\x00")
	var best [bareCell + 1]choice
	for i := range r.facts {
		f, isLabelled := &r.facts[i], best[labelled].score > 0
		if isLabelled && (f.rank == elsewhere || f.rank == bareCell) || f.part != "" && !r.isOwn(f.part, names) {
			continue
		}
		score := r.score(f, names, joined)
		if score > 0 && f.table == nil && f.rank < bare {
			if number, asIs := measureOf(names).Exact(f.label, f.cell.Text, r.data.Lang); number == "" && !asIs {
				continue
			}
		}
		if f.weak {
			score = score * 95 / 100
		}
		best[f.rank].consider(f, score)
	}
	if best[labelled].score > 0 {
		best[elsewhere] = choice{}
	}
	for rank, c := range best {
		switch {
		case c.several && rank < int(single):
			return []choice{c}
		case c.found():
			all = append(all, c)
		}
	}
	return all
}

// choose is what has a label among the choices, or is the link of a row.
func (r reading) choose(names ...string) (c choice) {
	if all := r.choices(names); len(all) > 0 && (all[0].rank < single || all[0].label == "link") {
		return all[0]
	}
	return c
}

// known is what has been found out about the names of a page.
type known struct {
	// context are words that stand for the whole page.
	context []string
	scores  map[scoreKey]int
}

type scoreKey struct {
	names, label, table string
	bare                bool
}

// ready prepares a reading for being searched. The context are its title and main
// headings, and for a schema what the step calls it, if that is one thing.
func (r reading) ready(isShaped bool) reading {
	texts := append(r.mainHeadings(), excerpt(r.data.Title, maxTitle))
	if names := r.want.names; isShaped && len(names) == 1 {
		texts = append(texts, names[0])
	}
	r.facts, r.known = r.pageFacts(), &known{scores: map[scoreKey]int{}}
	for _, text := range texts {
		r.known.context = append(r.known.context, senses(text)...)
	}
	return r
}

// in is the reading of one row alone.
func (r reading) in(t *pagedata.Table, row []pagedata.Cell) reading {
	r.facts = rowFacts(t, row)
	return r
}

// apart is the reading without words that stand for the page.
func (r reading) apart() reading {
	r.known = &known{scores: map[scoreKey]int{}}
	return r
}

// score says how well a fact is what one of the names asks for.
func (r reading) score(f *fact, names []string, joined string) int {
	key := scoreKey{names: joined, label: f.label, bare: f.rank >= bare}
	if f.table != nil {
		key.table = f.table.Name
	}
	score, isKnown := r.known.scores[key]
	switch {
	case isKnown:
		return score
	case !key.bare:
		score = matchAny(names, f.label, append(senses(key.table), r.known.context...))
	case r.standsFor(f.label, names):
		score = exact
	}
	if score < plural && f.rank < bare && f.table == nil && r.want.has("title") && isCalled(names, "title") {
		score = 0 // the page's own is asked for
	}
	r.known.scores[key] = score
	return score
}

// isCalled reports whether one of the names is one of these.
func isCalled(names []string, what ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(what, strings.Join(stems(n), " ")) })
}

// standsFor reports whether what has no label is what one of the names means, if
// nothing is said about whose it is.
func (r reading) standsFor(kind string, names []string) bool {
	says := func(words ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Equal(senses(n), words) })
	}
	switch kind {
	case "title":
		_, none := r.mainHeading()
		return isCalled(names, "page title", "document title") || isCalled(names, "title") && (none != "" || r.want.has("title"))
	case "name":
		return says("name")
	case "heading":
		return says("name") || isCalled(names, "heading", "headline", "h1", "main heading")
	case "text":
		return isCalled(names, "text", "content", "body", "page text")
	}
	return slices.ContainsFunc(names, func(n string) bool {
		words := slices.DeleteFunc(senses(n), func(w string) bool { return w == "url" || w == "page" || w == "detail" })
		return len(words) == 0 && kind != "image" || kind == "image" && slices.Equal(words, []string{kind})
	})
}
