package pdftext

import (
	"slices"
	"sort"

	"golang.org/x/text/unicode/norm"
)

// cmap is a map of codes to Unicode.
type cmap struct {
	codes  map[int]string
	ranges []codeRange
	spaces []codeSpace
}

type codeRange struct {
	from, to int
	text     string // of the first; the last character counts on
}

type codeSpace struct {
	from, to, bytes int
}

// maxMapped bounds a map.
const maxMapped = 100_000

// readMap reads the parts of a map that matter.
func (f *file) readMap(data []byte) *cmap {
	m := &cmap{codes: map[int]string{}}
	l := &lexer{data: data, left: &f.left}
	var operands []any
	for {
		v := l.next(0)
		k, ok := v.(keyword)
		if !ok {
			if len(operands) < 10_000 {
				operands = append(operands, v)
			}
			continue
		}
		switch k {
		case end:
			slices.SortStableFunc(m.ranges, func(a, b codeRange) int { return a.from - b.from })
			return m
		case "endcodespacerange":
			m.addSpaces(operands)
		case "endbfchar":
			m.addCodes(operands)
		case "endbfrange":
			m.addRanges(operands)
		}
		operands = operands[:0]
	}
}

func codeOf(v any) (code, bytes int) {
	raw, _ := v.(text)
	for _, c := range raw[:min(len(raw), 4)] {
		code = code<<8 | int(c)
	}
	return code, min(len(raw), 4)
}

func (m *cmap) addSpaces(operands []any) {
	for i := 0; i+1 < len(operands) && len(m.spaces) < 100; i += 2 {
		from, n := codeOf(operands[i])
		to, _ := codeOf(operands[i+1])
		if n > 0 {
			m.spaces = append(m.spaces, codeSpace{from, to, n})
		}
	}
}

func (m *cmap) addCodes(operands []any) {
	for i := 0; i+1 < len(operands) && len(m.codes) < maxMapped; i += 2 {
		code, n := codeOf(operands[i])
		raw, ok := operands[i+1].(text)
		if ok && n > 0 && len(raw) <= 64 {
			m.codes[code] = fromUTF16(raw)
		}
	}
}

func (m *cmap) addRanges(operands []any) {
	for i := 0; i+2 < len(operands) && len(m.ranges) < maxMapped; i += 3 {
		from, n := codeOf(operands[i])
		to, _ := codeOf(operands[i+1])
		if n == 0 || to < from {
			continue
		}
		switch v := operands[i+2].(type) {
		case text:
			if len(v) <= 64 {
				m.ranges = append(m.ranges, codeRange{from, to, fromUTF16(v)})
			}
		case array:
			for j, one := range v {
				if raw, ok := one.(text); ok && from+j <= to && len(raw) <= 64 && len(m.codes) < maxMapped {
					m.codes[from+j] = fromUTF16(raw)
				}
			}
		}
	}
}

func (m *cmap) find(code int) (string, bool) {
	if s, ok := m.codes[code]; ok {
		return s, true
	}
	i := sort.Search(len(m.ranges), func(i int) bool { return m.ranges[i].from > code }) - 1
	if i < 0 || code > m.ranges[i].to {
		return "", false
	}
	runes := []rune(m.ranges[i].text)
	if len(runes) > 0 {
		runes[len(runes)-1] += rune(code - m.ranges[i].from)
	}
	return string(runes), true
}

// length is how many bytes the next code has.
func (m *cmap) length(codes []byte, wide bool) int {
	code := 0
	for n := 1; n <= min(len(codes), 4); n++ {
		code = code<<8 | int(codes[n-1])
		for _, s := range m.spaces {
			if s.bytes == n && code >= s.from && code <= s.to {
				return n
			}
		}
	}
	if wide {
		return 2
	}
	return 1
}

// composed is a letter with an accent, as one character where there is one.
func composed(letter string, mark rune) string { return norm.NFC.String(letter + string(mark)) }
