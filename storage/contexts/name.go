package contexts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"

	"github.com/drover-go/drover/errtypes"
)

// MaxName is the longest name in characters.
const MaxName = 128

// readName takes off the white space around a name, and checks the rest.
func readName(given *string) (string, error) {
	if given == nil {
		return "", nil
	}
	name := strings.TrimSpace(*given)
	if n := utf8.RuneCountInString(name); n < 1 || n > MaxName || !utf8.ValidString(name) {
		return "", errtypes.Field("name", "must be 1 to %d characters of valid UTF-8, white space around it left out", MaxName)
	}
	if strings.ContainsFunc(name, unicode.IsControl) {
		return "", errtypes.Field("name", "must not have control characters, such as the end of a line")
	}
	if !strings.ContainsFunc(name, isSeen) {
		return "", errtypes.Field("name", "must have a character that can be seen")
	}
	return name, nil
}

// isSeen reports whether a character shows by itself: marks change others, and
// some that count as letters or symbols are blank.
func isSeen(c rune) bool {
	switch c {
	case '\u115F', '\u1160', '\u3164', '\uFFA0', '\u2800':
		return false
	}
	return unicode.In(c, unicode.L, unicode.N, unicode.P, unicode.S)
}

// nameKey is what two names have in common that differ only in case.
func nameKey(name string) string { return cases.Fold().String(name) }

// IsNamed reports whether the context has that name, the white space around it
// and the case of its letters left out.
func (c Context) IsNamed(name string) bool {
	return c.Name != "" && nameKey(c.Name) == nameKey(strings.TrimSpace(name))
}
