package secrets

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// form is one way a value may be written.
type form struct{ text, placeholder string }

// net finds values in a text.
type net struct {
	// forms are sorted: longest first, so that no value is cut by one that it
	// contains.
	forms []form
	// first has the first bytes of the forms, most bytes of a text being none.
	first [256]bool
	// names are the placeholders themselves, which are left as they are even
	// where a value is part of its own name.
	names []string
}

// net returns one for the chosen values.
func (v *Vault) net(choose func(value string) bool) *net {
	n := &net{}
	for _, name := range slices.Sorted(maps.Keys(v.values)) {
		n.names = append(n.names, Placeholder(name))
		if choose(v.values[name]) {
			n.add(v.values[name], Placeholder(name))
		}
	}
	slices.SortStableFunc(n.forms, func(a, b form) int { return cmp.Compare(len(b.text), len(a.text)) })
	return n
}

func (n *net) add(value, placeholder string) {
	for text := range writtenForms(value) {
		if !slices.ContainsFunc(n.forms, func(f form) bool { return f.text == text }) {
			n.forms = append(n.forms, form{text, placeholder})
			n.first[text[0]] = true
		}
	}
}

// clean goes over the text once and puts placeholders in place of values.
func (n *net) clean(text string) string {
	if len(n.forms) == 0 {
		return text
	}
	v := newView(text)
	var b strings.Builder
	done := 0
	for from := 0; from < len(text); from++ {
		if to, placeholder := n.match(v, from); to > from {
			b.WriteString(text[done:from])
			b.WriteString(placeholder)
			done, from = to, to-1
		}
	}
	return b.String() + text[done:]
}

// match returns where the longest value ends that begins at from, and what
// stands for it. No value ends where it begins.
func (n *net) match(v view, from int) (to int, placeholder string) {
	to = from
	if v.text[from] == '%' {
		for _, name := range n.names {
			if strings.HasPrefix(v.text[from:], name) && from+len(name) > to {
				to, placeholder = from+len(name), name
			}
		}
	}
	if f, ok := n.prefix(v.text[from:]); ok && from+len(f.text) > to {
		to, placeholder = from+len(f.text), f.placeholder
	}
	i := v.index[from]
	if i < 0 {
		return to, placeholder
	}
	if f, ok := n.prefix(v.decoded[i:]); ok && v.at[i+len(f.text)] > to {
		to, placeholder = v.at[i+len(f.text)], f.placeholder
	}
	return to, placeholder
}

// prefix returns the longest form that the text begins with.
func (n *net) prefix(text string) (f form, ok bool) {
	if !n.first[text[0]] {
		return f, false
	}
	i := slices.IndexFunc(n.forms, func(f form) bool { return strings.HasPrefix(text, f.text) })
	if i < 0 {
		return f, false
	}
	return n.forms[i], true
}

// view is a text beside the same text with its percent escapes undone. Which
// bytes a program escapes differs, so that values are looked for in both.
type view struct {
	text, decoded string
	// at is where in the text each byte of decoded begins, and the text's end.
	at []int
	// index is the inverse of at; -1 inside an escape.
	index []int
}

func newView(text string) view {
	v := view{text: text, at: make([]int, 0, len(text)+1), index: make([]int, len(text))}
	decoded := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		v.at = append(v.at, i)
		v.index[i] = len(decoded)
		c, escaped := unescape(text[i:])
		if escaped {
			v.index[i+1], v.index[i+2] = -1, -1
			i += 2
		}
		decoded = append(decoded, c)
	}
	v.at = append(v.at, len(text))
	v.decoded = string(decoded)
	return v
}

func unescape(text string) (c byte, escaped bool) {
	if len(text) < 3 || text[0] != '%' {
		return text[0], false
	}
	high, low := hexDigit(text[1]), hexDigit(text[2])
	if high < 0 || low < 0 {
		return text[0], false
	}
	return byte(high<<4 | low), true
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
