package mention

import (
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// Email returns an address of electronic mail.
func Email(text string) (string, bool) {
	text, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "mailto:"), "?")
	if !email().MatchString(text) {
		return "", false
	}
	return text, true
}

var email = lexicon.Pattern(`^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\.]+(?:\.[^\s@<>(),;:"\\.]+)+\.?$`)

// IsSocial reports whether a text is the name of a network, perhaps behind words
// that ask to follow somebody there.
func IsSocial(s string) bool {
	if s = strings.TrimSpace(s); s == "" || len(s) > maxMoney || !is("network", strings.ToLower(strings.Trim(s[strings.LastIndexByte(s, ' ')+1:], ".,:()[]"))) {
		return false
	}
	words := strings.Fields(s)
	return len(words) == 1 || len(words) <= 5 && is("follow", strings.ToLower(words[0]))
}

// IsShareLink reports whether the address of a link is one that shares a page.
func IsShareLink(address string) bool { return sharing().MatchString(address) }

var sharing = lexicon.Pattern(`(?i)share|intent/|url=|\?u=|text=`)
