package names

// expected are the types that the values of a property have where pages leave
// them out: those that schema.org gives as expected, of several the one that is
// meant nearly always.
var expected = map[string]string{
	"aggregateRating": "AggregateRating", "reviewRating": "Rating", "contentRating": "Rating",
	"review": "Review", "reviews": "Review", "offers": "Offer", "offer": "Offer", "priceSpecification": "PriceSpecification",
	"baseSalary": "MonetaryAmount", "estimatedSalary": "MonetaryAmount", "shippingRate": "MonetaryAmount",
	"nutrition": "NutritionInformation", "recipeInstructions": "HowToStep", "step": "HowToStep", "steps": "HowToStep",
	"address": "PostalAddress", "jobLocation": "Place", "location": "Place", "geo": "GeoCoordinates",
	"image": "ImageObject", "logo": "ImageObject", "video": "VideoObject", "acceptedAnswer": "Answer", "suggestedAnswer": "Answer",
	"comment": "Comment", "additionalProperty": "PropertyValue", "hasVariant": "Product",
	"weight": "QuantitativeValue", "width": "QuantitativeValue", "height": "QuantitativeValue", "depth": "QuantitativeValue", "floorSize": "QuantitativeValue",
	"author": "Person", "creator": "Person", "brand": "Brand", "manufacturer": "Organization", "publisher": "Organization", "hiringOrganization": "Organization",
}

// ExpectedType returns the type of a thing that has none, by the property that
// it is the value of, or "".
func ExpectedType(property string) string { return expected[property] }
