package candidates

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/effort"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/names"
	"github.com/drover-go/drover/internal/shorten"
)

// A layout is the shown elements of a page in their order, over one text in
// which white space is one space and blocks begin lines.
type layout struct {
	meter *effort.Meter
	nodes []node
	text  string
	url   string
	title string
}

// A node is a shown element.
type node struct {
	el       *html.Node
	up       int // its parent, or -1
	end      int // the node after all that are in it
	from, to int // its text
	links    int // how much of it is in links
	breaks   int // br elements in it
	blocks   int // block elements with text in it
	class    string
	place    place // by its own names and those around it
}

func (n *node) is(names ...atom.Atom) bool { return tree.Is(n.el, names...) }

func (n *node) size() int { return n.to - n.from }

// A place says where an element stands, by its names and those around it: how
// many elements up the nearest one is that has a name of each kind.
type place struct {
	near                 [places]uint8 // in the order of the senses
	aside, article, form bool
}

// far is the distance of what is not there.
const far = 12

// A setter lays a page out.
type setter struct {
	*layout
	b           strings.Builder
	up          int
	inLink      int
	space, line bool
	named       map[string]sense // of attributes
}

// maxPageText is how much text of a page is looked at, in bytes.
const maxPageText = 4 << 20

func lay(p *page.Page) *layout {
	s := &setter{layout: &layout{meter: p.Meter}, up: -1, named: map[string]sense{}}
	if p.URL != nil {
		s.url = p.URL.Path
	}
	s.children(p.Doc)
	s.text = s.b.String()
	for i := range s.nodes {
		if n := &s.nodes[i]; n.from < n.to && s.text[n.from] <= ' ' {
			n.from++ // what separates it from the text before
		}
	}
	return s.layout
}

// children lays out what is in a node: text in the head is none of the page.
func (s *setter) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode && s.up >= 0:
			s.words(c.Data)
		case tree.Is(c, atom.Html, atom.Head):
			s.children(c)
		case tree.Is(c, atom.Title) && s.title == "" && c.FirstChild != nil:
			s.title = shorten.Prefix(c.FirstChild.Data, maxNames)
		case c.Type == html.ElementNode:
			s.element(c)
		}
	}
}

func (s *setter) element(n *html.Node) {
	s.meter.Step(1)
	if page.IsSilent(n) || tree.IsHidden(n) || s.b.Len() > maxPageText {
		return
	}
	if n.DataAtom == atom.Br {
		s.line = true
		if s.up >= 0 {
			s.nodes[s.up].breaks++
		}
		return
	}
	block, at, up := page.IsBlock(n), len(s.nodes), s.up
	s.nodes = append(s.nodes, node{el: n, up: up, from: s.b.Len(), class: classOf(n), place: s.placeOf(n)})
	s.up, s.line = at, s.line || block
	if n.DataAtom == atom.A {
		s.inLink++
		defer func() { s.inLink-- }()
	}
	s.children(n)
	s.up, s.line = up, s.line || block
	in := &s.nodes[at]
	in.end, in.to = len(s.nodes), s.b.Len()
	if up < 0 {
		return
	}
	// What is in the node is in the one around it, but br elements in blocks.
	around := &s.nodes[up]
	around.links, around.blocks = around.links+in.links, around.blocks+in.blocks
	if !block {
		around.breaks += in.breaks
	} else if in.size() > 0 {
		around.blocks++
	}
}

// words writes the words of a text.
func (s *setter) words(text string) {
	s.meter.Read(len(text))
	for text != "" {
		word := strings.TrimLeftFunc(text, isSpace)
		s.space = s.space || len(word) < len(text)
		if text = ""; word == "" {
			break
		}
		if end := strings.IndexFunc(word, isSpace); end >= 0 {
			word, text = word[:end], word[end:]
		}
		switch {
		case s.b.Len() == 0:
		case s.line:
			s.b.WriteByte('\n')
		case s.space:
			s.b.WriteByte(' ')
		}
		s.space, s.line = false, false
		s.b.WriteString(word)
		if s.inLink > 0 {
			s.nodes[s.up].links += len(word)
		}
	}
}

// isSpace reports whether a character separates words.
func isSpace(c rune) bool { return unicode.IsSpace(c) || c == '\u200B' || c == '\uFEFF' }

var figures = lexicon.Pattern(`[0-9]+`)

// classOf returns what elements that are built alike have in common: the name
// and the classes, without the digits of those that count.
func classOf(n *html.Node) string {
	class := figures().ReplaceAllString(shorten.Prefix(tree.AttrOr(n, "class"), 200), "")
	if class == "" {
		return n.Data
	}
	words := slices.DeleteFunc(strings.Fields(class), func(word string) bool { return named()[word]&ofCounting != 0 })
	return n.Data + "." + strings.Join(words, ".")
}

// naming are the attributes in which people name elements.
var naming = map[string]bool{"class": true, "id": true, "itemprop": true, "name": true, "property": true, "data-testid": true, "aria-label": true, "aria-labelledby": true, "data-role": true}

// placeOf returns the place of an element below the node that is open.
func (s *setter) placeOf(n *html.Node) place {
	p := place{near: [places]uint8{far, far, far, far}}
	if s.up >= 0 {
		p = s.nodes[s.up].place
	}
	p.aside = p.aside || tree.Is(n, atom.Nav, atom.Footer, atom.Aside)
	p.article = p.article || tree.Is(n, atom.Article, atom.Main)
	p.form = p.form || n.DataAtom == atom.Form
	var said sense
	for _, a := range n.Attr {
		if naming[a.Key] && a.Namespace == "" && n.DataAtom != atom.Body { // the names of the body are of the whole page
			of, known := s.named[a.Val]
			if !known {
				of = wordsOfName(a.Val)
				s.named[a.Val] = of
			}
			said |= of
		}
	}
	for i := range p.near {
		p.near[i] = min(p.near[i]+1, far)
		if said>>i&1 != 0 {
			p.near[i] = 0
		}
	}
	return p
}

// maxNames is how much of an attribute is looked at, in bytes.
const maxNames = 300

// wordsOfName reads names as they are written in markup: recipe-ingredients,
// recipeIngredient, recipe_ingredients__item.
func wordsOfName(name string) (said sense) {
	for part := range strings.FieldsFuncSeq(shorten.Prefix(name, maxNames), func(c rune) bool { return !unicode.IsLetter(c) }) {
		for _, word := range names.Words(part) {
			said |= named()[word]
		}
	}
	return said
}
