package names

// vias are, by concept, the members of a thing in which the concept may be
// found one level below, the likeliest first. Where a schema is flat and the
// page is not, the price of a product is that of its offers.
var vias = map[string][]string{
	"price":               {"offers", "priceSpecification", "hasVariant"},
	"lowPrice":            {"offers", "hasVariant"},
	"highPrice":           {"offers", "hasVariant"},
	"priceCurrency":       {"offers", "priceSpecification", "baseSalary", "price", "salary", "hasVariant"},
	"currency":            {"offers", "baseSalary"},
	"priceValidUntil":     {"offers"},
	"availability":        {"offers", "hasVariant"},
	"itemCondition":       {"offers", "hasVariant"},
	"seller":              {"offers"},
	"sku":                 {"offers", "hasVariant"},
	"gtin":                {"offers", "hasVariant"},
	"gtin13":              {"offers", "hasVariant"},
	"mpn":                 {"offers", "hasVariant"},
	"shippingRate":        {"offers", "shippingDetails"},
	"ratingValue":         {"aggregateRating", "reviewRating"},
	"ratingCount":         {"aggregateRating", "rating"},
	"reviewCount":         {"aggregateRating", "rating"},
	"bestRating":          {"aggregateRating", "reviewRating"},
	"worstRating":         {"aggregateRating", "reviewRating"},
	"calories":            {"nutrition"},
	"fatContent":          {"nutrition"},
	"proteinContent":      {"nutrition"},
	"carbohydrateContent": {"nutrition"},
	"sugarContent":        {"nutrition"},
	"fiberContent":        {"nutrition"},
	"sodiumContent":       {"nutrition"},
	"saturatedFatContent": {"nutrition"},
	"cholesterolContent":  {"nutrition"},
	"addressLocality":     {"address", "location", "jobLocation", "venue"},
	"addressRegion":       {"address", "location", "jobLocation", "venue"},
	"postalCode":          {"address", "location", "jobLocation", "venue"},
	"addressCountry":      {"address", "location", "jobLocation", "venue"},
	"streetAddress":       {"address", "location", "jobLocation", "venue"},
	"address":             {"location", "jobLocation"},
	"jobLocation":         {"address"},
	"latitude":            {"geo", "location"},
	"longitude":           {"geo", "location"},
	"telephone":           {"contactPoint"},
	"email":               {"contactPoint"},
	"isbn":                {"workExample"},
	"startDate":           {"hasCourseInstance"},
	"endDate":             {"hasCourseInstance"},
	"salaryMin":           {"baseSalary", "value"},
	"salaryMax":           {"baseSalary", "value"},
	"salaryUnit":          {"baseSalary", "value"},
	"breadcrumb":          {"itemListElement"},
	"logo":                {"publisher"},
	"acceptedAnswer":      {"mainEntity"},
}

// Vias returns the members of a thing below which a concept may be found.
func Vias(concept string) []string { return vias[concept] }

// inside are, by concept, the names of a concept inside the thing that it is
// the member of: the price of an offer may be the price of its specification,
// the salary's least is the minValue of its value.
var inside = map[string][]string{
	"price":       {"lowPrice", "minPrice"},
	"salaryMin":   {"minValue"},
	"salaryMax":   {"maxValue"},
	"reviewCount": {"count", "total"},
	"ratingCount": {"count", "total"},
}

// Inside returns what a concept is also called inside a thing.
func Inside(concept string) []string { return inside[concept] }

// texts are the members that stand for a thing where a text is wanted, by its
// type; "" is for every other type.
var texts = map[string][]string{
	"HowToStep":                    {"text", "name", "description"},
	"HowToDirection":               {"text", "name"},
	"HowToTip":                     {"text", "name"},
	"Answer":                       {"text", "name", "description"},
	"Comment":                      {"text", "name"},
	"Question":                     {"name", "text"},
	"Review":                       {"reviewBody", "description", "name"},
	"ImageObject":                  {"url", "contentUrl", "contenturl", "thumbnailUrl"},
	"VideoObject":                  {"contentUrl", "embedUrl", "url", "name"},
	"Rating":                       {"ratingValue"},
	"AggregateRating":              {"ratingValue"},
	"Offer":                        {"price", "lowPrice"},
	"AggregateOffer":               {"lowPrice", "price"},
	"MonetaryAmount":               {"value", "minValue", "currency"},
	"QuantitativeValue":            {"value", "minValue"},
	"PriceSpecification":           {"price"},
	"UnitPriceSpecification":       {"price"},
	"PropertyValue":                {"value"},
	"NutritionInformation":         {"calories"},
	"ListItem":                     {"name", "item"},
	"WebPage":                      {"url", "name"},
	"Place":                        {"name", "address"},
	"PostalAddress":                {"name"},
	"LocationFeatureSpecification": {"name"},
	"InteractionCounter":           {"userInteractionCount"},
	"":                             {"name", "headline", "title", "text", "value", "legalName", "caption", "amount", "average"},
}

// Texts returns the members that stand for a thing of one of the types.
func Texts(types []string) []string {
	for _, t := range types {
		if list := texts[t]; list != nil {
			return list
		}
	}
	return texts[""]
}

// AddressParts are the members of a postal address in the order in which it is
// written.
var AddressParts = []string{"streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry"}
