package v1

import (
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch"
)

// fetchJSON is the answer of a fetch. It writes itself: the content is by far
// the largest thing on the wire, and encoding/json takes longer over it than
// fetching it does.
type fetchJSON fetch.Answer

func (a *fetchJSON) AppendJSON(dst []byte) []byte {
	dst = slices.Grow(dst, len(a.Content)+len(a.Content)/8+1024)
	dst = append(dst, `{"id":`...)
	dst = appendString(dst, a.ID)
	dst = append(dst, `,"statusCode":`...)
	dst = strconv.AppendInt(dst, int64(a.StatusCode), 10)
	dst = append(dst, `,"headers":{`...)
	for i, name := range slices.Sorted(maps.Keys(a.Headers)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, name), ':')
		dst = appendString(dst, a.Headers[name])
	}
	dst = append(dst, `},"content":`...)
	if a.Format == fetch.JSON {
		dst = append(dst, a.Content...)
	} else {
		dst = appendString(dst, a.Content)
	}
	dst = append(dst, `,"contentType":`...)
	dst = appendString(dst, a.ContentType)
	dst = append(dst, `,"encoding":`...)
	dst = appendString(dst, a.Encoding)
	if len(a.Unsatisfied) > 0 {
		dst = append(appendStrings(append(dst, `,"unsatisfied":[`...), a.Unsatisfied), ']')
	}
	return append(dst, '}')
}

func appendStrings(dst []byte, list []string) []byte {
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	return dst
}

// appendString appends s as a JSON string, eight bytes at a time: pages are
// long, and what has to be escaped in them stands in every line.
func appendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	dst = append(dst, '"')
	for len(s) >= 8 {
		word := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		dst = binary.LittleEndian.AppendUint64(dst, word)
		clean := bits.TrailingZeros64(special(word)) / 8
		if clean == 8 {
			s = s[8:]
			continue
		}
		dst = appendEscaped(dst[:len(dst)-8+clean], s[clean])
		s = s[clean+1:]
	}
	for _, c := range []byte(s) {
		if c < ' ' || c == '"' || c == '\\' {
			dst = appendEscaped(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x80 * everyByte
)

// special marks the bytes of a word that a JSON string escapes: quotes,
// backslashes and control characters. The lowest mark is right; those above it
// need not be. A byte is below n where subtracting n borrows from its highest
// bit and that was not set, and zero where it is below 1.
func special(word uint64) uint64 {
	control := (word - everyByte*' ') &^ word
	quote := word ^ everyByte*'"'
	quote = (quote - everyByte) &^ quote
	slash := word ^ everyByte*'\\'
	slash = (slash - everyByte) &^ slash
	return (control | quote | slash) & highBits
}

func appendEscaped(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
