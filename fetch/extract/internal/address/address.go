// Package address looks for the number of what a page is about in the page's
// own address. A number counts only if it also stands on the page as a whole
// value: in a field, an attribute for scripts, a meta element, or in the data
// of a script under a name for numbers. Nothing else tells a number from a
// year, a size or a version.
package address

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

const (
	// maxScripts is how much of all scripts is looked through, in bytes.
	maxScripts = 2 << 20
	// maxAddress is how long an address is that is looked into, and maxCandidates
	// how many numbers of addresses are looked for.
	maxAddress    = 2048
	maxCandidates = 12
	// maxHits is how many times a number is looked at in one script.
	maxHits = 20
	// maxSize is how long a number is at most; one of safeSize is hardly anything
	// else that stands both in the address and on the page.
	safeSize, maxSize = 6, 40
)

// Read returns a thing that stands for the page and has the number as
// [graph.AddressNumber], or nothing. The addresses are that from which the page was
// fetched, and what its meta elements say is its own.
func Read(p *page.Page, meta []*graph.Entity) []*graph.Entity {
	r := &reader{page: p, scripts: maxScripts}
	r.address(p.Address())
	for _, e := range meta {
		for _, v := range slices.Concat(e.Get("canonical"), e.Get("og:url")) {
			r.address(v.Text)
		}
	}
	if len(r.candidates) == 0 {
		return nil
	}
	for n := range p.Elements() {
		r.element(n)
	}
	best := slices.MaxFunc(r.candidates, func(a, b *candidate) int { return a.points() - b.points() })
	if best.points() == 0 {
		return nil
	}
	e := &graph.Entity{Source: graph.Document, Element: best.at.Element}
	e.Add(graph.AddressNumber, best.at)
	return []*graph.Entity{e}
}

type reader struct {
	page       *page.Page
	candidates []*candidate
	scripts    int
}

// candidate is a number in an address.
type candidate struct {
	text   string
	weight int // how likely its place in the address makes it the number
	// named says that a name for numbers was found for it, and at is where it
	// stands on the page.
	named bool
	at    graph.Value
}

// The weights of the places of an address.
const (
	weightQuery   = 8 // ?pid=260591
	weightLast    = 6 // /item/4548094738
	weightSegment = 4 // /item/4548094738/lamp
	weightPart    = 2 // /lamp-p3897500.html
)

// extension is the end of the name of a file: ".html".
var extension = lexicon.Pattern(`(.)\.[^.0-9]{1,5}$`)

// address collects the numbers in an address: the whole of a segment, and else what
// is one in it.
func (r *reader) address(text string) {
	u, err := url.Parse(text)
	if err != nil || len(text) > maxAddress {
		return
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if name, v, _ := strings.Cut(pair, "="); isNumberName(name) {
			r.add(v, weightQuery)
		}
	}
	segments := strings.FieldsFunc(u.Path, func(c rune) bool { return c == '/' })
	for i, s := range slices.Backward(segments) {
		weight := weightSegment
		if i == len(segments)-1 {
			weight = weightLast
			s = extension().ReplaceAllString(s, "$1")
		}
		if !strings.ContainsAny(s, "-_ ,") {
			r.add(s, weight)
		}
		for _, part := range slices.Backward(strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune("-_ ,.~", c) })) {
			r.add(part, weightPart)
			for _, digits := range strings.FieldsFunc(part, func(c rune) bool { return c < '0' || c > '9' }) {
				if len(digits) > 4 {
					r.add(digits, weightPart)
				}
			}
		}
	}
}

func (r *reader) add(s string, weight int) {
	isYear := len(s) == 4 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20"))
	if !mention.IsCode(s) || isYear || len(r.candidates) == maxCandidates {
		return
	}
	for _, c := range r.candidates {
		if strings.EqualFold(c.text, s) {
			c.weight = max(c.weight, weight)
			return
		}
	}
	r.candidates = append(r.candidates, &candidate{text: s, weight: weight})
}

// isNumberName reports whether a name is one for the number of a thing, and not
// for that of a list, a person or a campaign.
func isNumberName(s string) bool {
	s = strings.ToLower(s)
	return s != "" && len(s) <= 60 && !ofOthers().MatchString(s) && ofThings().MatchString(s)
}

var (
	ofOthers = lexicon.Pattern(`cat|cgid|cid|user|uid|session|client|store|shop|campaign|track|clid|page|list|brand|seller|parent|zip|phone|price|time|date`)
	ofThings = lexicon.Pattern(`^(?:item|product|prod|article|artikel|code|number|goods|asset)|(?:id|sku|item|product|prod|article|artikel|code|number|mpn|ref|goods|asset)$|^.{0,9}no$`)
)

// element looks for the numbers in the attributes of an element that hold data, as
// whole values, or in a script.
func (r *reader) element(n *html.Node) {
	if n.DataAtom == atom.Script {
		r.script(n)
		return
	}
	for i := range n.Attr {
		name := n.Attr[i].Key
		switch {
		case name == "content":
			name = cmp.Or(tree.AttrOr(n, "property"), tree.AttrOr(n, "name"), tree.AttrOr(n, "itemprop"))
		case name == "value" && tree.Is(n, atom.Input, atom.Option, atom.Button):
			name = cmp.Or(tree.AttrOr(n, "name"), tree.AttrOr(n, "id"))
		case !strings.HasPrefix(name, "data-"):
			continue
		}
		value := strings.TrimSpace(n.Attr[i].Val)
		if len(value) > maxSize {
			continue
		}
		r.page.Meter.Step(1)
		for _, c := range r.candidates {
			if strings.EqualFold(c.text, value) {
				c.found(graph.Value{Text: value, Shown: name, Element: n}, isNumberName(name))
			}
		}
	}
}

func (c *candidate) found(at graph.Value, named bool) {
	if c.at.Element == nil || named && !c.named {
		c.at = at
	}
	c.named = c.named || named
}

// script looks for the numbers in a script, each as the whole value of a name
// for numbers, as in "sku":"1236291" and productId = 1236291.
func (r *reader) script(n *html.Node) {
	text := tree.TextOf(n)
	if len(text) > r.scripts {
		return
	}
	r.scripts -= len(text)
	for _, c := range r.candidates {
		for at, hits := 0, 0; hits < maxHits && !c.named; hits++ {
			i := strings.Index(text[at:], c.text)
			if i < 0 {
				break
			}
			start := at + i
			at = start + len(c.text)
			if at < len(text) && isWord(text[at]) {
				continue
			}
			if m := nameBefore().FindStringSubmatch(text[max(0, start-60):start]); m != nil && isNumberName(m[1]) {
				c.found(graph.Value{Text: c.text, Shown: m[1], Source: graph.State, Element: n}, true)
			}
		}
		r.page.Meter.Read(len(text))
	}
}

func isWord(c byte) bool {
	return strings.IndexByte("-_/%.", c) >= 0 || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
}

// nameBefore is the name that stands before a value, behind which there is only a
// quote and a colon or an equals sign.
var nameBefore = lexicon.Pattern(`([\p{L}\p{Nd}_-]+)[ \t"'\\]*[:=][ \t]*["'\[\\]*$`)

// points says how likely a number is that of the page's thing: by its place in the
// address, if it stands on the page; a short one only under a name for numbers.
func (c *candidate) points() int {
	switch {
	case c.at.Element == nil || !c.named && len(c.text) < safeSize:
		return 0
	case c.named:
		return c.weight + 1
	}
	return c.weight
}
