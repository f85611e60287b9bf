package extract

import (
	"cmp"
	"fmt"
	"slices"
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
	found := o.Text
	if len(found) > shownText {
		found = strings.ToValidUTF8(found[:shownText], "") + "…"
	}
	return text + ": " + strconv.Quote(found)
}

// shownText is how much of a value an origin shows, in bytes.
const shownText = 80

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
	all, ways := paths{}, wayfinder{}
	for _, f := range found {
		n := f.Value.Element
		if _, known := all[n]; known || n == nil {
			continue
		}
		in := n
		if original != nil {
			in = cmp.Or(original(n), n)
		}
		all[n] = ways.to(in)
	}
	return all
}

// wayfinder holds the last step to each element whose parent was looked at: a
// long list is numbered once, however many values stand in it.
type wayfinder map[*html.Node]string

// to returns the way to an element: /html/body/div[2]/span.
func (w wayfinder) to(n *html.Node) string {
	var steps []string
	for ; n != nil && n.Type != html.DocumentNode; n = n.Parent {
		if n.Type != html.ElementNode {
			continue
		}
		if w[n] == "" {
			w.number(n)
		}
		steps = append(steps, w[n])
	}
	slices.Reverse(steps)
	return "/" + strings.Join(steps, "/")
}

// number tells the last step to an element and to all beside it: its name, with
// its place among those of its name if there are more.
func (w wayfinder) number(n *html.Node) {
	if n.Parent == nil {
		w[n] = n.Data
		return
	}
	alike := map[string][]*html.Node{}
	for c := range n.Parent.ChildNodes() {
		if c.Type == html.ElementNode {
			alike[c.Data] = append(alike[c.Data], c)
		}
	}
	for name, all := range alike {
		for i, c := range all {
			if w[c] = name; len(all) > 1 {
				w[c] += "[" + strconv.Itoa(i+1) + "]"
			}
		}
	}
}
