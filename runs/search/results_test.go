package search

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
)

// duck is a page in the form of DuckDuckGo's without scripts.
const duck = `<!doctype html><html><body>
<header><h1><a href="/html/">Duck</a></h1><form action="/html/"><input name=q></form></header>
<div id="links" class="results">
 <div class="result results_links results_links_deep result--ad"><div class="links_main links_deep result__body">
  <h2 class="result__title"><a rel="nofollow" class="result__a" href="https://duckduckgo.com/y.js?ad_domain=ads.example&u3=https%3A%2F%2Fads.example">Buy lamps</a></h2>
  <a class="result__snippet" href="https://duckduckgo.com/y.js?ad_domain=ads.example">Paid.</a></div></div>
 <div class="result results_links results_links_deep web-result"><div class="links_main links_deep result__body">
  <h2 class="result__title"><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fen.example%2Fwiki%2FLamp%3Fa%3D1%26b%3D2&amp;rut=0f">Lamp &amp; light</a></h2>
  <div class="result__extras"><a class="result__url" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fen.example">en.example/wiki/Lamp</a></div>
  <a class="result__snippet" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fen.example">A <b>lamp</b> gives
   light.</a></div></div>
 <div class="result results_links results_links_deep web-result"><div class="links_main links_deep result__body">
  <h2 class="result__title"><a rel="nofollow" class="result__a" href="https://shop.example/lamps">Lamps</a></h2>
  <a class="result__snippet" href="https://shop.example/lamps">All our lamps.</a></div></div>
 <div class="nav-link"><form action="/html/"><input type=submit value=Next></form></div>
</div></body></html>`

// general is another engine's page: headings within links, snippets without a mark.
const general = `<main><ol>
<li><a href="https://one.example/"><h3>One</h3><cite>one.example</cite></a><div><span>The first of them, with a snippet.</span></div></li>
<li><div><a href="/url?q=https://two.example/x&sa=U"><h3>Two</h3></a></div><p>Second.</p></li>
<li><h3><a href="/settings">Settings</a></h3></li>
<li><h3><a href="javascript:x()">Script</a></h3></li>
</ol></main>`

func TestReadingPagesOfResults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		page Page
		want []Result
	}{
		"duck": {Page{URL: "https://html.duckduckgo.com/html/?q=lamp", Status: 200, HTML: duck}, []Result{
			{"Lamp & light", "https://en.example/wiki/Lamp?a=1&b=2", "A lamp gives light."}, {"Lamps", "https://shop.example/lamps", "All our lamps."},
		}},
		"general": {Page{URL: "https://search.example/search?q=x", HTML: general}, []Result{
			{"One", "https://one.example/", "The first of them, with a snippet."}, {"Two", "https://two.example/x", "Second."},
		}},
		"nothing": {Page{URL: "https://html.duckduckgo.com/html/?q=x", Status: 200, HTML: `<div class="no-results">No results found for x</div>`}, []Result{}},
	} {
		found, err := (Browser{}).Read(c.page, Query{"x", 5})
		if diff := cmp.Diff(c.want, found); diff != "" || err != nil {
			t.Errorf("%s: %s %v", name, diff, err)
		}
	}
	if found, err := (Browser{}).Read(Page{URL: "https://html.duckduckgo.com/", HTML: duck}, Query{"x", 1}); err != nil || len(found) != 1 {
		t.Errorf("%v %v", found, err)
	}
}

func TestPagesThatHoldMachinesUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		page Page
		kind errtypes.Kind
	}{
		"anomaly":   {Page{Status: 200, HTML: `<form id="challenge-form"><div class="anomaly-modal__title">Unfortunately, bots use us too.</div></form>`}, errtypes.RateLimited},
		"202":       {Page{Status: 202, HTML: duck}, errtypes.RateLimited},
		"429":       {Page{Status: 429}, errtypes.RateLimited},
		"500":       {Page{Status: 500, HTML: duck}, errtypes.BadGateway},
		"other":     {Page{Status: 200, HTML: `<h1>Under construction</h1>`}, errtypes.BadGateway},
		"empty":     {Page{Status: 200}, errtypes.BadGateway},
		"recaptcha": {Page{HTML: strings.ToUpper(`<div class="g-recaptcha">`)}, errtypes.RateLimited},
	} {
		c.page.URL = "https://html.duckduckgo.com/html/"
		if found, err := (Browser{}).Read(c.page, Query{"x", 5}); !errtypes.Is(err, c.kind) || !strings.Contains(err.Error(), "html.duckduckgo.com") {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
}

func TestTheAddressOfASearch(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"":                                "https://html.duckduckgo.com/html/?q=a+%26+b%25x%25",
		"http://127.0.0.1:9/find?lang=de": "http://127.0.0.1:9/find?lang=de&q=a+%26+b%25x%25",
	} {
		if got := (Browser{Address: base}).PageOf(Query{Text: "a & b%x%"}); got != want {
			t.Error(got)
		}
	}
}

// A page can be made to take long to be read. It must not.
func TestHostilePagesOfResults(t *testing.T) {
	t.Parallel()
	for name, html := range map[string]string{
		"deep":  strings.Repeat("<div>", 20_000) + duck,
		"wide":  strings.Repeat(`<h2><a href="https://a.example/x">x</a></h2>`, 3_000),
		"alone": "<section>" + strings.Repeat(`<p>x</p>`, 3_000) + strings.Repeat(`<h2><a href="https://a.example">x</a></h2>`, 1_000),
	} {
		if _, err := (Browser{}).Read(Page{URL: "https://s.example", HTML: html}, Query{"x", 5}); err != nil && !errtypes.Is(err, errtypes.BadGateway) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
