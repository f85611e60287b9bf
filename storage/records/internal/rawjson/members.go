package rawjson

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Member is a member of an object.
type Member struct {
	Name  string
	Value []byte
}

// Members appends the members of an object to dst, in their order. Of a name that
// stands there twice the last value counts, at the place of the first.
func Members(dst []Member, object []byte) []Member {
	from := len(dst)
	var seen map[string]int // only where there are many: see place
	for pos := 1; pos < len(object)-1; pos++ {
		end := skipText(object, pos)
		name := Text(object[pos:end])
		pos = end + 1 // the colon
		end = skipValue(object, pos)
		at := place(dst[from:], name, &seen)
		if at < 0 {
			dst = append(dst, Member{name, object[pos:end]})
		} else {
			dst[from+at].Value = object[pos:end]
		}
		pos = end
	}
	return dst
}

// fewMembers is how many are compared with one another; beyond that a map knows
// them, so that an object of many names takes no time that grows with their
// square.
const fewMembers = 32

// place is where a member with that name stands; -1 without one, whose place is
// then the next.
func place(members []Member, name string, seen *map[string]int) int {
	if len(members) < fewMembers {
		for i := range members {
			if members[i].Name == name {
				return i
			}
		}
		return -1
	}
	if *seen == nil {
		*seen = make(map[string]int, 2*len(members))
		for i := range members {
			(*seen)[members[i].Name] = i
		}
	}
	if at, ok := (*seen)[name]; ok {
		return at
	}
	(*seen)[name] = len(members)
	return -1
}

// Elements appends the elements of an array to dst.
func Elements(dst [][]byte, array []byte) [][]byte {
	for pos := 1; pos < len(array)-1; pos++ {
		end := skipValue(array, pos)
		dst = append(dst, array[pos:end])
		pos = end
	}
	return dst
}

// AppendObject writes members as an object.
func AppendObject(dst []byte, members []Member) []byte {
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendText(dst, m.Name)
		dst = append(dst, ':')
		dst = append(dst, m.Value...)
	}
	return append(dst, '}')
}

// Text is what a string says.
func Text(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return string(inner) // it was checked before
	}
	return s
}

// AppendText writes a string.
func AppendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s { // what is no UTF-8 becomes U+FFFD
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			dst = append(dst, `\u00`...)
			dst = append(dst, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// Number is the value of a number; false where a float64 does not hold it.
func Number(raw []byte) (float64, bool) {
	n, err := strconv.ParseFloat(string(raw), 64)
	return n, err == nil
}

// skipText is the position behind the string at pos.
func skipText(raw []byte, pos int) int {
	for pos++; raw[pos] != '"'; pos++ {
		if raw[pos] == '\\' {
			pos++
		}
	}
	return pos + 1
}

// skipValue is the position behind the value at pos.
func skipValue(raw []byte, pos int) int {
	depth := 0
	for pos < len(raw) {
		switch raw[pos] {
		case '"':
			pos = skipText(raw, pos) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return pos
			}
			depth--
		case ',':
			if depth == 0 {
				return pos
			}
		}
		pos++
	}
	return pos
}

// Names calls each with the names of an object's members as they are written, in
// quotes, in their order.
func Names(object []byte, each func(quoted []byte)) {
	for pos := 1; pos < len(object)-1; pos++ {
		end := skipText(object, pos)
		each(object[pos:end])
		pos = skipValue(object, end+1)
	}
}
