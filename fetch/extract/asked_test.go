package extract

import (
	"testing"
)

const (
	lampFacts   = `<h1>Lamp</h1><table><tr><th>Max. power<td>40 W<tr><th>No. of drawers<td>3<tr><th>Ports (USB)<td>2<tr><th>Weight<td>1.2 kg<tr><th>Qty<td>4<tr><th>Address<td>1 Quay Road, Port Ellis</table>`
	reducedLamp = `<h1>Lamp</h1><p><span class="was">£129.00</span> <span class="now">£99.50</span></p>`
	isleRows    = `<h1>Isles</h1><table><tr><th>Isle<th>People<th>Ferry<th>Area</tr><tr><td>Ore<td>12,345 (2020)<td>✓<td>67,000,000[1]</tr><tr><td>Lissa<td>5,001 (July 2020)<td>✗<td>1,000[2]</tr><tr><td>Brae<td>–<td>–<td>30</tr></table>`
	teaState    = `<h1>Tea</h1><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"recipe":{"name":"Tea","cookTimeMinutes":15,"prepMinutes":90,"priceCents":1299}}}}</script>`
	ferryTerms  = `<h1>Ferry</h1><dl><dt>From<dd>Oldport<dt>To<dd>Lissa<dt>Until<dd>noon</dl>`
)

// TestNamesAreTakenAtTheirWord says what a property gets by its very name, or
// by its description.
func TestNamesAreTakenAtTheirWord(t *testing.T) {
	for _, c := range []struct{ page, members, want string }{
		{lampFacts, `"maxPower":{"type":"string"}`, `{"maxPower":"40 W"}`},
		{lampFacts, `"noOfDrawers":{"type":"integer"},"numberOfDrawers":{"type":"integer"}`, `{"noOfDrawers":3,"numberOfDrawers":3}`},
		{lampFacts, `"usbPorts":{"type":"integer"},"ports":{"type":"integer"}`, `{"usbPorts":2,"ports":2}`},
		{lampFacts, `"weight":{"type":"object","properties":{"value":{"type":"number"},"unit":{"type":"string"}}}`, `{"weight":{"value":1.2,"unit":"kg"}}`},
		{lampFacts, `"quantity":{"type":"integer"}`, `{"quantity":4}`},
		{lampFacts, `"startDate":{"type":"string"},"endDate":{"type":"string"},"address":{"type":"string"}`, `{"address":"1 Quay Road, Port Ellis"}`},
		{reducedLamp, `"p":{"type":"number","description":"the price before the discount"}`, `{"p":129}`},
		{reducedLamp, `"p":{"type":"number","description":"Original price"}`, `{"p":129}`},
		{reducedLamp, `"p":{"type":"number","description":"recommended retail price"}`, `{"p":129}`},
		{reducedLamp, `"listPrice":{"type":"number"},"price":{"type":"number"}`, `{"listPrice":129,"price":99.5}`},
		{reducedLamp, `"p":{"type":"number","description":"price after the discount"}`, `{"p":99.5}`},
		{reducedLamp, `"p":{"type":"number","description":"price without VAT"},"netPrice":{"type":"number"}`, `{}`},
		{reducedLamp + `<dl><dt>Net price<dd>£82.92<dt>Colour<dd>red</dl>`, `"p":{"type":"number","description":"price without VAT"}`, `{"p":82.92}`},
		{reducedLamp, `"price_cents":{"type":"integer"},"priceInCents":{"type":"integer"},"amountMinor":{"type":"integer"},"c":{"type":"integer","description":"the price in pence"}`,
			`{"price_cents":9950,"priceInCents":9950,"amountMinor":9950,"c":9950}`},
		{`<h1>Lamp</h1><p class=price>¥1,299</p>`, `"priceCents":{"type":"integer"}`, `{"priceCents":1299}`},
		{teaState, `"cookTimeSeconds":{"type":"integer"},"prepHours":{"type":"number"},"cookTime":{"type":"integer"}`, `{"cookTimeSeconds":900,"prepHours":1.5,"cookTime":15}`},
		{teaState, `"price":{"type":"number"},"price_cents":{"type":"integer"}`, `{"price":12.99,"price_cents":1299}`},
		{isleRows, `"isles":{"type":"array","items":{"type":"object","properties":{"people":{"type":"integer"},"ferry":{"type":"boolean"},"area":{"type":"integer"}}}}`,
			`{"isles":[{"people":12345,"ferry":true,"area":67000000},{"people":5001,"ferry":false,"area":1000},{"area":30}]}`},
		{`<h1>Lamp</h1>`, `"host":{"type":"string"},"domain":{"type":"string"},"hostName":{"type":"string"}`, `{"host":"example.com","domain":"example.com","hostName":"example.com"}`},
		{`<h1>Lamp</h1>`, `"host":{"type":"string"},"startDate":{"type":"string"},"performer":{"type":"string"}`, `{}`},
		{`<h1>Lamp</h1><p>Site: Quay 4</p>`, `"site":{"type":"string"}`, `{"site":"Quay 4"}`},
		{`<head><link rel=canonical href="/b"></head><h1>Lamp</h1>`, `"canonical_url":{"type":"string"}`, `{"canonical_url":"https://example.com/b"}`},
		{ferryTerms, `"from":{"type":"string"},"to":{"type":"string"},"until":{"type":"string"}`, `{"from":"Oldport","to":"Lissa","until":"noon"}`},
		{`<h1>Rates</h1><table><tr><th>From<th>Until<th>Price per night</tr><tr><td>1 May 2026<td>30 June 2026<td>€ 80</tr><tr><td>1 July 2026<td>31 August 2026<td>€ 120</tr></table>`,
			`"seasons":{"type":"array","items":{"type":"object","properties":{"from":{"type":"string","format":"date"},"until":{"type":"string","format":"date"},"price":{"type":"number"}}}}`,
			`{"seasons":[{"from":"2026-05-01","until":"2026-06-30","price":80},{"from":"2026-07-01","until":"2026-08-31","price":120}]}`},
		{`<script type="application/ld+json">{"@type":"Product","name":"Lamp","weight":{"@type":"QuantitativeValue","value":1.2,"unitCode":"KGM"}}</script>`,
			`"weight":{"type":"object","properties":{"unit":{"type":"string"},"value":{"type":"number"}}}`, `{"weight":{"unit":"kg","value":1.2}}`},
		{`<header><a href=/><img src=logo.png></a></header><h1>Lamp</h1><div><img src=a.jpg><img src=b.jpg></div><footer><img src=visa.png></footer>`, `"images":{"type":"array","items":{"type":"string"}}`,
			`{"images":["https://example.com/a.jpg","https://example.com/b.jpg"]}`},
		{ferryTerms, `"from":{"type":"string","format":"date"}`, `{}`},
		{`<h1>Trips</h1><table><tr><th>From<th>To</tr><tr><td>Oldport<td>Lissa</tr><tr><td>Brae<td>Ore</tr></table>`,
			`"trips":{"type":"array","items":{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"}},"required":["from","to"]}}`,
			`{"trips":[{"from":"Oldport","to":"Lissa"},{"from":"Brae","to":"Ore"}]}`},
		{`<h1>Search</h1><div class=results><div class=r><h3><a href=/1>Koga 1985</a></h3><p>old</p></div><div class=r><h3><a href=/2>Gazelle 1990</a></h3><p>blue</p></div></div>`, `"results":{"type":"integer"}`, `{}`},
		{`<h1>Anna Berg</h1><p>12 High Street<br>Bath BA1 1AA</p><a href="/home">Home</a>`, `"address":{"type":"string"}`, `{}`},
	} {
		t.Run(c.members, func(t *testing.T) {
			if got := string(shaped(t, "<html lang=en><body>"+c.page, `{"type":"object","properties":{`+c.members+`}}`, ShapeOptions{}).Content); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
