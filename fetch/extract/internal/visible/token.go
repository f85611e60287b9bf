package visible

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
	"github.com/drover-go/drover/internal/shorten"
)

// token is what one of the names in a class or an id says.
type token struct {
	text string
	// name is what it calls something, and not how it looks, or "": "product price" of
	// "c-product__price--large".
	name string
	// code says that it calls something the number of a thing, stock that it tells
	// whether the thing can be had, and button that it looks like a button; amount
	// is what money is called by it.
	code, stock, button bool
	amount              mention.AmountKind
	// says is what has it: a label of what comes next, a title, the path to the
	// page, what stands around the content, what speaks of others.
	says flags
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
	if isWide(s) {
		k.says = saysWide
	}
	if len(s) > maxToken || strings.ContainsAny(s, ":[]/!@") || !utf8.ValidString(s) {
		return k // made by a program, or only looks
	}
	lower := strings.ToLower(s)
	k.state = mention.HasDigit(s) || is("state class", lower)
	base, modifier, _ := strings.Cut(s, "--")
	if base != "" {
		s = base // what comes after says how it looks
	}
	words := names.Words(s)
	k.says |= saysOf(lower, words)
	k.button = containsAny(lower, []string{"btn", "button", "cart", "buy"})
	var fewListed, fewNouns [8]string
	listed, nouns := fewListed[:0], fewNouns[:0] // words that lists have, which few are, and those that say what something is
	for _, w := range words {
		lists := listsOf(w)
		if lists != nil {
			listed = append(listed, w)
		}
		if slices.Contains(lists, "short name") || mayBeNoun(w) && !slices.Contains(lists, "look word") {
			nouns = append(nouns, w)
		}
	}
	k.code, k.stock, k.amount = isCodeName(listed), anyIs("stock name", listed), amountOf(words)
	if len(nouns) <= 4 && (k.says&saysLabel == 0 || len(words) == 1) && !isStyle(words) { // "recipe-cuisine-label" has the label of it
		k.name = strings.Join(nouns, " ")
	}
	if k.name == "price" && modifier != "regular" && amountOf(names.Words(modifier)) == mention.OldAmount {
		k.name, k.amount = "old price", mention.OldAmount // "price--rrp"
	}
	return k
}

// isWide reports whether a class shows an element in some windows: "md:block",
// "d-lg-flex".
func isWide(class string) bool {
	i := strings.LastIndexAny(class, ":-")
	return i > 0 && is("display", class[i+1:]) && (class[i] == ':' || strings.HasPrefix(class, "d-"))
}

// isStyle reports whether the words of a name are a property of style sheets and its value, or
// what people touch: "duration-300", "position-relative", "color-picker".
func isStyle(words []string) bool {
	if len(words) != 2 {
		return false
	}
	return strings.Trim(words[1], "0123456789") == "" || is("style value", words[1])
}

// place is which words of a name are looked up in a list.
type place uint8

const (
	whole place = iota // all of it as it is written
	anyWord
	last
	atEnd // the first or the last word
	asPhrase
)

// classRules are what names say whose words are in lists: of at most so many words,
// and none that is in the lists behind.
var classRules = []struct {
	says   flags
	list   string
	at     place
	most   int
	unless string
}{
	{saysCrumbs, "crumb class", asPhrase, 9, ""},
	{saysHidden, "hidden class", whole, 3, ""},
	{saysBoilerplate, "beside class", whole, 9, ""},
	{saysBoilerplate, "beside last word", last, 4, "content word"}, // "main-nav"
	{saysAdvert, "advert class", whole, 9, ""},
	{saysCard, "card class", last, 2, ""},
	{saysLabel, "label word", anyWord, 9, ""},
	{saysTitle, "title word", anyWord, 9, ""},
	{saysBody, "body class", last, 4, ""}, // "postbody", "comment-text"
	{saysBody, "body word", last, 4, "card word"},
	{saysBody, "body word", whole, 1, ""},
	{saysRelated, "related class", asPhrase, 4, "layout word"},
	{saysRemark, "remark word", atEnd, 4, "layout word"},
	{saysReview, "review word", atEnd, 3, ""},
}

// rulesByWord are the words that lists of classRules have, or begin phrases with, and of
// which, as bits: most names have none.
var rulesByWord = sync.OnceValue(func() map[string]uint32 {
	all := map[string]uint32{}
	for k, s := range classRules {
		for _, p := range phrasesOf()[s.list] {
			first, _, _ := strings.Cut(p, " ")
			all[first] |= 1 << k
		}
	}
	return all
})

// saysOf returns what a name says, which is made of words.
func saysOf(name string, words []string) (says flags) {
	may := rulesByWord()[name]
	for _, w := range words {
		may |= rulesByWord()[w]
	}
	for k, s := range classRules {
		if may&(1<<k) != 0 && len(words) > 0 && len(words) <= s.most && s.at.has(s.list, name, words) && !anyIs(s.unless, words) {
			says |= s.says
		}
	}
	return says
}

func (p place) has(list, name string, words []string) bool {
	switch p {
	case whole:
		return is(list, name)
	case anyWord:
		return anyIs(list, words)
	case asPhrase:
		name = strings.Join(words, " ")
		return slices.ContainsFunc(phrasesOf()[list], func(p string) bool { return mention.HasPhrase(name, p) })
	}
	return is(list, words[len(words)-1]) || p == atEnd && is(list, words[0])
}

func anyIs(list string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return is(list, w) })
}

// ofOthers is what those say that speak of other things than their page, or hold
// what readers or customers say.
const ofOthers = saysRelated | saysRemark | saysReview

// IsOfOthers reports whether an element of this class is one of these.
func IsOfOthers(class string) bool {
	for s := range strings.FieldsSeq(shorten.Prefix(class, maxNames)) {
		if len(s) <= maxToken && saysOf(strings.ToLower(s), names.Words(s))&ofOthers != 0 {
			return true
		}
	}
	return false
}

// mayBeNoun reports whether a word of a class may say what something is: it is not
// short, has a vowel and no digit.
func mayBeNoun(w string) bool {
	return len(w) >= 4 && !mention.HasDigit(w) && strings.ContainsAny(w, "aeiouy")
}

// maxToken is the length of a class that is looked at, in bytes.
const maxToken = 60

// maxNames is how much of a class attribute is looked at, in bytes.
const maxNames = 256

// in yields what the names in an attribute say.
func (t tokens) in(attribute string) iter.Seq[*token] {
	return func(yield func(*token) bool) {
		for s := range strings.FieldsSeq(shorten.Prefix(attribute, maxNames)) {
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
			key := n.Attr[i].Key
			if key != "class" && key != "id" && !strings.HasPrefix(key, "data-test") && !strings.HasPrefix(key, "data-qa") && !strings.HasPrefix(key, "data-auto") {
				continue
			}
			for k := range t.in(n.Attr[i].Val) {
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

// maxNamesOfOne is how many names an element has at most.
const maxNamesOfOne = 3

// names returns the names that the makers of an element give it. Links say under
// what a page is filed: rel=tag, and "category tag" as blogs write it.
func (t tokens) names(n *html.Node) (all []string) {
	if rel := " " + strings.ToLower(attr(n, "rel")) + " "; strings.Contains(rel, " tag ") {
		if strings.Contains(rel, " category ") {
			return []string{"category"}
		}
		return []string{"tags"}
	}
	for k := range t.named(n) {
		if k.name != "" && len(all) < maxNamesOfOne && !slices.Contains(all, k.name) {
			all = append(all, k.name)
		}
	}
	return all
}

// read returns what the names of an element say, and its key: a hash of its
// name and of the first one in its class that says what it is and not in which
// state or place. Those that are built alike share it.
func (t tokens) read(n *html.Node) (says flags, key uint64) {
	key = hash(14695981039346656037, n.Data)
	keyed := false
	for i := range n.Attr {
		a := &n.Attr[i]
		var may flags
		switch a.Key {
		case "class":
			may = ^flags(0)
		case "id":
			may = saysCrumbs | saysBoilerplate | saysRelated | saysRemark
		case "data-testid", "aria-label":
			may = saysCrumbs
		default:
			continue
		}
		for s := range strings.FieldsSeq(shorten.Prefix(a.Val, maxNames)) {
			k := t.of(s)
			says |= k.says & may
			if a.Key == "class" && !keyed && !k.state {
				key, keyed = hash(key, s), true
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
