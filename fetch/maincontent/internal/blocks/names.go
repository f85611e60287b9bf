package blocks

import "strings"

// A vocabulary is the set of kinds of names that an element is called by in
// its class, id, role and item property.
type vocabulary uint64

// nameKinds is how many kinds of names there are.
const nameKinds = 45

// namesOf are the words that people who write pages call their parts by, one
// line a kind, in English and the languages that class names are written in.
// A word stands for itself and for its plural.
var namesOf = [nameKinds]string{
	"nav navbar navigation menu submenu megamenu dropdown sitenav topnav subnav menubar navi gnb lnb",
	"footer foot bottom colophon copyright legal imprint siteinfo",
	"header masthead topbar head top toolbar site",
	"sidebar aside side rail rightcol leftcol secondary sidenav right left complementary col sticky",
	"comment disqus respond reply commentlist replies discussion feedback",
	"share social sharing follow facebook twitter addtoany sharedaddy socials whatsapp pinterest linkedin",
	"related recommend recommended recommendation similar suggested more also trending popular latest recent readmore upsell crosssell carousel next previous prev adjacent",
	"ad ads advert advertisement promo sponsor sponsored sponsorship banner adsense dfp taboola outbrain promotion advertorial affiliate",
	"cookie consent gdpr privacy ccpa onetrust cmp ot optanon cli cky cmplz cookiebot truste didomi usercentrics osano borlabs tarteaucitron iubenda",
	"newsletter subscribe subscription signup optin mailchimp email mailing",
	"breadcrumb crumb breadcrumbs",
	"modal popup overlay dialog lightbox drawer offcanvas flyout tooltip toast notification alert notice",
	"login account auth register signin user profile member",
	"widget gadget plugin block module",
	"pagination pager page paging paginate paginator",
	"meta byline author date time timestamp published posted info dateline stat views count credit contributor",
	"tag tags category categories label topic keyword taxonomy badge chip",
	"button btn cta action control actions toggle link icon close expand print save",
	"cart basket checkout wishlist compare buy add quantity qty stock delivery shipping",
	"price prices amount cost sale discount offer money",
	"review rating ratings reviews stars testimonial testimonials score",
	"description desc summary about details detail overview bullet feature features benefits intro excerpt teaser abstract",
	"spec specs specification specifications attribute attributes properties ingredients technical variation option options swatch variant",
	"post message thread topic entry postbody posttext messagetext bbcode",
	"content body text article story copy richtext rte prose wysiwyg articlebody markdown textbody maincontent postcontent entrycontent paragraph",
	"main primary container wrapper wrap page inner content central center",
	"card tile item result row cell box product listing entry teaser thumb thumbnail",
	"list grid results items feed archive loop catalog collection products gallery",
	"hero title heading headline jumbotron banner subtitle tagline h1 name",
	"caption figcaption image photo media img video figure player slideshow slider",
	"hidden sr visually screen invisible skip hide mobile collapsed offscreen accessibility",
	"faq accordion tab tabs collapse panel question answer toggle expandable",
	"bio biography avatar signature sig about aboutauthor poster userinfo",
	"filter filters facet facets refine sort sorting search searchform toolbar sortby",
	"toc contents index outline anchor onthispage",
	"product pdp item sku buybox pdpinfo shop store",
	"doc docs documentation api reference guide manual markdown code highlight example",
	"section row column columns block elementor vc widget et fusion layout",
	"service services team location contact address hours map phone pricing plan package",
	"disclaimer disclosure terms notice policy warning license note",
	"faq frequently qa",
	"signature sig usersignature postsignature",
	"quote quoted blockquote quoteblock cite citation",
	"tab tabbed tabpanel panel pane",
	"carousel slider slick swiper splide flickity glide slide marquee",
}

var kindsOf = func() map[string]vocabulary {
	kinds := map[string]vocabulary{}
	for i, names := range namesOf {
		for name := range strings.FieldsSeq(names) {
			kinds[name] |= 1 << i
			kinds[name+"s"] |= 1 << i
		}
	}
	return kinds
}()

// readNames reads names such as "post-Body_2 sideNav": words end at whatever
// is no letter and at a capital letter behind a small one.
func readNames(s string) vocabulary {
	var v vocabulary
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && isLetter(s[i]) && !(i > start && isUpper(s[i]) && !isUpper(s[i-1])) {
			continue
		}
		if i > start {
			v |= kindOf(s[start:i])
		}
		start = i
		if i < len(s) && !isLetter(s[i]) {
			start++
		}
	}
	return v
}

func kindOf(word string) vocabulary {
	var small [24]byte
	if len(word) > len(small) {
		return 0
	}
	for i := range len(word) {
		small[i] = word[i] | 0x20
	}
	return kindsOf[string(small[:len(word)])]
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// A nearness says for each kind of name how many elements above a block one
// is called by it, 0 for its own element, at most far.
type nearness [nameKinds]uint8

const far = 255

func (n *nearness) clear() {
	for i := range n {
		n[i] = far
	}
}

// below returns the nearness one element further down.
func (n *nearness) below(v vocabulary) nearness {
	var m nearness
	for i := range n {
		switch {
		case v&(1<<i) != 0:
			m[i] = 0
		case n[i] < far:
			m[i] = n[i] + 1
		default:
			m[i] = far
		}
	}
	return m
}
