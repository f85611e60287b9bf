package visible

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

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
	if containsAny(said, phrasesOf()["other list"]) || stateIn(said) == "OutOfStock" {
		return false
	}
	if slices.ContainsFunc(phrasesOf()["order"], func(w string) bool { return strings.HasPrefix(said, w) }) {
		return true
	}
	for _, key := range [...]string{"id", "name", "class", "data-action", "data-testid"} {
		if said == "" && tree.Is(n, atom.Div, atom.Span) {
			break // it is around much more
		}
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
