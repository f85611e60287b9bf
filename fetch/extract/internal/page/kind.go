package page

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// IsBlock reports whether an element begins a line and ends it: block elements
// and the parts of tables.
func IsBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center, atom.Dd,
		atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure,
		atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup,
		atom.Hr, atom.Legend, atom.Li, atom.Listing, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Optgroup,
		atom.Option, atom.P, atom.Pre, atom.Search, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td,
		atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul, atom.Xmp:
		return n.Namespace == ""
	}
	return false
}

// IsSilent reports whether an element has no text for a reader, whatever the
// styles are: scripts, styles, templates, the head's elements.
func IsSilent(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Title, atom.Noscript, atom.Noframes, atom.Noembed, atom.Iframe,
		atom.Object, atom.Audio, atom.Video, atom.Canvas, atom.Datalist, atom.Textarea, atom.Base, atom.Link, atom.Meta,
		atom.Param, atom.Source, atom.Track, atom.Svg:
		return n.Namespace == "" || n.DataAtom == atom.Svg || n.DataAtom == atom.Style || n.DataAtom == atom.Script
	}
	return false
}
