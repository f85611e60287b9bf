package secrets

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// net finds values in a text. It may grow while it is used.
type net struct {
	use use
	mu  sync.RWMutex // of all below

	plain, loose index
	// raw are the values themselves, whose bytes are taken out whatever stands
	// around them: normalisation may join a mark to a value's last letter.
	raw index
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
	n := &net{use: u}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		n.learn(name, values[name])
	}
	return n
}

// learn has values of a name found from now on. A nil net is there only once it is
// needed, and then knows them.
func (n *net) learn(name string, values []string) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if p := Placeholder(name); !slices.Contains(n.names, p) {
		n.names = append(n.names, p)
	}
	for _, value := range values {
		if utf8.RuneCountInString(value) < MinSearched || trimmed(value, true) == "" || n.use == own && plainWord.MatchString(value) {
			continue
		}
		n.raw.add(pattern{text: value, placeholder: Placeholder(name)})
		n.add(value, Placeholder(name), n.use)
	}
}

// empty reports whether there is nothing to find.
func (n *net) empty() bool {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.plain.empty()
}

// longestText is the length of the longest text that is found, in bytes.
func (n *net) longestText() int {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.longest
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

// index finds the patterns that may begin at a place by its first four bytes, of
// which most places of a text are told apart by the first two. No pattern is
// shorter: it has at least [MinSearched] characters.
type index struct {
	buckets map[uint32][]pattern
	set     [1 << 16 / 64]uint64
}

const keySize = 4

func keyOf(s string) uint32 {
	return uint32(s[0])<<24 | uint32(s[1])<<16 | uint32(s[2])<<8 | uint32(s[3])
}

func (x *index) empty() bool { return len(x.buckets) == 0 }

func (x *index) add(p pattern) {
	if x.buckets == nil {
		x.buckets = map[uint32][]pattern{}
	}
	key := keyOf(p.text)
	bucket := x.buckets[key]
	if slices.Contains(bucket, p) {
		return
	}
	// The longest come first, so that no value is cut by one that it contains.
	at := slices.IndexFunc(bucket, func(q pattern) bool { return len(q.text) < len(p.text) })
	if at < 0 {
		at = len(bucket)
	}
	x.buckets[key] = slices.Insert(bucket, at, p)
	pair := key >> 16
	x.set[pair/64] |= 1 << (pair % 64)
}

// each calls f for every pattern that stands at a place in the text, the
// longest first, until f returns true for that place.
func (x *index) each(text string, f func(at int, p *pattern) bool) {
	if x.empty() {
		return
	}
	for i := 0; i+keySize <= len(text); i++ {
		pair := uint16(text[i])<<8 | uint16(text[i+1])
		if x.set[pair/64]&(1<<(pair%64)) == 0 {
			continue
		}
		bucket := x.buckets[keyOf(text[i:])]
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
	n.mu.RLock()
	defer n.mu.RUnlock()
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
	n.raw.each(text, func(at int, p *pattern) bool {
		all = append(all, found{from: at, to: at + len(p.text), placeholder: p.placeholder})
		return true
	})
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
