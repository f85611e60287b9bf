package fetch

import (
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

const bom = "\xEF\xBB\xBF"

// found is the character set of a content: its name in the WHATWG Encoding
// standard, and what decodes it.
type found struct {
	name    string
	enc     encoding.Encoding
	guessed bool
}

func lookUp(label string) (found, bool) {
	enc, name := charset.Lookup(strings.TrimSpace(label))
	return found{name: name, enc: enc}, enc != nil
}

var utf8Found, _ = lookUp("utf-8")

func (f found) isUTF8() bool { return f.name == "utf-8" }

// decode returns the text, and whether nothing was lost.
func (f found) decode(content string) (string, bool) {
	text, err := f.enc.NewDecoder().String(content)
	if err != nil {
		return strings.ToValidUTF8(text, "\uFFFD"), false
	}
	text = strings.TrimPrefix(text, "\uFEFF")
	return text, f.name != "replacement" && !strings.Contains(text, "\uFFFD")
}

// detect finds the character set in the order that serves pages best: a byte
// order mark, the Content-Type, what the page declares, what the bytes are.
func (k mediaKind) detect(content string) found {
	if f, ok := fromMark(content); ok {
		return f
	}
	if f, ok := lookUp(k.charset); ok {
		return f
	}
	if f, ok := k.declared(content); ok {
		return f
	}
	if utf8.ValidString(content) {
		return utf8Found
	}
	f := guess(content, k.isHTML)
	f.guessed = true
	return f
}

// fromMark reads a byte order mark, which outweighs everything.
func fromMark(content string) (found, bool) {
	for mark, label := range map[string]string{bom: "utf-8", "\xFE\xFF": "utf-16be", "\xFF\xFE": "utf-16le"} {
		if strings.HasPrefix(content, mark) {
			return lookUp(label)
		}
	}
	return found{}, false
}

// declared reads what the content says of itself.
func (k mediaKind) declared(content string) (f found, ok bool) {
	head := content[:min(len(content), declarationLen)]
	switch {
	case k.isHTML:
		if f, ok = fromMeta(head); ok {
			return f, true
		}
		return fromXML(head)
	case k.media == "text/css":
		return fromCSS(head)
	case strings.HasSuffix(k.media, "xml"):
		return fromXML(head)
	}
	return found{}, false
}

// declarationLen is how far a declaration is looked for. Browsers stop at 1,024
// bytes before they render and start again when one comes later.
const declarationLen = 64 << 10

// fromMeta reads the first meta element that names a character set (HTML,
// 13.2.3.2). A page in UTF-16 cannot be read far enough to say so: it means UTF-8.
func fromMeta(head string) (found, bool) {
	if !strings.Contains(head, "charset") && !strings.Contains(strings.ToLower(head), "charset") {
		return found{}, false // most pages that declare nothing are known at once
	}
	z := html.NewTokenizer(strings.NewReader(head))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return found{}, false
		case html.StartTagToken, html.SelfClosingTagToken:
			if name, more := z.TagName(); string(name) != "meta" || !more {
				continue
			}
			if f, ok := lookUp(metaCharset(z)); ok {
				return ofMeta(f), true
			}
		}
	}
}

// metaCharset returns what a meta element names; empty for nothing.
func metaCharset(z *html.Tokenizer) string {
	var direct, content string
	var pragma bool
	seen := map[string]bool{}
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		if seen[string(key)] { // the first of several counts
			continue
		}
		seen[string(key)] = true
		switch string(key) {
		case "charset":
			direct = string(value)
		case "content":
			content = string(value)
		case "http-equiv":
			pragma = strings.EqualFold(string(value), "content-type")
		}
	}
	if direct == "" && pragma {
		return charsetParameter(content)
	}
	return direct
}

// charsetParameter finds "charset=…" the way browsers do: anywhere, and
// whether or not it is well formed.
func charsetParameter(content string) string {
	lower := strings.ToLower(content)
	for {
		i := strings.Index(lower, "charset")
		if i < 0 {
			return ""
		}
		lower = strings.TrimLeft(lower[i+len("charset"):], " \t\n\f\r")
		value, ok := strings.CutPrefix(lower, "=")
		if !ok {
			continue
		}
		value = strings.TrimLeft(value, " \t\n\f\r")
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			inner, _, _ := strings.Cut(value[1:], value[:1])
			return inner
		}
		if end := strings.IndexAny(value, "; \t\n\f\r"); end >= 0 {
			value = value[:end]
		}
		return value
	}
}

// fromXML reads the declaration at the very beginning (XML 1.0, 2.8).
func fromXML(head string) (found, bool) {
	if !strings.HasPrefix(head, "<?xml") {
		return found{}, false
	}
	declaration, _, _ := strings.Cut(head, "?>")
	_, rest, ok := strings.Cut(declaration, "encoding")
	rest = strings.TrimLeft(rest, " \t\r\n=")
	if !ok || rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return found{}, false
	}
	label, _, _ := strings.Cut(rest[1:], rest[:1])
	f, ok := lookUp(label)
	return asciiCompatible(f), ok
}

// fromCSS reads @charset, which has exactly one form (CSS Syntax, 3.2).
func fromCSS(head string) (found, bool) {
	rest, ok := strings.CutPrefix(head, `@charset "`)
	if !ok {
		return found{}, false
	}
	label, _, _ := strings.Cut(rest, `"`)
	f, ok := lookUp(label)
	return asciiCompatible(f), ok
}

// ofMeta is what a meta element means by a name.
func ofMeta(f found) found {
	if f.name == "x-user-defined" {
		f, _ = lookUp("windows-1252")
	}
	return asciiCompatible(f)
}

func asciiCompatible(f found) found {
	if strings.HasPrefix(f.name, "utf-16") {
		return utf8Found
	}
	return f
}

// guessLen is how much of a content the statistics look at.
const guessLen = 64 << 10

// guess is the last resort for bytes that are no UTF-8 and declare nothing. A
// guess that cannot decode them is wrong; windows-1252 is what browsers fall
// back to.
func guess(content string, isHTML bool) found {
	detector := chardet.NewTextDetector()
	if isHTML {
		detector = chardet.NewHtmlDetector()
	}
	sample := sampleOf(content)
	results, err := detector.DetectAll([]byte(sample))
	if err == nil {
		for _, r := range results {
			if f, ok := lookUp(r.Charset); ok && !f.isUTF8() && losesNothing(f, sample) {
				return f
			}
		}
	}
	f, _ := lookUp("windows-1252")
	return f
}

// sampleOf cuts a content where no character of several bytes can be cut: these
// three are the second byte of none in any encoding of the web.
func sampleOf(content string) string {
	if len(content) <= guessLen {
		return content
	}
	if end := strings.LastIndexAny(content[:guessLen], "< \n"); end > 0 {
		return content[:end]
	}
	return content[:guessLen]
}

func losesNothing(f found, sample string) bool {
	_, ok := f.decode(sample)
	return ok
}
