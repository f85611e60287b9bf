package page

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes a page's text fit to be shown to a model: white space is folded,
// what no reader would see is dropped, and it is cut at limit characters. 0 is
// no limit.
func Clean(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if Invisible(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	s = strings.Join(strings.Fields(s), " ")
	if limit > 0 && utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit]) + "…"
	}
	return s
}

// Invisible are the characters with which text is hidden inside other text:
// format characters such as zero-width spaces, marks of direction and tags;
// private use; variation selectors that do not choose an emoji; control
// characters that are not white space.
func Invisible(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return !unicode.IsSpace(r)
	case r == 0xfe0f:
		return false
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, // fillers
		r >= 0xfe00 && r <= 0xfe0e, r >= 0xe0100 && r <= 0xe01ef: // variation selectors
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs)
}
