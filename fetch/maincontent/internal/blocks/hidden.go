package blocks

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// IsUnseen reports whether an element never shows text: scripts, styles, the
// choices of forms, what players show instead of a film.
func IsUnseen(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Head, atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Object, atom.Select,
		atom.Textarea, atom.Datalist, atom.Title, atom.Noframes, atom.Noembed, atom.Audio, atom.Video, atom.Canvas,
		atom.Svg, atom.Desc, atom.Rp, atom.Annotation, atom.AnnotationXml:
		return true
	}
	return false
}

// IsHidden reports whether an element is hidden by an attribute or its own
// style until a script shows it: parts of a page that unfold, those that come
// late, and dialogs. The root and the body are never taken for hidden.
func IsHidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Html, atom.Body:
		return false
	case atom.Dialog:
		if _, open := tree.Attr(n, "open"); !open {
			return true
		}
	}
	if v, ok := tree.Attr(n, "hidden"); ok && !strings.EqualFold(v, "until-found") {
		return true
	}
	return hidesStyle(tree.AttrOr(n, "style"))
}

// hidesStyle reads the declarations of a style attribute.
func hidesStyle(style string) bool {
	if len(style) < len("display:none") {
		return false
	}
	for declaration := range strings.SplitSeq(style, ";") {
		name, value, _ := strings.Cut(declaration, ":")
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
