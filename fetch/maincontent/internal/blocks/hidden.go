package blocks

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// IsHidden reports whether a browser shows no text of the element: scripts,
// styles, the choices of forms, what is hidden by an attribute or its own
// style. The root and the body are never taken for hidden, for pages hide them
// until their scripts have run.
func IsHidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Html, atom.Body:
		return false
	case atom.Head, atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Object, atom.Select,
		atom.Textarea, atom.Datalist, atom.Title, atom.Noframes, atom.Noembed, atom.Audio, atom.Video, atom.Canvas,
		atom.Svg, atom.Desc, atom.Rp, atom.Annotation, atom.AnnotationXml:
		return true
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
