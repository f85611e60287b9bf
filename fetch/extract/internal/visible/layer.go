package visible

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/shorten"
)

// layer lays a page out.
type layer struct {
	p   *page.Page
	l   *layout
	b   strings.Builder
	gap byte // what comes before the next word: 0, ' ' or '\n'
	pre int  // elements around that keep line breaks
	// cents are where separators of cents were put into the text.
	cents map[int]bool
	// noscript says that what is for browsers without scripts is shown, and
	// unread is how much of it is not, in bytes.
	noscript bool
	unread   int
	// aloud says that images and fields have a text, and echoes stay.
	aloud bool
	// streamed are the parts of the page that its server sent late, and late how
	// many of them are around.
	streamed map[string]*html.Node
	late     int
}

// lay lays a page out, and one that shows next to nothing without its scripts
// as browsers without scripts show it.
func lay(p *page.Page) *layout {
	y := layOut(p, false, false)
	if y.unread > 2*len(y.l.text) && y.unread > leastUnread {
		y = layOut(p, true, false)
	}
	return y.l
}

func layOut(p *page.Page, noscript, aloud bool) *layer {
	top, main, nodes, lines := surveyed(p)
	y := &layer{p: p, l: &layout{nodes: make([]node, 0, nodes), lines: make([]line, 0, lines), tokens: make(tokens, nodes/8)}, noscript: noscript, aloud: aloud, streamed: streamedIn(p)}
	if top != nil {
		var f flags
		if main {
			f = isAside
		}
		y.element(top, -1, f)
	}
	y.l.text = y.b.String()
	return y
}

// surveyed returns the body of a page, whether it tells what its main part is (one that
// the title stands beside is not all of it), and how large its layout may become: growing it takes several times its
// memory. An element with a text in it is two nodes.
func surveyed(p *page.Page) (body *html.Node, main bool, nodes, lines int) {
	titled, beside := false, false // a title in the main part, and one in no part
	titles := 0
	for n := range p.Elements() {
		if n.DataAtom == atom.H1 && titles < maxTitles && !tree.IsHidden(n) {
			titles++
			in, parted := inMain(n)
			titled, beside = titled || in, beside || !parted
		}
		if n.DataAtom == atom.Option || n.DataAtom == atom.Optgroup {
			continue // a field is one node
		}
		if body == nil && (n.DataAtom == atom.Body || n.DataAtom == atom.Frameset) {
			body = n
		}
		main = main || n.DataAtom == atom.Main || attr(n, "role") == "main"
		nodes++
		if page.IsBlock(n) {
			lines++
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.TextNode && !tree.IsBlank(c) {
				nodes++
			}
		}
	}
	return body, main && (titled || !beside), nodes, lines
}

// maxTitles is how many headings of the first level are looked at.
const maxTitles = 100

// inMain reports whether an element stands in what says that it is the main part;
// parted is false for one that stands in no part.
func inMain(n *html.Node) (in, parted bool) {
	for up := n.Parent; up != nil; up = up.Parent {
		in = up.DataAtom == atom.Main || attr(up, "role") == "main"
		if in || tree.Is(up, atom.Header, atom.Nav, atom.Aside, atom.Footer) {
			return in, true
		}
	}
	return false, false
}

// element lays an element out; f is what it has from its parent.
func (y *layer) element(n *html.Node, up int, f flags) {
	if n.DataAtom == atom.Noscript {
		if n = y.withoutScripts(n); n == nil {
			return
		}
	}
	if n.DataAtom == atom.Template {
		y.arrived(n, up, f)
		return
	}
	if page.IsSilent(n) && !(y.aloud && tree.Is(n, atom.Textarea, atom.Meta)) || tree.IsHidden(n) || !y.aloud && (y.isEcho(n) || isNoteMark(n)) {
		return
	}
	y.whole(n, up, f)
}

// whole lays out an element that is shown, with what is in it.
func (y *layer) whole(n *html.Node, up int, f flags) {
	i := y.enter(n, up, f)
	block := y.l.nodes[i].is(isBlock) || n.DataAtom == atom.Br
	if block {
		y.gap = '\n'
	} else if y.gap == 0 && (n.DataAtom == atom.Input || y.isPriceBehindName(n)) {
		y.gap = ' '
	}
	if n.DataAtom == atom.Pre {
		y.pre++
		defer func() { y.pre-- }()
	}
	if says := saidBy(n); y.aloud && says != "" {
		y.words(&html.Node{Type: html.TextNode, Data: " " + says + " "}, i)
	}
	for c := n.FirstChild; c != nil && n.DataAtom != atom.Select && n.DataAtom != atom.Textarea; c = c.NextSibling {
		y.p.Meter.Step(1)
		switch c.Type {
		case html.TextNode:
			y.words(c, i)
		case html.ElementNode:
			y.element(c, i, y.l.nodes[i].flags)
		}
	}
	if block {
		y.gap = '\n'
	}
	y.leave(i)
}

// isEcho reports whether an element repeats for the eye what stands beside it
// for everyone: a price in pieces, stars, an icon.
func (y *layer) isEcho(n *html.Node) bool {
	return tree.Is(n, atom.Span, atom.I, atom.Em, atom.B, atom.Small) && attr(n, "aria-hidden") == "true" && !isSaid(n) && !y.isOnlyAmount(n)
}

// isOnlyAmount reports whether an element is an amount of money with no other number
// beside it that it could repeat.
func (y *layer) isOnlyAmount(n *html.Node) bool {
	amount := y.amountAround(n)
	if !mention.HasDigit(amount) || !mention.IsMoney(amount) || n.Parent == nil {
		return false
	}
	beside := y.amountAround(n.Parent)
	return beside != "" && !mention.HasDigit(strings.Replace(beside, amount, "", 1))
}

// isNoteMark reports whether an element is the mark of a note and no part of the
// text: it is raised, and a sign or a link into the page.
func isNoteMark(n *html.Node) bool {
	if n.DataAtom != atom.Sup {
		return false
	}
	for d, levels := n.FirstChild, 0; d != nil && levels < nearHeading; d, levels = d.FirstChild, levels+1 {
		if d.Type == html.TextNode {
			return mention.IsNoteMark(d.Data)
		}
		if d.DataAtom == atom.A && strings.HasPrefix(attr(d, "href"), "#") {
			return true
		}
	}
	return false
}

// isSaid reports whether what an element shows is said by the label of an element
// around it, and is an amount of money.
func isSaid(n *html.Node) bool {
	for up, n := n.Parent, 0; up != nil && n < 2; up, n = up.Parent, n+1 {
		if label := attr(up, "aria-label"); mention.HasDigit(label) && mention.NamesCurrency(label) {
			return true
		}
	}
	return false
}

// holding is what elements have in them by their names.
var holding = map[atom.Atom]flags{
	atom.Del: isStruck, atom.S: isStruck, atom.Strike: isStruck, atom.Img: hasImage, atom.Picture: hasImage, atom.A: hasLink, atom.Table: hasTable,
	atom.Button: isBlock, atom.Select: isBlock, atom.Form: hasWhole, atom.Main: hasWhole, atom.H1: hasWhole,
}

func (y *layer) enter(n *html.Node, up int, f flags) int {
	says, key := y.l.tokens.read(n)
	f = aside(n, f&(isAside|isStruck|isVeiled), says) | holding[n.DataAtom]
	if says&(saysHidden|saysWide) == saysHidden {
		f |= isVeiled
	}
	if page.IsBlock(n) {
		f |= isBlock
	}
	if style := tree.AttrOr(n, "style"); style != "" && strings.Contains(strings.ToLower(shorten.Prefix(style, maxNames)), "line-through") {
		f |= isStruck
	}
	depth := level(n)
	if depth > 0 {
		f |= hasHeading
	}
	y.l.nodes = append(y.l.nodes, node{el: n, up: up, from: y.b.Len(), line: len(y.l.lines), flags: f | says, level: depth, key: key})
	return len(y.l.nodes) - 1
}

// aside adds or takes away [isAside], as an element says what it is.
func aside(n *html.Node, f, says flags) flags {
	role := attr(n, "role")
	switch {
	case n.DataAtom == atom.Body:
		return f
	case n.DataAtom == atom.Main, role == "main":
		return f &^ isAside
	case tree.Is(n, atom.Nav, atom.Aside, atom.Menu, atom.Dialog), n.DataAtom == atom.Footer && !isOfItem(n), role != "" && is("beside role", role),
		n.DataAtom == atom.Header && n.Parent != nil && (tree.Is(n.Parent, atom.Body) || tree.Is(n.Parent.Parent, atom.Body)),
		page.IsBlock(n) && says&saysBoilerplate != 0, n.DataAtom == atom.Form && asksReader(n):
		return f | isAside
	}
	return f
}

// asksReader reports whether a form is for what the reader says of himself, and not
// around all of the page.
func asksReader(form *html.Node) (asks bool) {
	for n := range form.Descendants() {
		if n.DataAtom == atom.H1 {
			return false
		}
		asks = asks || n.DataAtom == atom.Input && (attr(n, "type") == "email" || attr(n, "type") == "password")
	}
	return asks
}

// isOfItem reports whether a footer is that of a comment or a quotation and not
// of the page: it says who wrote it.
func isOfItem(n *html.Node) bool {
	for up, n := n.Parent, 0; up != nil && n < 3; up, n = up.Parent, n+1 {
		if tree.Is(up, atom.Li, atom.Blockquote) || tree.Is(up, atom.Article) && strings.Contains(strings.ToLower(attr(up, "class")), "comment") {
			return true
		}
	}
	return false
}

var levels = map[atom.Atom]int8{atom.H1: 1, atom.H2: 2, atom.H3: 3, atom.H4: 4, atom.H5: 5, atom.H6: 6, atom.Legend: 6}

// level returns the level of a heading, or 0.
func level(n *html.Node) int8 {
	if l := levels[n.DataAtom]; l > 0 || attr(n, "role") != "heading" {
		return l
	}
	if l := attr(n, "aria-level"); len(l) == 1 && '1' <= l[0] && l[0] <= '6' {
		return int8(l[0] - '0')
	}
	return 2
}

// leave closes a node: its stretch begins with a word.
func (y *layer) leave(i int) {
	n := &y.l.nodes[i]
	n.end, n.to, n.lineEnd = len(y.l.nodes), y.b.Len(), len(y.l.lines)
	if n.from < n.to {
		if c := y.b.String()[n.from]; c == ' ' || c == '\n' {
			n.from++
		} else if y.cents[n.from] {
			n.from++
			n.flags |= isCents
		}
	}
	if n.from < n.to && (n.line == n.lineEnd || n.line > 0 && y.l.lines[n.line-1].to > n.from) {
		n.line--
	}
	if n.up >= 0 {
		up := &y.l.nodes[n.up]
		up.flags |= n.flags & (hasStruck | hasImage | hasLink | hasHeading | hasTable | hasWhole)
		if n.is(isStruck) && n.from < n.to {
			up.flags |= hasStruck
		}
	}
}

// words adds a text to the lines.
func (y *layer) words(n *html.Node, up int) {
	s := n.Data
	y.p.Meter.Read(len(s))
	if sep := y.centsSeparator(n); sep != 0 {
		if y.cents == nil {
			y.cents = map[int]bool{}
		}
		y.cents[y.b.Len()] = true
		y.b.WriteByte(sep)
		y.gap = 0
		s = strings.TrimLeft(s, " \t\n\r\f")
	}
	if s = valid(s); utf8.RuneCountInString(s) < len(s) {
		s = strings.Map(withWidth, s)
	}
	at := -1
	for s != "" {
		rest := strings.TrimLeftFunc(s, isGap)
		if gap := s[:len(s)-len(rest)]; y.pre > 0 && strings.Contains(gap, "\n") {
			y.gap = '\n'
		} else if gap != "" && y.gap == 0 {
			y.gap = ' '
		}
		word := rest
		if end := strings.IndexFunc(rest, isGap); end >= 0 {
			word = rest[:end]
		}
		if s = rest[len(word):]; word == "" {
			break
		}
		if at < 0 {
			at = len(y.l.nodes)
			y.l.nodes = append(y.l.nodes, node{el: n, up: up, from: y.b.Len(), line: len(y.l.lines), flags: y.l.nodes[up].flags&(isAside|isStruck|isVeiled) | isText})
		}
		y.word(word, at)
	}
	if at >= 0 {
		y.leave(at)
	}
}

// withWidth takes out what only says where a line may break or how text runs.
func withWidth(c rune) rune {
	switch c {
	case 0xAD, 0x200B, 0x200E, 0x200F, 0xFEFF:
		return -1
	}
	return c
}

// isGap reports whether a character separates words.
func isGap(c rune) bool { return c <= ' ' || c == 0x7F || c > 0x7F && unicode.IsSpace(c) }

func (y *layer) word(word string, at int) {
	if y.b.Len() > 0 && y.gap != 0 {
		y.b.WriteByte(y.gap)
	}
	if y.gap == '\n' || len(y.l.lines) == 0 {
		y.l.lines = append(y.l.lines, line{from: y.b.Len(), first: at})
	}
	y.gap = 0
	y.b.WriteString(word)
	l := &y.l.lines[len(y.l.lines)-1]
	l.to, l.last = y.b.Len(), at
}

const (
	// leastUnread is how much for browsers without scripts, in bytes, is more than
	// a request to turn them on.
	leastUnread = 2000
	// maxNoscript is the number of nodes that such a part may have.
	maxNoscript = 200_000
)

// withoutScripts returns the body of what a noscript element holds, or counts
// it and returns nil. The parser takes it for text, as browsers do.
func (y *layer) withoutScripts(n *html.Node) *html.Node {
	text := tree.TextOf(n)
	if !y.noscript {
		y.unread += len(text)
		return nil
	}
	y.p.Meter.Step(len(text)) // parsing costs more than reading
	doc, err := tree.Parse(context.Background(), text, tree.Options{MaxNodes: maxNoscript})
	if err != nil {
		return nil // too much of it
	}
	for d := range y.p.Meter.Below(doc) {
		if d.DataAtom == atom.Body {
			return d
		}
	}
	return nil
}
