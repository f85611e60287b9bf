package maincontent

import (
	"strings"
	"testing"
)

// What an article is called counts as its title rather than as content, unless
// it is asked for; then it is there once, and not in the body.
func TestTheTitleOfAnArticleIsKeptOnDemand(t *testing.T) {
	const title = "The winter the harbour froze"
	var page strings.Builder
	page.WriteString("<title>" + title + " | Example</title><nav><a href=/>Home</a></nav><main><article class=post>" +
		"<h1>" + title + "</h1><div class=entry-content>")
	for _, said := range []string{"The harbour froze in January", "People walked out to the light", "On the twelfth day the ice broke", "Two sledges drifted out"} {
		page.WriteString("<p>" + said + ", which nobody had seen since the winter of their grandparents, and all of the town came to look at it.</p>")
	}
	page.WriteString("<h2>" + title + "</h2><p>What stays is a photograph in the town hall, a line of dark coats on a white plain, and the light behind.</p></div></article></main>")
	r := mustFind(t, page.String(), Options{KeepTitle: true})
	text := r.Text()
	if r.Type != Article || !strings.HasPrefix(text, title+"\nThe harbour") || strings.Count(text, title) != 1 {
		t.Errorf("%s: %s", r.Type, text)
	}
	if body := r.Body(); strings.Contains(body, title) || !strings.Contains(body, "photograph") {
		t.Errorf("the body: %s", body)
	}
	if text := mustFind(t, page.String(), Options{}).Text(); strings.HasPrefix(text, title) {
		t.Errorf("not asked for: %s", text)
	}
}
