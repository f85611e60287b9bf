package loose

import "strings"

// parser reads values. It never goes back further than one string, and that
// seldom; see maxMends.
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
	// mends counts the strings that were read twice.
	mends int
	// endless says that no "-->" is left in the text.
	endless bool
}

func (p *parser) done() bool {
	return p.at >= len(p.text) || p.cut || p.escaped || p.script && p.broken
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

func (p *parser) container(v *Value, open byte) {
	if p.depth--; p.depth < 0 {
		p.cut = true
		return
	}
	around := p.inner
	p.inner = open
	p.at++
	if open == '{' {
		v.Kind = Object
		p.objects++
		p.members(v)
		p.objects--
		v.Items = lastOfEach(v.Items)
	} else {
		v.Kind = Array
		p.arrays++
		p.elements(v)
		p.arrays--
	}
	p.inner = around
	p.depth++
}

func (p *parser) elements(v *Value) {
	for p.separators(); !p.done(); p.separators() {
		switch p.text[p.at] {
		case ']':
			p.at++
			return
		case '}':
			if p.objects > 0 { // it closes the object around
				p.broken = true
				return
			}
			p.stray()
		case ':', ')':
			p.stray()
		default:
			v.Items = append(v.Items, Value{})
			p.value(&v.Items[len(v.Items)-1])
		}
	}
	p.broken = true
}

func (p *parser) members(v *Value) {
	for p.separators(); !p.done(); p.separators() {
		switch c := p.text[p.at]; {
		case c == '}':
			p.at++
			return
		case c == ']' && p.arrays > 0:
			p.broken = true
			return
		case strings.IndexByte("]:[{)(", c) >= 0:
			p.stray()
		default:
			p.member(v)
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
	if p.done() {
		p.broken = true
	} else if strings.IndexByte(",}];", p.text[p.at]) < 0 {
		p.value(&m)
	} else {
		p.broken = true
	}
	v.Items = append(v.Items, m)
}

// stray leaves out a character that has no place here. If it begins a quote
// that is written as an entity, all quotes are.
func (p *parser) stray() {
	p.broken = true
	p.escaped = p.escaped || !p.script && isEscapedQuote(p.text[p.at:])
	p.at++
}

// fewNames is up to how many names comparing each with each is quickest.
const fewNames = 32

// lastOfEach leaves of the values with the same name the last.
func lastOfEach(items []Value) []Value {
	if len(items) <= fewNames {
		kept := items[:0]
	next:
		for _, v := range items {
			for i := range kept {
				if kept[i].Name == v.Name {
					kept[i] = v
					continue next
				}
			}
			kept = append(kept, v)
		}
		return kept
	}
	at := make(map[string]int, len(items))
	kept := items[:0]
	for _, v := range items {
		if i, ok := at[v.Name]; ok {
			kept[i] = v
			continue
		}
		at[v.Name] = len(kept)
		kept = append(kept, v)
	}
	return kept
}
