package secrets

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxLayers is how many escapes inside each other are undone: an address
// within an address, within a page's script.
const maxLayers = 3

// longestEscape is how many bytes one byte of a value may take when escaped:
// a numeric character reference with a zero in front.
const longestEscape = 8

// level is a text with a number of layers of escapes undone, and the way back
// to the text as it stands.
type level struct {
	text string
	// from and to are, for each byte, where what it was made of begins and ends
	// in the text as it stands; nil where nothing is undone.
	from, to []int32
}

// span is where the bytes from..to of the level come from.
func (l level) span(from, to int) (start, end int) {
	if l.from == nil {
		return from, to
	}
	return int(l.from[from]), int(l.to[to-1])
}

// undo takes one layer off: percent escapes of addresses, character references
// of HTML, escapes of JSON and scripts, and the ASCII form of host names. ok
// is false if there is none. What is escaped differs from program to program,
// so that escapes are undone and not forms listed.
func (l level) undo() (next level, ok bool) {
	if !l.escaped() {
		return l, false
	}
	n := len(l.text)
	next = level{from: make([]int32, 0, n), to: make([]int32, 0, n)}
	out := make([]byte, 0, n)
	for i := 0; i < n; {
		text, size := l.escapeAt(i)
		if size == 0 {
			text, size = l.text[i:i+1], 1
		}
		start, end := l.span(i, i+size)
		for range len(text) {
			next.from, next.to = append(next.from, int32(start)), append(next.to, int32(end))
		}
		out = append(out, text...)
		i += size
	}
	next.text = string(out)
	return next, true
}

// escaped reports whether there is anything to undo.
func (l level) escaped() bool {
	for i := range len(l.text) {
		if begins[l.text[i]] {
			if _, size := l.escapeAt(i); size > 0 {
				return true
			}
		}
	}
	return false
}

// begins are the bytes that escapes begin with.
var begins = [256]bool{'%': true, '&': true, '\\': true, 'x': true, 'X': true}

// escapeAt is what the escape at i stands for, and its size; 0 if there is
// none.
func (l level) escapeAt(i int) (text string, size int) {
	switch rest := l.text[i:]; rest[0] {
	case '%':
		return undoPercent(rest)
	case '&':
		return undoReference(rest)
	case '\\':
		return undoBackslash(rest)
	case 'x', 'X':
		if i == 0 || !inLabel(l.text[i-1]) {
			return undoLabel(rest)
		}
	}
	return "", 0
}

// undoPercent undoes "%41" and what scripts wrote before, "%u0041".
func undoPercent(s string) (string, int) {
	if len(s) >= 3 {
		if high, low := hexDigit(s[1]), hexDigit(s[2]); high >= 0 && low >= 0 {
			return string([]byte{byte(high<<4 | low)}), 3
		}
	}
	if len(s) >= 6 && (s[1] == 'u' || s[1] == 'U') {
		return unit(s, 2)
	}
	return "", 0
}

// maxReference is more than the longest name of a character reference.
const maxReference = 40

func undoReference(s string) (string, int) {
	end := strings.IndexByte(s[:min(len(s), maxReference)], ';')
	if end < 0 {
		return "", 0
	}
	if text := html.UnescapeString(s[:end+1]); text != s[:end+1] {
		return text, end + 1
	}
	return "", 0
}

const simpleEscapes = "b\bf\fn\nr\rt\tv\v"

// undoBackslash undoes the escapes of strings in JSON and in scripts.
func undoBackslash(s string) (string, int) {
	if len(s) < 2 {
		return "", 0
	}
	switch c := s[1]; {
	case c == 'u' && len(s) >= 6:
		return unit(s, 2)
	case c == 'U' && len(s) >= 10: // Go
		if v, err := strconv.ParseUint(s[2:10], 16, 32); err == nil && v <= unicode.MaxRune {
			return string(rune(v)), 10
		}
	case c == 'x' && len(s) >= 4:
		if v, err := strconv.ParseUint(s[2:4], 16, 8); err == nil {
			return string(rune(v)), 4
		}
	case strings.IndexByte(`"'\/`+"`", c) >= 0:
		return s[1:2], 2
	default:
		if i := strings.IndexByte(simpleEscapes, c); i >= 0 && i%2 == 0 {
			return simpleEscapes[i+1 : i+2], 2
		}
	}
	return "", 0
}

// unit undoes "\u00fc"; two of them where the first is half of a character.
func unit(s string, digits int) (string, int) {
	high, ok := hex4(s[digits:])
	if !ok {
		return "", 0
	}
	size := digits + 4
	if utf16.IsSurrogate(high) && len(s) >= 2*size && s[size:size+digits] == s[:digits] {
		if low, ok := hex4(s[size+digits:]); ok {
			if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
				return string(r), 2 * size
			}
		}
	}
	return string(high), size
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	v, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(v), err == nil
}

// acePrefix begins a label of a host name that stands for one in other
// letters than ASCII (RFC 5890).
const acePrefix = "xn--"

func undoLabel(s string) (string, int) {
	if len(s) < len(acePrefix) || !strings.EqualFold(s[:len(acePrefix)], acePrefix) {
		return "", 0
	}
	end := 0
	for end < len(s) && end < 63 && inLabel(s[end]) {
		end++
	}
	label := strings.ToLower(s[:end])
	if text, err := idna.Punycode.ToUnicode(label); err == nil && text != label {
		return text, end
	}
	return "", 0
}

func inLabel(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-'
}
