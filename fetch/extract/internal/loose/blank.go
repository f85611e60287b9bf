package loose

import "strings"

// separators skips blanks and the commas and semicolons between values, which
// may be too many or missing.
func (p *parser) separators() {
	for {
		p.blanks()
		if p.done() || p.text[p.at] != ',' && (p.text[p.at] != ';' || p.script) {
			return
		}
		p.at++
	}
}

// blanks skips white space, comments and the wrappers of scripts.
func (p *parser) blanks() {
	for p.at < len(p.text) {
		n := p.blank()
		if n == 0 {
			return
		}
		p.at += n
	}
}

// blank returns the size of the blank at the place.
func (p *parser) blank() int {
	rest := p.text[p.at:]
	switch c := rest[0]; {
	case c == ' ' || '\t' <= c && c <= '\r':
		return 1
	case c == '/':
		return p.comment(rest)
	case c == '<':
		return p.wrapper(rest)
	case c == '-' && strings.HasPrefix(rest, "-->"), c == ']' && strings.HasPrefix(rest, "]]>"):
		return 3
	case c == 0xEF && strings.HasPrefix(rest, "\uFEFF"), c == 0xE2 && (strings.HasPrefix(rest, "\u2028") || strings.HasPrefix(rest, "\u2029")):
		return 3
	case c == 0xC2 && strings.HasPrefix(rest, "\u00A0"):
		return 2
	case c < ' ' && !p.script:
		return 1
	}
	return 0
}

// comment returns the size of a comment of a script, of which a wrapper in it
// is no part: what comes after that on the line is meant.
func (p *parser) comment(rest string) int {
	switch {
	case strings.HasPrefix(rest, "/*"):
		if end := strings.Index(rest[2:], "*/"); end >= 0 {
			return end + 4
		}
		return len(rest)
	case strings.HasPrefix(rest, "//"):
		if inner := strings.TrimLeft(rest[2:], " \t"); strings.HasPrefix(inner, cdata) || strings.HasPrefix(inner, "<!--") {
			return len(rest) - len(inner)
		}
		if end := strings.IndexAny(rest, "\r\n"); end >= 0 {
			return end
		}
		return len(rest)
	}
	return 0
}

const cdata = "<![CDATA["

// wrapper returns the size of what hides a script from ancient browsers, or of
// a comment of HTML among values.
func (p *parser) wrapper(rest string) int {
	switch {
	case strings.HasPrefix(rest, cdata):
		return len(cdata)
	case !strings.HasPrefix(rest, "<!--"):
		return p.scriptTag(rest)
	case p.objects == 0 && p.arrays == 0 || p.endless:
		return len("<!--")
	}
	if end := strings.Index(rest, "-->"); end >= 0 {
		return end + 3
	}
	p.endless = true
	return len("<!--")
}

// scriptTag returns the size of a tag of a script inside of a script.
func (p *parser) scriptTag(rest string) int {
	start := strings.ToLower(rest[:min(len(rest), len("</script"))])
	if p.script || !strings.HasPrefix(start, "<script") && start != "</script" {
		return 0
	}
	if end := strings.IndexAny(rest[:min(len(rest), 200)], ">\n{["); end >= 0 && rest[end] == '>' {
		return end + 1
	}
	return 0
}
