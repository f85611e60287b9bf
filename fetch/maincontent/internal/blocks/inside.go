package blocks

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// inside says in what elements a block stands, at any distance.
type inside uint32

const (
	inNav inside = 1 << iota
	inHeader
	inFooter
	inAside
	inMain
	inArticle
	inSection
	inForm
	inTable
	inList
	inFigure
	inQuote
	inPre
	inButton
	inDialog
	inHeading
	inParagraph
	inDetails
	inTime
	inStrong
	inAddress
	inLabel
	inCode
	inHidden
	inUnspoken  // hidden from screen readers
	insideKinds = 25
)

var insides = map[atom.Atom]inside{
	atom.Nav: inNav, atom.Header: inHeader, atom.Footer: inFooter, atom.Aside: inAside, atom.Main: inMain,
	atom.Article: inArticle, atom.Section: inSection, atom.Form: inForm, atom.Table: inTable,
	atom.Ul: inList, atom.Ol: inList, atom.Dl: inList, atom.Figure: inFigure, atom.Blockquote: inQuote, atom.Pre: inPre,
	atom.Button: inButton, atom.Dialog: inDialog, atom.H1: inHeading, atom.H2: inHeading, atom.H3: inHeading,
	atom.H4: inHeading, atom.H5: inHeading, atom.H6: inHeading, atom.P: inParagraph, atom.Details: inDetails,
	atom.Time: inTime, atom.Strong: inStrong, atom.B: inStrong, atom.Address: inAddress, atom.Label: inLabel, atom.Code: inCode,
}

var roles = map[string]inside{
	"navigation": inNav, "menu": inNav, "menubar": inNav, "banner": inHeader, "contentinfo": inFooter,
	"complementary": inAside, "main": inMain, "article": inArticle, "dialog": inDialog, "alertdialog": inDialog,
	"search": inForm, "form": inForm, "button": inButton, "heading": inHeading,
}

func insideOf(n *html.Node) inside {
	in := insides[n.DataAtom]
	if tree.IsHidden(n) {
		in |= inHidden
	}
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "role":
			in |= roles[a.Val]
		case "aria-hidden":
			if a.Val == "true" {
				in |= inUnspoken
			}
		}
	}
	return in
}
