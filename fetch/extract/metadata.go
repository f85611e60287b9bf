package extract

import (
	"context"
	"net/url"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
)

// Page is a page that is read once, whatever is asked of it. It serves one
// goroutine, and one call at a time.
type Page struct {
	page   *page.Page
	belief *belief // once it was asked for
}

// OpenOptions are the limits of [Open]. The zero value is useful.
type OpenOptions struct {
	// MaxRead is how many steps all reading of the page may take, a step being a
	// node that is visited or 64 bytes that are copied. Default 20,000,000.
	MaxRead int
}

// Open returns a page, whose tree must stay as it is while questions are asked
// of it. pageURL is the address that answered with it, after redirects; where
// it is nil, relative addresses stay as they are. The context is that of all
// reading.
//
// Error kind: BadGateway for a page that takes more than MaxRead. The cause of
// a context that ends is returned as it is.
func Open(ctx context.Context, doc *html.Node, pageURL *url.URL, o OpenOptions) (_ *Page, err error) {
	defer errtypes.Wrap(&err, "extract.Open")
	p, err := page.New(ctx, doc, pageURL, o.MaxRead)
	if err != nil {
		return nil, err
	}
	return &Page{page: p}, nil
}

// Metadata is what a page says about itself. What it does not say is empty.
//
// Several places of a page may say the same, and not all of them with care.
// For each field but the date of publication they are believed in the order in which the field names them.
// The main thing is the one thing of schema.org that the page is about: an
// article, a product, a recipe; where the page has several of a kind and
// neither names the page's address, it has none.
type Metadata struct {
	// Title is og:title, the headline or name of the main thing, twitter:title,
	// citation_title, that of Dublin Core or of h-entry, or the title element,
	// each without the name of the site; or else the first heading. Where the page
	// has one heading of the first level, and at least half of its words are in
	// that title, it is the heading as it stands.
	Title string
	// Description is that of the meta element, og:description,
	// twitter:description, that of the main thing or of Dublin Core.
	Description string
	// Language is a tag such as "en-US" of a language that there is: that of the html element, of
	// Content-Language in a meta element, og:locale, or of the main thing.
	Language string
	// CanonicalURL is the absolute address of the link with rel canonical,
	// og:url, or the url of the main thing.
	CanonicalURL string
	// Authors are the names of those who wrote it: the authors of the main thing,
	// citation_author, those of meta elements, of Dublin Core, of h-entry, or
	// what is linked with rel author; at last the name after "by" between the
	// heading and the text, the first element whose class says that it is a
	// byline, or a name there that links to the page of one who writes. A text of
	// several full names is one each. What a program calls its user ("admin"), an
	// address or a mailbox is none, and the name of the site only where there is
	// no other.
	Authors []string
	// Published is when it was: the likeliest of the days that the page declares or
	// shows, or none where none is likely. Decision trees, grown on pages with gold
	// answers, weigh who declares a day (the main thing, meta elements, the page itself, h-entry,
	// its address), what the words and classes around it say, where it stands and what
	// other days there are. Where the page shows hardly any text, it is the day that
	// it declares, or the first one outside of asides, remarks and items of lists. What is
	// said to be the date of a change, of an event, a birth or the end of a time is
	// none, nor is one in the future. In RFC 3339, or as a date (2006-01-02) where the page
	// gives no time, or a time without its zone.
	Published string
	// Modified is when it was changed last: dateModified of the main thing,
	// article:modified_time, og:updated_time, the dates of meta elements, of
	// h-entry, or what stands between the heading and the text as the date of a
	// change; at last what "last updated" says below the text. As Published; one before it is left out.
	Modified string
	// SiteName is og:site_name, application-name, or the name of the site or of
	// the publisher in schema.org.
	SiteName string
	// Image is the absolute address of og:image, the image of the main thing,
	// twitter:image or that of a link with rel image_src.
	Image string
}

// MetadataOptions are the limits of [MetadataOf]. The zero value is useful.
type MetadataOptions struct {
	// MaxWork is how many steps may be taken, a step being a node that is
	// visited or 64 bytes that are copied. Default 20,000,000.
	MaxWork int
}

// MetadataOf returns what a page says about itself. pageURL is the address
// that answered with it, after redirects; where it is nil, relative addresses
// stay as they are. It changes nothing in the tree.
//
// Error kind: BadGateway for a page that takes more than MaxWork. The cause of
// a context that ends is returned as it is.
func MetadataOf(ctx context.Context, doc *html.Node, pageURL *url.URL, o MetadataOptions) (m *Metadata, err error) {
	p, err := Open(ctx, doc, pageURL, OpenOptions{MaxRead: o.MaxWork})
	if err != nil {
		return nil, err
	}
	return p.metadata(0)
}

// Metadata is [MetadataOf] for a page that is open. It takes no more than three quarters of
// MaxRead, so that other questions can be asked of the page.
func (p *Page) Metadata() (*Metadata, error) { return p.metadata(p.page.Meter.Limit() / 4) }

// believed decides once whom to believe. It is to be called below the Run of the
// page's meter.
func (p *Page) believed() *belief {
	if p.belief == nil {
		p.belief = newBelief(p.page)
	}
	return p.belief
}

// itself returns what the page says of itself, as [Page.Metadata] has it, for the filling of
// a schema: nothing where that takes too many steps.
func (p *Page) itself() (e *graph.Entity) {
	meter := p.page.Meter
	_ = meter.Run(func() error { // a context that has ended ends the filling, too
		meter.Sparing(meter.Limit()/lastSteps, func() { e = p.believed().entity() })
		return nil
	})
	return e
}

// metadata leaves steps for other questions.
func (p *Page) metadata(steps int) (m *Metadata, err error) {
	defer errtypes.Wrap(&err, "extract.Metadata")
	meter := p.page.Meter
	err = meter.Run(func() error {
		if !meter.Sparing(steps, func() { m = p.believed().metadata() }) {
			meter.GiveUp("the page takes more than %d steps to tell what it is", meter.Limit()-steps)
		}
		return nil
	})
	return m, err
}
