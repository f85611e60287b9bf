package policy

import (
	"fmt"
	"slices"
	"strings"
)

// schemes are those a client may send a page to. Everything else leads to the
// machine's files (file, filesystem, view-source of them) or to pages of the
// browser with rights of their own (chrome, devtools, chrome-extension, about).
// What http and https reach, the session's proxy decides.
var schemes = []string{"http", "https", "data", "blob", "javascript"}

// aboutPages are those of the scheme about that are not pages of the browser.
var aboutPages = []string{"about:blank", "about:srcdoc"}

// CheckURL refuses an address that a client must not send a page to. It reads
// it as browsers do: spaces around it and line breaks within do not count.
func CheckURL(address string) error {
	s := strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	s = strings.ToLower(strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s))
	scheme, _, found := strings.Cut(s, ":")
	page, _, _ := strings.Cut(s, "#")
	page, _, _ = strings.Cut(page, "?")
	if found && (slices.Contains(schemes, scheme) || slices.Contains(aboutPages, page)) {
		return nil
	}
	more := ""
	if scheme == "file" || !found {
		more = "; files come into a session by POST /v1/sessions/{id}/uploads"
	}
	return fmt.Errorf("the address is refused: only http, https, data, blob and javascript addresses and about:blank can be opened in a session%s", more)
}
