package fetch_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch"
)

// surrounded is an article amid what surrounds articles.
var surrounded = `<!doctype html><html lang=en><head><base href="/sub/"><title>A morning | The Paper</title></head><body>
	<header><nav><ul><li><a href="/home">Home page</a></li><li><a href="/all">All sections</a></li></ul></nav></header>
	<main><article><h1>A morning</h1><p>By Ann Doe</p>` + strings.Repeat(`<p>The harbour was quiet that morning, and the <a href="boats">boats</a> lay still under a pale sky.</p>`, 12) + `</article></main>
	<aside class="related"><h2>Read on</h2><ul><li><a href="/x">Another story</a></li></ul><dl><dt>Harbour dues</dt><dd>12</dd></dl></aside>
	<footer><p>Imprint</p><a href="/terms">Terms of use</a></footer></body></html>`

func TestOnlyMainContentAsMarkdown(t *testing.T) {
	s := open(t, fetch.Config{})
	site := serve(t, page("text/html", surrounded))
	whole := get(t, s, site, fetch.Options{Format: fetch.Markdown})
	main := get(t, s, site, fetch.Options{Format: fetch.Markdown, OnlyMainContent: true})
	for _, around := range []string{"All sections", "Terms of use", "Another story"} {
		if !strings.Contains(whole.Content, around) || strings.Contains(main.Content, around) {
			t.Errorf("%q: %s", around, main.Content)
		}
	}
	if !strings.Contains(main.Content, "The harbour was quiet") || !strings.Contains(main.Content, "/sub/boats)") {
		t.Errorf("the content: %s", main.Content)
	}
	if main.Metadata == nil || main.Metadata.Title != whole.Metadata.Title || main.Metadata.Title == "" {
		t.Errorf("%+v and %+v", whole.Metadata, main.Metadata)
	}
}

func TestOnlyMainContentAsJSON(t *testing.T) {
	s := open(t, fetch.Config{})
	site := serve(t, page("text/html", surrounded))
	o := fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(`{"properties":{"harbourDues":{"type":"integer"},"title":{"type":"string"}}}`)}
	if got := get(t, s, site, o).Content; got != `{"harbourDues":12,"title":"A morning"}` {
		t.Errorf("the whole page: %s", got)
	}
	o.OnlyMainContent = true
	if got := get(t, s, site, o).Content; got != `{"title":"A morning"}` {
		t.Errorf("the main content: %s", got)
	}
}

func TestOnlyMainContentOfAText(t *testing.T) {
	s := open(t, fetch.Config{})
	site := serve(t, page("text/plain", "a\nb\n"))
	if got := get(t, s, site, fetch.Options{Format: fetch.Markdown, OnlyMainContent: true}).Content; got != "a\nb\n" {
		t.Errorf("%q", got)
	}
}
