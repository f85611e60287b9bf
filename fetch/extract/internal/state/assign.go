package state

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/loose"
)

// maxAssignments is how many assignments of a script are tried.
const maxAssignments = 32

// minData is the size in bytes of an object that may be data: shorter ones are
// settings.
const minData = 32

// assignments reads what a script assigns to a name that looks like one for
// all of the page: window.X, self.X, or a name of a variable in capitals and
// underscores.
func (r *reader) assignments(n *html.Node, text string) {
	if !strings.ContainsAny(text[:min(len(text), maxScan)], "{") {
		return
	}
	r.page.Meter.Read(len(text))
	at := 0
	for range maxAssignments {
		start := nextValue(text, at)
		if start < 0 || r.bytes <= 0 || r.values <= 0 {
			return
		}
		v, size, ok := readValue(text[start:], r.values)
		r.take(size)
		at = start + max(size, 1)
		if ok && size >= minData && (v.Kind == loose.Object || v.Kind == loose.Array) {
			r.add(n, v)
		}
	}
}

// maxScan is how far into a script its first object is looked for.
const maxScan = 64 << 10

// nextValue returns where the next value that is assigned begins, or -1.
func nextValue(text string, at int) int {
	for at < len(text) {
		i := strings.IndexByte(text[at:], '=')
		if i < 0 {
			return -1
		}
		at += i
		if start := at + 1; isGlobal(target(text[:at])) {
			rest := strings.TrimLeft(text[start:], " \t\r\n")
			if rest != "" && (rest[0] == '{' || rest[0] == '[' || strings.HasPrefix(rest, jsonParse)) {
				return len(text) - len(rest)
			}
		}
		at++
	}
	return -1
}

// maxTarget is how long the name of what is assigned may be.
const maxTarget = 80

// target returns the name in front of an equals sign.
func target(text string) string {
	text = strings.TrimRight(text[max(0, len(text)-maxTarget):], " \t\r\n")
	i := len(text)
	for i > 0 && isTargetByte(text[i-1]) {
		i--
	}
	return text[i:]
}

func isTargetByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("_$.[]\"'", c) >= 0
}

// isGlobal reports whether a name is one for all of the page.
func isGlobal(name string) bool {
	for _, of := range [...]string{"window", "self", "globalThis", "this"} {
		if rest, ok := strings.CutPrefix(name, of); ok && rest != "" && (rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	name = strings.TrimLeft(name, "$")
	return len(name) > 3 && (strings.HasPrefix(name, "__") || strings.ToUpper(name) == name && strings.Contains(name, "_")) ||
		strings.HasSuffix(strings.ToLower(name), "data") || strings.HasSuffix(strings.ToLower(name), "state") || strings.HasSuffix(strings.ToLower(name), "product")
}

const jsonParse = "JSON.parse("

// readValue reads a value, which may be in a string that is parsed.
func readValue(text string, left int) (loose.Value, int, bool) {
	o := loose.Options{MaxValues: left}
	inner, ok := strings.CutPrefix(text, jsonParse)
	if !ok {
		return loose.ReadScript(text, o)
	}
	s, size, ok := loose.ReadScript(inner, o)
	if !ok || s.Kind != loose.String {
		return loose.Value{}, len(jsonParse), false
	}
	roots := loose.Read(s.Text, o)
	if len(roots) != 1 {
		return loose.Value{}, size, false
	}
	return roots[0], size + len(jsonParse), true
}
