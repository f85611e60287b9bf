package extract

import "testing"

// TestShops says what pages of shops mean that are built as the software of shops
// builds them, each with what of it was once read wrong.
func TestShops(t *testing.T) {
	offer := func(offers string) string {
		return `<script type="application/ld+json">{"@type":"Product","name":"Desk","sku":"WD-900","offers":` + offers + `}</script><h1>Desk</h1>`
	}
	for _, c := range []struct{ name, page, want string }{
		{"variants in cents", `<h1>Mug</h1><script type="application/json">[{"id":41234567890123,"title":"Blue","sku":"HM-350-B","requires_shipping":true,"available":true,"price":2800}]</script>`,
			`{"price":28,"sku":"HM-350-B","availability":"InStock"}`},
		{"data of statistics", `<h1>Mug</h1><p>$28.00</p><script>var meta = {"product":{"id":77,"variants":[{"id":41,"price":2800,"public_title":null,"sku":"HM-350-B"}]}};for (var a in meta) {}</script>`,
			`{"price":28,"sku":"HM-350-B","availability":"InStock"}`},
		{"a button that says so", `<main><h1>Stool</h1><span class="price">$95.00</span><button class="add-to-cart disabled" disabled><span>Sold Out</span></button></main>`,
			`{"price":95,"availability":"OutOfStock"}`},
		{"a choice that is gone", `<main><h1>Coat</h1><p>$95.00</p><button disabled>M</button><button disabled>Sold out</button><button>Add to cart</button></main>`,
			`{"price":95,"availability":"InStock"}`},
		{"a button that loads", `<main><h1>Coat</h1><p>$95.00</p><button disabled>Unavailable</button></main>`, `{"price":95,"availability":"InStock"}`},
		{"a button to wait", `<main><h1>Coat</h1><p>$95.00</p><button>Email me when back in stock</button></main>`, `{"price":95,"availability":"OutOfStock"}`},
		{"a button to wait in Russian", `<h1>Чайник</h1><p>Код товара: ЧЧ-80</p><h2>4 290 р.</h2><button>Сообщить о поступлении</button>`,
			`{"price":4290,"sku":"ЧЧ-80","availability":"OutOfStock"}`},
		{"a state that a class hides", `<h1>Coat</h1><p>$95.00</p><div class="availability d-none">Out of stock</div><div class="availability">Ready to ship</div>`,
			`{"price":95,"availability":"InStock"}`},
		{"a state that a class hides in narrow windows", `<h1>Coat</h1><p>$95.00</p><div class="availability hidden md:block">Out of stock</div>`,
			`{"price":95,"availability":"OutOfStock"}`},
		{"discontinued", `<main><h1>Drill</h1><p>This product has been discontinued.</p><p>$59.99</p></main>`, `{"price":59.99,"availability":"OutOfStock"}`},
		{"sold", `<h1>Altes Fahrrad</h1><h2>150 € VB</h2><div>Verkauft</div><div>Anzeigen-ID 2712345678</div>`,
			`{"price":150,"sku":"2712345678","availability":"OutOfStock"}`},
		{"a label of an element in any language", `<h1>Theepot</h1><p class="price">€ 71,92</p><div class="product-reference"><label>Referentie</label> <span>TF-8</span></div>`,
			`{"price":71.92,"sku":"TF-8","availability":"InStock"}`},
		{"no code of a coupon", `<h1>Theepot</h1><p class="price">€ 71,92</p><div class="offer-code">Checkout code: SPRINGOFF15</div>`, `{"price":71.92,"availability":"InStock"}`},
		{"words before the old price", `<h1>Tote</h1><div>Was: <span class="price price--before">$40.00</span></div><div>Now: <span class="price">$32.00</span></div>`,
			`{"price":32,"availability":"InStock"}`},
		{"a number in many elements", `<h1>Chaleira</h1><span class="x-listPriceValue"><b>R$</b> <i>1</i><i>.</i><i>299</i><i>,</i><i>90</i></span><span class="x-sellingPrice"><span><b>R$</b> <i>999</i><i>,</i><i>90</i></span></span>`,
			`{"price":999.9,"availability":"InStock"}`},
		{"what is left is a price", `<main><h1>Piano</h1><s>€ 1.899,00</s> <div class="discount-price"><span>€ 1.599,00</span></div></main>`, `{"price":1599,"availability":"InStock"}`},
		{"a table in Korean", `<h1>주전자</h1><table><tr><th>소비자가</th><td><strike>58,000원</strike></td></tr><tr><th>판매가</th><td>49,000원</td></tr></table><a class="btnSubmit">바로구매</a>`,
			`{"price":49000,"availability":"InStock"}`},
		{"a price with its tax in Japanese", `<h1>やかん</h1><p>12,990円（税込）</p><button>カートに入れる</button>`, `{"price":12990,"availability":"InStock"}`},
		{"the least price in Chinese", `<h1>水壺</h1><div>$210 <span>起</span></div><a class="button">馬上購買</a>`, `{"price":210,"availability":"InStock"}`},
		{"a sign for the point", `<h1>Poêle</h1><div class="price"><span>39</span><sup>€99</sup></div>`, `{"price":39.99,"availability":"InStock"}`},
		{"a dash for the cents", `<main><h1>Wasmachine</h1><div>499,-</div></main>`, `{"price":499,"availability":"InStock"}`},
		{"a month's part", `<main><h1>Phone</h1><div><b>$29.16</b>/mo for 24 months</div><div>Full price: $699.99</div></main>`, `{"price":699.99,"availability":"InStock"}`},
		{"a range", `<main><h1>Rug</h1><div>$120 - $380</div><button>Add to cart</button></main>`, `{"price":120,"availability":"InStock"}`},
		{"an amount that is only for the eye", `<main><h1>Rug</h1><p><span><span aria-hidden="true">$179.00</span></span></p></main>`, `{"price":179,"availability":"InStock"}`},
		{"editions", `<h1>Harbour 2</h1><div class="box"><h2>Buy Harbour 2</h2><div class="price">59,99€</div><a href="#"><span>Add to Cart</span></a></div>
			<div class="box"><h2>Buy Harbour 2: Gold</h2><div class="price">99,99€</div><a href="#"><span>Add to Cart</span></a></div>`, `{"price":59.99,"availability":"InStock"}`},
		{"what the server sends late", `<main><template id="B:0"></template></main><div hidden id="S:0"><h1>Coat</h1><template id="P:1"></template></div><div hidden id="S:1"><p>$120.00</p></div>`,
			`{"price":120,"availability":"InStock"}`},
		{"thousands in a declaration", offer(`{"price":"1.299"}`) + `<p>1.299 €</p>`, `{"price":1299,"sku":"WD-900","availability":"InStock"}`},
		{"the variant of the address", offer(`[{"price":49,"url":"/p?v=1"},{"price":59,"url":"https://example.com/p?v=2"}]`), `{"price":59,"sku":"WD-900","availability":"InStock"}`},
		{"to be had later", offer(`{"price":49,"availability":"https://schema.org/PreOrder"}`), `{"price":49,"sku":"WD-900","availability":"InStock"}`},
		{"never again", offer(`{"price":49,"availability":"https://schema.org/Discontinued"}`), `{"price":49,"sku":"WD-900","availability":"OutOfStock"}`},
		{"prices by their type", offer(`{"priceSpecification":[{"priceType":"https://schema.org/StrikethroughPrice","price":69},{"validForMemberTier":{"name":"Gold"},"price":39},{"price":49}]}`),
			`{"price":49,"sku":"WD-900","availability":"InStock"}`},
		{"a declaration of another thing", `<title>Desk</title><h1>Desk</h1><p>$49.00</p><button>Add to cart</button><h2>Goes with</h2><div itemscope itemtype="https://schema.org/Product"><a itemprop="url" href="/chair">
			<span itemprop="name">Chair</span></a><div itemprop="offers" itemscope><span itemprop="price">19</span><link itemprop="availability" href="https://schema.org/OutOfStock"></div></div>`, `{"price":49,"availability":"InStock"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sale(t, "https://example.com/p?v=2", c.page)
			if string(r.Content) != c.want {
				t.Errorf("got %s, want %s: %v", r.Content, c.want, r.Origins)
			}
		})
	}
}
