package extract

import "testing"

// TestWhatIsAskedIsNotAnything shapes pages that have something like what is
// asked for, and not that: nothing is better than something else.
func TestWhatIsAskedIsNotAnything(t *testing.T) {
	const (
		kettle  = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Copper Kettle","gtin13":"4006381333931","offers":{"@type":"Offer","price":"80","priceCurrency":"EUR","seller":{"@type":"Organization","name":"Hearth & Co"}},"brand":{"@type":"Brand","name":"Fjellby"}}</script><h1>Copper Kettle</h1>`
		keeper  = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Person","name":"Ida Moen"}</script><h1>Ida Moen</h1>`
		told    = `<h1>Copper Kettle</h1><p>80 €</p><p>In stock</p>`
		variant = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"ProductGroup","name":"Rug","hasVariant":[{"@type":"Product","name":"Rug, red","sku":"R-1","offers":{"@type":"Offer","price":"30","availability":"https://schema.org/OutOfStock"}},{"@type":"Product","name":"Rug, blue","sku":"R-2","offers":{"@type":"Offer","price":"35","availability":"https://schema.org/InStock"}}],"aggregateRating":{"@type":"AggregateRating","ratingValue":"84","bestRating":"100","ratingCount":"9"}}</script><h1>Rug</h1>`
	)
	for _, c := range []struct{ name, page, properties, want string }{
		{"a name is no post", keeper, `"name":{"type":"string"},"jobTitle":{"type":"string"},"role":{"type":"string"},"position":{"type":"string"},"bookTitle":{"type":"string"}`, `{"name":"Ida Moen"}`},
		{"goods are no post", kettle, `"jobTitle":{"type":"string"},"bookTitle":{"type":"string"},"question":{"type":"string"}`, `{}`},
		{"goods are no song", kettle, `"songTitle":{"type":"string"},"episodeTitle":{"type":"string"},"courseName":{"type":"string"},"ticketPrice":{"type":"number"},"productName":{"type":"string"}`, `{"productName":"Copper Kettle"}`},
		{"a class is no post", `<div class="blog-title">Ten walks by the sea</div><div class="position">Reviews</div>`, `"jobTitle":{"type":"string"},"bookTitle":{"type":"string"},"role":{"type":"string"}`, `{}`},
		{"a side is no post", `<script>window.__STATE__={"box":{"name":"menu","position":"left"}}</script><h1>Walks</h1>`, `"role":{"type":"string"},"jobTitle":{"type":"string"}`, `{}`},
		{"what somebody with a name has for a title", `<script>window.__STATE__={"member":{"name":"Ida Moen","title":"Keeper of the light","email":"ida@example.com"}}</script>`, `"name":{"type":"string"},"jobTitle":{"type":"string"},"email":{"type":"string"}`, `{"name":"Ida Moen","jobTitle":"Keeper of the light","email":"ida@example.com"}`},
		{"a card is no question", `<section><h2>What we do</h2><div class=c><h3>Boats</h3><p>We mend them.</p></div><div class=c><h3>Nets</h3><p>We knot them.</p></div></section>`, `"question":{"type":"string"}`, `{}`},
		{"a price is no question", `<h1>Lamps</h1><p>List: $49.99</p>`, `"question":{"type":"string"}`, `{}`},
		{"what a job is like is no post", `<h1>Jobs</h1><ul class="jobs"><li><h3>Cook</h3><p>Nights, 2 400 € a month</p></li><li><h3>Smith</h3><p>Days, 2 900 € a month</p></li></ul>`, `"jobTitle":{"type":"string"}`, `{}`},
		{"a category is no department", `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"Tides","articleSection":"Sea"}</script>`, `"department":{"type":"string"},"section":{"type":"string"}`, `{"section":"Sea"}`},

		{"the name of somebody else", kettle, `"a":{"type":"string","description":"name of the designer"},"b":{"type":"string","description":"Title of the book"},"c":{"type":"string","description":"The name of the product"}`, `{"c":"Copper Kettle"}`},
		{"the name of somebody with a label", told + `<p>Designer: Bo Reed</p>`, `"a":{"type":"string","description":"name of the designer"}`, `{"a":"Bo Reed"}`},
		{"another price", kettle, `"a":{"type":"number","description":"Monthly price of the subscription"},"b":{"type":"number","description":"price per square metre"},"c":{"type":"number","description":"price when buying ten or more"},"d":{"type":"number","description":"price excluding VAT"},"e":{"type":"number","description":"Price before the discount"},"f":{"type":"string","description":"date of the price"},"g":{"type":"number","description":"price of the product"}`, `{"g":80}`},
		{"another price with a label", told + `<p>Monthly price: 12 €</p>`, `"a":{"type":"number","description":"monthly price"}`, `{"a":12}`},
		{"the price of an amount with a label", told + `<p>Price per litre: 5 €</p>`, `"a":{"type":"number","description":"Price per litre"},"price":{"type":"number"}`, `{"a":5,"price":80}`},
		{"whose birthday it is", kettle + `<p>Born: 3 May 1980</p>`, `"a":{"type":"string","description":"the maker's birthday"},"b":{"type":"number","description":"Last price change"},"c":{"type":"number","description":"the product's price"}`, `{"c":80}`},
		{"stock is no size", told, `"a":{"type":"array","items":{"type":"string"},"description":"Available sizes"}`, `{}`},
		{"who sells it", kettle, `"a":{"type":"string","description":"Who sells it (not the brand)"}`, `{"a":"Hearth & Co"}`},
		{"whose it is", `<meta name=author content="Bo Reed"><h1>Tides</h1>`, `"a":{"type":"string","description":"author of the photo"},"b":{"type":"string","description":"author of the article"}`, `{"b":"Bo Reed"}`},
		{"what a form asks of its reader", `<h1>Tides</h1><p>They come and go.</p><form><h2>News by mail</h2><p class="company">Company</p><label for=b>Brand</label><input id=b value="Fjellby"><input type=email name=email></form>`, `"company":{"type":"string"},"brand":{"type":"string"}`, `{}`},
		{"a form around the page", `<form><h1>Copper Kettle</h1><p>Brand: Fjellby</p><input type=email name=email></form>`, `"brand":{"type":"string"}`, `{"brand":"Fjellby"}`},
		{"beside the main part, with the title", `<script type="application/ld+json">{"@type":"Recipe","name":"Soup","recipeIngredient":["2 leeks"]}</script><div><h1>Soup</h1><ul><li>4 servings</li></ul></div><main><p>Cut the leeks.</p></main>`, `"yields":{"type":"string"}`, `{"yields":"4 servings"}`},
		{"beside the main part, without the title", `<script type="application/ld+json">{"@type":"Recipe","name":"Soup","recipeIngredient":["2 leeks"]}</script><div><ul><li>4 servings</li></ul></div><main><h1>Soup</h1><p>Cut the leeks.</p></main>`, `"yields":{"type":"string"}`, `{}`},
		{"questions", kettle, `"a":{"type":"string","description":"What is the product called?"},"b":{"type":"boolean","description":"Can I buy it right now?"}`, `{"a":"Copper Kettle","b":true}`},

		{"a count with the word", `<h1>36 jobs on the coast</h1><ul><li><h3>Cook</h3><p>2 400 € a month</p></li><li><h3>Smith</h3><p>2 900 € a month</p></li></ul>`, `"jobCount":{"type":"integer"},"totalBoats":{"type":"integer"}`, `{"jobCount":36}`},
		{"a count without the word", `<h1>Lamps</h1><div><h3>Reed lamp, 2 pieces</h3><p>20 €</p></div><div><h3>Glass lamp</h3><p>30 €</p></div>`, `"resultCount":{"type":"integer"},"totalResults":{"type":"integer"}`, `{}`},
		{"votes are no reviews", `<h1>How do I mend a net?</h1><div class="vote-count">42</div>`, `"votes":{"type":"integer"},"rating":{"type":"number"},"reviewCount":{"type":"integer"}`, `{"votes":42}`},
		{"stars are no number of reviews", `<h1>Copper Kettle</h1><p>Reviews: 5 stars!</p>`, `"reviewCount":{"type":"integer"}`, `{}`},

		{"a share is no price", `<h1>Copper Kettle</h1><p>Price: 20% off</p>`, `"price":{"type":"number"}`, `{}`},
		{"a price to be asked for", `<h1>Copper Kettle</h1><p>Price: on request (from 2023)</p>`, `"price":{"type":"number"}`, `{}`},
		{"cents", `<h1>Pin</h1><p>Price: 99 cents</p>`, `"price":{"type":"number"}`, `{}`},
		{"a filter is no price", `<aside><h3>Price</h3><ul><li><a href=/a>Under $25</a><li><a href=/b>$25 to $50</a></ul></aside><main><h1>Lamps</h1></main>`, `"price":{"type":"number"}`, `{}`},
		{"a sentence is no fact", `<h1>Tides</h1><h2>Rating</h2><p>See chapter 4.</p><h2>Model</h2><p>It was first made in 1900.</p><h2>Author</h2><p>See the last page.</p><h2>Reference</h2><p>Moen, Tides, 2018.</p>`, `"rating":{"type":"number"},"model":{"type":"string"},"author":{"type":"string"},"sku":{"type":"string"}`, `{}`},
		{"a number of goods is none of a book", kettle, `"isbn":{"type":"string"},"gtin":{"type":"string"}`, `{"gtin":"4006381333931"}`},
		{"the variant that can be had", variant, `"price":{"type":"number"},"sku":{"type":"string"},"inStock":{"type":"boolean"}`, `{"price":35,"sku":"R-2","inStock":true}`},
		{"a rating is no note", `<h1>Soup</h1><div class="recipe-rating">4.8 out of 5 (63 reviews)</div>`, `"notes":{"type":"string"},"reviews":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"}}}}`, `{}`},
		{"what a site says of itself", `<header><p class="site-description">Notes of a keeper</p></header><main><h1>Tides</h1><p>They come and go.</p></main>`, `"description":{"type":"string"},"summary":{"type":"string"}`, `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := shaped(t, "<!doctype html><html lang=en><body>"+c.page, `{"type":"object","properties":{`+c.properties+`}}`, ShapeOptions{})
			if got := string(r.Content); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
