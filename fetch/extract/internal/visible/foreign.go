package visible

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// foreigners finds what speaks of something else than the page's own thing: the
// related things under a heading or in an element that says so, a card that
// leads to another page, and the remarks of readers.
func (r *reader) foreigners() {
	r.foreign = map[*html.Node]graph.Owner{}
	first := r.firstHeading()
	for i := 0; i < len(r.nodes); i++ {
		r.Meter.Step(1)
		n := &r.nodes[i]
		if n.is(isText) {
			continue
		}
		if n.level > 1 && saysRelated(r.text[n.from:n.to]) {
			r.disown(n.end, r.relatedEnd(i), graph.Related)
		}
		if !page.IsBlock(n.el) && !n.named(atom.A) || i <= first && first < n.end || n.named(atom.Body) {
			continue
		}
		if owner := r.ownerOf(i, first); owner > r.foreign[n.el] {
			r.disown(i, n.end, owner)
		}
	}
}

// firstHeading returns the first heading of the first level with words, or -1.
func (r *reader) firstHeading() int {
	for i := range r.nodes {
		if n := &r.nodes[i]; n.level == 1 && n.from < n.to {
			return i
		}
	}
	return -1
}

// ownerOf returns of what an element speaks by its name and classes.
func (r *reader) ownerOf(i, first int) graph.Owner {
	n := &r.nodes[i]
	owner := graph.Own
	for k := range r.tokens.in(attr(n.el, "class") + " " + attr(n.el, "id")) {
		owner = max(owner, k.owner)
	}
	switch {
	case owner != graph.Own:
		return owner
	case first >= 0 && first < i && r.isOtherCard(i):
		return graph.Related
	case n.named(atom.Aside) && (!InArticle(n.el) || OpensRelated(r.text[n.from:n.to])),
		n.named(atom.Footer) && !tree.Is(n.el.Parent, atom.Article):
		return graph.Remark
	}
	return graph.Own
}

// nearArticle is how many levels above an element are asked for an article.
const nearArticle = 8

// InArticle reports whether an element is a few levels within an article: an
// aside there may say who wrote it.
func InArticle(n *html.Node) bool {
	for a, levels := n.Parent, 0; a != nil && levels < nearArticle; a, levels = a.Parent, levels+1 {
		if a.DataAtom == atom.Article {
			return true
		}
	}
	return false
}

// OpensRelated reports whether the first line of a text is a heading over
// related things.
func OpensRelated(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return saysRelated(cut(line, maxRelated))
}

// disown says of the elements from one node to another of what they speak.
func (r *reader) disown(from, to int, owner graph.Owner) {
	for i := from; i < to; i++ {
		r.Meter.Step(1)
		if n := &r.nodes[i]; !n.is(isText) {
			r.foreign[n.el] = max(r.foreign[n.el], owner)
		}
	}
}

// isForeign reports whether a node speaks of a related thing.
func (r *reader) isForeign(i int) bool { return r.foreign[r.elementOf(i)] == graph.Related }

// relatedEnd returns the node at which what stands under a heading ends: the
// next heading that is not below it, or the end of the element that the heading
// opens.
func (r *reader) relatedEnd(h int) int {
	up := r.nodes[h].up
	for up > 0 && r.nodes[up].to == r.nodes[h].to {
		up = r.nodes[up].up
	}
	if up < 0 {
		return r.nodes[h].end
	}
	for i := r.nodes[h].end; i < r.nodes[up].end; i++ {
		r.Meter.Step(1)
		if l := r.nodes[i].level; l > 0 && l <= r.nodes[h].level {
			return i
		}
	}
	return r.nodes[up].end
}

// maxCard is the length of the text of a card, in bytes.
const maxCard = 300

// isOtherCard reports whether an element is the card of another thing: it opens
// with a link that names the thing.
func (r *reader) isOtherCard(i int) bool {
	n := &r.nodes[i]
	if n.from == n.to || n.to-n.from > maxCard || !n.is(hasLink) || !r.isCard(n.el) {
		return false
	}
	link := r.firstLink(i)
	if link < 0 || r.nodes[link].from != n.from || r.nodes[link].to == n.to && link != i {
		return false
	}
	_, ok := r.address(attr(r.nodes[link].el, "href"), "", 0, link)
	return ok
}

func (r *reader) isCard(n *html.Node) bool {
	for k := range r.tokens.in(attr(n, "class")) {
		if k.card {
			return true
		}
	}
	return false
}

// isCardName reports whether the words of a class call something a card.
func isCardName(words []string) bool {
	if len(words) == 0 || len(words) > 2 {
		return false
	}
	last := words[len(words)-1]
	return last == "card" || last == "tile" || last == "teaser"
}

// OwnerOfClass returns of what an element speaks whose class is this one.
func OwnerOfClass(class string) graph.Owner {
	owner := graph.Own
	for s := range strings.FieldsSeq(cut(class, maxNames)) {
		if len(s) <= maxToken {
			owner = max(owner, ownerNamed(appendWords(nil, s)))
		}
	}
	return owner
}

// ownerNamed returns of what an element with these words in its class speaks.
func ownerNamed(words []string) graph.Owner {
	if len(words) == 0 || len(words) > 4 {
		return graph.Own
	}
	for _, w := range words {
		if aroundAll[w] && w != "product" && w != "container" && w != "wrapper" || w == "open" || w == "closed" {
			return graph.Own
		}
	}
	name := strings.Join(words, " ")
	for _, p := range relatedClasses {
		if hasPhrase(name, p) {
			return graph.Related
		}
	}
	if remarkWords[words[0]] || remarkWords[words[len(words)-1]] {
		return graph.Remark
	}
	return graph.Own
}

var (
	relatedClasses = []string{"related", "similar", "upsell", "upsells", "crosssell", "crosssells", "cross sell", "cross sells", "recommended", "recommendation", "recommendations", "also bought", "also viewed",
		"also like", "recently viewed"}
	remarkWords = setOf("comment comments commentlist reply replies respond")
)

// maxRelated is the length of a heading over related things, in bytes.
const maxRelated = 80

// saysRelated reports whether a heading is one over other things than that of
// the page.
func saysRelated(heading string) bool {
	if heading == "" || len(heading) > maxRelated {
		return false
	}
	heading = strings.ToLower(strings.ReplaceAll(heading, ":", " ")) + " "
	for _, w := range relatedHeadings {
		if strings.Contains(heading, w) {
			return true
		}
	}
	return false
}

var relatedHeadings = []string{
	"related ", "similar ", "you may also", "you might also", "also bought", "also viewed", "also like", "recommended for", "recommended products", "recommendations", "we recommend", "recently viewed", "more like this", "frequently bought together",
	"ähnliche ", "kunden kauften auch", "kauften auch", "auch interessieren", "auch gefallen", "zuletzt angesehen", "empfehlungen", "passend dazu", "verwandte ",
	"produits similaires", "produits associés", "articles similaires", "vous aimerez aussi", "également acheté", "également aimer", "récemment consultés", "recommandés",
	"productos relacionados", "productos similares", "también te puede", "también compraron", "vistos recientemente", "recomendados",
	"prodotti correlati", "prodotti simili", "potrebbe interessarti", "potrebbero interessarti", "potrebbe piacerti", "visti di recente", "consigliati",
	"produtos relacionados", "produtos semelhantes", "também compraram", "vistos recentemente",
	"gerelateerde ", "vergelijkbare ", "anderen kochten ook", "onlangs bekeken", "aanbevolen",
	"podobne produkty", "polecane produkty", "ostatnio oglądane", "podobné produkty", "související", "похожие товары", "с этим товаром", "рекомендуем", "関連商品", "相关产品",
}
