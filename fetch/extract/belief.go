package extract

import (
	"cmp"
	"embed"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/read"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// belief is who says what about a page.
type belief struct {
	page *page.Page
	head *head
	// places are the things that say something of the page, by the names that
	// lexicon/words.txt has for them.
	places map[string]*graph.Entity
	// site is the name of the site.
	site graph.Value
	// day is that of publication, once it was asked for.
	day     *day
	isAsked bool
}

// newBelief reads what the page says for machines, and what its elements say.
func newBelief(p *page.Page) *belief {
	b := &belief{page: p, head: headOf(p), places: map[string]*graph.Entity{}}
	b.places["shown"] = b.head.shown
	forms := read.FormsOf(p)
	if len(forms.Meta) > 0 {
		b.places["meta"] = lowered(forms.Meta[0])
	}
	things := slices.Concat(forms.JSONLD, forms.Microdata, forms.RDFa)
	b.places["site"] = firstOf(things, "WebSite")
	b.places["page"] = firstOf(things, words()["page"]...)
	b.places["entry"] = firstOf(forms.Microformats, "entry", "recipe", "event", "product")
	b.places["main"] = b.mainOf(things)
	b.site = b.text("siteName")
	return b
}

// firstOf returns the first thing of one of the types.
func firstOf(things []*graph.Entity, types ...string) *graph.Entity {
	for _, e := range things {
		if e.Is(types...) {
			return e
		}
	}
	return nil
}

// lowered returns the meta and link elements with their names in lower case, and
// who wrote the page as its card for others has it: in words, not by a name of its
// own.
func lowered(e *graph.Entity) *graph.Entity {
	out := &graph.Entity{Source: e.Source, Element: e.Element}
	for _, f := range e.Fields {
		out.Add(strings.ToLower(f.Name), f.Values...)
	}
	for _, n := range [...]string{"1", "2"} {
		if label := out.Get("twitter:label" + n); len(label) > 0 && isBy(label[0].Text) {
			out.Add("card_author", out.Get("twitter:data"+n)...)
		}
	}
	return out
}

// metadata decides for each field whom to believe.
func (b *belief) metadata() *Metadata {
	published, modified := b.dates()
	m := &Metadata{
		Title: b.title().Text, Description: b.text("description").Text, Language: b.language(), SiteName: b.site.Text,
		CanonicalURL: b.web("canonical").Text, Image: b.web("image").Text, Published: published.Text, Modified: modified.Text,
	}
	for _, a := range b.authors() {
		m.Authors = append(m.Authors, a.Text)
	}
	return m
}

// entity is what is decided by [belief.metadata] under the names of schema.org, with where
// it was found.
func (b *belief) entity() *graph.Entity {
	e := &graph.Entity{Source: graph.Document, Element: b.page.Doc}
	published, modified := b.dates()
	title := b.title()
	add := func(name string, values ...graph.Value) {
		e.Add(name, slices.DeleteFunc(values, func(v graph.Value) bool { return v.Text == "" })...)
	}
	add("headline", title)
	if heading := page.Collapse(b.head.heading); b.head.headings == 1 && heading != "" {
		title = graph.Value{Text: heading, Source: graph.Document, Element: b.head.first} // a thing is rarely called as the page is in the lists of searches
	}
	add("name", title)
	add("author", b.authors()...)
	add("datePublished", published)
	add("dateModified", modified)
	publisher := b.site
	for _, v := range b.places["main"].Get("publisher") {
		for _, name := range namesOf(v) {
			publisher = saying(v, name)
		}
	}
	add("publisher", publisher)
	add("description", b.text("description"))
	add("image", b.web("image"))
	add("url", b.web("canonical"))
	return e
}

// dates are when the page was published and changed.
func (b *belief) dates() (published, modified graph.Value) {
	if d := b.published(); d != nil {
		published = d.value()
	}
	modified = b.moment("modified")
	if isBefore(modified.Text, published.Text) {
		modified = graph.Value{}
	}
	return published, modified
}

// said yields what the page says of a field, the values of a name together, the
// most believed first.
func (b *belief) said(field string) iter.Seq[[]graph.Value] {
	return func(yield func([]graph.Value) bool) {
		for _, at := range words()[field] {
			place, name, _ := strings.Cut(at, "/")
			values := slices.Clone(b.places[place].Get(name))
			for i := range values {
				values[i].Source = cmp.Or(values[i].Source, b.places[place].Source)
			}
			if len(values) > 0 && !yield(values) {
				return
			}
		}
	}
}

// text returns the first text of a field.
func (b *belief) text(field string) graph.Value {
	for values := range b.said(field) {
		for _, v := range values {
			for _, name := range namesOf(v) {
				if text := page.Collapse(b.page.Plain(name)); text != "" && !mention.IsUnfilled(text) {
					return saying(v, text)
				}
			}
		}
	}
	return graph.Value{}
}

// saying is a text that stands where a value does.
func saying(v graph.Value, text string) graph.Value {
	return graph.Value{Text: text, Source: v.Source, Element: v.Element, Place: v.Place}
}

// web returns the first address of the web of a field.
func (b *belief) web(field string) graph.Value {
	for values := range b.said(field) {
		if ref := addressIn(values); strings.HasPrefix(ref, "https://") || strings.HasPrefix(ref, "http://") {
			v := saying(values[0], ref)
			v.Kind = graph.URL
			return v
		}
	}
	return graph.Value{}
}

// moment returns the first date of a field that can be read. A time of day without
// a zone says nothing to someone elsewhere, and is left out.
func (b *belief) moment(field string) graph.Value {
	for values := range b.said(field) {
		for _, v := range values {
			b.page.Meter.Step(1 + len(v.Text)/16)
			switch at, ok := mention.ParseMoment(v.Text, b.page.Language); {
			case !ok, !at.MayBePast():
			case at.Zone == "":
				return saying(v, at.Date)
			default:
				return saying(v, at.String())
			}
		}
	}
	return graph.Value{}
}

// isBefore reports whether one moment is on a day before another's.
func isBefore(a, b string) bool {
	return len(a) >= len(time.DateOnly) && len(b) >= len(time.DateOnly) && a[:len(time.DateOnly)] < b[:len(time.DateOnly)]
}

// languageTag is one that may be of a language that there is.
var languageTag = lexicon.Pattern(`^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$`)

// language returns a tag with the hyphens that it has to have.
func (b *belief) language() string {
	tag, _, _ := strings.Cut(b.text("language").Text, ",")
	tag = strings.ReplaceAll(strings.TrimSpace(tag), "_", "-")
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if !languageTag().MatchString(tag) || len(primary) == 2 && !isOf("knownLanguage", primary) {
		return ""
	}
	return tag
}

//go:embed lexicon
var files embed.FS

// words are those that tell the metadata of a page, by what they are.
var words = lexicon.Listed(files, "words")

// isOf reports whether a text in lower case is one of a list.
func isOf(list, text string) bool {
	return slices.Contains(words()[list], strings.ReplaceAll(text, " ", "_"))
}
