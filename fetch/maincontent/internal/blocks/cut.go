package blocks

import (
	"hash/maphash"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// A cutter walks the tree once and makes the elements and blocks of a page.
type cutter struct {
	*Page
	open  int // the block that is being read, -1 for none
	known map[string]vocabulary
	stack []level
	links int // how many links are around
}

// A level is what is known of an element that is being walked.
type level struct {
	elem   int32
	inside inside
	near   nearness
}

// cut walks without recursion: the tree may be as deep as its parser let it.
func (c *cutter) cut(root *html.Node) {
	c.stack = append(c.stack, level{elem: -1})
	c.stack[0].near.clear()
	for n := root; n != nil; {
		c.step(1)
		if n.FirstChild != nil && c.enter(n) {
			n = n.FirstChild
			continue
		}
		if n.Type == html.TextNode {
			c.text(n)
		} else if n.Type == html.ElementNode && Breaks(n) {
			c.open = -1
		}
		for n != root && n.NextSibling == nil {
			n = n.Parent
			c.leave(n)
		}
		if n == root {
			return
		}
		n = n.NextSibling
	}
}

// enter reports whether there may be text to see in n.
func (c *cutter) enter(n *html.Node) bool {
	if n.Type == html.DocumentNode {
		c.stack = append(c.stack, c.stack[len(c.stack)-1])
		return true
	}
	if n.Type != html.ElementNode || IsUnseen(n) {
		return false
	}
	if tree.Is(n, atom.A) {
		c.links++
	}
	top := &c.stack[len(c.stack)-1]
	if !Breaks(n) {
		c.stack = append(c.stack, level{top.elem, top.inside | insideOf(n), top.near})
		return true
	}
	c.open = -1
	v := vocabulary(0)
	if !tree.Is(n, atom.Body, atom.Html) { // their names are about the page
		v = c.vocabulary(n)
	}
	next := level{elem: int32(len(c.elems)), inside: top.inside | insideOf(n), near: top.near.below(v)}
	c.elems = append(c.elems, elem{
		node: n, parent: top.elem, depth: int32(len(c.stack)), words: v,
		sign: sign(n), from: int32(len(c.Blocks)), to: int32(len(c.Blocks)),
	})
	e := &c.elems[next.elem]
	e.path = e.sign
	if e.parent >= 0 {
		e.path += c.elems[e.parent].path * 0x9E3779B97F4A7C15
	}
	c.stack = append(c.stack, next)
	return true
}

func (c *cutter) leave(n *html.Node) {
	top := c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
	if n.Type == html.ElementNode && Breaks(n) {
		c.open = -1
		c.elems[top.elem].to = int32(len(c.Blocks))
	}
	if tree.Is(n, atom.A) {
		c.links--
	}
}

// text adds a text to the block that is open, or opens one.
func (c *cutter) text(n *html.Node) {
	c.step(len(n.Data) / 64)
	if tree.IsBlank(n) {
		if c.open >= 0 { // it parts words
			c.texts = append(c.texts, n)
			c.Blocks[c.open].to++
		}
		return
	}
	top := &c.stack[len(c.stack)-1]
	if top.elem < 0 {
		return
	}
	if c.open < 0 {
		c.open = len(c.Blocks)
		e := &c.elems[top.elem]
		c.Blocks = append(c.Blocks, Block{
			elem: top.elem, tag: e.node.DataAtom, near: top.near, path: e.path,
			from: len(c.texts), to: len(c.texts),
		})
	}
	b := &c.Blocks[c.open]
	c.texts = append(c.texts, n)
	b.to++
	words := b.style.read(n.Data)
	b.Words += words
	if c.links > 0 {
		b.LinkWords += words
	}
	b.inside |= top.inside
	b.hash = b.hash*31 + maphash.String(seed, strings.TrimSpace(n.Data))
}

var seed = maphash.MakeSeed()

// vocabulary returns what the class, id and role of n say.
func (c *cutter) vocabulary(n *html.Node) vocabulary {
	var v vocabulary
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "class", "id", "role", "itemprop", "aria-label", "data-testid", "data-component":
			if len(a.Val) > maxName {
				continue
			}
			known, ok := c.known[a.Val]
			if !ok {
				known = readNames(a.Val)
				c.known[a.Val] = known
				c.step(1 + len(a.Val)/16)
			}
			v |= known
		}
	}
	return v
}

// maxName is the length above which class names are not read.
const maxName = 512

// sign is the same for elements of the same name and first class.
func sign(n *html.Node) uint64 {
	h := maphash.String(seed, n.Data)
	for class := range tree.Classes(n) {
		if len(class) < maxName {
			h ^= maphash.String(seed, strings.TrimRight(class, "0123456789")) * 3
		}
		break
	}
	return h
}

// Breaks reports whether an element stands on lines of its own.
func Breaks(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Br, atom.Cite, atom.Code, atom.Data,
		atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Nobr, atom.Q,
		atom.S, atom.Samp, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time,
		atom.Tt, atom.U, atom.Var, atom.Wbr, atom.Img, atom.Picture, atom.Svg, atom.Math, atom.Input, atom.Ruby, atom.Rb,
		atom.Rp, atom.Rt, atom.Source:
		return false
	case 0:
		return n.Namespace == "" && strings.Contains(n.Data, "-") // own elements are mostly frames
	}
	return n.Namespace == ""
}
