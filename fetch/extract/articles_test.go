package extract

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/corpora"
)

// The shares of the pages of the main-content corpus on which a schema for an article gets
// the gold answer, below which TestQualityArticles fails.
const (
	wantArticleTitles   = 0.875
	wantArticleAuthors  = 0.81
	wantNoArticleAuthor = 0.87
	wantArticleDates    = 0.77
	wantNoArticleDate   = 0.85
)

// articleSchema is what people ask most pages for.
const articleSchema = `{"type":"object","properties":{"title":{"type":"string"},"author":{"type":"string"},"published":{"type":"string","description":"publication date"}}}`

// TestQualityArticles asks pages of every kind for a title, an author and a date, which
// many of them do not have.
func TestQualityArticles(t *testing.T) {
	corpora.Measure(t)
	s := mustCompile(t, articleSchema)
	var title, author, noAuthor, date, noDate share
	for _, p := range corpora.Pages(t, "main-content") {
		want := goldOf(t, p.ID).Truth
		r, err := Shape(context.Background(), parse(t, p.HTML(t)), &url.URL{Scheme: "https", Host: "example.com", Path: "/"}, s, ShapeOptions{})
		if err != nil {
			t.Fatal(p.ID, err)
		}
		var got struct{ Title, Author, Published string }
		if err := json.Unmarshal(r.Content, &got); err != nil {
			t.Fatal(p.ID, err)
		}
		title.count(t, p.ID, "title", overlaps(got.Title, want.Title), got.Title, want.Title)
		if want.Author != "" {
			author.count(t, p.ID, "author", overlaps(got.Author, want.Author), got.Author, want.Author)
		} else {
			noAuthor.count(t, p.ID, "no author", got.Author == "", got.Author, "")
		}
		if want.Date != "" {
			date.count(t, p.ID, "date", strings.HasPrefix(got.Published, want.Date[:min(10, len(want.Date))]), got.Published, want.Date)
		} else {
			noDate.count(t, p.ID, "no date", got.Published == "", got.Published, "")
		}
	}
	title.atLeast(t, "titles", wantArticleTitles)
	author.atLeast(t, "authors", wantArticleAuthors)
	noAuthor.atLeast(t, "pages without an author", wantNoArticleAuthor)
	date.atLeast(t, "dates", wantArticleDates)
	noDate.atLeast(t, "pages without a date", wantNoArticleDate)
}

// TestPagesSayWhatTheyAreThemselves has things on pages that are not what the pages are
// about: a schema for an article is filled as the metadata of the page are.
func TestPagesSayWhatTheyAreThemselves(t *testing.T) {
	const (
		head     = `<html lang=en><title>Ten ways to mend a kettle | The Shed</title><meta property=og:site_name content="The Shed">`
		text     = `<h1>Ten ways to mend a kettle</h1><p>By Ann Lee, 3 May 2024</p><p>A kettle that drips is a kettle that can be mended, and here is how that is done.</p>`
		question = `{"@type":"Question","name":"Can a kettle be mended?","acceptedAnswer":{"@type":"Answer","text":"It can."}}`
		want     = `{"title":"Ten ways to mend a kettle","author":"Ann Lee","published":"2024-05-03"}`
	)
	for name, c := range map[string]struct{ page, want string }{
		"questions":      {head + script(`{"@type":"FAQPage","mainEntity":[`+question+`,`+question+`]}`) + text, want},
		"one question":   {head + script(`{"@type":"FAQPage","mainEntity":[`+question+`]}`) + text, want},
		"its owner":      {head + script(`{"@type":"Organization","name":"Shed and Sons Ltd","url":"https://www.example.com/"}`) + text, want},
		"the way to it":  {head + text + `<ol itemscope itemtype="https://schema.org/BreadcrumbList"><li itemprop=itemListElement itemscope itemtype="https://schema.org/ListItem"><span itemprop=name>Home</span></ol>`, want},
		"a page":         {head + script(`{"@type":"WebPage","name":"Mend a kettle - The Shed","datePublished":"2020-01-01","url":"https://www.example.com/news/one"}`) + text, `{"title":"Ten ways to mend a kettle","author":"Ann Lee","published":"2024-05-03"}`},
		"a shop's page":  {head + script(`{"@type":"WebPage","name":"Kettles","datePublished":"2020-01-01","url":"https://www.example.com/news/one"}`) + `<h1>Ten ways to mend a kettle</h1><p>We mend.</p>`, `{"title":"Ten ways to mend a kettle"}`},
		"a name's field": {head + text + `<form><label>Name <input class=name value=Bob></label></form><div class=headline>More from us</div>`, want},
		"an article":     {head + script(`{"@type":"Article","headline":"Mend kettles","author":{"@type":"Person","name":"Bo Kim"},"datePublished":"2024-05-04"}`) + text, `{"title":"Mend kettles","author":"Bo Kim","published":"2024-05-04"}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(shaped(t, c.page, articleSchema, ShapeOptions{}).Content); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
