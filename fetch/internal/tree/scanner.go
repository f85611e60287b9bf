package tree

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// scanner is a lexer that finds the same tokens as the parser's and is several
// times as fast, for it looks at no attributes and skips text. It knows the
// ordinary ways to write a page; where it meets another one it is lost, and
// its tokens are worth nothing.
type scanner struct {
	src  string
	pos  int
	raw  string // the element whose raw text comes next
	lost bool
	name [32]byte
}

func (s *scanner) next(foreign bool) (html.TokenType, []byte) {
	if raw := s.raw; raw != "" {
		s.raw = ""
		if !foreign && s.rawText(raw) {
			return html.TextToken, nil
		}
	}
	if s.lost || s.pos >= len(s.src) {
		return html.ErrorToken, nil
	}
	if at := s.markup(); at > s.pos {
		s.pos = at
		return html.TextToken, nil
	}
	switch c := s.src[s.pos+1]; {
	case c == '!':
		return s.declaration(foreign)
	case c == '?':
		return s.until(">"), nil
	case c != '/':
		return s.tag(s.pos+1, html.StartTagToken)
	case s.pos+2 < len(s.src) && isLetter(s.src[s.pos+2]):
		return s.tag(s.pos+2, html.EndTagToken)
	}
	return s.until(">"), nil
}

// markup returns where the next tag or comment begins, or the end of the page.
func (s *scanner) markup() int {
	for at := s.pos; ; at++ {
		i := strings.IndexByte(s.src[at:], '<')
		if i < 0 || at+i+1 >= len(s.src) {
			return len(s.src)
		}
		at += i
		if c := s.src[at+1]; isLetter(c) || c == '/' || c == '!' || c == '?' {
			return at
		}
	}
}

// until skips a comment that ends with the mark.
func (s *scanner) until(mark string) html.TokenType {
	i := strings.Index(s.src[s.pos:], mark)
	if i < 0 {
		return s.giveUp()
	}
	s.pos += i + len(mark)
	return html.CommentToken
}

func (s *scanner) giveUp() html.TokenType {
	s.lost = true
	return html.ErrorToken
}

// declaration skips a comment or a document type.
func (s *scanner) declaration(foreign bool) (html.TokenType, []byte) {
	rest := s.src[s.pos:]
	if !strings.HasPrefix(rest, "<!--") {
		if foreign || strings.HasPrefix(rest, "<![") || strings.HasPrefix(rest, "<!-") {
			return s.giveUp(), nil
		}
		return s.until(">"), nil
	}
	s.pos += 2 // the dashes of a short comment open and close it
	start := s.pos
	kind := s.until("-->")
	if strings.Contains(s.src[start:s.pos], "--!") {
		return s.giveUp(), nil
	}
	return kind, nil
}

// tag reads the tag whose name begins at the given place.
func (s *scanner) tag(at int, kind html.TokenType) (html.TokenType, []byte) {
	end := at
	for end < len(s.src) && !isDelimiter(s.src[end]) {
		end++
	}
	if end-at > len(s.name) || strings.IndexByte(s.src[at:end], 0) >= 0 {
		return s.giveUp(), nil
	}
	name := s.name[:0]
	for i := at; i < end; i++ {
		c := s.src[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		name = append(name, c)
	}
	closed := s.attributes(end)
	switch {
	case s.lost:
		return html.ErrorToken, nil
	case kind == html.EndTagToken:
		return kind, name
	}
	s.raw = rawElement(name)
	if closed {
		return html.SelfClosingTagToken, name
	}
	return kind, name
}

// attributes skips to the end of a tag and reports whether it is closed by a
// slash.
func (s *scanner) attributes(at int) (closed bool) {
	value := false // an equals sign has come, a value may follow
	named := false // a name has come that has no value yet
	for i := at; i < len(s.src); i++ {
		c := s.src[i]
		switch {
		case c == '>':
			s.pos = i + 1
			return closed
		case isBlank(c):
			continue // neither ends the wait for a value nor a slash's chance
		case value && (c == '"' || c == '\''):
			length := strings.IndexByte(s.src[i+1:], c)
			if length < 0 {
				return s.loseTag()
			}
			i += length + 1
			value, closed, named = false, false, false
		case value:
			i = s.unquoted(i) - 1
			value, closed, named = false, false, false
		case c == '=':
			// At the start of a name it is part of the name.
			if prev := s.src[i-1]; prev == '/' || prev == '=' || prev == '"' || prev == '\'' || isBlank(prev) && !named {
				return s.loseTag()
			}
			value = true
		default:
			named = c != '/'
			closed = c == '/' && i+1 < len(s.src) && s.src[i+1] == '>'
		}
	}
	return s.loseTag()
}

// unquoted returns the end of a value without quotes. One with a slash right
// before the end of its tag is read in more ways than one.
func (s *scanner) unquoted(at int) int {
	for at < len(s.src) && s.src[at] != '>' && !isBlank(s.src[at]) {
		at++
	}
	if at < len(s.src) && s.src[at] == '>' && s.src[at-1] == '/' {
		s.lost = true
	}
	return at
}

func (s *scanner) loseTag() bool {
	s.lost = true
	return false
}

// rawText skips the text of an element that holds no markup and reports
// whether there was any.
func (s *scanner) rawText(name string) bool {
	start := s.pos
	for {
		i := strings.Index(s.src[s.pos:], "</")
		if i < 0 || name == "plaintext" {
			s.lost = true
			return false
		}
		s.pos += i
		after := s.pos + 2 + len(name)
		if after < len(s.src) && strings.EqualFold(s.src[s.pos+2:after], name) && endsRawName(s.src[after]) {
			break
		}
		s.pos += 2
	}
	s.lost = name == "script" && mayHoldScript(s.src[start:s.pos])
	return s.pos > start
}

// mayHoldScript reports whether the text of a script has another one behind a
// comment mark: the end of that one may not be its own.
func mayHoldScript(text string) bool {
	const script = "<script"
	_, behind, found := strings.Cut(text, "<!--")
	for found {
		i := strings.IndexByte(behind, '<')
		if i < 0 {
			return false
		}
		behind = behind[i:]
		if len(behind) >= len(script) && strings.EqualFold(behind[:len(script)], script) {
			return true
		}
		behind = behind[1:]
	}
	return false
}

// rawElements are the elements whose text is not markup.
var rawElements = [...]string{"iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "textarea", "title", "xmp"}

func rawElement(name []byte) string {
	for _, raw := range rawElements {
		if bytes.Equal(name, []byte(raw)) {
			return raw
		}
	}
	return ""
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

func isDelimiter(c byte) bool { return isBlank(c) || c == '/' || c == '>' }

func endsRawName(c byte) bool { return isDelimiter(c) }
