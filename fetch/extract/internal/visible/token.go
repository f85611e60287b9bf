package visible

import (
	"strings"

	"golang.org/x/net/html"
)

// token is what one of the names in a class or an id says.
type token struct {
	// name is what it calls something, see [nameOfClass], or "".
	name string
	// Of what has it: whether it is the label of what comes next, a title,
	// around the content, a path to the page.
	label, title, boilerplate, crumbs bool
	// state says that it tells one from others that are alike, or stands for
	// nothing else.
	state bool
}

// tokens are the names on a page, each looked at once.
type tokens map[string]*token

func (t tokens) of(s string) *token {
	if known := t[s]; known != nil {
		return known
	}
	lower := strings.ToLower(s)
	k := &token{name: nameOfClass(s), boilerplate: boilerplate[lower], state: hasDigit(s) || states[lower],
		crumbs: strings.Contains(lower, "breadcrumb") || strings.Contains(lower, "bread-crumb") || lower == "crumbs"}
	for word := range splitWords(cut(s, maxToken)) {
		k.label = k.label || labelWords[word]
		k.title = k.title || word == "title" || word == "headline" || word == "subject"
	}
	t[s] = k
	return k
}

// maxNames is how much of a class attribute is looked at, in bytes.
const maxNames = 256

// in yields what the names in an attribute say.
func (t tokens) in(attribute string) func(yield func(*token) bool) {
	return func(yield func(*token) bool) {
		for s := range strings.FieldsSeq(cut(attribute, maxNames)) {
			if !yield(t.of(s)) {
				return
			}
		}
	}
}

// noun returns the first name that the classes of an element give it.
func (t tokens) noun(n *html.Node) string {
	for k := range t.in(attr(n, "class")) {
		if k.name != "" {
			return k.name
		}
	}
	return ""
}

// isLabel reports whether the class of an element says that it is the label of
// what comes next.
func (t tokens) isLabel(n *html.Node) bool {
	for k := range t.in(attr(n, "class")) {
		if k.label {
			return true
		}
	}
	return false
}

var labelWords = setOf("label key term caption th dt lbl labels fieldname")

// isTitle reports whether the class of an element says that it is a title.
func (t tokens) isTitle(n *html.Node) bool {
	for k := range t.in(attr(n, "class")) {
		if k.title {
			return true
		}
	}
	return false
}

// isBoilerplate reports whether the id or class of an element is one of what
// stands around the content of pages.
func (t tokens) isBoilerplate(n *html.Node) bool {
	for i := range n.Attr {
		if n.Attr[i].Key != "class" && n.Attr[i].Key != "id" {
			continue
		}
		for k := range t.in(n.Attr[i].Val) {
			if k.boilerplate {
				return true
			}
		}
	}
	return false
}

// isCrumbs reports whether an element says that it holds the path to the page.
func (t tokens) isCrumbs(n *html.Node) bool {
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "class", "id", "aria-label", "data-testid":
			for k := range t.in(n.Attr[i].Val) {
				if k.crumbs {
					return true
				}
			}
		}
	}
	return false
}
