package loose

import (
	"bytes"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// parser reads values. It never goes back.
type parser struct {
	text string
	at   int
	// open are the brackets that would close what is around the place, and left is
	// how many values may still be read.
	open []byte
	left int
	// script says that text is a script's, in which nothing is guessed.
	script bool
	// cut says that a limit was met, broken that text is no JSON.
	cut, broken bool
}

func (p *parser) done() bool {
	return p.at >= len(p.text) || p.cut || p.script && p.broken
}

func (p *parser) inObject() bool { return len(p.open) > 0 && p.open[len(p.open)-1] == '}' }

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
		v.Kind, v.Text = String, p.str(false)
	default:
		p.word(v)
	}
}

// container reads an object or an array.
func (p *parser) container(v *Value, open byte) {
	if len(p.open) == maxDepth {
		p.cut = true
		return
	}
	closing := byte(']')
	v.Kind = Array
	if open == '{' {
		v.Kind, closing = Object, '}'
	}
	p.open = append(p.open, closing)
	p.at++
	p.items(v, closing)
	if v.Kind == Object {
		v.Items = lastOfEach(v.Items)
	}
	p.open = p.open[:len(p.open)-1]
}

// items reads up to the bracket that closes an object or an array, or to one that
// closes what is around it.
func (p *parser) items(v *Value, closing byte) {
	for p.separators(); !p.done(); p.separators() {
		switch c := p.text[p.at]; {
		case c == closing:
			p.at++
			return
		case bytes.IndexByte(p.open, c) >= 0:
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
		name = p.str(true)
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

// stray leaves out a character that has no place here.
func (p *parser) stray() {
	p.broken = true
	p.at++
}

// lastOfEach leaves of the values with the same name the last, at the place of the
// first.
func lastOfEach(items []Value) []Value {
	places, kept := map[string]int{}, items[:0]
	for _, v := range items {
		at, known := places[v.Name]
		if !known {
			at, kept = len(kept), append(kept, v)
			places[v.Name] = at
		}
		kept[at] = v
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
		switch c := p.text[p.at]; {
		case c == ' ' || '\t' <= c && c <= '\r' || c < ' ' && !p.script:
			p.at++
		case strings.IndexByte("/<]-\xEF\xE2\xC2", c) >= 0:
			size := len(blank().FindString(p.text[p.at:]))
			if size == 0 {
				return
			}
			p.at += size
		default:
			return
		}
	}
}

// blank is a comment, what hides a script from ancient browsers or from XML, or a
// space of several bytes. A wrapper in the comment of a line is no part of it: what
// comes after that is meant.
var blank = lexicon.Pattern(`^(?:/\*(?s:.*?)(?:\*/|\z)|//[ \t]*<!(?:\[CDATA\[|--)?|//[^\r\n]*|<!\[CDATA\[|\]\]>|<!--|-->|[\x{FEFF}\x{2028}\x{2029}\x{A0}])`)
