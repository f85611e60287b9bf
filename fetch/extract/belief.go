package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/internal/mention"
)

// belief is who says what about a page.
type belief struct {
	page *page.Page
	head head
	// main is the thing that the page is about, entry that of microformats.
	main, entry *graph.Entity
	// meta are the meta and link elements, names in lower case; webPage and
	// site are the things of these types.
	meta, webPage, site *entity
	// siteKey is the name of the site, to be compared.
	siteKey string
}

// metadata decides for each field whom to believe.
func (b *belief) metadata() *Metadata {
	main, entry := &entity{b.main}, &entity{b.entry}
	m := &Metadata{
		SiteName: b.text(b.meta, "og:site_name", "application-name", "al:ios:app_name"),
		Language: b.language(main),
	}
	m.SiteName = first(m.SiteName, b.text(b.site, "name"), nameOf(main.values("publisher")), b.text(b.meta, "dc.publisher"))
	b.siteKey = mention.Key(m.SiteName)
	m.Title = b.title(main, entry, m.SiteName)
	m.Description = first(b.text(b.meta, "description", "og:description", "twitter:description"), b.text(main, "description", "abstract"),
		b.text(b.meta, "dc.description", "dcterms.description"), b.text(b.webPage, "description"), b.text(entry, "summary"))
	m.CanonicalURL = web(addressIn(b.meta.values("canonical")), addressIn(b.meta.values("og:url")), addressIn(main.values("url")))
	m.Image = web(addressIn(b.meta.values("og:image")), addressIn(main.values("image")), addressIn(b.meta.values("twitter:image")),
		addressIn(b.meta.values("twitter:image:src")), addressIn(b.meta.values("image_src")), addressIn(b.webPage.values("primaryImageOfPage")))
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

// language returns a tag with the hyphens that it has to have.
func (b *belief) language(main *entity) string {
	tag := first(b.head.language, b.text(b.meta, "content-language", "language", "og:locale"), b.text(main, "inLanguage"), b.text(b.webPage, "inLanguage"))
	tag, _, _ = strings.Cut(tag, ",")
	tag = strings.ReplaceAll(strings.TrimSpace(tag), "_", "-")
	for i := range len(tag) {
		if c := tag[i] | 0x20; (c < 'a' || c > 'z') && (c < '0' || c > '9') && tag[i] != '-' || len(tag) > 35 {
			return ""
		}
	}
	if primary, _, _ := strings.Cut(strings.ToLower(tag), "-"); !isLanguage(primary) {
		return ""
	}
	return tag
}

// text returns the first text under one of the names.
func (b *belief) text(e *entity, names ...string) string {
	for _, name := range names {
		for _, v := range e.values(name) {
			if text := page.Collapse(b.page.Plain(v.Text)); text != "" {
				return text
			}
		}
	}
	return ""
}

func (b *belief) publishedFrom(main, entry *entity) []string {
	all := texts(main, "datePublished", "datePosted", "uploadDate", "dateCreated")
	all = append(all, texts(b.meta, "article:published_time", "og:article:published_time", "citation_publication_date", "citation_online_date", "citation_date", "dc.date.issued",
		"dcterms.issued", "dc.date", "dcterms.date", "dcterms.created", "dc.date.created", "parsely-pub-date", "sailthru.date", "pubdate", "publishdate",
		"publish-date", "publication_date", "date", "article.published", "date.published")...)
	if b.isWritten(main) {
		all = append(all, texts(b.webPage, "datePublished")...)
	}
	all = append(all, texts(entry, "published")...)
	all = append(all, b.head.props["datePublished"])
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
func (b *belief) isWritten(main *entity) bool {
	if main.Entity != nil {
		return main.Is(about[1]...) || main.Is("Recipe", "HowTo", "VideoObject", "PodcastEpisode")
	}
	return len(b.authors(main, &entity{b.entry})) > 0
}

func (b *belief) modifiedFrom(main, entry *entity) []string {
	all := texts(main, "dateModified")
	all = append(all, texts(b.meta, "article:modified_time", "og:updated_time", "og:article:modified_time", "dcterms.modified", "dc.date.modified", "last-modified", "lastmod", "revised")...)
	all = append(all, texts(b.webPage, "dateModified")...)
	all = append(all, texts(entry, "updated")...)
	all = append(all, b.head.props["dateModified"])
	all = append(all, b.head.opening.modified...)
	return append(all, b.head.updates...)
}

// isBefore reports whether one moment is on a day before another's.
func isBefore(a, b string) bool {
	return len(a) >= len(time.DateOnly) && len(b) >= len(time.DateOnly) && a[:len(time.DateOnly)] < b[:len(time.DateOnly)]
}

func texts(e *entity, names ...string) (all []string) {
	for _, name := range names {
		for _, v := range e.values(name) {
			if v.Text != "" {
				all = append(all, v.Text)
			}
		}
	}
	return all
}

// moment returns the first date that can be read. A time of day without a zone
// says nothing to someone elsewhere, and is left out.
func (b *belief) moment(candidates []string) string {
	for _, text := range candidates {
		b.page.Meter.Step(1 + len(text)/16)
		at, ok := mention.ParseMoment(text, b.head.language)
		switch {
		case !ok:
		case at.Zone == "":
			return at.Date
		default:
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

func first(candidates ...string) string {
	i := slices.IndexFunc(candidates, func(s string) bool { return s != "" })
	if i < 0 {
		return ""
	}
	return candidates[i]
}
