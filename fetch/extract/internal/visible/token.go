package visible

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// token is what one of the names in a class or an id says.
type token struct {
	text string
	// name is what it calls something, see [nameOfWords], or "".
	name string
	// code says that it calls something the number of a thing, stock that it tells
	// whether the thing can be had, and button that it looks like a button; amount
	// is what money is called by it.
	code, stock, button bool
	amount              amountKind
	// says is what has it: a label of what comes next, a title.
	says flags
	// Of what has it: whether it stands around the content, or is the path to
	// the page.
	boilerplate, crumbs bool
	// owner is of what it speaks, and card says that it is a card.
	owner graph.Owner
	card  bool
	// state says that it tells one from others that are alike, or stands for
	// nothing else.
	state bool
}

// tokens are the names on a page, each looked at once.
type tokens map[string]*token

func (t tokens) of(s string) *token {
	known := t[s]
	if known == nil {
		known = newToken(s)
		t[s] = known
	}
	return known
}

func newToken(s string) *token {
	k := &token{text: s, state: true}
	if len(s) > maxToken || strings.ContainsAny(s, ":[]/!@") || !utf8.ValidString(s) {
		return k // made by a program, or only looks
	}
	lower := strings.ToLower(s)
	k.state = hasDigit(s) || states[lower]
	k.crumbs = strings.Contains(lower, "breadcrumb") || strings.Contains(lower, "bread-crumb") || lower == "crumbs"
	base, modifier, _ := strings.Cut(s, "--")
	if base != "" {
		s = base // what comes after says how it looks
	}
	var few [8]string
	words := appendWords(few[:0], s)
	k.boilerplate = boilerplate[lower] || isAroundName(words)
	for _, word := range words {
		switch {
		case labelWords[word]:
			k.says |= saysLabel
		case word == "title" || word == "headline" || word == "subject":
			k.says |= saysTitle
		}
	}
	if isBodyName(words) {
		k.says |= saysBody
	}
	k.code, k.stock, k.amount = isCodeName(words), slices.ContainsFunc(words, func(w string) bool { return is("stock name", w) }), amountOf(words)
	k.button = containsAny(lower, []string{"btn", "button", "cart", "buy"})
	k.owner, k.card = ownerNamed(words), isCardName(words)
	k.name = nameOfWords(words)
	if k.name == "price" && modifier != "regular" && amountOf(appendWords(nil, modifier)) == oldAmount {
		k.name, k.amount = "old price", oldAmount // "price--rrp"
	}
	return k
}

// maxToken is the length of a class that is looked at, in bytes.
const maxToken = 60

// maxNames is how much of a class attribute is looked at, in bytes.
const maxNames = 256

// in yields what the names in an attribute say.
func (t tokens) in(attribute string) func(yield func(*token) bool) {
	return func(yield func(*token) bool) {
		for s := range strings.FieldsSeq(cut(attribute, maxNames)) {
			if !yield(t.of(s)) {
				return
			}
		}
	}
}

// named yields what the names say that the makers of an element give it: for
// styles, scripts or tests.
func (t tokens) named(n *html.Node) func(yield func(*token) bool) {
	return func(yield func(*token) bool) {
		for i := range n.Attr {
			a := &n.Attr[i]
			if a.Key != "class" && a.Key != "id" && !strings.HasPrefix(a.Key, "data-test") && !strings.HasPrefix(a.Key, "data-qa") && !strings.HasPrefix(a.Key, "data-auto") {
				continue
			}
			for k := range t.in(a.Val) {
				if !yield(k) {
					return
				}
			}
		}
	}
}

// first returns the first of these that says something, or nil.
func (t tokens) first(n *html.Node, says func(*token) bool) *token {
	for k := range t.named(n) {
		if says(k) {
			return k
		}
	}
	return nil
}

// noun returns the first name that the classes of an element give it.
func (t tokens) noun(n *html.Node) string {
	for k := range t.in(attr(n, "class")) {
		if k.name != "" {
			return k.name
		}
	}
	return ""
}

var labelWords = setOf("label key term caption th dt lbl labels fieldname")

// read returns what the names of an element say, and its key: a hash of its
// name and of the first one in its class that says what it is and not in which
// state or place. Those that are built alike share it.
func (t tokens) read(n *html.Node) (says flags, key uint64) {
	key = hash(14695981039346656037, n.Data)
	keyed := false
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "class", "id", "data-testid":
		case "aria-label":
			if len(a.Val) < maxToken && strings.Contains(strings.ToLower(a.Val), "breadcrumb") {
				says |= saysCrumbs
			}
			continue
		default:
			continue
		}
		for s := range strings.FieldsSeq(cut(a.Val, maxNames)) {
			k := t.of(s)
			if k.crumbs {
				says |= saysCrumbs
			}
			if a.Key == "class" {
				says |= k.says
				if !keyed && !k.state {
					key, keyed = hash(key, s), true
				}
			}
			if k.boilerplate && a.Key != "data-testid" {
				says |= saysBoilerplate
			}
		}
	}
	key ^= key >> 33
	return says, key * 0xff51afd7ed558ccd
}

// hash goes on with the FNV-1a hash h.
func hash(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
