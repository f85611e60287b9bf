package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// translate writes a regular expression of ECMAScript (ECMA-262, 22.2, with
// the flag u, as JSON Schema means them) as one of RE2. What the two read alike
// stays as it is, and so does what RE2 lacks: its parser refuses that. It is not
// ok where RE2 would take something for something else, and cannot express it.
func translate(text string) (re2 string, ok bool) {
	if strings.Contains(text, `\Q`) {
		return text, true // no ECMAScript, and RE2's own affair up to the next \E
	}
	t := translation{rest: text}
	for t.rest != "" && !t.foreign {
		switch c := t.rest[0]; {
		case c == '\\':
			t.escape()
		case t.class:
			t.member()
		case c == '[':
			t.open()
		case c == '.':
			t.replace(".", "[^"+lineEnds+"]")
		default:
			t.keep(1)
		}
	}
	return t.out.String(), !t.foreign
}

type translation struct {
	rest    string // what is still to be read
	out     strings.Builder
	class   bool // within brackets
	foreign bool // to RE2
}

// The characters that "." does not match, and those that \s does.
const (
	lineEnds  = `\n\r\x{2028}\x{2029}`
	spaces    = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	nonSpaces = `\x00-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
		`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
)

// keep copies n bytes.
func (t *translation) keep(n int) {
	n = min(n, len(t.rest))
	t.out.WriteString(t.rest[:n])
	t.rest = t.rest[n:]
}

// replace writes something in the place of what comes next.
func (t *translation) replace(old, new string) {
	t.out.WriteString(new)
	t.rest = t.rest[len(old):]
}

// open begins a class. One without members matches nothing, or anything.
func (t *translation) open() {
	switch {
	case strings.HasPrefix(t.rest, "[]"):
		t.replace("[]", `[^\x00-\x{10ffff}]`)
	case strings.HasPrefix(t.rest, "[^]"):
		t.replace("[^]", `[\x00-\x{10ffff}]`)
	case strings.HasPrefix(t.rest, "[^"):
		t.class = true
		t.keep(2)
	default:
		t.class = true
		t.keep(1)
	}
}

// member copies a character of a class. A bracket in it is one: RE2 would read
// "[:alpha:]" as a name.
func (t *translation) member() {
	switch t.rest[0] {
	case ']':
		t.class = false
		t.keep(1)
	case '[':
		t.replace("[", `\[`)
	default:
		t.keep(1)
	}
}

// escape translates what a backslash begins.
func (t *translation) escape() {
	if len(t.rest) < 2 {
		t.keep(1)
		return
	}
	switch t.rest[1] {
	case 'u':
		t.unicode()
	case 'c':
		t.control()
	case '0':
		t.null()
	case 's':
		t.set(`\s`, spaces, "["+spaces+"]")
	case 'S':
		t.set(`\S`, nonSpaces, "[^"+spaces+"]")
	case 'b':
		t.set(`\b`, `\x08`, `\b`)
	case 'p', 'P':
		t.property()
	case 'k':
		t.foreign = true
	default:
		_, size := utf8.DecodeRuneInString(t.rest[1:])
		t.keep(1 + size)
	}
}

// set replaces a name by what it stands for in a class, or outside.
func (t *translation) set(name, inside, outside string) {
	if t.class {
		outside = inside
	}
	t.replace(name, outside)
}

func (t *translation) character(source string, c rune) {
	t.replace(source, fmt.Sprintf(`\x{%x}`, c))
}

// unicode translates \u0041, \ud83d\ude00 and \u{1f600}.
func (t *translation) unicode() {
	source, c, ok := cutUnicode(t.rest)
	if !ok {
		t.foreign = true
		return
	}
	if !utf16.IsSurrogate(c) {
		t.character(source, c)
		return
	}
	low, d, ok := cutUnicode(t.rest[len(source):])
	if c = utf16.DecodeRune(c, d); !ok || c == utf8.RuneError {
		t.foreign = true
		return
	}
	t.character(source+low, c)
}

// cutUnicode reads one \u… at the beginning of text.
func cutUnicode(text string) (source string, c rune, ok bool) {
	digits, end := "", min(len(text), 6)
	if rest, braced := strings.CutPrefix(text, `\u{`); braced {
		inner, _, closed := strings.Cut(rest, "}")
		if !closed {
			return text[:end], 0, false
		}
		digits, end = inner, len(`\u{}`)+len(inner)
	} else if strings.HasPrefix(text, `\u`) && len(text) >= 6 {
		digits = text[2:6]
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || n > utf8.MaxRune {
		return text[:end], 0, false
	}
	return text[:end], rune(n), true
}

// control translates \cA to \cZ.
func (t *translation) control() {
	source := t.rest[:min(len(t.rest), 3)]
	letter := source[len(source)-1] | 0x20
	if len(source) < 3 || letter < 'a' || letter > 'z' {
		t.foreign = true
		return
	}
	t.character(source, rune(letter&0x1f))
}

// null translates \0, which more digits would make an octal number.
func (t *translation) null() {
	if len(t.rest) > 2 && '0' <= t.rest[2] && t.rest[2] <= '9' {
		t.foreign = true
		return
	}
	t.character(`\0`, 0)
}

// property translates \p{Script=Greek} and \p{gc=Lu}: RE2 knows the values by
// themselves.
func (t *translation) property() {
	name, _, closed := strings.Cut(t.rest, "}")
	kind, value, named := strings.Cut(name, "=")
	if !closed || !named {
		t.keep(2)
		return
	}
	switch kind[2:] {
	case "{Script", "{sc", "{General_Category", "{gc":
		t.replace(name+"}", kind[:2]+"{"+value+"}")
	default:
		t.foreign = true
	}
}
