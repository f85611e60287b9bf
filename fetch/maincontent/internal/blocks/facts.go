package blocks

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// facts are what the page as a whole says of itself, and where its parts lie.
type facts struct {
	title        map[string]bool // words
	titleShapes  shapes
	author       map[string]bool // words of the names of those who wrote it
	authorShapes shapes
	same         map[uint64]twins
	ogType       string
	address      *url.URL // that the page gives itself
	base         *html.Node
	noscript     string // the longest text of a noscript element
	size         size
	schema       [schemaKinds]int
	counts       [countKinds]int
	h1           int // first block in an h1, -1 for none
	dense        int32
	prose80      int32
	words50      int32
	article      int32 // the article with most words
	mainElem     int32
	repeats      repeats
	data         sketch    // what its JSON-LD says
	summary      sketch    // what its description says
	dense01      []float64 // of each element, how much prose is right below it, 1 for the most
}

// Kinds of things that are counted on a page.
const (
	countForm = iota
	countInput
	countArticle
	countTime
	countPre
	countTable
	countImage
	countVideo
	countButton
	countDetails
	countHeading
	countCode
	countIframe
	countKinds
)

var counted = map[atom.Atom]int{
	atom.Form: countForm, atom.Input: countInput, atom.Article: countArticle, atom.Time: countTime,
	atom.Pre: countPre, atom.Table: countTable, atom.Img: countImage, atom.Video: countVideo,
	atom.Button: countButton, atom.Details: countDetails, atom.H2: countHeading, atom.H3: countHeading,
	atom.Code: countCode, atom.Iframe: countIframe,
}

// schemaKinds is how many groups of schema.org's types are told apart.
const schemaKinds = 9

var schemaOf = map[string]int{}

func init() {
	for i, types := range [schemaKinds]string{
		"Article NewsArticle BlogPosting Report ScholarlyArticle OpinionNewsArticle ReportageNewsArticle AnalysisNewsArticle Recipe",
		"Product ProductGroup Offer IndividualProduct AggregateOffer",
		"ItemList CollectionPage SearchResultsPage OfferCatalog ProductCollection Blog",
		"DiscussionForumPosting QAPage Question Answer Comment SocialMediaPosting",
		"TechArticle APIReference SoftwareSourceCode HowTo",
		"Service LocalBusiness ProfessionalService MedicalBusiness FAQPage Course Organization Dentist Attorney",
		"BreadcrumbList",
		"Review AggregateRating",
		"WebPage AboutPage ContactPage ItemPage",
	} {
		for t := range strings.FieldsSeq(types) {
			schemaOf[t] = i
		}
	}
}

// lookAt goes over the whole tree once.
func lookAt(doc *html.Node, step func(int)) *facts {
	f := &facts{title: map[string]bool{}, author: map[string]bool{}, h1: -1, dense: -1, prose80: -1, words50: -1, article: -1, mainElem: -1}
	walk(doc, func(n *html.Node) bool {
		step(1 + len(n.Data)/64)
		f.size.count(n)
		return f.look(n)
	})
	return f
}

// know fills the facts in that the blocks tell.
func (p *Page) know(f *facts) {
	p.facts = *f
	for i := range p.Blocks {
		if p.Blocks[i].tag == atom.H1 {
			p.facts.h1 = i
			break
		}
	}
	if p.URL == nil {
		p.URL = p.facts.address
	}
	p.findRegions()
	p.findRepeats()
}

// walk calls visit for every node, without recursion, and goes below those for
// which it says true.
func walk(root *html.Node, visit func(*html.Node) bool) {
	for n := root; n != nil; {
		if visit(n) && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		for n != root && n.NextSibling == nil {
			n = n.Parent
		}
		if n == root {
			return
		}
		n = n.NextSibling
	}
}

func (f *facts) look(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return n.Type == html.DocumentNode
	}
	if i, ok := counted[n.DataAtom]; ok {
		f.counts[i]++
	}
	switch n.DataAtom {
	case atom.Title:
		if n.Namespace == "" && n.FirstChild != nil {
			f.addTitle(n.FirstChild.Data)
		}
	case atom.Meta:
		f.meta(n)
	case atom.Link:
		if href := tree.AttrOr(n, "href"); tree.AttrOr(n, "rel") == "canonical" && len(href) < maxName {
			f.address, _ = url.Parse(href)
		}
	case atom.Base:
		if _, ok := tree.Attr(n, "href"); ok && f.base == nil {
			f.base = n
		}
	case atom.Noscript:
		if t := n.FirstChild; t != nil && t.Type == html.TextNode && len(t.Data) > len(f.noscript) {
			f.noscript = t.Data
		}
	case atom.Script:
		if strings.EqualFold(tree.AttrOr(n, "type"), "application/ld+json") && n.FirstChild != nil {
			f.readTypes(n.FirstChild.Data)
			f.data.add(n.FirstChild.Data)
			f.readAuthors(n.FirstChild.Data)
		}
	}
	if t, ok := tree.Attr(n, "itemtype"); ok && len(t) < maxName {
		f.countType(t[strings.LastIndexByte(t, '/')+1:])
	}
	return true
}

func (f *facts) addTitle(s string) {
	eachWord(s, 40, func(w []byte) {
		f.title[string(w)] = true
		f.titleShapes.add(string(w))
	})
}

func (f *facts) meta(n *html.Node) {
	switch tree.AttrOr(n, "property") {
	case "og:type":
		f.ogType = strings.ToLower(tree.AttrOr(n, "content"))
	case "og:title":
		f.addTitle(tree.AttrOr(n, "content"))
	case "og:description":
		f.summary.add(tree.AttrOr(n, "content"))
	}
	switch tree.AttrOr(n, "name") {
	case "description":
		f.summary.add(tree.AttrOr(n, "content"))
	case "author":
		f.addAuthor(tree.AttrOr(n, "content"))
	}
}

// readTypes finds the types that a block of JSON-LD names, without reading it
// as JSON: which they are matters, not whose.
func (f *facts) readTypes(s string) {
	for {
		i := strings.Index(s, `"@type"`)
		if i < 0 {
			return
		}
		s = s[i+len(`"@type"`):]
		rest := strings.TrimLeft(s[:min(len(s), 200)], " \t\r\n:[")
		if !strings.HasPrefix(rest, `"`) {
			continue
		}
		name, _, ok := strings.Cut(rest[1:], `"`)
		if ok {
			f.countType(name[strings.LastIndexByte(name, '/')+1:])
		}
	}
}

func (f *facts) countType(name string) {
	if i, ok := schemaOf[name]; ok {
		f.schema[i]++
	}
}
