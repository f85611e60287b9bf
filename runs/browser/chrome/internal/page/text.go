package page

import (
	"net/url"
	"strings"
)

// MaxURL bounds what is kept of a URL.
const MaxURL = 2000

// ShownURL is a URL as others may see it: without credentials, and without the
// content of one that is content itself.
func ShownURL(raw string) string {
	if scheme, rest, ok := strings.Cut(raw, ":"); ok && strings.EqualFold(scheme, "data") {
		head, _, _ := strings.Cut(rest, ",")
		return CutText("data:"+head, MaxURL)
	}
	if strings.Contains(raw, "@") {
		u, err := url.Parse(raw)
		if err != nil {
			return ""
		}
		u.User = nil
		raw = u.String()
	}
	return CutText(raw, MaxURL)
}

// CutText cuts a text at limit bytes.
func CutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(strings.Clone(s[:limit]), "") + "…" // nothing keeps the whole
}
