package shape

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/schema"
)

// list is an array that is being made.
type list struct {
	sh    *shaper
	p     *prop
	v     *view
	node  *node
	known map[any]found // scalars that are in it, and where each stood first
	depth int
	whole bool // an item that misses something has to be like the others
	shown bool // it is a list that people see, whose items belong together

	lenient  bool            // all items may miss something
	things   int             // that were looked at
	complete []*node         // the items that miss nothing
	halves   []*graph.Entity // of those that have half of what is required
	held     []*node         // the items that miss something
}

func (sh *shaper) newList(p *prop, v *view) *list {
	return &list{sh: sh, p: p, v: v, node: &node{kind: array}, known: map[any]found{}, lenient: sh.lenient == p}
}

// listOf makes a list of the values of a field; nil if there is none. What people
// see has few names: an item of it that misses something is another thing.
func (sh *shaper) listOf(c candidate, p *prop, v *view, whole bool) *node {
	l := sh.newList(p, v)
	l.whole = whole || c.entity.Source >= graph.Table
	if p.is("author", "creator") && l.itemSchema() != nil && declaresNames(c.entity) {
		c.field = &graph.Field{Name: c.field.Name, Values: people.Declared(c.field.Values, true)}
	}
	own := l.p.is("image") && slices.ContainsFunc(c.field.Values, func(v graph.Value) bool { return !v.Aside })
	values := c.field.Values
	if c.field.Name == "acceptedAnswer" && !strings.Contains(p.key.Key, "accepted") {
		values = slices.Concat(values, c.entity.Get("suggestedAnswer"))
	}
	top := slices.IndexFunc(c.field.Values, isTopSection)
	if c.field.Name != "sections" || p.asksHeadings() || top >= 0 && slices.ContainsFunc(c.field.Values[top+1:], isTopSection) {
		top = -1
	}
	for i, value := range values {
		if own && value.Aside || i == top && len(values) > 2 {
			continue // a logo, the cards of payment; what stands above all sections
		}
		if f := (found{c.entity, c.field.Name, value}); !sh.isDoubtful(l.p, f) && !l.isSaidTwice(c.field, value) {
			l.value(f)
		}
	}
	return l.result()
}

// isTopSection reports whether a section stands under a title: the only such one of a page is all of it.
func isTopSection(v graph.Value) bool { return v.Element != nil && v.Element.DataAtom == atom.H1 }

// isSaidTwice reports whether a value of a field is the other form of its items:
// the texts under a heading where objects are wanted and the heading has things,
// too, and the things where texts are wanted.
func (l *list) isSaidTwice(f *graph.Field, v graph.Value) bool {
	last := f.Values[len(f.Values)-1]
	return f.Values[0].Kind == graph.Thing && last.Kind != graph.Thing && last.Source == graph.Section && (v.Kind == graph.Thing) == l.wantsScalars()
}

func (l *list) result() *node {
	if !l.shown {
		l.sift()
	}
	if len(l.node.items) == 0 {
		return nil
	}
	l.withoutWholes()
	l.uncounted()
	return l.node
}

// full reports whether the list may have no more items.
func (l *list) full() bool {
	n := len(l.node.items) - len(l.held)
	return n >= l.sh.o.MaxItems || l.v.MaxItems >= 0 && n >= l.v.MaxItems || l.itemSchema() == nil && l.v.Prefix != nil
}

// itemSchema is the schema of the next item, nil for any.
func (l *list) itemSchema() *schema.Outline {
	if n := len(l.node.items); n < len(l.v.Prefix) {
		return l.v.Prefix[n]
	}
	return l.v.Items
}

// value adds what a value holds: the items of a list, the lines of a text, or
// itself.
func (l *list) value(f found) {
	l.sh.m.Step(1)
	if l.full() || l.depth > maxAround {
		return
	}
	l.heading(f)
	if inner := l.listed(f); inner != nil {
		l.depth++
		for _, v := range inner.Values {
			l.value(found{f.value.Entity, inner.Name, v})
		}
		l.depth--
		return
	}
	for _, part := range l.parts(l.asText(f)) {
		if !l.full() && !l.isNoStep(part) {
			l.item(part)
		}
	}
}

// item adds one item, if it can be made.
func (l *list) item(f found) {
	o := l.itemSchema()
	n := l.sh.itemOf(o, l.p, l.sh.inParts(o, l.p, f))
	if f.value.Kind == graph.Thing {
		l.things++
	}
	if n == nil {
		return
	}
	n.of = f.value.Entity
	if n.kind == scalar {
		if first, known := l.known[n.value]; known && !l.repeats(first, f) {
			return
		}
		l.known[n.value] = f
	}
	switch {
	case o == nil || l.sh.passes(o, n):
		l.node.push(n)
		l.complete = append(l.complete, n)
	case !l.whole && n.kind != scalar:
		l.node.push(n)
	default:
		l.hold(o, n)
	}
}

// repeats reports whether a text that a list has already is one more item of it: where a
// thing that is described for machines says it twice in a list whose items may come again, such as
// salt among the ingredients, or a list that people see. Elsewhere the same text is the same item, found in two places.
func (l *list) repeats(first, f found) bool {
	if l.v.Unique || !l.p.is("recipeIngredient", "recipeInstructions", "step") || f.entity.Source > graph.RDFa && f.value.Source != graph.Item {
		return false
	}
	elsewhere := f.value.Element != first.value.Element
	if f.entity != first.entity { // steps of one script
		return !elsewhere && f.entity.Source == graph.JSONLD && f.value.Place != first.value.Place
	}
	return f.name == first.name && (elsewhere || f.value.Place != first.value.Place)
}

// itemOf makes an item of a value.
func (sh *shaper) itemOf(o *schema.Outline, p *prop, f found) *node {
	if o == nil {
		return sh.scalar(p, &anything, f, 0)
	}
	for _, v := range sh.variants(sh.view(o)) {
		if v.may(typeObject) && v.typed {
			if n := sh.objectOf(f, v, scope{depth: 1}); n != nil {
				return n
			}
		}
		if v.may(scalarTypes) {
			if n := sh.scalar(p, v, f, 0); n != nil {
				return n
			}
		}
	}
	return nil
}

// listed returns the field with the items of a thing that is a list, nil for
// others and where an item is to have the list in it.
func (l *list) listed(f found) *graph.Field {
	e := f.value.Entity
	if f.value.Kind != graph.Thing || e == nil || e.Is("ListItem", "HowToStep") && e.Get("item") != nil {
		return nil
	}
	if vs := e.Get("offers"); len(vs) > 0 && l.p.is("offers") && l.sh.isA(e, "AggregateOffer") {
		return &graph.Field{Name: "offers", Values: vs}
	}
	for _, name := range []string{"itemListElement", "steps", "step", "recipeInstructions"} {
		if vs := e.Get(name); len(vs) > 0 && !l.wantsLists() && !(l.sh.isA(e, "HowToStep") && e.Get("text") != nil) {
			return &graph.Field{Name: name, Values: vs}
		}
	}
	return nil
}

// wantsLists reports whether the items are to have lists of their own.
func (l *list) wantsLists() bool {
	o := l.itemSchema()
	return o != nil && slices.ContainsFunc(l.sh.view(o).props, func(p *prop) bool { return p.is("itemListElement", "step", "recipeInstructions") })
}

// parts splits a text that is a list: at line ends, and where a list of words
// is wanted at commas.
func (l *list) parts(f found) []found {
	if f.value.Kind != graph.Text || !l.wantsScalars() {
		return []found{f}
	}
	split := strings.Split(f.value.Text, "\n")
	if len(split) > 1 && l.p.is("recipeIngredient") && f.entity != nil && len(f.entity.Get(f.name)) > 1 {
		split = []string{strings.Join(strings.Fields(f.value.Text), " ")} // an item of several, broken as a template has it
	}
	if counted := countedParts(f.value.Text); len(split) == 1 && l.p.of("steps") && counted != nil {
		split = counted
	}
	if len(split) == 1 && l.p.of("steps") { // as a script joins a list
		split = strings.Split(sentenceJoint().ReplaceAllString(f.value.Text, "$1\n$2"), "\n")
	}
	if len(split) == 1 && l.p.is("recipeIngredient") && strings.Count(f.value.Text, "; ") > 1 && len(f.entity.Get(f.name)) == 1 {
		split = strings.Split(f.value.Text, "; ")
	}
	if len(split) == 1 && l.wantsNumbers() {
		split = mention.SplitNumbers(f.value.Text)
	} else if len(split) == 1 && l.p.of("inWords") {
		split = strings.FieldsFunc(f.value.Text, func(r rune) bool { return r == ',' || r == ';' || r == '|' })
	}
	if source := sourceOf(f.entity, &f.value); len(split) == 1 && source >= graph.Table && source <= graph.Label && (len(l.p.concepts) == 0 || l.p.is("author", "creator", "director", "performer")) {
		split = people.Split(f.value.Text)
	}
	var all []found
	for _, text := range split {
		if text = strings.TrimSpace(text); text != "" {
			part := f
			part.value.Text = text
			all = append(all, part)
		}
	}
	return all
}

// wantsNumbers reports whether the items are numbers and nothing else.
func (l *list) wantsNumbers() bool {
	o := l.itemSchema()
	return o != nil && l.sh.view(o).typed && l.sh.view(o).types&^typeNull&^(typeNumber|typeInteger) == 0
}

func (l *list) wantsScalars() bool {
	o := l.itemSchema()
	return o == nil || l.sh.view(o).may(scalarTypes)
}
