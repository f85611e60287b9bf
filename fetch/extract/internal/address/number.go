package address

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

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
		name, raw, _ := strings.Cut(pair, "=")
		if v, err := url.QueryUnescape(raw); err == nil && isNumberName(name) {
			r.add(v, weightQuery)
		}
	}
	segments := strings.FieldsFunc(u.Path, func(c rune) bool { return c == '/' })
	for i, s := range slices.Backward(segments) {
		weight := weightSegment
		if i == len(segments)-1 {
			weight = weightLast
			s = withoutExtension(s)
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

// withoutExtension cuts ".html" off.
func withoutExtension(s string) string {
	i := strings.LastIndexByte(s, '.')
	if i <= 0 || len(s)-i > 6 || strings.ContainsAny(s[i:], "0123456789") {
		return s
	}
	return s[:i]
}

func (r *reader) add(s string, weight int) {
	if !mention.IsCode(s) || isYear(s) || len(r.candidates) == maxCandidates {
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

func isYear(s string) bool {
	return len(s) == 4 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20"))
}

// isNumberName reports whether a name is one for the number of a thing, and not
// for that of a list, a person or a campaign.
func isNumberName(s string) bool {
	if len(s) > 60 {
		return false
	}
	s = strings.ToLower(s)
	for _, w := range [...]string{"cat", "cgid", "cid", "user", "uid", "session", "client", "store", "shop", "campaign", "track", "clid", "page", "list", "brand", "seller", "parent", "zip", "phone", "price", "time", "date"} {
		if strings.Contains(s, w) {
			return false
		}
	}
	for _, w := range [...]string{"id", "sku", "item", "product", "prod", "article", "artikel", "code", "number", "mpn", "ref", "goods", "asset"} {
		if strings.HasSuffix(s, w) || len(w) > 3 && strings.HasPrefix(s, w) {
			return true
		}
	}
	return strings.HasSuffix(s, "no") && len(s) < 12
}

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
		if name := nameBefore(text[max(0, start-60):start]); isNumberName(name) && name != "" {
			return name
		}
	}
	return ""
}

func isWord(c byte) bool {
	return c == '-' || c == '_' || c == '/' || c == '%' || c == '.' || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
}

// nameBefore returns the name that stands before a value, behind which there is
// only a quote and a colon or an equals sign.
func nameBefore(s string) string {
	s = strings.TrimRight(strings.TrimRight(s, `"'[\`), " \t")
	if s == "" || s[len(s)-1] != ':' && s[len(s)-1] != '=' {
		return ""
	}
	s = strings.TrimRight(s[:len(s)-1], " \t\"'\\")
	i := strings.LastIndexFunc(s, func(c rune) bool { return c != '_' && c != '-' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	return s[i+1:]
}
