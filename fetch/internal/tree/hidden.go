package tree

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// IsHidden reports whether a page hides an element from its readers: by the
// attribute hidden, by its own style, or as a dialog that is not open. The value
// "until-found" of hidden does not count: such text is there to be found. Style
// sheets are not read. The root and the body are never taken for hidden, for
// pages hide them until their scripts have run.
func IsHidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Html, atom.Body:
		return false
	case atom.Dialog:
		if _, open := Attr(n, "open"); !open {
			return true
		}
	}
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "hidden":
			return !strings.EqualFold(a.Val, "until-found")
		case "style":
			if hidesStyle(a.Val) {
				return true
			}
		}
	}
	return false
}

// hidesStyle reads the declarations of a style attribute, of which display and
// visibility count.
func hidesStyle(style string) bool {
	if len(style) < len("display:none") {
		return false
	}
	for declaration := range strings.SplitSeq(style, ";") {
		name, value, ok := strings.Cut(declaration, ":")
		if !ok {
			continue
		}
		value, _, _ = strings.Cut(strings.ToLower(value), "!")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "display":
			if value == "none" {
				return true
			}
		case "visibility":
			if value == "hidden" || value == "collapse" {
				return true
			}
		}
	}
	return false
}
