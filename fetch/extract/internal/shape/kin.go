package shape

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// kin is what the items of a list have in common.
type kin struct {
	source  graph.Source
	types   []string
	tag     string
	first   string   // the tag of the first element in them
	classes []string // of their elements, those of all
	fields  []string // names that at least half of them have
}

// maxKin is how many items are looked at for what they have in common.
const maxKin = 50

// kinOf finds what items have in common; nil where there are none.
func (sh *shaper) kinOf(all []*graph.Entity) *kin {
	if len(all) == 0 {
		return nil
	}
	all = all[:min(len(all), maxKin)]
	head := all[0]
	k := &kin{source: head.Source, types: head.Types, tag: tagOf(head.Element), first: tagOf(firstIn(head.Element)), classes: classesOf(head.Element)}
	counts := map[string]int{}
	for _, e := range all {
		sh.m.Step(1 + len(e.Fields))
		own := classesOf(e.Element)
		k.classes = slices.DeleteFunc(k.classes, func(c string) bool { return !slices.Contains(own, c) })
		for i := range e.Fields {
			name := e.Fields[i].Name
			if counts[name]++; counts[name]*2 >= len(all) && !slices.Contains(k.fields, name) {
				k.fields = append(k.fields, name)
			}
		}
	}
	return k
}

// has reports whether a thing is like the items: it is built as they are, and
// has at least half of the names that they have.
func (k *kin) has(sh *shaper, e *graph.Entity) bool {
	if k == nil || e == nil || e.Source != k.source || len(k.types) > 0 && !e.Is(k.types...) {
		return false
	}
	shared := 0
	for _, name := range k.fields {
		sh.m.Step(1)
		if e.Get(name) != nil {
			shared++
		}
	}
	if k.source <= graph.State || k.source == graph.Table {
		return shared*2 >= len(k.fields)
	}
	own := classesOf(e.Element)
	if tagOf(e.Element) != k.tag || !containsAll(own, k.classes) || k.isPromoted(own) {
		return false
	}
	return shared*2 > len(k.fields) || shared*2 == len(k.fields) && (len(k.classes) > 0 || tagOf(firstIn(e.Element)) == k.first)
}

// promoted are words in the classes of what was paid for, or leads on.
var promoted = wordSet("ad ads advert advertisement adslot sponsored sponsor promo promoted promotion banner next prev previous more pagination pager cta newsletter")

// isPromoted reports whether classes that the items do not have say that a
// thing is none of them.
func (k *kin) isPromoted(own []string) bool {
	return slices.ContainsFunc(own, func(c string) bool {
		return !slices.Contains(k.classes, c) && slices.ContainsFunc(strings.FieldsFunc(c, func(r rune) bool { return r == '-' || r == '_' }), func(w string) bool { return promoted[w] })
	})
}

func containsAll(list, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(s string) bool { return !slices.Contains(list, s) })
}

func classesOf(n *html.Node) []string {
	if n == nil {
		return nil
	}
	return strings.Fields(strings.ToLower(tree.AttrOr(n, "class")))
}

func tagOf(n *html.Node) string {
	if n == nil {
		return ""
	}
	return n.Data
}

func firstIn(n *html.Node) *html.Node {
	if n == nil {
		return nil
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return c
		}
	}
	return nil
}
