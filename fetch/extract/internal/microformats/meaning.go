package microformats

import "github.com/drover-go/drover/fetch/extract/internal/graph"

// meanings are the properties of microformats that have another name, or one of
// more meanings, elsewhere, by what schema.org calls them.
var meanings = map[string]string{
	"adr": "address", "bday": "birthDate", "average": "ratingValue", "best": "bestRating", "worst": "worstRating", "count": "reviewCount", "votes": "ratingCount",
}

// ofCards and ofProducts are those of which that holds in one kind of thing.
var (
	ofCards    = map[string]string{"org": "worksFor", "role": "jobTitle"}
	ofProducts = map[string]string{"identifier": "sku"}
)

// say adds a value under the name that others have for the property.
func (in *item) say(name string, v graph.Value) {
	switch {
	case v.Entity != nil && v.Entity.Is("review-aggregate", "h-review-aggregate"):
		name = "aggregateRating"
		v.Entity.Types = append(v.Entity.Types, "AggregateRating")
	case in.Is("card", "h-card") && ofCards[name] != "":
		name = ofCards[name]
	case in.Is("product", "h-product") && ofProducts[name] != "":
		name = ofProducts[name]
	case meanings[name] != "":
		name = meanings[name]
	}
	in.Add(name, v)
}
