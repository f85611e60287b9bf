package fetch

import (
	"net/http"
	"strings"
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
		flat[strings.ToLower(name)] = strings.ToValidUTF8(strings.Join(values, separator), "\uFFFD")
	}
	return flat
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
