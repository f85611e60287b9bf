package visible

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

func TestShownNumber(t *testing.T) {
	for page, want := range map[string]string{
		`<p>Item No. <span>PU_106160/01</span></p>`:                                      "PU_106160/01",
		`<p>Cod produs: 5099873388655</p>`:                                               "5099873388655",
		`<p>Produkta kods 545642356</p>`:                                                 "545642356",
		`<td>〈商品編號：M67296549〉</td>`:                                                      "M67296549",
		`<div><span>Art.</span><span>1049084</span></div>`:                               "1049084",
		`<p>Réf. : VE900</p>`:                                                            "VE900",
		`<p>Artikel-Nr.</p><p>1357247</p>`:                                               "1357247",
		`<p>Артикул: 175004 5066</p>`:                                                    "175004 5066",
		`<div class="product-identifier__number">603.471.02</div>`:                       "603.471.02",
		`<div data-testid="sku">Art. 1049084</div>`:                                      "1049084",
		`<p>Artist 12345</p>`:                                                            "",
		`<p>Refund within 300 days</p>`:                                                  "",
		`<p>Item number: unknown</p>`:                                                    "",
		`<p>Order number: 03.05.2024</p>`:                                                "",
		`<p class="product-rating-number">12345</p>`:                                     "",
		`<s>Product code: 12345</s>`:                                                     "",
		`<p>Code: 99999</p><p>Product code: 12345</p>`:                                   "12345",
		`<h2>A</h2><p>Code: 11111</p><p>Code: 22222</p><p>Code: 33333</p><p>Code: 44444`: "",
	} {
		top := read(t, "<h1>Lamp</h1>"+page, Options{})[0]
		got := ""
		if vs := top.Get(graph.ShownNumber); len(vs) > 0 {
			got = vs[0].Text
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", page, got, want)
		}
	}
}

// TestNumberInAnItem takes a number within an item only if no other item has
// one: parts of a description are items as well as other things are.
func TestNumberInAnItem(t *testing.T) {
	item := func(text string) string {
		return `<div class="part"><h3>Part of it</h3><p>` + strings.Repeat("It says something. ", 4) + text + `</p><p>` + text + `</p></div>`
	}
	page := "<h1>Lamp</h1><div>" + item("") + item("<br>Product code: 46286401") + item("") + "</div>"
	if vs := read(t, page, Options{})[0].Get(graph.ShownNumber); len(vs) != 1 || vs[0].Text != "46286401" {
		t.Errorf("got %v", vs)
	}
	page = "<h1>Lamp</h1><div>" + item("<br>Product code: 11111") + item("<br>Product code: 22222") + item("") + "</div>"
	if vs := read(t, page, Options{})[0].Get(graph.ShownNumber); len(vs) != 0 {
		t.Errorf("got %v", vs)
	}
}
