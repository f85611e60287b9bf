package address

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

const (
	// leastSize and maxSize are the sizes of a number, in bytes; one of safeSize
	// is hardly anything else that stands both in the address and on the page.
	leastSize, safeSize, maxSize = 3, 6, 40
	// maxCandidates is how many numbers of addresses are looked for.
	maxCandidates = 12
)

// The weights of the places of an address.
const (
	weightQuery   = 8 // ?pid=260591
	weightLast    = 6 // /item/4548094738
	weightSegment = 4 // /item/4548094738/lamp
	weightPart    = 2 // /lamp-p3897500.html
)

// address collects the numbers in an address.
func (r *reader) address(text string) {
	u, err := url.Parse(text)
	if text == "" || err != nil || len(text) > 2048 {
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
		r.segment(s, weight)
	}
}

// segment takes one that is a number as a whole, and else what is one in it.
func (r *reader) segment(s string, weight int) {
	if !strings.ContainsAny(s, "-_ ,") {
		r.add(s, weight)
	}
	parts := strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune("-_ ,.~", c) })
	for _, part := range slices.Backward(parts) {
		if len(parts) > 1 {
			r.add(part, weightPart)
		}
		for _, digits := range strings.FieldsFunc(part, func(c rune) bool { return c < '0' || c > '9' }) {
			if digits != part && len(digits) > leastSize+1 {
				r.add(digits, weightPart)
			}
		}
	}
}

// extension is the end of the name of a file: ".html".
var extension = lexicon.Pattern(`(.)\.[^.0-9]{1,5}$`)

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

// maxHits is how many times a number is looked at in one script.
const maxHits = 20

// nameInScript returns the name for numbers that a script gives the number as
// its value, as in "sku":"1236291" and productId = 1236291, or "".
func nameInScript(text, number string) string {
	for at, hits := 0, 0; hits < maxHits; hits++ {
		i := strings.Index(text[at:], number)
		if i < 0 {
			return ""
		}
		start, end := at+i, at+i+len(number)
		at = end
		if end < len(text) && isWord(text[end]) || start > 0 && isWord(text[start-1]) {
			continue
		}
		if name := nameBefore(text[max(0, start-60):start]); isNumberName(name) {
			return name
		}
	}
	return ""
}

func isWord(c byte) bool {
	return strings.IndexByte("-_/%.", c) >= 0 || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
}

// nameBefore returns the name that stands before a value, behind which there is
// only a quote and a colon or an equals sign.
func nameBefore(s string) string {
	if m := named().FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

var named = lexicon.Pattern(`([\p{L}\p{Nd}_-]+)[ \t"'\\]*[:=][ \t]*["'\[\\]*$`)
