package mention

import (
	"strings"
	"unicode/utf8"
)

// spaces are the characters that part words, also those that break no line.
const spaces = " \t\n\r\f\v\u0085\u00A0\u2007\u2009\u202F\u3000"

// AfterLast returns what follows the last of some characters in a text; all of
// it where there is none.
func AfterLast(s, chars string) string {
	i := strings.LastIndexAny(s, chars)
	if i < 0 {
		return s
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[i+size:]
}
