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
	site string
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
	m := &Metadata{
		Title: b.title(), Description: b.text("description"), Language: b.language(), SiteName: b.site,
		CanonicalURL: b.web("canonical"), Image: b.web("image"),
		Authors: b.authors(), Modified: b.moment("modified"),
	}
	if d := b.published(); d != nil {
		m.Published = d.moment.String()
	}
	if isBefore(m.Modified, m.Published) {
		m.Modified = ""
	}
	return m
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
func (b *belief) text(field string) string {
	for values := range b.said(field) {
		for _, v := range values {
			for _, name := range namesOf(v) {
				if text := page.Collapse(b.page.Plain(name)); text != "" {
					return text
				}
			}
		}
	}
	return ""
}

// web returns the first address of the web of a field.
func (b *belief) web(field string) string {
	for values := range b.said(field) {
		if ref := addressIn(values); strings.HasPrefix(ref, "https://") || strings.HasPrefix(ref, "http://") {
			return ref
		}
	}
	return ""
}

// moment returns the first date of a field that can be read. A time of day without
// a zone says nothing to someone elsewhere, and is left out.
func (b *belief) moment(field string) string {
	for values := range b.said(field) {
		for _, v := range values {
			b.page.Meter.Step(1 + len(v.Text)/16)
			if at, ok := mention.ParseMoment(v.Text, b.page.Language); ok && at.Zone == "" {
				return at.Date
			} else if ok {
				return at.String()
			}
		}
	}
	return ""
}

// isBefore reports whether one moment is on a day before another's.
func isBefore(a, b string) bool {
	return len(a) >= len(time.DateOnly) && len(b) >= len(time.DateOnly) && a[:len(time.DateOnly)] < b[:len(time.DateOnly)]
}

// languageTag is one that may be of a language that there is.
var languageTag = lexicon.Pattern(`^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$`)

// language returns a tag with the hyphens that it has to have.
func (b *belief) language() string {
	tag, _, _ := strings.Cut(b.text("language"), ",")
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
