package extract

import (
	"strings"
	"testing"
)

// TestWhatIsOfAnotherKind shapes pages by schemas of what they are not about, or
// say elsewhere: nothing that only looks like it is taken.
func TestWhatIsOfAnotherKind(t *testing.T) {
	const (
		products = `<h2>Products</h2><div class=product><a href=/a><img src=/a.png></a><h3>Chinos camel</h3></div><div class=product><a href=/b><img src=/b.png></a><h3>Chinos beige</h3></div><div class=product><a href=/c><img src=/c.png></a><h3>Chinos grey</h3></div>`
		state    = `<script type="application/json">{"page":{"planRows":[{"name":"Streaming","url":"/s"},{"name":"Channels","url":"/c"},{"name":"Premiums","url":"/p"}]}}</script>`
		page     = `{"@type":"CollectionPage","mainEntityOfPage":{"@type":"WebPage","@id":"https://example.com/page","headline":"Sauce Recipes","description":"All of them.","publisher":{"@type":"Organization","name":"Eats","brand":"Eats"}}}`
		job      = `"title":{"type":"string"},"company":{"type":"string"},"location":{"type":"string"},"employmentType":{"type":"string"},"baseSalary":{"type":"number"}`
	)
	for _, c := range []struct{ name, props, body, want string }{
		{"cards of products are no team", `"team":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"photo":{"type":"string"}}}}`, products, `{}`},
		{"but products", `"products":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"url":{"type":"string"}}}}`, products,
			`{"products":[{"name":"Chinos camel","url":"https://example.com/a"},{"name":"Chinos beige","url":"https://example.com/b"},{"name":"Chinos grey","url":"https://example.com/c"}]}`},
		{"a menu of scripts is no list of articles", `"articles":{"type":"array","items":{"type":"object","properties":{"title":{"type":"string"},"link":{"type":"string"},"author":{"type":"string"}}}}`, state, `{}`},
		{"a publisher is no product", `"name":{"type":"string"},"description":{"type":"string"},"brand":{"type":"string"},"sku":{"type":"string"},"price":{"type":"number"}`, script(page), `{"name":"Sauce Recipes","description":"All of them."}`},
		{"a byline is no place", job, `<header><address>By Lena Abraham Updated: Sep 6, 2023</address></header><p>It rains.</p>`, `{"title":"Fair"}`},
		{"what a form says is no address", `"email":{"type":"string"}`, `<form><label for=e>Email</label><input id=e type=email><label>Sign up</label></form><p>Email: Required, but never shown</p>`, `{}`},
		{"bold words in a heading", `"specs":{"type":"object"}`, `<h3><strong>Specs</strong></h3><ul><li>Load: 30 kg</li><li>Fabric: Nylon</li><li>Volume: 62 L</li></ul>`,
			`{"specs":{"Load":"30 kg","Fabric":"Nylon","Volume":"62 L"}}`},
		{"the foot of documentation", `"dateModified":{"type":"string","format":"date"}`, `<p>It rains.</p><div>Copyright 2001.<br>Last updated on Mar 08, 2026 (06:37 UTC).<br>Created by hand.</div>`, `{"dateModified":"2026-03-08"}`},
		{"questions on buttons", `"faqs":{"type":"array","items":{"type":"object","properties":{"question":{"type":"string"},"answer":{"type":"string"}}}}`,
			`<h2>Questions</h2><ul>` + strings.Repeat(`<li><div role=button aria-expanded=false>How do I pay?</div><div><p>As it <a href=/x>says here</a>.</p></div></li>`, 2) + `</ul>`,
			`{"faqs":[{"question":"How do I pay?","answer":"As it says here."},{"question":"How do I pay?","answer":"As it says here."}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := shaped(t, "<html lang=en><title>Fair</title><body><h1>Fair</h1>"+c.body, `{"type":"object","properties":{`+c.props+`}}`, ShapeOptions{})
			if got := string(r.Content); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
