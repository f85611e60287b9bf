package extract

import (
	"context"
	"net/url"
	"strings"
	"testing"
)

// sale shapes a page at an address by the schema of a product.
func sale(t *testing.T, at, page string) *Result {
	t.Helper()
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Shape(context.Background(), parse(t, page), u, mustCompile(t, productSchema), ShapeOptions{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const lampData = `<script type="application/ld+json">{"@type":"Product","name":"Harbour lamp","sku":"84518927-040","offers":{"@type":"Offer","price":"12.50","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script>`

// TestNumberOfAThing says whose number of a thing is believed: what people see
// of it, then what machines are told, then what the address has.
func TestNumberOfAThing(t *testing.T) {
	for _, c := range []struct{ name, at, page, want string }{
		{"a label outranks the variant's", "/lamp", lampData + `<h1>Harbour lamp</h1><p>Product code: 46286401</p>`, "46286401"},
		{"a label in another language", "/lamp", lampData + `<h1>Lampa</h1><ul><li><strong>Šifra:</strong> 0638</li></ul>`, "0638"},
		{"in the heading", "/lamp", `<header><h1><span>Лампа</span> <span class="x">Код: 01245</span></h1></header><p class="price">12 €</p>`, "01245"},
		{"the name of the element", "/lamp", lampData + `<h1>Lamp</h1><p><span>Black</span> - <span data-qa-qualifier="product-reference">1002/710</span></p>`, "1002/710"},
		{"a word that means more needs a sign", "/lamp", lampData + `<h1>Lamp</h1><p>Code 123456 is what you enter.</p>`, "84518927-040"},
		{"not beside the main part", "/lamp", lampData + `<main><h1>Lamp</h1></main><footer><p>Product code: 46286401</p></footer>`, "84518927-040"},
		{"not of a related thing", "/lamp", `<h1>Lamp</h1><p class="price">12 €</p><h2>Recently viewed</h2><div><a href=/x>Lamp 2</a><p>Product code: 46286401</p><p class=sku>46286401</p></div>`, ""},
		{"not of other things", "/lamp", lampData + `<h1>Lamp</h1><p>Item no: 1111</p><p>Item no: 2222</p><p>Item no: 3333</p><p>Item no: 4444</p>`, "84518927-040"},
		{"a description behind the number", "/lamp", strings.Replace(lampData, "84518927-040", "TE502955-1293415 Lampe de port", 1) + `<h1>Lamp</h1>`, "TE502955-1293415"},
		{"the number of a variant", "/lamp/84518/harbour", strings.Replace(lampData, "84518927-040", "84518-040", 1) + `<h1>Lamp</h1><div data-product-id="84518"></div>`, "84518-040"},
		{"the whole number in the address", "/lamp-84518-040.html", strings.Replace(lampData, "84518927-040", "84518-040", 1) + `<h1>Lamp</h1><div data-product-id="84518"></div>`, "84518-040"},
		{"the address, where nothing else says it", "/item/4548094738", `<h1>Lamp</h1><p class="price">12 €</p><input type="hidden" name="itemId" value="4548094738">`, "4548094738"},
		{"not the address of what is not sold", "/item/4548094738", `<h1>Lamp</h1><input type="hidden" name="itemId" value="4548094738">`, ""},
		{"a reference that is no number", "/lamp", `<h1>Lamp</h1><p class="price">12 €</p><p>Reference: the handbook of lamps</p>`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sale(t, "https://example.com"+c.at, "<body>"+c.page)
			want := `"sku":"` + c.want + `"`
			if c.want == "" && strings.Contains(string(r.Content), "sku") || !strings.Contains(string(r.Content), want) && c.want != "" {
				t.Errorf("got %s, want %s: %v", r.Content, want, r.Origins)
			}
		})
	}
}

// TestAvailabilityOfAThing says when a thing can be had.
func TestAvailabilityOfAThing(t *testing.T) {
	variants := `<script type="application/ld+json">[{"@type":"Product","name":"Boots","sku":"1","offers":{"@type":"Offer","price":"69","availability":"https://schema.org/OutOfStock"}},
		{"@type":"Product","name":"Boots","sku":"2","offers":{"@type":"Offer","price":"69","availability":"https://schema.org/InStock"}}]</script>`
	for _, c := range []struct{ name, page, want string }{
		{"one of the variants", variants + `<h1>Boots</h1>`, "InStock"},
		{"none of the variants", strings.ReplaceAll(variants, "InStock", "OutOfStock") + `<h1>Boots</h1>`, "OutOfStock"},
		{"another thing is no variant", strings.Replace(variants, `"Boots","sku":"2"`, `"Laces","sku":"2"`, 1) + `<h1>Boots</h1>`, "OutOfStock"},
		{"people are told otherwise", lampData + `<h1>Lamp</h1><div id="availability">Currently unavailable. We don't know when this will be back.</div>`, "OutOfStock"},
		{"but there is a button", lampData + `<h1>Lamp</h1><div id="availability">Sold out in shops of your town.</div><button>Add to cart</button>`, "InStock"},
		{"a button that does nothing", lampData + `<h1>Lamp</h1><p class="stock">This lamp cannot be ordered now.</p><button disabled><span class="btn">Add to cart</span></button>`, "OutOfStock"},
		{"a button outranks a way to get it", `<h1>Lamp</h1><p>12 €</p><p>Pick up in a shop</p><p>Not available</p><button>Add to cart</button>`, "InStock"},
		{"a button of a page that sells nothing", `<h1>Walks by the sea</h1><p>Ten of them.</p><a class="btn" href="/shop">Buy now</a>`, ""},
		{"a button that says there is none", `<h1>Lamp</h1><p class=price>12 €</p><button class="add-to-cart">Sold out</button>`, "OutOfStock"},
		{"an ended listing", `<h1>Lamp</h1><p>Ended</p><div class=price>€ 20</div>`, "OutOfStock"},
		{"a sentence with the words", `<h1>Lamp</h1><p class="price">12 €</p><div id="availability">Only 2 left in stock.</div>`, "InStock"},
		{"not for now", `<h1>Lampe</h1><p class="price">12 €</p><p>Actuellement indisponible.</p>`, "OutOfStock"},
		{"offered at a price", `<h1>Lamp, used</h1><div class="price">€ 20,- negotiable</div><p>I have this lamp twice.</p>`, "InStock"},
		{"without a price nothing is offered", `<h1>Lamp</h1><p>It shines.</p>`, ""},
		{"a price in running text", `<h1>Ten lamps</h1><p>` + strings.Repeat("We have looked at many lamps. ", 6) + `The best one is at <b class="price">€20</b> today.</p>`, ""},
		{"a price in an article", `<meta property="og:type" content="article"><h1>Ten lamps</h1><div class="price">€ 20</div>`, ""},
		{"of a related thing", `<h1>Lamp</h1><p>Price on request</p><h2>You may also like</h2><div class=card><a href=/x>Lamp 2</a><span class=price>$10.00</span><p>In stock</p><button>Add to cart</button></div>`, ""},
		{"a state that is unknown", `<h1>Lamp</h1><div class="price">€ 20</div><div class="availability">ask us</div>`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sale(t, "https://example.com/page", "<body>"+c.page)
			want := `"availability":"` + c.want + `"`
			if c.want == "" && strings.Contains(string(r.Content), "availability") || !strings.Contains(string(r.Content), want) && c.want != "" {
				t.Errorf("got %s, want %s: %v", r.Content, want, r.Origins)
			}
		})
	}
}

// TestOfferedIsExplained says why a thing counts as in stock.
func TestOfferedIsExplained(t *testing.T) {
	r := sale(t, "https://example.com/page", `<body><h1>Lamp</h1><div class="price">€ 20</div>`)
	for _, o := range r.Origins {
		if o.Pointer == "/availability" {
			if o.Name != "offered at this price" || !strings.HasSuffix(o.Path, "/div") {
				t.Errorf("got %v", o)
			}
			return
		}
	}
	t.Errorf("no origin of the availability: %s %v", r.Content, r.Origins)
}

// TestPriceOfAThing says which amount is the price.
func TestPriceOfAThing(t *testing.T) {
	none := strings.NewReplacer("12.50", "0", "InStock", "OutOfStock").Replace(lampData)
	for _, c := range []struct{ name, page, want string }{
		{"nothing is no price", none + `<h1>Lamp</h1><div>Sending: <span class="cost">10 €</span></div>`, ""},
		{"another one is shown", strings.Replace(lampData, "12.50", "0", 1) + `<h1>Lamp</h1><div class="price">15 €</div>`, "15"},
		{"the old one for machines", strings.Replace(lampData, "12.50", "219.99", 1) + `<h1>Lamp</h1><div><span class="original-price">€219.99</span> <span class="price">€110.00</span></div>`, "110"},
		{"the old one is not shown as old", strings.Replace(lampData, "12.50", "219.99", 1) + `<h1>Lamp</h1><span class="price">€110.00</span>`, "219.99"},
		{"too low for a reduction", strings.Replace(lampData, "12.50", "219.99", 1) + `<h1>Lamp</h1><div><del>€219.99</del> <span>€9.90</span></div>`, "219.99"},
		{"in two elements", `<h1>鵝肉鬆</h1><p><b>一次付清特價</b> <b>7 折</b> <span>294</span><span> 元</span></p>`, "294"},
		{"cents beside it", `<h1>Lamp</h1><p>Today <span>$</span><span>12</span><sup>99</sup> only here</p>`, ""},
		{"cents in small letters", `<h1>Lamp</h1><p class="product-price">173<sup>34</sup> <span>Lei</span></p>`, "173.34"},
		{"cents with thousands", `<h1>Lamp</h1><p>€1.299<span>95</span></p>`, "1299.95"},
		{"a power is no price", `<h1>Lamp</h1><p>10<sup>12</sup> atoms</p><p class="price">5 €</p>`, "5"},
		{"the sum of an empty basket", `<h1>Lamp</h1><p class="price">0 €</p>`, ""},
		{"free by its label", `<h1>Lamp</h1><p>Price: 0 €</p>`, "0"},
		{"on a button", `<h1>Lamp</h1><button>With bulb <span>CHF 7.95</span></button><div><span>instead of 4.50</span><span>CHF <!-- -->2.25</span></div><p>3 left</p>`, "2.25"},
		{"an instalment", `<h1>Lamp</h1><div class="installment-block"><div>A month</div><div class="price">14 €</div></div><p class="product-new-price">173 €</p>`, "173"},
		{"before the title", `<div>Your basket: <b>99 €</b></div><h1>Lamp</h1><div>12 €</div>`, "12"},
		{"crossed out in a cell", `<h1>Lamp</h1><table><tr><td>Price</td><td><s>42.62 €</s> 20.97 €</td></tr><tr><td>Colour</td><td>red</td></tr><tr><td>Weight</td><td>2 kg</td></tr></table>`, "20.97"},
		{"of a related thing", `<h1>Lamp</h1><p>Price on request</p><h2>Related products</h2><div class=card><a href=/x>Lamp 2</a><span class=price>$10.00</span></div>`, ""},
		{"of a thing of the same kind", `<h1>Lampe</h1><p class=price>12 €</p><section><div><h2>Ähnliche Artikel</h2></div><div><a href=/x>Lampe 2</a><span class=price>10 €</span></div></section>`, "12"},
		{"the heading of related things ends", `<h1>Lamp</h1><h3>Related products</h3><p>None</p><h3>Buy</h3><p class=price>$10.00</p>`, "10"},
		{"by a class", `<h1>Lamp</h1><p>Price on request</p><div class=similar-items><p>Lamp 2</p><p>$10.00</p></div>`, ""},
		{"a single card", `<h1>Lamp</h1><p>Price on request</p><div class=product-card><a href=/x>Lamp 2</a><span class=price>$10.00</span></div>`, ""},
		{"the card of the thing itself", `<h1>Lamp</h1><div class=card><span class=price>$10.00</span> <a href=/sending>with sending</a></div>`, "10"},
		{"the page has related things", `<div class=has-related><h1>Lamp</h1><p class=price>$10.00</p></div>`, "10"},
		{"a label says what is hidden", `<h1>Lamp</h1><div role=text aria-label="$299.99"><span aria-hidden=true><b>$</b><b>299</b><b>.99</b></span></div>`, "299.99"},
		{"in a box by the title", `<h1>Lamp</h1><div class=a1><div><b>-20%</b></div><div>€39.30</div></div><div class=a1><div><b>Fast</b></div><div>2 days</div></div><div class=a1><div><b>Safe</b></div><div>3 years</div></div>`, "39.3"},
		{"letters of regular weight", `<h1>Lamp</h1><div><span class="text weight-regular">$15.00</span></div>`, "15"},
		{"the cost of sending", `<h1>Lamp</h1><div class="shipping-cost">5 €</div><div>12 €</div>`, "12"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sale(t, "https://example.com/page", "<body>"+c.page)
			want := `"price":` + c.want
			if c.want == "" && strings.Contains(string(r.Content), "price") || !strings.Contains(string(r.Content)+",", want) && c.want != "" {
				t.Errorf("got %s, want %s: %v", r.Content, want, r.Origins)
			}
		})
	}
}

// TestFormOfWhatCannotBeHad: the form around the button stays where there is no button.
func TestFormOfWhatCannotBeHad(t *testing.T) {
	page := `<html><body><main><h1>Lamp</h1><p>Brand: Fjellby</p><p>SKU: LA-17</p><form id="addToCart" action="/cart"><div id="availability"><span>Currently unavailable.</span> We don't know when or if this item will be back in stock.</div></form></main></body></html>`
	got := shaped(t, page, `{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"},"inStock":{"type":"boolean"}}}`, ShapeOptions{})
	if want := `{"name":"Lamp","inStock":false}`; string(got.Content) != want {
		t.Errorf("got %s, want %s", got.Content, want)
	}
}

// TestOneThingInTwoPlaces: what a page says of its thing elsewhere, under the same
// address or for another reader under the same name, comes before what it shows.
func TestOneThingInTwoPlaces(t *testing.T) {
	rated := `<form><fieldset><label><span class="rating">2 stars out of 5</span><input type="radio" name="stars" value="2"></label></fieldset></form></main></body></html>`
	for _, page := range []string{
		`<html><body><main><h1>Meatballs</h1>
			<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","@id":"https://example.com/meatballs#Recipe","name":"Meatballs","recipeYield":"4"}</script>
			<script type="application/ld+json">{"@context":"https://schema.org","@id":"https://example.com/meatballs#Recipe","aggregateRating":{"@type":"AggregateRating","ratingValue":4}}</script>`,
		`<html><body><main><div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">Meatballs</h1><p itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating"><span itemprop="ratingValue">4</span></p></div>
			<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Meatballs","recipeYield":"4"}</script>`,
	} {
		got := shaped(t, page+rated, `{"type":"object","properties":{"name":{"type":"string"},"yields":{"type":"string"},"rating":{"type":"number"}}}`, ShapeOptions{})
		if want := `{"name":"Meatballs","yields":"4","rating":4}`; string(got.Content) != want {
			t.Errorf("got %s, want %s", got.Content, want)
		}
	}
}
