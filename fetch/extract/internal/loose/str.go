package loose

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// isQuote reports whether a string begins at the place.
func (p *parser) isQuote() bool {
	switch c := p.text[p.at]; c {
	case '"', '\'':
		return true
	case '`':
		return p.script
	case 0xE2:
		return !p.script && closing(p.text[p.at:]) != ""
	}
	return false
}

// closing returns the quotes that end a string which text begins.
func closing(text string) string {
	switch {
	case strings.HasPrefix(text, "“"), strings.HasPrefix(text, "”"), strings.HasPrefix(text, "„"):
		return "”“"
	}
	return ""
}

// maxMends is how many strings are read a second time, up to their first line
// break, because their end was missing.
const maxMends = 50

// str reads a string. member says that it is a value in an object, name that
// it is the name of one.
func (p *parser) str(member, name bool) string {
	start := p.at
	if p.text[p.at] == 0xE2 {
		return p.typographic()
	}
	quote := p.text[p.at]
	p.at++
	s := p.until(quote, member, name)
	if !member || p.script || p.mends >= maxMends || !p.overran() {
		return s
	}
	// A name follows where no name may: the string has swallowed it.
	line := strings.IndexAny(p.text[start:p.at], "\r\n")
	if line < 0 {
		return s
	}
	p.mends++
	p.broken = true
	p.at = start + line
	return strings.TrimRight(unescape(p.text[start+1:p.at]), " \t,\"")
}

// overran reports whether a colon follows.
func (p *parser) overran() bool {
	return strings.HasPrefix(skip(p.text[p.at:min(len(p.text), p.at+maxAhead)]), ":")
}

// typographic reads a string in quotes of a word processor.
func (p *parser) typographic() string {
	p.broken = true
	ends := closing(p.text[p.at:])
	p.at += len("“")
	end := strings.IndexAny(p.text[p.at:], ends+"\n")
	if end < 0 {
		end = len(p.text) - p.at
	}
	s := p.text[p.at : p.at+end]
	p.at += end
	if p.at < len(p.text) && p.text[p.at] != '\n' {
		p.at += len("“")
	}
	return unescape(s)
}

// until reads up to the quote that ends the string, and over it.
func (p *parser) until(quote byte, member, name bool) string {
	start, escapes := p.at, false
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '\\':
			escapes = true
			p.at++
		case c == quote && (p.script || p.endsHere(quote, member, name)):
			s := p.text[start:p.at]
			p.at++
			if escapes {
				return unescape(s)
			}
			return s
		case (c == '\n' || c == '\r') && p.script && quote != '`':
			p.broken = true
			return ""
		case c == '$' && quote == '`' && strings.HasPrefix(p.text[p.at:], "${"):
			p.broken = true
			return ""
		}
		p.at++
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
	for i := range len(text) {
		if text[i] > ' ' {
			return text[i:]
		}
	}
	return ""
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
		return !name && (!member || beginsMember(after[1:]))
	case quote: // on another line a comma is missing
		return strings.ContainsAny(rest[:len(rest)-len(after)], "\r\n")
	}
	return false
}

// beginsMember reports whether text, behind a comma, goes on as an object does.
func beginsMember(text string) bool {
	text = skip(text)
	if text == "" || strings.IndexByte("\"',}]/<;", text[0]) >= 0 || text[0] == 0xE2 || text[0] < ' ' {
		return true
	}
	for i := range len(text) {
		if ends[text[i]] {
			return strings.HasPrefix(skip(text[i:]), ":")
		}
	}
	return false
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
	for i >= 0 {
		b.WriteString(s[:i])
		r, size := escape(s[i:])
		b.WriteString(r)
		s = s[i+size:]
		i = strings.IndexByte(s, '\\')
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
	switch s[1] {
	case 'u':
		return escapedRune(s)
	case 'x':
		if r, ok := hex(s, 2, 4); ok {
			return string(r), 4
		}
		return s[:1], 1
	case '\n':
		return "", 2
	}
	if c := s[1]; c < utf8.RuneSelf && !ends[c] && c != '.' && c != '-' && c != '!' && c != '?' {
		return s[:1], 1
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	return s[1 : 1+size], 1 + size
}

// escapedRune reads \uXXXX, two of them where they are halves of a character,
// and \u{X}.
func escapedRune(s string) (string, int) {
	r, ok := hex(s, 2, 6)
	if !ok {
		if end := strings.IndexByte(s[:min(len(s), 11)], '}'); end > 3 && s[2] == '{' {
			if r, ok := hex(s, 3, end); ok {
				return string(r), end + 1
			}
		}
		return s[:1], 1
	}
	if !utf16.IsSurrogate(r) {
		return string(r), 6
	}
	if strings.HasPrefix(s[6:], `\u`) {
		if low, ok := hex(s, 8, 12); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return string(both), 12
			}
		}
	}
	return "\uFFFD", 6
}

// hex reads the digits of s between two places.
func hex(s string, from, to int) (rune, bool) {
	if len(s) < to {
		return 0, false
	}
	n, err := strconv.ParseUint(s[from:to], 16, 32)
	return rune(n), err == nil && n <= utf8.MaxRune
}
