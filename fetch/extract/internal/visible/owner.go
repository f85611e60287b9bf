package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

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

// IsReviewClass reports whether a class is that of what customers say.
func IsReviewClass(class string) bool {
	for s := range strings.FieldsSeq(cut(class, maxNames)) {
		if len(s) > maxToken {
			continue
		}
		if words := appendWords(nil, s); len(words) > 0 && len(words) < 4 && (reviewWords[words[0]] || reviewWords[words[len(words)-1]]) {
			return true
		}
	}
	return false
}

var reviewWords = setOf("review reviews testimonial testimonials")

// maxRelated is the length of a heading over related things, in bytes.
const maxRelated = 80

// saysRelated reports whether a heading is one over other things than that of
// the page.
func saysRelated(heading string) bool {
	if heading == "" || len(heading) > maxRelated {
		return false
	}
	heading = strings.ToLower(strings.ReplaceAll(heading, ":", " ")) + " "
	return containsAny(heading, relatedHeadings)
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
