package filename

import (
	"fmt"
	"strings"
)

// Attachment is the value of a Content-Disposition header (RFC 6266) that has
// the content saved under a clean name and never shown in its place. It names
// the file twice: in ASCII for who knows no better, and whole.
func Attachment(name string) string {
	return `attachment; filename="` + strings.Map(plain, name) + `"; filename*=UTF-8''` + percent(name)
}

// plain is a character of a quoted string that every reader takes alike: some
// decode a percent sign there.
func plain(r rune) rune {
	if r < ' ' || r > '~' || strings.ContainsRune(`"\%`, r) {
		return '_'
	}
	return r
}

// percent encodes all but the attr-chars of RFC 8187.
func percent(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if isAttrChar(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func isAttrChar(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return true
	}
	return strings.IndexByte("!#$&+-.^_`|~", c) >= 0
}
