package secrets

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"iter"
	"strings"
)

// writtenForms yields the ways in which a value may turn up in a page, an
// address, a JSON text or a header, each at least MinSearched bytes long.
func writtenForms(value string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if len(value) < MinSearched {
			return
		}
		for _, plain := range []string{value, strings.TrimSpace(value), strings.Join(strings.Fields(value), " ")} {
			for _, text := range escaped(plain) {
				if len(text) >= MinSearched && !yield(text) {
					return
				}
			}
		}
		for _, text := range base64Forms(value) {
			if !yield(text) {
				return
			}
		}
	}
}

// escaped leaves percent escapes to [view]. Only the "+" that forms write for
// a space is missing there.
func escaped(plain string) []string {
	return []string{
		plain,
		strings.ReplaceAll(plain, " ", "+"),
		jsonEscape(plain, true), jsonEscape(plain, false),
		html.EscapeString(plain), escapeMarkup.Replace(plain), escapeText.Replace(plain), escapeAttribute.Replace(plain),
	}
}

// Serialised HTML escapes text and attributes differently (HTML, 13.3).
var (
	escapeMarkup    = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
	escapeText      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	escapeAttribute = strings.NewReplacer("&", "&amp;", `"`, "&quot;")
)

// jsonEscape returns the text between the quotes of the JSON string.
func jsonEscape(s string, escapeHTML bool) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(escapeHTML)
	if enc.Encode(s) != nil {
		return s
	}
	return strings.TrimSuffix(strings.TrimSpace(b.String()), `"`)[1:]
}

// minInner is the least length of a base64 text that is searched for inside a
// longer one: it is letters and digits and nothing else, like words are.
const minInner = 6

// base64Forms returns the value encoded by itself, and the part of the
// encoding that is the same wherever the value stands in a longer text (as in
// "user:password"): that depends on its place modulo 3.
func base64Forms(value string) []string {
	var all []string
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		all = append(all, enc.EncodeToString([]byte(value)), enc.WithPadding(base64.NoPadding).EncodeToString([]byte(value)))
		for before := range 3 {
			if inner := innerBase64(enc, value, before); len(inner) >= minInner {
				all = append(all, inner)
			}
		}
	}
	return all
}

func innerBase64(enc *base64.Encoding, value string, before int) string {
	text := enc.WithPadding(base64.NoPadding).EncodeToString(append(make([]byte, before), value...))
	first := (before*8 + 5) / 6
	last := (before + len(value)) * 8 / 6
	return text[first:last]
}
