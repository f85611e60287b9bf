package loose

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/schema"
)

// isQuote reports whether a string begins at the place.
func (p *parser) isQuote() bool {
	c := p.text[p.at]
	return c == '"' || c == '\'' || c == '`' && p.script
}

// str reads a string up to the quote that ends it, and over it. member says that
// it is a value in an object, name that it is the name of one.
func (p *parser) str(member, name bool) string {
	quote := p.text[p.at]
	p.at++
	start := p.at
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '\\':
			p.at++
		case c == quote && (p.script || p.endsHere(quote, member, name)):
			p.at++
			return unescape(p.text[start : p.at-1])
		case p.script && (c == '\n' || c == '\r') && quote != '`', quote == '`' && strings.HasPrefix(p.text[p.at:], "${"):
			p.broken = true
			return ""
		}
	}
	p.broken = true
	p.at = len(p.text)
	return strings.TrimSpace(unescape(p.text[start:]))
}

// maxAhead is how far is looked behind a quote for what it is.
const maxAhead = 256

// skip returns text without the white space and control characters that it
// begins with.
func skip(text string) string {
	return strings.TrimLeftFunc(text, func(c rune) bool { return c <= ' ' })
}

// endsHere reports whether the quote at the place ends its string: it is one
// in the text of the string where something follows that cannot follow a string.
func (p *parser) endsHere(quote byte, member, name bool) bool {
	rest := p.text[p.at+1 : min(len(p.text), p.at+1+maxAhead)]
	after := skip(rest)
	if after == "" {
		return true
	}
	switch c := after[0]; c {
	case ':':
		return true
	case '}', ']', ';', '/', '<':
		return !name
	case ',':
		return !name && (!member || beginsMember(skip(after[1:])))
	case quote: // on another line a comma is missing
		return strings.ContainsAny(rest[:len(rest)-len(after)], "\r\n")
	}
	return false
}

// beginsMember reports whether text, behind a comma, goes on as an object does.
func beginsMember(text string) bool {
	if text == "" || strings.IndexByte("\"',}]/<;", text[0]) >= 0 {
		return true
	}
	end := strings.IndexFunc(text, endsWord)
	return end >= 0 && strings.HasPrefix(skip(text[end:]), ":")
}

// unescape replaces the escapes of JSON and of scripts. A backslash that
// begins none of them stays before a letter or digit, and goes elsewhere.
func unescape(s string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for ; i >= 0; i = strings.IndexByte(s, '\\') {
		b.WriteString(s[:i])
		r, size := escape(s[i:])
		b.WriteString(r)
		s = s[i+size:]
	}
	b.WriteString(s)
	return b.String()
}

// escape returns what an escape stands for, and its size.
func escape(s string) (string, int) {
	if len(s) == 1 {
		return "", 1
	}
	if i := strings.IndexByte("bfnrt", s[1]); i >= 0 {
		return "\b\f\n\r\t"[i : i+1], 2
	}
	switch c := s[1]; {
	case c == 'u':
		return escapedRune(s)
	case c == 'x':
		if r, ok := hex(s, 2, 4); ok {
			return string(r), 4
		}
		return s[:1], 1
	case c == '\n':
		return "", 2
	case c < utf8.RuneSelf && !endsWord(rune(c)) && strings.IndexByte(".-!?", c) < 0:
		return s[:1], 1
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	return s[1 : 1+size], 1 + size
}

// escapedRune reads \uXXXX, two of them where they are halves of a character.
func escapedRune(s string) (string, int) {
	r, ok := hex(s, 2, 6)
	low, _ := hex(s, 8, 12)
	switch both := utf16.DecodeRune(r, low); {
	case !ok:
		return s[:1], 1
	case !utf16.IsSurrogate(r):
		return string(r), 6
	case both != utf8.RuneError && s[6:8] == `\u`:
		return string(both), 12
	}
	return "\uFFFD", 6
}

// hex reads the digits of s between two places.
func hex(s string, from, to int) (rune, bool) {
	if len(s) < to {
		return 0, false
	}
	n, err := strconv.ParseUint(s[from:to], 16, 32)
	return rune(n), err == nil
}

// word reads a value without quotes. "void 0" stands for undefined in scripts that
// were made smaller.
func (p *parser) word(v *Value) {
	text := p.bare()
	if text == "void" {
		p.blanks()
		p.broken = p.broken || p.bare() != "0"
	}
	switch text {
	case "null", "undefined", "NaN", "Infinity", "-Infinity", "None", "void":
	case "true", "True", "!0":
		v.Kind, v.Text = Bool, "true"
	case "false", "False", "!1":
		v.Kind, v.Text = Bool, "false"
	case "":
		p.stray()
	default:
		p.number(v, text)
	}
}

// number reads a number, which scripts write as +5, .5 and 5., too; what is none is
// a text. So is one beyond the guard, and that is no fault.
func (p *parser) number(v *Value, text string) {
	v.Kind, v.Text = String, text
	short := strings.TrimSuffix(strings.TrimPrefix(text, "+"), ".")
	if strings.HasPrefix(short, ".") {
		short = "0" + short
	}
	if schema.NumberOK(short) {
		v.Kind, v.Text = Number, short
		return
	}
	p.broken = p.broken || strings.Trim(text, "-+.eE0123456789") != "" || text[0] == '+'
}

// bare returns the text up to what cannot be a part of a name or a word.
func (p *parser) bare() string {
	rest := p.text[p.at:]
	end := strings.IndexFunc(rest, endsWord)
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return rest[:end]
}

// endsWord reports whether a word ends before a character.
func endsWord(c rune) bool {
	return c <= ' ' || c < utf8.RuneSelf && strings.IndexByte(",:;{}[]()\"'`&<>/\\=", byte(c)) >= 0
}
