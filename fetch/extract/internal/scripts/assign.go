package scripts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/loose"
	"github.com/drover-go/drover/internal/lexicon"
)

// maxAssignments is how many assignments of a script are tried.
const maxAssignments = 32

// minData is the size in bytes of an object that may be data: shorter ones are
// settings.
const minData = 32

// assignments reads what a script assigns to a name that looks like one for
// all of the page: window.X, self.X, or a name of a variable in capitals and
// underscores.
func (r *reader) assignments(text string) {
	r.page.Meter.Read(len(text))
	at := 0
	for range maxAssignments {
		start := nextValue(text, at)
		if start < 0 || r.bytes <= 0 || r.left <= 0 {
			return
		}
		v, size, ok := readValue(text[start:], r.left)
		r.took(size)
		at = start + max(size, 1)
		if ok && size >= minData && (v.Kind == loose.Object || v.Kind == loose.Array) {
			r.add(&v, "")
		}
	}
}

// nextValue returns where the next value that is assigned begins, or -1.
func nextValue(text string, at int) int {
	for {
		i := strings.IndexByte(text[at:], '=')
		if i < 0 {
			return -1
		}
		name := strings.TrimRight(text[max(0, at+i-maxTarget):at+i], " \t\r\n")
		at += i + 1
		rest := strings.TrimLeft(text[at:], " \t\r\n")
		if rest != "" && (rest[0] == '{' || rest[0] == '[' || strings.HasPrefix(rest, jsonParse)) &&
			global().MatchString(name[1+strings.LastIndexFunc(name, endsTarget):]) {
			return len(text) - len(rest)
		}
	}
}

// maxTarget is how long the name of what is assigned may be.
const maxTarget = 80

// endsTarget reports whether a character is none of the name of what is assigned.
func endsTarget(c rune) bool {
	return c >= utf8.RuneSelf || !unicode.IsLetter(c) && !unicode.IsDigit(c) && strings.IndexByte("_$.[]\"'", byte(c)) < 0
}

// global is a name for all of the page: of a window, in capitals and underscores, or
// one that says what it holds.
var global = lexicon.Pattern(`^(?:window|self|globalThis|this)[.\[]|^\$*__..|^[A-Z0-9$.]*_[A-Z0-9$._]*$|(?i:data|state|product|meta)$`)

const jsonParse = "JSON.parse("

// readValue reads a value, which may be in a string that is parsed.
func readValue(text string, left int) (loose.Value, int, bool) {
	inner, parsed := strings.CutPrefix(text, jsonParse)
	v, size, ok := loose.ReadScript(inner, left)
	if !parsed {
		return v, size, ok
	}
	if roots := loose.Read(v.Text, left); ok && len(roots) == 1 {
		return roots[0], size + len(jsonParse), true
	}
	return v, len(jsonParse), false
}
