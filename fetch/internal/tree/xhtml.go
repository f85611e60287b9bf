package tree

import "strings"

// FromXHTML rewrites what the parser of HTML reads otherwise than that of XML:
// an empty element that closes itself, such as <script src="a.js"/>, whose slash
// means nothing in HTML, so that the rest of the page would be a script.
func FromXHTML(src string) string {
	if !strings.Contains(src, "/>") {
		return src
	}
	var b strings.Builder
	b.Grow(len(src) + len(src)/16)
	for {
		i := strings.IndexByte(src, '<')
		if i < 0 {
			b.WriteString(src)
			return b.String()
		}
		b.WriteString(src[:i])
		src = src[i:]
		end := markupEnd(src)
		writeMarkup(&b, src[:end])
		src = src[end:]
	}
}

// writeMarkup writes a tag, comment or the like, which an end tag follows if
// it closes itself and would not do so in HTML.
func writeMarkup(b *strings.Builder, markup string) {
	name := startName(markup)
	if name == "" || !strings.HasSuffix(markup, "/>") || isVoid(name) {
		b.WriteString(markup)
		return
	}
	b.WriteString(strings.TrimSuffix(markup, "/>"))
	b.WriteString("></" + name + ">")
}

// startName is the name in a start tag, or "".
func startName(markup string) string {
	end := 1
	for end < len(markup) && !strings.ContainsRune(" \t\r\n/>", rune(markup[end])) {
		end++
	}
	if name := markup[1:end]; name != "" && isLetter(name[0]) {
		return name
	}
	return ""
}

// isVoid reports elements that have no end tag in HTML (the HTML standard,
// 13.1.2).
func isVoid(name string) bool {
	switch strings.ToLower(name) {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "param", "frame", "keygen", "basefont", "bgsound":
		return true
	}
	return false
}

// markupEnd is where the markup at the beginning of src ends.
func markupEnd(src string) int {
	for open, closing := range map[string]string{"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"} {
		if strings.HasPrefix(src, open) {
			return endAfter(src, len(open), closing)
		}
	}
	quote := byte(0)
	for i := 1; i < len(src); i++ {
		switch c := src[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		case c == '<':
			return i // the one before began no tag
		}
	}
	return len(src)
}

func endAfter(src string, from int, closing string) int {
	if i := strings.Index(src[from:], closing); i >= 0 {
		return from + i + len(closing)
	}
	return len(src)
}
