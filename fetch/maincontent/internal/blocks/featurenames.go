package blocks

import "strings"

// What the features that come in rows are called.
var (
	phraseNames  = named("phrase ", phrases[:])
	headingNames = named("heading ", phrases[:])
	outerNames   = named("outer heading ", phrases[:])
	sinceNames   = named("since ", []string{"related", "reviews", "comments", "questions"})
	nearNames    = named("near ", namesOf[:])
	hintNames    = named("named ", namesOf[:])
	pathNames    = named("path ", addresses[:])
	tagNames     = named("tag ", []string{"p", "li", "div", "td", "h1", "h2", "h3", "h4", "dd", "pre", "figcaption", "button"})
)

// named names lists of words by their first one.
func named(prefix string, lists []string) []string {
	names := make([]string, len(lists))
	for i, l := range lists {
		first, _, _ := strings.Cut(l, " ")
		names[i] = prefix + first
	}
	return names
}

var insideNames = [insideKinds]string{
	"nav", "header", "footer", "aside", "main", "article", "section", "form", "table", "list", "figure", "quote",
	"pre", "button", "dialog", "heading", "paragraph", "details", "time", "strong", "address", "label", "code", "hidden", "unspoken",
}
