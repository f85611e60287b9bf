package search

import (
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// readResults finds the results on a page: links that are, or are in, a heading, each
// with the text around it that belongs to no other. empty says that the page says that
// there are none.
func readResults(p Page) (all []Result, empty bool, err error) {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(p.HTML))
	if err != nil {
		return nil, false, err
	}
	doc.Find("script, style, noscript, template, header, nav, footer, form").Remove()
	at, _ := url.Parse(p.URL)
	var titles []title
	doc.Find("h1 a[href], h2 a[href], h3 a[href], h4 a[href], a[href] h2, a[href] h3, a.result__a[href]").EachWithBreak(func(_ int, s *goquery.Selection) bool {
		link := s.Closest("a")
		address, ok := target(at, link.AttrOr("href", ""))
		titles = append(titles, title{s, link, address, ok})
		return len(titles) < maxTitles
	})
	shared, seen := sharedBy(titles), map[string]bool{}
	for _, t := range titles {
		if !t.leads || seen[t.address] {
			continue
		}
		seen[t.address] = true
		if block := t.block(shared); !isAd(t.link, block) {
			all = append(all, Result{Title: t.text.Text(), URL: t.address, Snippet: snippetOf(block)})
		}
	}
	return all, isEmpty(doc), nil
}

// title is a link that is, or is in, a heading.
type title struct {
	text, link *goquery.Selection
	address    string
	leads      bool // elsewhere
}

const (
	maxTitles = 200 // that are looked at
	maxAround = 6   // how far up the block of one is looked for
	maxPieces = 50  // of text in a block
)

// sharedBy are the elements in which titles with different addresses are.
func sharedBy(all []title) map[*html.Node]bool {
	first, shared := map[*html.Node]string{}, map[*html.Node]bool{}
	for _, t := range all {
		href := t.link.AttrOr("href", "")
		for n, up := t.text.Nodes[0].Parent, 0; n != nil && up < maxAround; n, up = n.Parent, up+1 {
			if was, there := first[n]; there && was != href {
				shared[n] = true
			}
			first[n] = href
		}
	}
	return shared
}

// block is the largest element around a title that has no other title in it.
func (t title) block(shared map[*html.Node]bool) *goquery.Selection {
	block := t.text
	for range maxAround {
		up := block.Parent()
		if up.Length() == 0 || up.Is("body, html, main") || shared[up.Nodes[0]] {
			break
		}
		block = up
	}
	return block
}

// isEmpty reports whether the page says that nothing was found.
func isEmpty(doc *goquery.Document) bool {
	if doc.Find(".no-results, .no-result, .result--no-result").Length() > 0 {
		return true
	}
	text := strings.ToLower(doc.Find("body").Text())
	for _, words := range []string{"no results", "no more results", "did not match any", "nothing found"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// snippetOf is what the block says beside its title: what is marked as the snippet,
// else the longest piece of its text.
func snippetOf(block *goquery.Selection) string {
	marked := block.Find(".result__snippet, .snippet, [class*=snippet], [class*=description]").First()
	if text := strings.TrimSpace(marked.Text()); text != "" {
		return text
	}
	longest := ""
	pieces := block.Find("p, span, div, td, dd")
	pieces.Slice(0, min(pieces.Length(), maxPieces)).Each(func(_ int, s *goquery.Selection) {
		if s.Has("h1, h2, h3, h4, p, div").Length() > 0 || s.Closest("a, h1, h2, h3, h4").Length() > 0 {
			return
		}
		if text := strings.TrimSpace(s.Text()); len(text) > len(longest) {
			longest = text
		}
	})
	return longest
}

// isAd reports whether a result was paid for.
func isAd(link, block *goquery.Selection) bool {
	href := link.AttrOr("href", "")
	for _, sign := range []string{"duckduckgo.com/y.js", "ad_domain=", "ad_provider=", "/aclk?", "googleadservices."} {
		if strings.Contains(href, sign) {
			return true
		}
	}
	if block.Is("[class*='result--ad'], [data-text-ad], .ad") || block.Closest("[class*='result--ad'], [data-text-ad]").Length() > 0 {
		return true
	}
	return block.Find(".badge--ad, .badge--ad-wrap").Length() > 0
}

// wrapped are parameters in which search pages put the address that a link leads to.
var wrapped = []string{"uddg", "u3", "imgrefurl", "url", "q"}

// target is where a link leads: what a redirect of the search page has in it. A link
// within the search page itself is none.
func target(at *url.URL, href string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(href))
	if err != nil || at == nil {
		return "", false
	}
	u = at.ResolveReference(u)
	if sameSite(u.Hostname(), at.Hostname()) {
		query := u.Query()
		for _, name := range wrapped {
			if inner := query.Get(name); isWeb(inner) && !sameSite(hostName(inner), at.Hostname()) {
				return inner, true
			}
		}
		return "", false
	}
	return u.String(), isWeb(u.String())
}

func hostName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// sameSite reports whether a host is the other one, above or below it.
func sameSite(a, b string) bool {
	return a == b || strings.HasSuffix(a, "."+b) || strings.HasSuffix(b, "."+a)
}
