package strictjson

import (
	"regexp"
	"strconv"
)

// A path is where a value stands. It is a link to what it stands in, and becomes
// text only for an error: a text for each value would cost as much as all the
// names above it, and whoever sends a body chooses how many there are.
type path struct {
	in    *path  // nil for the whole text
	name  string // of a member
	index int    // of an element; below 0 for a member
	text  string // of the whole, where in is nil
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_$-]{1,64}$`)

// maxShown is how many characters of a name that the caller made up are
// repeated in a message.
const maxShown = 64

// member is the path of a member of what is at p.
func (p *path) member(name string) *path { return &path{in: p, name: name, index: -1} }

// String is the path in words of who wrote the text. Nothing stands for the whole
// body.
func (p *path) String() string { return string(p.append(nil)) }

func (p *path) append(b []byte) []byte {
	if p.in == nil {
		return append(b, p.text...)
	}
	b = p.in.append(b)
	if p.index >= 0 {
		return append(strconv.AppendInt(append(b, '['), int64(p.index), 10), ']')
	}
	return appendName(b, p.name)
}

// appendName appends a member's name to a path. A name that is not plain is
// quoted, so that it can be told from the path and prints.
func appendName(b []byte, name string) []byte {
	if plainName.MatchString(name) {
		if len(b) > 0 {
			b = append(b, '.')
		}
		return append(b, name...)
	}
	if runes := []rune(name); len(runes) > maxShown {
		name = string(runes[:maxShown]) + "…"
	}
	return append(strconv.AppendQuote(append(b, '['), name), ']')
}
