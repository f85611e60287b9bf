package loose

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/schema"
)

// isQuote reports whether a string begins at the place.
func (p *parser) isQuote() bool {
	c := p.text[p.at]
	return c == '"' || c == '\'' || c == '`' && p.script
}

// str reads a string up to the quote that ends it, and over it. name says that it is
// the name of a member.
func (p *parser) str(name bool) string {
	quote := p.text[p.at]
	p.at++
	start := p.at
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '\\':
			p.at++
		case c == quote && (p.script || p.endsHere(quote, name)):
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
func (p *parser) endsHere(quote byte, name bool) bool {
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
		return !name && (!p.inObject() || beginsMember(skip(after[1:])))
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

// escape is one of JSON or of scripts. A backslash that begins none stays before a
// letter or digit, and goes elsewhere.
var escape = lexicon.Pattern(`\\(?:u[[:xdigit:]]{4}(?:\\u[dD][c-fC-F][[:xdigit:]]{2})?|x[[:xdigit:]]{2}|[bfnrt]|\W|$)`)

// unescape replaces the escapes in a string: all at once where they are those of
// JSON.
func unescape(s string) string {
	var whole string
	switch {
	case strings.IndexByte(s, '\\') < 0:
		return s
	case json.Unmarshal([]byte(`"`+s+`"`), &whole) == nil:
		return whole
	}
	return escape().ReplaceAllStringFunc(s, func(e string) (one string) {
		switch code := strings.TrimPrefix(e[1:], "x"); {
		case code == "" || code == "\n":
			return ""
		case len(code) < len(e)-1:
			n, _ := strconv.ParseUint(code, 16, 8)
			return string(rune(n))
		case json.Unmarshal([]byte(`"`+e+`"`), &one) == nil:
			return one
		}
		return e[1:]
	})
}

// word reads a value without quotes. "void 0" stands for undefined in scripts that
// were made smaller.
func (p *parser) word(v *Value) {
	text := p.bare()
	if text == "void" {
		p.blanks()
		p.broken = p.broken || p.bare() != "0"
	}
	meant, known := words[text]
	switch {
	case known:
		v.Kind, v.Text = meant.Kind, meant.Text
	case text == "":
		p.stray()
	default:
		p.number(v, text)
	}
}

// words are values of JSON and of scripts that have a name.
var words = map[string]Value{
	"null": {}, "undefined": {}, "NaN": {}, "Infinity": {}, "-Infinity": {}, "None": {}, "void": {},
	"true": {Kind: Bool, Text: "true"}, "True": {Kind: Bool, Text: "true"}, "!0": {Kind: Bool, Text: "true"},
	"false": {Kind: Bool, Text: "false"}, "False": {Kind: Bool, Text: "false"}, "!1": {Kind: Bool, Text: "false"},
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
