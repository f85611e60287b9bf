package shape

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const product = `{"@type":"Organization","name":"Shop Ltd","url":"https://example.com/"},
{"@type":"Product","name":"Desk lamp","sku":"L-7","description":"A lamp.","image":["https://example.com/1.jpg","https://example.com/2.jpg"],
 "brand":{"@type":"Brand","name":"Acme"},
 "offers":{"@type":"Offer","price":"1299.50","priceCurrency":"EUR","availability":"https://schema.org/InStock"},
 "aggregateRating":{"@type":"AggregateRating","ratingValue":4.5,"reviewCount":"12"},
 "review":[{"@type":"Review","author":"Jane","reviewBody":"Good.","reviewRating":{"@type":"Rating","ratingValue":5}},{"@type":"Review","author":{"@type":"Person","name":"Bob"},"reviewBody":"Bad."}]}`

const recipe = `{"@type":"Recipe","name":"Soup","author":{"@type":"Person","name":"Ann"},"recipeYield":["4","4 servings"],"totalTime":"PT1H20M","prepTime":"PT20M",
 "recipeIngredient":["1 onion","2 cups water"],"keywords":"soup, winter",
 "recipeInstructions":[{"@type":"HowToSection","name":"Begin","itemListElement":[{"@type":"HowToStep","text":"Cut."}]},{"@type":"HowToStep","name":"x","text":"Cook."}],
 "nutrition":{"@type":"NutritionInformation","calories":"320 kcal"},"datePublished":"2024-05-03T10:00:00+02:00"}`

func TestFill(t *testing.T) {
	for name, c := range map[string]struct{ things, schema, want string }{
		"flat product": {product, `{"properties":{"title":{"type":"string"},"price":{"type":"number"},"currency":{"type":"string"},"inStock":{"type":"boolean"},"availability":{"enum":["in_stock","out_of_stock"]},
			"rating":{"type":"number"},"reviewCount":{"type":"integer"},"brand":{"type":"string"},"image":{"type":"string"},"images":{"type":"array","items":{"type":"string","format":"uri"}},"articleNumber":{"type":"string"},"weight":{"type":"string"}}}`,
			`{"title":"Desk lamp","price":1299.5,"currency":"EUR","inStock":true,"availability":"in_stock","rating":4.5,"reviewCount":12,"brand":"Acme","image":"https://example.com/1.jpg","images":["https://example.com/1.jpg","https://example.com/2.jpg"],"articleNumber":"L-7"}`},
		"nested product": {product, `{"properties":{"name":{"type":"string"},"brand":{"type":"object","properties":{"name":{"type":"string"}}},"price":{"type":"object","properties":{"amount":{"type":"number"},"currency":{"type":"string"}}},
			"rating":{"type":"object","properties":{"value":{"type":"number"},"count":{"type":"integer"}}},"reviews":{"type":"array","items":{"type":"object","properties":{"author":{"type":"string"},"text":{"type":"string"},"rating":{"type":"number"}}}}}}`,
			`{"name":"Desk lamp","brand":{"name":"Acme"},"price":{"amount":1299.5,"currency":"EUR"},"rating":{"value":4.5,"count":12},"reviews":[{"author":"Jane","text":"Good.","rating":5},{"author":"Bob","text":"Bad."}]}`},
		"wrapped product": {product, `{"properties":{"product":{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"}}}}}`,
			`{"product":{"name":"Desk lamp","price":1299.5}}`},
		"list of products": {product, `{"properties":{"products":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"}}}}}}`,
			`{"products":[{"name":"Desk lamp","price":1299.5}]}`},
		"German recipe": {recipe, `{"properties":{"titel":{"type":"string"},"zutaten":{"type":"array","items":{"type":"string"}},"zubereitung":{"type":"array","items":{"type":"string"}},"portionen":{"type":"integer"},"gesamtzeit":{"type":"integer"},"autor":{"type":"string"}}}`,
			`{"titel":"Soup","zutaten":["1 onion","2 cups water"],"zubereitung":["Begin","Cut.","x","Cook."],"portionen":4,"gesamtzeit":80,"autor":"Ann"}`},
		"described recipe": {recipe, `{"properties":{"a":{"type":"string","description":"Name of the recipe"},"b":{"type":"integer","description":"Total time in seconds"},"prepMinutes":{"type":"integer"},"c":{"type":"number","description":"Calories per serving"},
			"tags":{"type":"array","items":{"type":"string"}},"d":{"type":"string","description":"The name of the author"}}}`,
			`{"a":"Soup","b":4800,"prepMinutes":20,"c":320,"tags":["soup","winter"],"d":"Ann"}`},
		"dates": {recipe, `{"properties":{"published":{"type":"string","format":"date"},"publishedAt":{"type":"string","format":"date-time"},"date":{"type":["null","string"]}}}`,
			`{"published":"2024-05-03","publishedAt":"2024-05-03T10:00:00+02:00","date":"2024-05-03T10:00:00+02:00"}`},
		"author as an object": {`{"@type":"Article","headline":"News","author":["Jane","Bob"]}`, `{"$defs":{"p":{"type":"object","properties":{"name":{"type":"string"},"url":{"type":"string"}}}},
			"properties":{"author":{"$ref":"#/$defs/p"},"authors":{"type":"array","items":{"$ref":"#/$defs/p"}},"authorName":{"type":"string"}}}`,
			`{"author":{"name":"Jane"},"authors":[{"name":"Jane"},{"name":"Bob"}],"authorName":"Jane, Bob"}`},
		"nullable and alternatives": {product, `{"properties":{"price":{"anyOf":[{"type":"null"},{"type":"number"}]},"sku":{"oneOf":[{"type":"integer"},{"type":"string"}]},"brand":{"anyOf":[{"type":"object","required":["vat"],"properties":{"vat":{"type":"string"}}},{"type":"string"}]}}}`,
			`{"price":1299.5,"sku":"L-7","brand":"Acme"}`},
		"a job": {`{"@type":"JobPosting","title":"Cook","hiringOrganization":{"@type":"Organization","name":"Inn"},"jobLocation":{"@type":"Place","address":{"@type":"PostalAddress","addressLocality":"Ulm","addressCountry":"DE"}},
			"baseSalary":{"@type":"MonetaryAmount","currency":"EUR","value":{"@type":"QuantitativeValue","minValue":40000,"maxValue":50000,"unitText":"YEAR"}},"employmentType":"FULL_TIME","datePosted":"2024-05-03"}`,
			`{"properties":{"title":{"type":"string"},"company":{"type":"string"},"location":{"type":"string"},"city":{"type":"string"},"salary":{"type":"number"},"salaryCurrency":{"type":"string"},"employmentType":{"enum":["Full-time","Part-time"]},"postedAt":{"type":"string"}}}`,
			`{"title":"Cook","company":"Inn","location":"Ulm, DE","city":"Ulm","salary":40000,"salaryCurrency":"EUR","employmentType":"Full-time","postedAt":"2024-05-03"}`},
		"an FAQ": {`{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Why?","acceptedAnswer":{"@type":"Answer","text":"So."}},{"@type":"Question","name":"When?","acceptedAnswer":{"@type":"Answer","text":"Now."}}]}`,
			`{"properties":{"faqs":{"type":"array","items":{"type":"object","properties":{"question":{"type":"string"},"answer":{"type":"string"}},"required":["question","answer"]}}},"required":["faqs"]}`,
			`{"faqs":[{"question":"Why?","answer":"So."},{"question":"When?","answer":"Now."}]}`},
		"breadcrumbs": {`{"@type":"WebPage","breadcrumb":{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"name":"Home","item":"https://example.com/"},{"@type":"ListItem","position":2,"item":{"@id":"https://example.com/a","name":"A","url":"https://example.com/a"}}]}}`,
			`{"properties":{"breadcrumbs":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"url":{"type":"string"}}}},"breadcrumb":{"type":"array","items":{"type":"string"}}}}`,
			`{"breadcrumbs":[{"name":"Home","url":"https://example.com/"},{"name":"A","url":"https://example.com/a"}],"breadcrumb":["Home","A"]}`},
		"cards": {`{"@source":"document","title":"Chairs","Chairs":[{"@source":"item","title":"Oak","price":"€40"},{"@source":"item","title":"Pine","price":"€30"}]}`,
			`{"properties":{"products":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"},"currency":{"type":"string"}}}},"price":{"type":"number"}}}`,
			`{"products":[{"name":"Oak","price":40,"currency":"EUR"},{"name":"Pine","price":30,"currency":"EUR"}]}`},
		"labels": {`{"@source":"document","h1":"Stool","title":"Stool | Shop","Price":"€ 1.234,56","Weight (kg)":"3","Hersteller":"Acme"}`,
			`{"properties":{"name":{"type":"string"},"price":{"type":"number"},"currency":{"type":"string"},"weight":{"type":"number"},"brand":{"type":"string"},"color":{"type":"string"}}}`,
			`{"name":"Stool","price":1234.56,"currency":"EUR","weight":3,"brand":"Acme"}`},
		"several offers": {`{"@type":"Product","name":"x","offers":[{"@type":"Offer","price":1,"availability":"https://schema.org/OutOfStock"},{"@type":"Offer","price":2,"availability":"https://schema.org/InStock"}]}`,
			`{"properties":{"availability":{"type":"string"},"inStock":{"type":"boolean"},"price":{"type":"number"}}}`, `{"availability":"InStock","inStock":true,"price":1}`},
		"shown before the state": {`{"@source":"state","title":"x","price":10900,"sku":"7"},{"@source":"document","h1":"X","price":"€109"}`,
			`{"properties":{"title":{"type":"string"},"price":{"type":"number"},"sku":{"type":"string"}}}`, `{"title":"X","price":109,"sku":"7"}`},
		"nothing": {`{"@type":"Product","name":"x"}`, `{"properties":{"mileage":{"type":"integer"},"price":{"type":"number"},"author":{"type":"string"}}}`, `{}`},
		"order":   {recipe, `{"properties":{"yields":{"type":"string"},"name":{"type":"string"},"author":{"type":"string"}}}`, `{"yields":"4 servings","name":"Soup","author":"Ann"}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := fill(t, c.things, c.schema)
			if diff := cmp.Diff(c.want, string(r.Content)); diff != "" {
				t.Error(diff)
			}
			if len(r.Unsatisfied) > 0 {
				t.Errorf("unsatisfied: %q", r.Unsatisfied)
			}
			if again := fill(t, c.things, c.schema); string(again.Content) != string(r.Content) {
				t.Errorf("another time %s", again.Content)
			}
		})
	}
}

func TestWhatIsRequiredAndNotThereIsUnsatisfied(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{"required":["weight","name","author"],"properties":{"name":{"type":"string"},"weight":{"type":"number"},"author":{"type":"string"}}}`, `{"name":"Desk lamp"} /weight /author`},
		{`{"required":["name"],"properties":{"name":{"type":"integer"}}}`, `{} /name`},
		{`{"required":["price"],"properties":{"price":{"type":"number","maximum":10}}}`, `{} /price`},
		{`{"required":["reviews"],"properties":{"reviews":{"type":"array","minItems":3,"items":{"type":"string"}}}}`, `{} /reviews`},
		{`{"required":["reviews"],"properties":{"reviews":{"type":"array","items":{"type":"object","required":["author","rating"],"properties":{"author":{"type":"string"},"rating":{"type":"number"}}}}}}`,
			`{"reviews":[{"author":"Jane","rating":5},{"author":"Bob"}]} /reviews/1/rating`},
		{`{"required":["brand"],"properties":{"brand":{"type":"object","required":["name","vatID"],"properties":{"name":{"type":"string"},"vatID":{"type":"string"}}}}}`, `{"brand":{"name":"Acme"}} /brand/vatID`},
		{`{"properties":{"brand":{"type":"object","required":["name","vatID"],"properties":{"name":{"type":"string"},"vatID":{"type":"string"}}}}}`, `{}`},
		{`{"minProperties":2,"properties":{"name":{"type":"string"}}}`, `{"name":"Desk lamp"} `},
		{`{"properties":{"name":{"const":"Other"},"sku":{"type":"string","pattern":"^\\d+$"}}}`, `{}`},
	} {
		r := fill(t, product, c.schema)
		got := strings.TrimSuffix(string(r.Content)+" "+strings.Join(r.Unsatisfied, " "), "")
		if len(r.Unsatisfied) == 0 {
			got = string(r.Content)
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.schema, got, c.want)
		}
	}
}
