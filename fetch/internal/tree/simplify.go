package tree

import (
	"context"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// simplify returns src without formatting elements and without the tags of
// elements that nest deeper than maxDepth. All text stays, up to where the
// context ends.
func simplify(ctx context.Context, src string, maxDepth int) string {
	z := html.NewTokenizer(reader(ctx, src))
	s := simplifier{maxDepth: maxDepth, dropped: map[atom.Atom]int{}}
	s.out.Grow(len(src))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return s.out.String()
		}
		raw := z.Raw()
		keep := true
		switch kind {
		case html.StartTagToken:
			keep = s.start(tagName(z))
		case html.EndTagToken:
			keep = s.end(tagName(z))
		}
		if keep {
			s.out.Write(raw)
		}
	}
}

type simplifier struct {
	maxDepth int
	out      strings.Builder
	open     []atom.Atom
	// dropped counts the start tags that were left out and whose end tags have
	// to be left out, too. Unknown elements share the count of zero.
	dropped map[atom.Atom]int
}

func (s *simplifier) start(name atom.Atom) bool {
	switch {
	case isFormatting(name):
		return false
	case isLeaf(name):
		return true
	}
	s.closeSibling(name)
	if len(s.open) >= s.maxDepth {
		s.dropped[name]++
		return false
	}
	s.open = append(s.open, name)
	return true
}

func (s *simplifier) end(name atom.Atom) bool {
	switch {
	case isFormatting(name):
		return false
	case s.dropped[name] > 0:
		s.dropped[name]--
		return false
	}
	for i := len(s.open) - 1; i >= 0; i-- {
		if s.open[i] == name {
			s.open = s.open[:i]
			break
		}
	}
	return true
}

// closeSibling forgets an open element that the parser closes by itself when
// the next of its kind begins, so that a long list of unclosed items does not
// look deep.
func (s *simplifier) closeSibling(name atom.Atom) {
	if n := len(s.open); n > 0 && siblings(s.open[n-1], name) {
		s.open = s.open[:n-1]
	}
}

// siblings reports whether a start tag of next ends the open element.
func siblings(open, next atom.Atom) bool {
	switch open {
	case atom.P:
		return !isInline(next)
	case atom.Li, atom.Option, atom.Tr:
		return open == next
	case atom.Dd, atom.Dt:
		return next == atom.Dd || next == atom.Dt
	case atom.Td, atom.Th:
		return next == atom.Td || next == atom.Th || next == atom.Tr
	}
	return false
}

func isInline(name atom.Atom) bool {
	switch name {
	case atom.A, atom.Abbr, atom.Span, atom.Sub, atom.Sup, atom.Q, atom.Cite, atom.Label, atom.Time, 0:
		return true
	}
	return false
}

// isLeaf reports whether an element holds no other elements, and so adds
// nothing to the depth.
func isLeaf(name atom.Atom) bool {
	switch name {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link,
		atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr,
		atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Iframe, atom.Noscript, atom.Noembed,
		atom.Noframes, atom.Xmp, atom.Plaintext:
		return true
	}
	return false
}

func tagName(z *html.Tokenizer) atom.Atom {
	name, _ := z.TagName()
	return atom.Lookup(name)
}
