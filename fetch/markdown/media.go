package markdown

import (
	"cmp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// media handles what is loaded from elsewhere.
func (c *cleaner) media(n *html.Node) {
	switch n.DataAtom {
	case atom.Img:
		c.image(n, nil)
	case atom.Picture:
		c.picture(n)
	case atom.Video, atom.Audio:
		c.player(n)
	case atom.Iframe:
		c.frame(n)
	case atom.Noscript:
		c.noscript(n)
	}
}

// picture leaves the image of a picture element, with the largest of its
// sources where the image has none of its own.
func (c *cleaner) picture(n *html.Node) {
	var sources []string
	for d := range c.Below(n) {
		if tree.Is(d, atom.Source) {
			sources = append(sources, lazyAttrs(d, "srcset", "data-srcset", "data-lazy-srcset")...)
		}
	}
	for d := range c.Below(n) {
		if tree.Is(d, atom.Img) {
			tree.Remove(d)
			tree.Clear(n)
			tree.Replace(n, d)
			c.image(d, sources)
			return
		}
	}
	tree.Remove(n)
}

// image gives an image its absolute address. One without an address that
// others can load leaves its text; one that only counts visitors leaves
// nothing.
func (c *cleaner) image(n *html.Node, sources []string) {
	alt := oneLine(tree.AttrOr(n, "alt"))
	if strings.HasPrefix(alt, `{\displaystyle `) || isFormulaImage(n) {
		c.formula(n, alt, tree.HasClass(n, "mwe-math-fallback-image-display"))
		return
	}
	src := c.imageSource(n, sources)
	if src != "" {
		src = c.urls.Resolve(src)
	}
	switch {
	case isPixel(n):
		tree.Remove(n)
	case src == "" || alt != "" && !hasWords(alt) && tree.HasClass(n, "emoji"):
		if alt == "" {
			tree.Remove(n)
		} else {
			tree.Replace(n, tree.Text(alt))
		}
	default:
		c.size.take(len(src))
		title := oneLine(tree.AttrOr(n, "title"))
		n.Attr = []html.Attribute{{Key: "src", Val: src}, {Key: "alt", Val: alt}}
		if title != "" && !strings.EqualFold(title, alt) {
			tree.SetAttr(n, "title", title)
		}
	}
}

// imageSource returns the address that a browser would load in the end: the
// one in src, or the ones that scripts move there when the image comes into
// view.
func (w *work) imageSource(n *html.Node, sources []string) string {
	src := strings.TrimSpace(tree.AttrOr(n, "src"))
	if src != "" && !isPlaceholder(src) {
		return src
	}
	for _, late := range lazyAttrs(n, "data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src",
		"data-url", "data-image", "data-full-src", "data-hi-res-src") {
		if late = strings.TrimSpace(late); !isPlaceholder(late) {
			return late
		}
	}
	sets := append(lazyAttrs(n, "srcset", "data-srcset", "data-lazy-srcset", "data-original-set"), sources...)
	for _, set := range sets {
		if best := largest(set); best != "" {
			return best
		}
	}
	if next := tree.NextElement(n); tree.Is(next, atom.Noscript) {
		if img := w.noscriptImage(w.textOf(next)); img != nil {
			return w.imageSource(img, nil)
		}
	}
	return src
}

// lazyAttrs returns the values of those attributes that n has.
func lazyAttrs(n *html.Node, keys ...string) []string {
	var vals []string
	for _, k := range keys {
		if v := tree.AttrOr(n, k); v != "" {
			vals = append(vals, v)
		}
	}
	return vals
}

// isPlaceholder reports whether an address is not that of a picture but of
// what stands there until it is loaded.
func isPlaceholder(src string) bool {
	if len(src) >= 5 && strings.EqualFold(src[:5], "data:") || strings.HasPrefix(src, "about:") {
		return true
	}
	name := src[strings.LastIndexByte(src, '/')+1:]
	name, _, _ = strings.Cut(name, "?")
	name, ext, _ := strings.Cut(strings.ToLower(name), ".")
	switch ext {
	case "gif", "png", "svg":
		switch name {
		case "blank", "spacer", "placeholder", "loading", "lazy", "pixel", "transparent", "1x1", "empty", "clear", "dot", "grey":
			return true
		}
	}
	return false
}

// largest returns the address with the greatest width or density of a srcset.
func largest(set string) string {
	best, size := "", -1.0
	for set != "" {
		var url, descriptor string
		url, descriptor, set = candidate(set)
		if url == "" || isPlaceholder(url) {
			continue
		}
		descriptor = strings.TrimSpace(descriptor)
		s, err := strconv.ParseFloat(strings.TrimRight(descriptor, "wxh"), 64)
		if err != nil {
			s = 1
		}
		if s > size {
			best, size = url, s
		}
	}
	return best
}

// candidate splits the first address and its descriptor off a srcset, as the
// standard does: an address may hold commas but not end with one.
func candidate(set string) (url, descriptor, rest string) {
	set = strings.TrimLeft(set, ", \t\r\n\f")
	end := strings.IndexAny(set, " \t\r\n\f")
	if end < 0 {
		return strings.TrimRight(set, ","), "", ""
	}
	url, rest = set[:end], set[end:]
	if bare := strings.TrimRight(url, ","); bare != url {
		return bare, "", rest
	}
	descriptor, rest, _ = strings.Cut(rest, ",")
	return url, descriptor, rest
}

// isPixel reports whether an image is there to be loaded and not to be seen.
func isPixel(n *html.Node) bool {
	w, h := tree.AttrOr(n, "width"), tree.AttrOr(n, "height")
	return (w == "1" || w == "0") && (h == "1" || h == "0")
}

// player leaves a link to what a video or audio element plays, or to its first
// source.
func (c *cleaner) player(n *html.Node) {
	src := tree.AttrOr(n, "src")
	for d := range c.Below(n) {
		if src == "" && tree.Is(d, atom.Source) {
			src = tree.AttrOr(d, "src")
		}
	}
	c.embedded(n, cmp.Or(oneLine(tree.AttrOr(n, "title")), oneLine(tree.AttrOr(n, "aria-label")), n.Data), src)
}

// frame leaves a link to what a frame shows, if it has a title or its address
// is that of a player.
func (c *cleaner) frame(n *html.Node) {
	src := strings.TrimSpace(tree.AttrOr(n, "src"))
	if src == "" || strings.HasPrefix(src, "about:") {
		src = cmp.Or(lazyAttrs(n, "data-src", "data-lazy-src")...)
	}
	title := cmp.Or(oneLine(tree.AttrOr(n, "title")), oneLine(tree.AttrOr(n, "name")))
	if title == "" && (strings.Contains(src, "/embed/") || strings.Contains(src, "player")) {
		title = "video"
	}
	c.embedded(n, title, src)
}

// embedded replaces n by a link to what it embeds, if that has a name.
func (c *cleaner) embedded(n *html.Node, title, src string) {
	if src = strings.TrimSpace(src); src != "" { // an empty one would be the page itself
		src = c.urls.Resolve(src)
	}
	if src == "" || title == "" || isPixel(n) || c.inLink || !strings.HasPrefix(src, "http") {
		tree.Remove(n)
		return
	}
	c.size.take(len(src))
	a := tree.Element(atom.A)
	a.Attr = []html.Attribute{{Key: "href", Val: src}}
	a.AppendChild(tree.Text(title))
	keptApart(n)
	tree.Replace(n, a)
}

// noscript drops what is meant for browsers without scripts, such as the
// request to switch them on. An image in it is the true form of one that
// scripts would load: of the one before it, which has taken its address, or of
// one that is not there.
func (c *cleaner) noscript(n *html.Node) {
	img := c.noscriptImage(c.textOf(n))
	if img == nil || named(tree.PrevElement(n), "img") {
		tree.Remove(n)
		return
	}
	tree.Replace(n, img)
	c.image(img, nil)
}

// noscriptImage returns the first image of the content of a noscript element,
// which the parser leaves as text, if there are no words in it.
func (w *work) noscriptImage(src string) *html.Node {
	if !strings.Contains(src, "<img") {
		return nil
	}
	var img *html.Node
	z := html.NewTokenizer(strings.NewReader(src))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if img == nil || isPixel(img) || w.isInvisible(img) {
				return nil
			}
			return img
		case html.TextToken:
			if hasWords(string(z.Text())) {
				return nil
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if t := z.Token(); img == nil && t.DataAtom == atom.Img {
				img = tree.Element(atom.Img)
				img.Attr = t.Attr
			}
		}
	}
}
