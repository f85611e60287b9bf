package secrets

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// net finds values in a text.
type net struct {
	plain, loose index
	// raw are the values themselves, whose bytes are taken out whatever stands
	// around them: normalisation may join a mark to a value's last letter.
	raw []pattern
	// names are the placeholders, which are left as they are even where a
	// value is part of its own name.
	names []string
	// starts are the values themselves, in normal form.
	starts []string
	of     []string // their placeholders
	// longest is the longest value or pattern, in bytes.
	longest int
}

func newNet(values map[string][]string, u use) *net {
	n := &net{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		n.names = append(n.names, Placeholder(name))
		for _, value := range values[name] {
			if utf8.RuneCountInString(value) < MinSearched || trimmed(value, true) == "" || u == own && plainWord.MatchString(value) {
				continue
			}
			n.raw = append(n.raw, pattern{text: value, placeholder: Placeholder(name)})
			n.add(value, Placeholder(name), u)
		}
	}
	n.plain.sort()
	n.loose.sort()
	return n
}

func (n *net) add(value, placeholder string, u use) {
	n.longest = max(n.longest, len(value))
	n.starts, n.of = append(n.starts, trimmed(value, true)), append(n.of, placeholder)
	for _, p := range patterns(value, placeholder, u) {
		n.longest = max(n.longest, len(p.text))
		n.plain.add(p)
	}
	if p, ok := loosePattern(value, placeholder, u); ok {
		n.loose.add(p)
	}
}

// index finds the patterns that may begin at a place by its first two bytes:
// at most places of a text there are none.
type index struct {
	buckets map[uint16][]pattern
	set     [1 << 16 / 64]uint64
}

func pair(s string) uint16 { return uint16(s[0])<<8 | uint16(s[1]) }

func (x *index) empty() bool { return len(x.buckets) == 0 }

func (x *index) add(p pattern) {
	if x.buckets == nil {
		x.buckets = map[uint16][]pattern{}
	}
	key := pair(p.text)
	if !slices.Contains(x.buckets[key], p) {
		x.buckets[key] = append(x.buckets[key], p)
		x.set[key/64] |= 1 << (key % 64)
	}
}

// sort puts the longest first, so that no value is cut by one that it
// contains.
func (x *index) sort() {
	for _, b := range x.buckets {
		slices.SortStableFunc(b, func(a, b pattern) int { return cmp.Compare(len(b.text), len(a.text)) })
	}
}

// each calls f for every pattern that stands at a place in the text, the
// longest first, until f returns true for that place.
func (x *index) each(text string, f func(at int, p *pattern) bool) {
	if x.empty() {
		return
	}
	for i := 0; i+1 < len(text); i++ {
		key := pair(text[i:])
		if x.set[key/64]&(1<<(key%64)) == 0 {
			continue
		}
		bucket := x.buckets[key]
		for j := range bucket {
			if p := &bucket[j]; strings.HasPrefix(text[i:], p.text) && f(i, p) {
				break
			}
		}
	}
}

// found is a value in a text.
type found struct {
	from, to    int
	placeholder string
	// kept is a placeholder that was there already.
	kept bool
	// number says that no digit may stand beside it.
	number bool
}

// clean puts placeholders in place of values. A nil net finds none.
func (n *net) clean(text string) string {
	if n == nil {
		return text
	}
	all := n.find(text)
	if len(all) == 0 {
		return text
	}
	var b strings.Builder
	last := found{}
	for _, f := range all {
		if f.from < last.to { // what is left of a value that overlaps another goes, too
			if f.to <= last.to || f.kept || last.kept {
				continue
			}
			f.from = last.to
		} else {
			b.WriteString(text[last.to:f.from])
			last.placeholder = ""
		}
		if f.placeholder != last.placeholder {
			b.WriteString(f.placeholder)
		}
		last = f
	}
	b.WriteString(text[last.to:])
	return b.String()
}

// find returns all places, the first and longest first.
func (n *net) find(text string) (all []found) {
	if n.plain.empty() {
		return nil
	}
	for _, p := range n.raw {
		all = append(all, occurrences(text, p.text, p.placeholder, false)...)
	}
	l, ok := level{text: text}, true
	for range 1 + maxLayers {
		all = append(all, n.findIn(l)...)
		if l, ok = l.undo(); !ok {
			break
		}
	}
	if len(all) == 0 {
		return nil
	}
	for _, name := range n.names {
		all = append(all, occurrences(text, name, name, true)...)
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	return all
}

func occurrences(text, what, placeholder string, kept bool) (all []found) {
	for from := 0; ; {
		i := strings.Index(text[from:], what)
		if i < 0 {
			return all
		}
		all = append(all, found{from: from + i, to: from + i + len(what), placeholder: placeholder, kept: kept})
		from += i + 1
	}
}

// findIn looks at one layer of the text.
func (n *net) findIn(l level) (all []found) {
	v := normalised(l.text, true)
	add := func(from, to int, placeholder string) {
		start, end := l.span(from, to)
		all = append(all, found{from: start, to: end, placeholder: placeholder})
	}
	n.plain.each(v.norm, func(at int, p *pattern) bool {
		from, to := int(v.from[at]), int(v.to[at+len(p.text)-1])
		if !p.fits(l.text, from, to) {
			return false
		}
		add(from, to, p.placeholder)
		return true
	})
	if from, to, placeholder := n.beginning(v); to > from {
		add(int(v.from[from]), int(v.to[to-1]), placeholder)
	}
	if n.loose.empty() {
		return all
	}
	loose, places := v.loose()
	n.loose.each(loose, func(at int, p *pattern) bool {
		from, to := int(v.from[places[at]]), int(v.to[places[at+len(p.text)-1]])
		if !p.fits(l.text, from, to) {
			return false
		}
		add(from, to, p.placeholder)
		return true
	})
	return all
}

// fits reports whether what stands in the text is the value by the pattern's
// rule.
func (p *pattern) fits(text string, from, to int) bool {
	switch p.rule {
	case asNumber:
		return byItself(text, from, to)
	case asIs:
		return text[from:to] == p.written
	case asWord:
		got := trimmed(text[from:to], false)
		return got == p.written || inHost(text, from, to) ||
			got == strings.ToUpper(p.written) && alone(text, from, to)
	}
	return true
}

// alone reports whether neither a letter nor a digit stands beside the text.
func alone(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !inWord(before) && !inWord(after)
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// maxHost is as long as a host name can be.
const maxHost = 253

// inHost reports whether the text is part of a host name: of an address, or of
// something with dots in it.
func inHost(text string, from, to int) bool {
	if dotted := from >= 2 && text[from-1] == '.' && inLabel(text[from-2]); dotted {
		return true
	}
	if rest := text[to:]; len(rest) >= 2 && rest[0] == '.' && inLabel(rest[1]) {
		return true
	}
	before := text[max(0, from-maxHost):from]
	i := strings.LastIndexAny(before, " \t\r\n\"'<>()/?#\\")
	return i >= 1 && before[i-1:i+1] == "//"
}
