package visible

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A layout is the page as a reader sees it: the shown nodes in the order of the
// page, and one text with a line for each line of the page. The text of an
// element is a stretch of that text.
type layout struct {
	nodes []node
	lines []line
	text  string
	// tokens are the names in classes.
	tokens tokens
}

// node is an element that is shown, or a text with words.
type node struct {
	el *html.Node
	up int // the parent, or -1
	// end is the index after the last node within.
	end int
	// from and to are its stretch of the text; to is after it.
	from, to int
	// line and lineEnd are the lines that it has words on.
	line, lineEnd int
	part          int // the part it belongs to
	flags         flags
	level         int8 // of a heading 1 to 7, else 0
	key           uint64
	kin           uint64 // what its descendants are, a set of bits
}

// line is a line of the text.
type line struct {
	from, to    int
	first, last int // its first and last text node
}

type flags uint32

const (
	isText flags = 1 << iota
	isBlock
	isAside   // beside the main part
	isStruck  // crossed out: an old price
	hasStruck // something within is crossed out
	hasImage
	hasLink
	hasHeading
	hasTable
	hasWhole   // what is no part of an item: a form, the title of the page
	hasItems   // its children are
	isMember   // one of several that are alike: an item
	isTerm     // in a term of a definition list
	inTable    // in a table of data
	isQuestion // begins a line that is a question before its answer
	isVeiled   // hidden by a class until a script shows it
	isCents    // the cents of an amount that begins before it
	// What its classes say.
	saysLabel
	saysTitle
	saysBody
	saysCrumbs
	saysAdvert
	saysCard
	saysRelated
	saysRemark
	saysReview
	saysBoilerplate
	saysHidden
	saysWide // shown where the window is wide
)

func (n *node) is(f flags) bool { return n.flags&f != 0 }

// named reports whether the node is an element of one of the names.
func (n *node) named(names ...atom.Atom) bool {
	return n.flags&isText == 0 && slices.Contains(names, n.el.DataAtom)
}
