package fetch

import (
	"net/http"
	"strings"
	"unicode/utf8"
)

// flatten makes one value of several (DECISIONS 19): joined by a comma, as RFC
// 9110 5.2 allows, but those of Set-Cookie, which may hold commas, by a newline.
func flatten(h http.Header) map[string]string {
	flat := make(map[string]string, len(h))
	for name, values := range h {
		separator := ", "
		if name == "Set-Cookie" {
			separator = "\n"
		}
		flat[strings.ToLower(name)] = headerText(strings.Join(values, separator))
	}
	return flat
}

// headerText returns a value as text. A header is bytes, and those above ASCII
// have no meaning of their own (RFC 9110, 5.5): where they are UTF-8, which
// many servers send, they are taken as that, and else as ISO 8859-1, which the
// protocol meant once and in which every byte is a character. Nothing is lost.
func headerText(value string) string {
	if utf8.ValidString(value) {
		return value
	}
	text := make([]rune, len(value))
	for i := range len(value) {
		text[i] = rune(value[i])
	}
	return string(text)
}

// contentCodings returns the codings of a body in the order they were applied.
func contentCodings(h http.Header) (codings []string) {
	for _, value := range h["Content-Encoding"] {
		for coding := range strings.SplitSeq(value, ",") {
			coding = strings.ToLower(strings.TrimSpace(coding))
			if coding != "" && coding != "identity" {
				codings = append(codings, coding)
			}
		}
	}
	return codings
}
