package visible

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// buying looks for buttons that buy the page's own thing: what belongs to items is
// theirs, and what stands beside the main part says nothing. It comes before all
// else that tells whether the thing can be had.
func (r *reader) buying() {
	waits := -1
	for i, n := range r.all() {
		if said, _, _ := strings.Cut(cut(r.text[n.from:max(n.from, n.to)], maxStockText), "."); n.named(atom.Form) && availability(said) == "OutOfStock" {
			continue // the form stays without its button
		}
		if !r.mayTell(i) || !r.looksLikeButton(i) {
			continue
		}
		switch said := r.buttonText(i); {
		case !r.isOffAt(i) && orders(n.el, said):
			r.addLike(i, "availability", "InStock", said)
		case waits < 0 && said != "unavailable" && (availability(said) == "OutOfStock" || containsAny(said, phrasesOf()["wait"])):
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
		return v.Text == "InStock" || availability(v.Text) == "InStock"
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

// maxStockText is the length of such a text, in bytes, and maxState that of one
// that says nothing else.
const (
	maxStockText = 400
	maxState     = 60
)

// stock reads such a text. That a thing which nothing else sells cannot be had
// outranks what machines are told.
func (r *reader) stock(i int, sells bool) {
	text := r.textOf(i)
	state := stateIn(strings.ToLower(text))
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

// An opening is a phrase that a text opens with, and the list that it is of.
type opening struct{ words, list string }

// openingsOf returns the phrases of lists by their first byte, in both cases, the
// longest first.
func openingsOf(lists ...string) func() *[256][]opening {
	return sync.OnceValue(func() *[256][]opening {
		var t [256][]opening
		for _, list := range lists {
			for _, w := range phrasesOf()[list] {
				t[w[0]] = append(t[w[0]], opening{w, list})
				if upper := strings.ToUpper(w); upper[0] != w[0] {
					t[upper[0]] = append(t[upper[0]], opening{w, list})
				}
			}
		}
		for _, all := range t {
			slices.SortStableFunc(all, func(a, b opening) int { return len(b.words) - len(a.words) })
		}
		return &t
	})
}

// stateOpenings are the phrases for whether a thing can be had, and before these
// what only says that it is so now.
var stateOpenings = openingsOf("now", "OutOfStock", "InStock", "gone")

// availability returns InStock or OutOfStock, the words of schema.org, for a
// short text that opens with words for it, else "".
func availability(s string) string {
	if len(s) < 4 || len(s) > maxState {
		return ""
	}
	s = strings.Trim(s, " .!:*✓✔●•-–()")
	if s == "" || s[0] < 0x80 && stateOpenings()[s[0]] == nil {
		return ""
	}
	for s = strings.ToLower(s); s != ""; {
		list, rest := stateOpening(s)
		switch {
		case list == "gone" && rest == "":
			return "OutOfStock"
		case list == "gone":
			return ""
		case list != "now":
			return list
		}
		s = strings.TrimLeft(rest, ", ")
	}
	return ""
}

// maxBehindState is how much stands behind words for whether a thing can be had, in
// bytes.
const maxBehindState = 30

// stateOpening returns of which list a text opens with a phrase, and the rest.
func stateOpening(s string) (list, rest string) {
	for _, o := range stateOpenings()[s[0]] {
		rest, ok := strings.CutPrefix(s, o.words)
		if c, _ := utf8.DecodeRuneInString(rest); ok && !isLetterOfWord(c) && (len(rest) <= maxBehindState || o.list == "now") {
			return o.list, rest
		}
	}
	return "", ""
}

// stateIn returns the first state that a text in lower case speaks of; that
// something cannot be had counts before that it can.
func stateIn(s string) string {
	for _, state := range [...]string{"OutOfStock", "InStock"} {
		if slices.ContainsFunc(phrasesOf()[state], func(w string) bool { return hasPhrase(s, w) }) {
			return state
		}
	}
	return ""
}

// hasPhrase reports whether words stand in a text as a whole.
func hasPhrase(s, words string) bool {
	for at := 0; ; {
		i := strings.Index(s[at:], words)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(words)
		before, _ := utf8.DecodeLastRuneInString(s[:start])
		after, _ := utf8.DecodeRuneInString(s[end:])
		if !isLetterOfWord(before) && !isLetterOfWord(after) {
			return true
		}
		at = end
	}
}

// isLetterOfWord leaves out letters of scripts that put no space between words.
func isLetterOfWord(c rune) bool {
	return c != utf8.RuneError && unicode.IsLetter(c) && !unicode.Is(unicode.Lo, c)
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
	return off || attr(n, "aria-disabled") == "true" || containsFold(attr(n, "class"), "disabled")
}

// buttonText is what a button says, in lower case; "" for much text.
func (r *reader) buttonText(i int) string {
	n := &r.nodes[i]
	said := r.text[n.from:max(n.from, n.to)]
	for _, key := range [...]string{"value", "aria-label", "title", "alt"} {
		if said == "" || len(said) > maxState {
			said = attr(n.el, key)
		}
	}
	if n.named(atom.Form) || len(said) > maxState {
		return ""
	}
	return strings.ToLower(oneLine(strings.TrimSpace(said)))
}

// orders reports whether a button buys, by what it says in lower case or by its
// names, which are English wherever the page is read. One that puts something
// elsewhere than into a basket, or says that there is nothing, does not.
func orders(n *html.Node, said string) bool {
	isOrder := func(w string) bool { return strings.HasPrefix(said, w) }
	if !slices.ContainsFunc(phrasesOf()["order"], isOrder) && (said == "" && tree.Is(n, atom.Div, atom.Span) || !isNamedOrder(n)) {
		return false // one around much more, or one for something else
	}
	return !containsAny(said, phrasesOf()["other list"]) && stateIn(said) != "OutOfStock"
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
	return n.DataAtom != atom.Form && len(said) <= maxState && isButton(n) && !isOff(n) && orders(n, strings.ToLower(strings.TrimSpace(said)))
}

func containsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// containsFold reports whether s has the word, which is in lower case.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}
