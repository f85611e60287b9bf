package microformats

// format is one of the older formats: its name in microformats2, and what its
// classes are there.
type format struct {
	name       string
	properties map[string]string
}

// formats are the older formats by the class of their root.
var formats = map[string]format{
	"vcard": {"card", map[string]string{
		"fn": "p-name", "n": "p-n", "given-name": "p-given-name", "family-name": "p-family-name", "nickname": "p-nickname",
		"org": "p-org", "organization-name": "p-organization-name", "title": "p-job-title", "role": "p-role", "url": "u-url",
		"photo": "u-photo", "logo": "u-logo", "email": "u-email", "tel": "p-tel", "adr": "p-adr", "note": "p-note",
		"street-address": "p-street-address", "locality": "p-locality", "region": "p-region", "postal-code": "p-postal-code",
		"country-name": "p-country-name", "bday": "d-bday", "category": "p-category",
	}},
	"hrecipe": {"recipe", map[string]string{
		"fn": "p-name", "ingredient": "p-ingredient", "yield": "p-yield", "instructions": "e-instructions", "instruction": "e-instructions",
		"duration": "d-duration", "preptime": "d-preptime", "cooktime": "d-cooktime", "photo": "u-photo", "summary": "p-summary",
		"author": "p-author", "published": "d-published", "nutrition": "p-nutrition", "tag": "p-category",
	}},
	"hreview": {"review", map[string]string{
		"summary": "p-name", "fn": "p-item", "item": "p-item", "rating": "p-rating", "reviewer": "p-author", "dtreviewed": "d-published",
		"description": "e-content", "photo": "u-photo", "url": "u-url", "best": "p-best", "worst": "p-worst",
	}},
	"hreview-aggregate": {"review-aggregate", map[string]string{
		"fn": "p-item", "item": "p-item", "rating": "p-rating", "average": "p-average", "count": "p-count", "votes": "p-votes",
		"best": "p-best", "worst": "p-worst", "summary": "p-name", "photo": "u-photo",
	}},
	"hproduct": {"product", map[string]string{
		"fn": "p-name", "brand": "p-brand", "category": "p-category", "price": "p-price", "description": "e-description",
		"photo": "u-photo", "url": "u-url", "identifier": "u-identifier", "review": "p-review", "sku": "p-sku",
	}},
	"hentry": {"entry", map[string]string{
		"entry-title": "p-name", "entry-content": "e-content", "entry-summary": "p-summary", "published": "d-published",
		"updated": "d-updated", "author": "p-author", "bookmark": "u-url",
	}},
	"vevent": {"event", map[string]string{
		"summary": "p-name", "dtstart": "d-start", "dtend": "d-end", "duration": "d-duration", "description": "p-description",
		"url": "u-url", "category": "p-category", "location": "p-location",
	}},
}
