package loose

import (
	"slices"
	"strings"
)

// parser reads values. It never goes back.
type parser struct {
	text string
	at   int
	// depth and left are how many levels and values may still be entered.
	depth, left int
	// script says that text is a script's, in which nothing is guessed.
	script bool
	// objects and arrays are how many of them are around the place, and inner is
	// the bracket of the innermost.
	objects, arrays int
	inner           byte
	// cut says that a limit was met, broken that text is no JSON, escaped that
	// its quotes are written as entities.
	cut, broken, escaped bool
}

func (p *parser) done() bool {
	return p.at >= len(p.text) || p.cut || p.escaped || p.script && p.broken
}

// read reads the objects and arrays outside of comments.
func read(p parser) (roots []Value, escaped bool) {
	for p.blanks(); !p.done(); p.blanks() {
		if c := p.text[p.at]; c != '{' && c != '[' {
			p.escaped = strings.HasPrefix(p.text[p.at:], "&lt;!--") || strings.HasPrefix(p.text[p.at:], "&#123;")
			p.at++
			continue
		}
		roots = append(roots, Value{})
		p.value(&roots[len(roots)-1])
	}
	if p.escaped {
		return nil, true
	}
	return roots, false
}

// value reads the value at the place, behind blanks, into v.
func (p *parser) value(v *Value) {
	if p.left--; p.left < 0 {
		p.cut = true
		return
	}
	switch c := p.text[p.at]; {
	case c == '{' || c == '[':
		p.container(v, c)
	case p.isQuote():
		v.Kind, v.Text = String, p.str(p.inner == '{', false)
	default:
		p.word(v)
	}
}

// container reads an object or an array.
func (p *parser) container(v *Value, open byte) {
	if p.depth--; p.depth < 0 {
		p.cut = true
		return
	}
	around, count, closing := p.inner, &p.arrays, byte(']')
	v.Kind = Array
	if open == '{' {
		v.Kind, count, closing = Object, &p.objects, '}'
	}
	p.inner = open
	p.at++
	*count++
	p.items(v, closing)
	*count--
	if v.Kind == Object {
		v.Items = lastOfEach(v.Items)
	}
	p.inner = around
	p.depth++
}

// items reads up to the bracket that closes an object or an array, or to one that
// closes what is around it.
func (p *parser) items(v *Value, closing byte) {
	for p.separators(); !p.done(); p.separators() {
		switch c := p.text[p.at]; {
		case c == closing:
			p.at++
			return
		case c == '}' && p.objects > 0, c == ']' && p.arrays > 0:
			p.broken = true
			return
		case strings.IndexByte("]}:)(", c) >= 0, v.Kind == Object && (c == '{' || c == '['):
			p.stray()
		case v.Kind == Object:
			p.member(v)
		default:
			v.Items = append(v.Items, Value{})
			p.value(&v.Items[len(v.Items)-1])
		}
	}
	p.broken = true
}

func (p *parser) member(v *Value) {
	name, start := "", p.at
	if p.isQuote() {
		name = p.str(false, true)
	} else {
		name = p.bare()
	}
	if p.at == start {
		p.stray()
		return
	}
	p.blanks()
	if p.done() || p.text[p.at] != ':' {
		p.broken = true
		return
	}
	p.at++
	p.blanks()
	m := Value{Name: name}
	if p.done() || strings.IndexByte(",}];", p.text[p.at]) >= 0 {
		p.broken = true
	} else {
		p.value(&m)
	}
	v.Items = append(v.Items, m)
}

// stray leaves out a character that has no place here. If it begins a quote
// that is written as an entity, all quotes are.
func (p *parser) stray() {
	p.broken = true
	if !p.script && p.text[p.at] == '&' {
		for _, quote := range [...]string{"&quot;", "&#34;", "&#034;", "&#x22;", "&#X22;", "&amp;quot;"} {
			p.escaped = p.escaped || strings.HasPrefix(p.text[p.at:], quote)
		}
	}
	p.at++
}

// fewNames is up to how many names comparing each with each is quickest.
const fewNames = 16

// lastOfEach leaves of the values with the same name the last.
func lastOfEach(items []Value) []Value {
	var places map[string]int
	if len(items) > fewNames {
		places = make(map[string]int, len(items))
	}
	kept := items[:0]
	for _, v := range items {
		i, known := places[v.Name]
		if places == nil {
			i = slices.IndexFunc(kept, func(k Value) bool { return k.Name == v.Name })
			known = i >= 0
		}
		if known {
			kept[i] = v
			continue
		}
		if places != nil {
			places[v.Name] = len(kept)
		}
		kept = append(kept, v)
	}
	return kept
}

// separators skips blanks and the commas and semicolons between values, which
// may be too many or missing.
func (p *parser) separators() {
	for p.blanks(); !p.done() && (p.text[p.at] == ',' || p.text[p.at] == ';' && !p.script); p.blanks() {
		p.at++
	}
}

// blanks skips white space, comments and the wrappers of scripts.
func (p *parser) blanks() {
	for p.at < len(p.text) {
		n := p.blank(p.text[p.at:])
		if n == 0 {
			return
		}
		p.at += n
	}
}

// wrappers are what hides a script from ancient browsers or from XML, and spaces of
// several bytes.
var wrappers = []string{"<![CDATA[", "]]>", "<!--", "-->", "\uFEFF", "\u2028", "\u2029", "\u00A0"}

// blank returns the size of the blank that a text begins with.
func (p *parser) blank(rest string) int {
	switch c := rest[0]; {
	case c == ' ' || '\t' <= c && c <= '\r' || c < ' ' && !p.script:
		return 1
	case c == '/':
		return comment(rest)
	case strings.IndexByte("<]-\xEF\xE2\xC2", c) >= 0:
		for _, w := range wrappers {
			if strings.HasPrefix(rest, w) {
				return len(w)
			}
		}
	}
	return 0
}

// comment returns the size of a comment of a script, of which a wrapper in it
// is no part: what comes after that on the line is meant.
func comment(rest string) int {
	switch {
	case strings.HasPrefix(rest, "/*"):
		if end := strings.Index(rest[2:], "*/"); end >= 0 {
			return end + 4
		}
		return len(rest)
	case strings.HasPrefix(rest, "//"):
		if inner := strings.TrimLeft(rest[2:], " \t"); strings.HasPrefix(inner, "<!") {
			return len(rest) - len(inner)
		}
		if end := strings.IndexAny(rest, "\r\n"); end >= 0 {
			return end
		}
		return len(rest)
	}
	return 0
}
