package visible

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/shorten"
)

// buying looks for buttons that buy the page's own thing: what belongs to items is
// theirs, and what stands beside the main part says nothing. It comes before all
// else that tells whether the thing can be had.
func (r *reader) buying() {
	waits := -1
	for i, n := range r.all() {
		if said, _, _ := strings.Cut(shorten.Prefix(r.text[n.from:max(n.from, n.to)], maxStockText), "."); n.named(atom.Form) && mention.Stock(said) == "OutOfStock" {
			continue // the form stays without its button
		}
		if !r.mayTell(i) || !r.looksLikeButton(i) {
			continue
		}
		switch said := r.buttonText(i); {
		case !r.isOffAt(i) && orders(n.el, said):
			r.addLike(i, "availability", "InStock", said)
		case waits < 0 && said != "unavailable" && (mention.Stock(said) == "OutOfStock" || mention.HasWait(said)):
			waits = i // some say the bare word while they load, and of choices that there are not
		}
	}
	if waits >= 0 && !r.has(0, "availability") {
		v := r.said(waits, "OutOfStock", graph.Class)
		v.Shown = r.buttonText(waits)
		r.put(0, "availability", v, true) // behind what the page says elsewhere
	}
}

func (r *reader) mayTell(i int) bool {
	n := &r.nodes[i]
	return n.part == 0 && !n.is(isText|isAside|isVeiled) && !r.isForeign(i)
}

// stocks reads the longer texts in elements whose names say that they tell whether
// the thing can be had: "Only 2 left in stock."
func (r *reader) stocks() {
	sells := slices.ContainsFunc(r.parts[0].entity.Get("availability"), func(v graph.Value) bool {
		return v.Text == "InStock" || mention.Stock(v.Text) == "InStock"
	})
	if sells {
		r.makers()
	}
	for i, n := range r.all() {
		if r.mayTell(i) && n.from < n.to && n.to-n.from <= maxStockText && !n.is(isStruck) && r.tokens.first(n.el, func(k *token) bool { return k.stock }) != nil {
			r.stock(i, sells)
		}
	}
}

// maxStockText is the length of such a text, in bytes, and maxButton that of what a
// button says.
const (
	maxStockText = 400
	maxButton    = 60
)

// stock reads such a text. That a thing which nothing else sells cannot be had
// outranks what machines are told.
func (r *reader) stock(i int, sells bool) {
	text := r.textOf(i)
	state := mention.StockIn(text)
	if state == "" {
		return
	}
	r.addLike(i, "availability", state, text)
	if state == "OutOfStock" && !sells && !r.has(0, graph.ShownStock) {
		v := r.textValue(state, graph.Class, r.nodes[i].el)
		v.Shown = text
		r.add(0, graph.ShownStock, v)
	}
}

// isButton reports whether an element is a button, or a form around one.
func isButton(n *html.Node) bool {
	if n.DataAtom == atom.Input {
		return slices.Contains([]string{"submit", "button", "image"}, strings.ToLower(attr(n, "type")))
	}
	return n.DataAtom == atom.Button || n.DataAtom == atom.Form
}

// looksLikeButton reports whether a node is one, or says so by its role or names.
func (r *reader) looksLikeButton(i int) bool {
	n := &r.nodes[i]
	return isButton(n.el) || n.named(atom.A, atom.Div, atom.Span) && len(n.el.Attr) > 0 &&
		(attr(n.el, "role") == "button" || r.tokens.first(n.el, func(k *token) bool { return k.button }) != nil)
}

// isOffAt reports whether a node is a button that does nothing now, or stands
// in one.
func (r *reader) isOffAt(i int) bool {
	for levels := 0; i >= 0 && levels < nearHeading; i, levels = r.nodes[i].up, levels+1 {
		if n := &r.nodes[i]; !n.is(isText) && (levels == 0 || n.named(atom.Button, atom.A)) && isOff(n.el) {
			return true
		}
	}
	return false
}

func isOff(n *html.Node) bool {
	_, off := tree.Attr(n, "disabled")
	return off || attr(n, "aria-disabled") == "true" || strings.Contains(strings.ToLower(attr(n, "class")), "disabled")
}

// buttonText is what a button says, in lower case; "" for much text.
func (r *reader) buttonText(i int) string {
	n := &r.nodes[i]
	said := r.text[n.from:max(n.from, n.to)]
	for _, key := range [...]string{"value", "aria-label", "title", "alt"} {
		if said == "" || len(said) > maxButton {
			said = attr(n.el, key)
		}
	}
	if n.named(atom.Form) || len(said) > maxButton {
		return ""
	}
	return strings.ToLower(oneLine(strings.TrimSpace(said)))
}

// orders reports whether a button buys, by what it says in lower case or by its
// names, which are English wherever the page is read. One that puts something
// elsewhere than into a basket, or says that there is nothing, does not.
func orders(n *html.Node, said string) bool {
	if !mention.OpensOrder(said) && (said == "" && tree.Is(n, atom.Div, atom.Span) || !isNamedOrder(n)) {
		return false // one around much more, or one for something else
	}
	return !mention.IsNoOrder(said)
}

func isNamedOrder(n *html.Node) bool {
	for _, key := range [...]string{"id", "name", "class", "data-action", "data-testid"} {
		if v := attr(n, key); v != "" && len(v) <= 4*maxToken && containsAny(joined.Replace(strings.ToLower(v)), phrasesOf()["order names"]) {
			return true
		}
	}
	return false
}

// joined writes the words of a name as one.
var joined = strings.NewReplacer("-", "", "_", "", ".", "")

// Buys reports whether an element, which says so much, is a button that buys.
func Buys(n *html.Node, said string) bool {
	return n.DataAtom != atom.Form && len(said) <= maxButton && isButton(n) && !isOff(n) && orders(n, strings.ToLower(strings.TrimSpace(said)))
}

func containsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
