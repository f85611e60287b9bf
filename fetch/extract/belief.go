package extract

import (
	"cmp"
	"embed"
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// belief is who says what about a page.
type belief struct {
	page *page.Page
	head *head
	// main is the thing that the page is about, entry that of microformats.
	main, entry *graph.Entity
	// meta are the meta and link elements, names in lower case; webPage and
	// site are the things of these types.
	meta, webPage, site *graph.Entity
	// siteKey is the name of the site, to be compared.
	siteKey string
}

// metadata decides for each field whom to believe.
func (b *belief) metadata() *Metadata {
	main, entry := b.main, b.entry
	m := &Metadata{Language: b.language(main)}
	m.SiteName = cmp.Or(b.text(b.meta, "og:site_name", "application-name", "al:ios:app_name"), b.text(b.site, "name"), nameOf(main.Get("publisher")), b.text(b.meta, "dc.publisher"))
	b.siteKey = mention.Key(m.SiteName)
	m.Title = b.title(main, entry, m.SiteName)
	m.Description = cmp.Or(b.text(b.meta, "description", "og:description", "twitter:description"), b.text(main, "description", "abstract"),
		b.text(b.meta, "dc.description", "dcterms.description"), b.text(b.webPage, "description"), b.text(entry, "summary"))
	m.CanonicalURL = web(addressIn(b.meta.Get("canonical")), addressIn(b.meta.Get("og:url")), addressIn(main.Get("url")))
	m.Image = web(addressIn(b.meta.Get("og:image")), addressIn(main.Get("image")), addressIn(b.meta.Get("twitter:image")),
		addressIn(b.meta.Get("twitter:image:src")), addressIn(b.meta.Get("image_src")), addressIn(b.webPage.Get("primaryImageOfPage")))
	m.Authors = b.authors(main, entry)
	m.Published = b.moment(b.publishedFrom(main, entry))
	if isBefore(time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly), m.Published) {
		m.Published = "" // of what is to come
	}
	if m.Modified = b.moment(b.modifiedFrom(main, entry)); isBefore(m.Modified, m.Published) {
		m.Modified = ""
	}
	return m
}

// languageTag is one that may be of a language that there is.
var languageTag = lexicon.Pattern(`^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$`)

// language returns a tag with the hyphens that it has to have.
func (b *belief) language(main *graph.Entity) string {
	tag, _, _ := strings.Cut(cmp.Or(b.head.language, b.text(b.meta, "content-language", "language", "og:locale"), b.text(main, "inLanguage"), b.text(b.webPage, "inLanguage")), ",")
	tag = strings.ReplaceAll(strings.TrimSpace(tag), "_", "-")
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if !languageTag().MatchString(tag) || len(primary) == 2 && !isOf("language", primary) {
		return ""
	}
	return tag
}

func (b *belief) publishedFrom(main, entry *graph.Entity) []string {
	all := texts(main, "datePublished", "datePosted", "uploadDate", "dateCreated")
	all = append(all, texts(b.meta, words()["publishedMeta"]...)...)
	if b.isWritten(main) {
		all = append(all, texts(b.webPage, "datePublished")...)
	}
	all = append(append(all, texts(entry, "published")...), b.head.props["datePublished"])
	if len(b.head.times) == 1 && !b.head.listed {
		all = append(all, b.head.times...)
	}
	all = append(all, b.head.opening.dates...)
	if b.head.headings == 0 {
		all = append(all, b.head.second.dates...)
	}
	return append(all, b.head.dates[:min(1, len(b.head.dates))]...)
}

// isWritten reports whether a page is one that somebody wrote and published:
// the templates of shops and firms tell of every page when it was made.
func (b *belief) isWritten(main *graph.Entity) bool {
	if main != nil {
		return main.Is(words()["article"]...) || main.Is("Recipe", "HowTo", "VideoObject", "PodcastEpisode")
	}
	return len(b.authors(main, b.entry)) > 0
}

func (b *belief) modifiedFrom(main, entry *graph.Entity) []string {
	return slices.Concat(texts(main, "dateModified"), texts(b.meta, words()["modifiedMeta"]...), texts(b.webPage, "dateModified"), texts(entry, "updated"),
		[]string{b.head.props["dateModified"]}, b.head.opening.modified, b.head.updates)
}

// isBefore reports whether one moment is on a day before another's.
func isBefore(a, b string) bool {
	return len(a) >= len(time.DateOnly) && len(b) >= len(time.DateOnly) && a[:len(time.DateOnly)] < b[:len(time.DateOnly)]
}

func texts(e *graph.Entity, names ...string) (all []string) {
	for _, name := range names {
		for _, v := range e.Get(name) {
			if v.Text != "" {
				all = append(all, v.Text)
			}
		}
	}
	return all
}

// text returns the first text under one of the names.
func (b *belief) text(e *graph.Entity, names ...string) string {
	for _, s := range texts(e, names...) {
		if text := page.Collapse(b.page.Plain(s)); text != "" {
			return text
		}
	}
	return ""
}

// moment returns the first date that can be read. A time of day without a zone
// says nothing to someone elsewhere, and is left out.
func (b *belief) moment(candidates []string) string {
	for _, text := range candidates {
		b.page.Meter.Step(1 + len(text)/16)
		at, ok := mention.ParseMoment(text, b.head.language)
		if ok && at.Zone == "" {
			return at.Date
		}
		if ok {
			return at.String()
		}
	}
	return ""
}

// web returns the first address of the web.
func web(candidates ...string) string {
	for _, ref := range candidates {
		if strings.HasPrefix(ref, "https://") || strings.HasPrefix(ref, "http://") {
			return ref
		}
	}
	return ""
}

//go:embed lexicon
var files embed.FS

// words are those that tell the metadata of a page, by what they are.
var words = lexicon.Listed(files, "words")

// isOf reports whether a text in lower case is one of a list.
func isOf(list, text string) bool {
	return slices.Contains(words()[list], strings.ReplaceAll(text, " ", "_"))
}
