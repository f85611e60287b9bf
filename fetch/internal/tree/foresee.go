package tree

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// foresee returns an upper bound on the nodes that the parser will make of
// src, or the first bound above limit. It is tight for pages that close what
// they open and far too high for those that do not, which is what it is for.
func foresee(ctx context.Context, src string, limit int) int {
	fast := &scanner{src: src}
	nodes, sure := forecastOf(ctx, fast, limit)
	if fast.lost {
		nodes, sure = forecastOf(ctx, &tokenizer{z: html.NewTokenizer(strings.NewReader(src))}, limit)
	}
	if !sure {
		return worst(src)
	}
	return nodes
}

func forecastOf(ctx context.Context, l lexer, limit int) (nodes int, sure bool) {
	f := forecast{frames: []frame{{}}}
	for tokens := 1; f.nodes <= limit && !f.lost; tokens++ {
		if tokens%askEvery == 0 && ctx.Err() != nil {
			return f.nodes, true // whoever asked does not go on either
		}
		kind, name := l.next(f.foreign.inside())
		switch kind {
		case html.ErrorToken:
			return f.nodes, true
		case html.StartTagToken, html.SelfClosingTagToken:
			f.start(name, kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			f.end(name)
		case html.TextToken:
			f.add()
		default:
			f.nodes++
		}
	}
	return f.nodes, !f.lost
}

// worst returns the nodes that a page can have at most, whatever the parser
// makes of its tags: cheap to know, and enough for most pages.
func worst(src string) int {
	tags, formatting := 0, 0
	for {
		i := strings.IndexByte(src, '<')
		if i < 0 {
			break
		}
		src = src[i+1:]
		tags++
		if isFormatting(atomAt(src)) {
			formatting++
		}
	}
	tokens := 2*tags + 1
	return tokens * (1 + min(formatting, parserDepth))
}

// longestFormatting is the length of "strike" and "strong".
const longestFormatting = 6

// atomAt returns the name of the tag that src goes on with, if it may be that of
// a formatting element.
func atomAt(src string) atom.Atom {
	var name [longestFormatting + 1]byte
	n := 0
	for n < len(src) && n < len(name) && isLetter(src[n]) {
		name[n] = src[n] | 0x20
		n++
	}
	return atom.Lookup(name[:n])
}

// A lexer splits a page into tokens. After svg and math have begun, which is
// what foreign says, no element holds raw text. Names are in lower case and
// good until the next call.
type lexer interface {
	next(foreign bool) (kind html.TokenType, name []byte)
}

// tokenizer is the lexer that the parser itself uses.
type tokenizer struct{ z *html.Tokenizer }

func (t *tokenizer) next(foreign bool) (html.TokenType, []byte) {
	if foreign {
		t.z.NextIsNotRawText()
	}
	t.z.AllowCDATA(foreign)
	kind := t.z.Next()
	if kind == html.StartTagToken || kind == html.EndTagToken || kind == html.SelfClosingTagToken {
		name, _ := t.z.TagName()
		return kind, name
	}
	return kind, nil
}

// A forecast follows the parser's list of active formatting elements, the ones
// that it opens again in every block until their end tag comes. It may take
// such an element for open when it is closed, never the other way round: an
// end tag counts only where the parser is sure to act on it.
type forecast struct {
	nodes int
	// open is the number of formatting elements in all frames.
	open int
	// frames are the elements that shield what is around them from end tags
	// within. The first one is the page.
	frames []frame
	// foreign follows a drawing or formula, which has other rules.
	foreign foreign
	// lost says that the parser may be anywhere.
	lost bool
}

type frame struct {
	name atom.Atom
	// sure says that the parser has surely opened the element: cells count
	// only in tables.
	sure bool
	open []atom.Atom
}

// add counts a token that becomes a node, before which the parser may open
// every active formatting element once more.
func (f *forecast) add() { f.nodes += 1 + min(f.open, parserDepth) }

func (f *forecast) start(raw []byte, closed bool) {
	f.add()
	name := atom.Lookup(raw)
	if f.foreign.inside() {
		f.lost = f.lost || !f.foreign.start(raw, name, closed)
	}
	switch {
	case isFormatting(name):
		top := f.top()
		top.open = append(top.open, name)
		f.open++
	case f.foreign.inside():
	case name == atom.Frameset:
		f.lost = true // from here on the parser drops nearly everything
	case isCell(name):
		f.startCell(name)
	case isShield(name):
		f.frames = append(f.frames, frame{name: name, sure: name == atom.Table})
	case (name == atom.Svg || name == atom.Math) && !closed:
		f.foreign.enter(raw)
	}
}

// startCell leaves the cell before it, as the parser does.
func (f *forecast) startCell(name atom.Atom) {
	if f.inCell() {
		f.pop()
	}
	f.frames = append(f.frames, frame{name: name, sure: f.top().name == atom.Table && f.top().sure})
}

func (f *forecast) end(raw []byte) {
	name := atom.Lookup(raw)
	switch {
	case isFormatting(name):
		f.nodes += 8 // taking an element apart may copy a few others
	case name == atom.P || name == atom.Br:
		f.add() // the end tag of nothing makes an element
	}
	if f.foreign.inside() {
		f.lost = f.lost || !f.foreign.end(raw)
		return
	}
	switch {
	case isFormatting(name):
		f.close(name)
	case name == atom.Table && f.inCell():
		f.pop()
		f.pop()
	case name == f.top().name && len(f.frames) > 1:
		f.pop()
	}
}

func (f *forecast) close(name atom.Atom) {
	top := f.top()
	for i := len(top.open) - 1; i >= 0; i-- {
		if top.open[i] == name {
			top.open = slices.Delete(top.open, i, i+1)
			f.open--
			return
		}
	}
}

func (f *forecast) top() *frame { return &f.frames[len(f.frames)-1] }

func (f *forecast) inCell() bool { return f.top().sure && isCell(f.top().name) }

// pop leaves a frame. What is still open in a cell ends with it; what is open
// in any other frame may live on around it.
func (f *forecast) pop() {
	last := *f.top()
	f.frames = f.frames[:len(f.frames)-1]
	if isCell(last.name) && last.sure {
		f.open -= len(last.open)
		return
	}
	f.top().open = append(f.top().open, last.open...)
}

// foreign follows the elements of a drawing (svg) or a formula (math) while
// they are nothing but that. Text inside them may hold HTML again, and HTML
// that does not belong there ends them; where either happens they are lost.
type foreign struct {
	open []string
	// text says that the innermost element may hold text only.
	text bool
}

func (f *foreign) inside() bool { return len(f.open) > 0 }

func (f *foreign) enter(name []byte) { f.open = append(f.open[:0], string(name)) }

// start reports whether the element is surely one of the drawing.
func (f *foreign) start(name []byte, a atom.Atom, closed bool) bool {
	if f.text || leavesForeign(a) || string(name) == "foreignobject" || string(name) == "annotation-xml" {
		return false
	}
	if closed {
		return true
	}
	f.open = append(f.open, string(name))
	f.text = holdsText(string(name))
	return true
}

// end reports whether the tag surely closes an element of the drawing.
func (f *foreign) end(name []byte) bool {
	f.text = false
	i := len(f.open) - 1
	for i >= 0 && f.open[i] != string(name) {
		i--
	}
	if i < 0 {
		return false
	}
	f.open = f.open[:i]
	return true
}

// holdsText names the elements of drawings and formulas whose content is HTML.
func holdsText(name string) bool {
	switch name {
	case "title", "desc", "mi", "mo", "mn", "ms", "mtext":
		return true
	}
	return false
}

// leavesForeign names the HTML elements that end a drawing or formula.
func leavesForeign(name atom.Atom) bool {
	switch name {
	case atom.B, atom.Big, atom.Blockquote, atom.Body, atom.Br, atom.Center, atom.Code, atom.Dd, atom.Div,
		atom.Dl, atom.Dt, atom.Em, atom.Embed, atom.Font, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5,
		atom.H6, atom.Head, atom.Hr, atom.I, atom.Img, atom.Li, atom.Listing, atom.Menu, atom.Meta,
		atom.Nobr, atom.Ol, atom.P, atom.Pre, atom.Ruby, atom.S, atom.Small, atom.Span, atom.Strong,
		atom.Strike, atom.Sub, atom.Sup, atom.Table, atom.Tt, atom.U, atom.Ul, atom.Var:
		return true
	}
	return false
}

func isFormatting(name atom.Atom) bool {
	switch name {
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S,
		atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		return true
	}
	return false
}

// isShield reports whether end tags inside the element do not reach outside.
func isShield(name atom.Atom) bool {
	switch name {
	case atom.Applet, atom.Marquee, atom.Object, atom.Select, atom.Table, atom.Template:
		return true
	}
	return false
}

func isCell(name atom.Atom) bool {
	return name == atom.Td || name == atom.Th || name == atom.Caption
}
