package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is how long the name of a field is at most, in bytes. What is longer
// is a sentence.
const maxName = 80

// cutWord cuts the first word off s. space says that white space stood before
// it, and broken that a line ended there.
func cutWord(s string) (word, rest string, space, broken bool) {
	for s != "" {
		n := gapSize(s)
		if n == 0 {
			break
		}
		space = space || !isWidthless(s)
		broken = broken || s[0] == '\n'
		s = s[n:]
	}
	end := 0
	for end < len(s) && gapSize(s[end:]) == 0 {
		end++
	}
	return s[:end], s[end:], space, broken
}

// isWidthless reports whether s begins with a character that only says where a
// line may break or how text runs.
func isWidthless(s string) bool {
	return strings.HasPrefix(s, "\u00AD") || strings.HasPrefix(s, "\uFEFF") || s[0] == 0xE2 && len(s) > 2 && 0x8B <= s[2] && s[2] <= 0x8F
}

// gapSize returns the size of the white space, or of the character without
// width, that s begins with.
func gapSize(s string) int {
	switch c := s[0]; {
	case c == ' ', '\t' <= c && c <= '\r', c < ' ', c == 0x7F:
		return 1
	case c < 0xC2:
		return 0
	case strings.HasPrefix(s, "\u00A0"), strings.HasPrefix(s, "\u00AD"), strings.HasPrefix(s, "\u0085"):
		return 2
	case strings.HasPrefix(s, "\u200B"), strings.HasPrefix(s, "\uFEFF"), strings.HasPrefix(s, "\u200E"), strings.HasPrefix(s, "\u200F"):
		return 3
	case c == 0xE2 && len(s) > 2 && s[1] == 0x80 && (s[2] <= 0x8A || s[2] == 0xA8 || s[2] == 0xA9 || s[2] == 0xAF), strings.HasPrefix(s, "\u3000"):
		return 3
	}
	return 0
}

// oneLine returns a text without its line breaks.
func oneLine(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\n", " ")
}

// cut returns the whole characters of s that fit into size bytes.
func cut(s string, size int) string {
	if len(s) <= size {
		return s
	}
	for size > 0 && !utf8.RuneStart(s[size]) {
		size--
	}
	return s[:size]
}

// nameOf returns the name that a label gives, or "" for what is none: too long,
// a sentence, without a letter.
func nameOf(s string) string {
	if len(s) > 2*maxName {
		return ""
	}
	s = strings.TrimSpace(oneLine(s))
	s = strings.TrimRight(s, ":：*? \u00A0-–—")
	s = strings.TrimLeft(s, "•·-–—*✓✔›» \u00A0")
	if s == "" || len(s) > maxName || !strings.ContainsFunc(s, unicode.IsLetter) || strings.ContainsAny(s, "{}<>\n\t") {
		return ""
	}
	if endsSentence(s) || strings.HasSuffix(s, "!") {
		return ""
	}
	return s
}

// countWords counts the words of a text, up to six.
func countWords(s string) int {
	n := 0
	for range strings.FieldsSeq(s) {
		if n++; n > 5 {
			break
		}
	}
	return n
}

func hasDigit(s string) bool {
	for i := range len(s) {
		if '0' <= s[i] && s[i] <= '9' {
			return true
		}
	}
	return false
}

// hasFourDigits reports whether s has four digits in a row, as a year is
// written.
func hasFourDigits(s string) bool {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			n = 0
		} else if n++; n == 4 {
			return true
		}
	}
	return false
}

// hasWords reports whether s has a letter or a digit.
func hasWords(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
