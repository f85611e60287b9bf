package loose

import (
	"strings"

	"github.com/drover-go/drover/internal/schema"
)

// word reads a value without quotes.
func (p *parser) word(v *Value) {
	text := p.bare()
	switch text {
	case "null", "undefined", "NaN", "Infinity", "-Infinity", "None":
		p.broken = p.broken || text == "None"
		v.Kind = Null
	case "true", "True", "!0":
		v.Kind, v.Text = Bool, "true"
	case "false", "False", "!1":
		v.Kind, v.Text = Bool, "false"
	case "void":
		p.void(v)
	case "":
		v.Kind = Null
		p.stray()
	default:
		p.number(v, text)
	}
}

// void reads what stands for undefined in scripts that were made smaller.
func (p *parser) void(v *Value) {
	p.blanks()
	if zero := p.bare(); zero != "0" {
		p.broken = true
	}
	v.Kind = Null
}

func (p *parser) number(v *Value, text string) {
	if schema.NumberOK(text) {
		v.Kind, v.Text = Number, text
		return
	}
	v.Kind, v.Text = String, text
	plus := strings.TrimPrefix(text, "+")
	if strings.HasPrefix(plus, ".") {
		plus = "0" + plus
	}
	plus = strings.TrimSuffix(plus, ".")
	if plus != text && schema.NumberOK(plus) {
		v.Kind, v.Text = Number, plus
		return
	}
	// A number beyond the guard stays a text, and is no fault.
	p.broken = p.broken || strings.Trim(text, "-+.eE0123456789") != "" || text[0] == '+'
}

// bare returns the text up to what cannot be a part of a name or a word.
func (p *parser) bare() string {
	start := p.at
	for p.at < len(p.text) && !ends[p.text[p.at]] {
		p.at++
	}
	return p.text[start:p.at]
}

// ends are the bytes that a word ends before.
var ends = func() (t [256]bool) {
	for _, c := range []byte(",:;{}[]()\"'`&<>/\\=") {
		t[c] = true
	}
	for c := range byte(' ' + 1) {
		t[c] = true
	}
	return t
}()

// isEscapedQuote reports whether text begins with a quote that is written as
// an entity.
func isEscapedQuote(text string) bool {
	for _, q := range []string{"&quot;", "&#34;", "&#034;", "&#x22;", "&#X22;", "&amp;quot;"} {
		if strings.HasPrefix(text, q) {
			return true
		}
	}
	return false
}
