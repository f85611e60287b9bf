package search

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// Limits of what is kept of a result, in bytes.
const (
	maxTitle   = 300
	maxSnippet = 1000
	maxURL     = 2048
)

// plainText is a text without markup, in one line, and cut.
func plainText(text string, limit int) string {
	if strings.ContainsAny(text, "<&") {
		text = withoutTags(text)
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// withoutTags drops the marks of emphasis that services put into snippets.
func withoutTags(text string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.WriteString(html.UnescapeString(string(z.Raw())))
		}
	}
}

// isWeb reports whether an address is one that can be opened.
func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && len(address) <= maxURL
}
