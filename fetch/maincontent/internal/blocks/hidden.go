package blocks

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
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
