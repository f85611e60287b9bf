package extract

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/shape"
)

// Origin is where a value was found.
type Origin struct {
	// Pointer is the JSON Pointer of the value in the content.
	Pointer string
	// Source is the kind of the place: "json-ld", "microdata", "rdfa",
	// "microformats", "meta", "state" (of a script), "table", "definition list",
	// "label", "item" (of several alike), "section", "document", "class", or
	// "model" for what [ShapeOptions.Complete] said.
	Source string
	// Name is what the value is called there, or "".
	Name string
	// Path is the path of the element, as XPath writes it.
	Path string
	// Place is the JSON Pointer of the value in the script that the element is,
	// or "".
	Place string
	// Text is the value as it was found.
	Text string
}

// String returns the origin as a line: "/price: json-ld offers.price …"; what a
// model said is nowhere on the page: "/maker: model".
func (o Origin) String() string {
	text := fmt.Sprintf("%s: %s", o.Pointer, o.Source)
	if o.Name != "" {
		text += " " + strconv.Quote(o.Name)
	}
	if o.Path == "" {
		return text
	}
	text += " at " + o.Path
	if o.Place != "" {
		text += " " + o.Place
	}
	return text + ": " + strconv.Quote(shorten(o.Text))
}

// shownText is how much of a value an origin shows, in bytes.
const shownText = 80

func shorten(s string) string {
	if len(s) <= shownText {
		return s
	}
	return strings.ToValidUTF8(s[:shownText], "") + "…"
}

// originsOf tells of what was found, in elements with these paths.
func originsOf(found []shape.Origin, paths paths) []Origin {
	all := make([]Origin, 0, len(found))
	for _, f := range found {
		o := Origin{Pointer: f.Pointer, Name: f.Name, Path: paths[f.Value.Element], Place: f.Value.Place, Text: f.Value.Text}
		switch {
		case f.Value.Source != 0:
			o.Source = f.Value.Source.String()
		case f.Entity != nil:
			o.Source = f.Entity.Source.String()
		}
		all = append(all, o)
	}
	return all
}

// paths are the ways to elements, as they were before anybody changed the tree.
type paths map[*html.Node]string

// pathsOf returns the ways to the elements in which values were found. original
// leads from a copy to the element of the page; nil where there are no copies.
func pathsOf(found []shape.Origin, original func(*html.Node) *html.Node) paths {
	all := paths{}
	for _, f := range found {
		n := f.Value.Element
		if _, known := all[n]; known || n == nil {
			continue
		}
		in := n
		if original != nil {
			in = cmp.Or(original(n), n)
		}
		all[n] = pathOf(in)
	}
	return all
}

// pathOf returns the way to an element: /html/body/div[2]/span.
func pathOf(n *html.Node) string {
	var steps []string
	for ; n != nil && n.Type != html.DocumentNode; n = n.Parent {
		if n.Type == html.ElementNode {
			steps = append(steps, stepTo(n))
		}
	}
	var b strings.Builder
	for i := len(steps) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(steps[i])
	}
	return b.String()
}

// stepTo counts an element among those of its name beside it, if there are
// more.
func stepTo(n *html.Node) string {
	before, after := 0, false
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode && s.Data == n.Data {
			before++
		}
	}
	for s := n.NextSibling; s != nil && !after; s = s.NextSibling {
		after = s.Type == html.ElementNode && s.Data == n.Data
	}
	if before == 0 && !after {
		return n.Data
	}
	return n.Data + "[" + strconv.Itoa(before+1) + "]"
}
