package fetch

import (
	"encoding/base64"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"unicode/utf8"
)

// The values of [Answer.Encoding].
const (
	encodingText   = "utf-8"
	encodingBase64 = "base64"
)

// fill reads the page and brings it into the format.
func (a *answer) fill(got *Answer, o Options) error {
	whole, err := a.readAll()
	if err != nil {
		return err
	}
	kind := a.kind(whole)
	switch got.Format {
	case JSON:
		return a.shape(got, o, whole, kind)
	case Markdown:
		return a.convert(got, o, whole, kind)
	}
	got.Content, got.Encoding = raw(whole, kind)
	return nil
}

// raw is the content as it was sent, if it is text, decoded.
func raw(whole string, kind mediaKind) (content, encoding string) {
	if text, ok := kind.text(whole); ok {
		return text, encodingText
	}
	return base64.StdEncoding.EncodeToString([]byte(whole)), encodingBase64
}

// convert makes markdown of the page.
func (a *answer) convert(got *Answer, o Options, whole string, kind mediaKind) error {
	got.Encoding = encodingText
	if whole == "" {
		return nil
	}
	if err := kind.readable(Markdown); err != nil {
		return err
	}
	if !kind.isHTML {
		got.Content = kind.lossyText(whole)
		return nil
	}
	return a.read(got, whole, kind, func(d *document) (err error) {
		got.Content, err = d.markdown(a.one.ctx, o.OnlyMainContent)
		return err
	})
}

// chunks are what bodies are read with: large enough to be few, small enough
// to stay in the processor's cache.
var chunks = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// readAll returns the whole content. Where its length is known it is allocated
// once, and never cleared before it is written.
func (a *answer) readAll() (string, error) {
	chunk := chunks.Get().(*[64 << 10]byte)
	defer chunks.Put(chunk)
	var b strings.Builder
	if a.length > 0 {
		b.Grow(int(a.length))
	}
	for {
		n, err := a.body.Read(chunk[:])
		b.Write(chunk[:n])
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// mediaKind is what a content type, or else the content, says of the content.
type mediaKind struct {
	media   string // without parameters, lower case
	charset string // of the parameter
	isText  bool
	isHTML  bool
}

// sniffLen is how much of the content tells what it is (WHATWG MIME Sniffing).
const sniffLen = 512

func (a *answer) kind(content string) mediaKind {
	given := a.contentType
	if given == "" && content != "" {
		given = http.DetectContentType([]byte(content[:min(len(content), sniffLen)]))
		given, _, _ = strings.Cut(given, ";") // its charset is a guess that is made better here
	}
	media, parameters, err := mime.ParseMediaType(given)
	if err != nil { // broken parameters are no reason not to know the type
		media, _, _ = strings.Cut(given, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	charset := parameters["charset"]
	if a.isUTF8 {
		charset = "utf-8"
	}
	return mediaKind{
		media: media, charset: charset,
		isText: isText(media) || given == "", // nothing is a text of no length
		isHTML: media == "text/html" || media == "application/xhtml+xml",
	}
}

func (k mediaKind) shown() string {
	if k.media == "" {
		return "application/octet-stream"
	}
	return k.media
}

// isText reports whether a type is made of characters.
func isText(media string) bool {
	main, sub, _ := strings.Cut(media, "/")
	switch {
	case main == "text", strings.HasSuffix(sub, "+xml"), strings.HasSuffix(sub, "+json"), strings.HasSuffix(sub, "+yaml"):
		return true
	case main != "application":
		return false
	}
	switch sub {
	case "json", "xml", "javascript", "x-javascript", "ecmascript", "yaml", "x-yaml", "toml", "graphql", "sql",
		"x-www-form-urlencoded", "x-ndjson", "jsonlines", "json5", "rtf", "xml-dtd", "x-sh":
		return true
	}
	return false
}

// text decodes the content; false for what is no text or cannot be decoded
// without loss (DECISIONS 19).
func (k mediaKind) text(content string) (string, bool) {
	if !k.isText {
		return "", false
	}
	found := k.detect(content)
	if found.isUTF8() {
		content = strings.TrimPrefix(content, bom)
		return content, utf8.ValidString(content)
	}
	if found.guessed && looksBinary(content) {
		return "", false
	}
	return found.decode(content)
}

// binaryLen is how much of a content that calls itself text is searched for
// bytes that no text has (WHATWG MIME Sniffing, 7.2).
const binaryLen = 1445

// looksBinary reports control bytes that no text has in any encoding but
// UTF-16, which has declared itself by its mark. Every byte is a character of
// windows-1252, so a guess alone would make text of anything.
func looksBinary(content string) bool {
	return strings.ContainsFunc(content[:min(len(content), binaryLen)], func(c rune) bool {
		return c < ' ' && !strings.ContainsRune("\t\n\f\r\x1b", c)
	})
}

// lossyText decodes the content and puts a replacement character where that
// cannot be done, as browsers do.
func (k mediaKind) lossyText(content string) string {
	found := k.detect(content)
	if found.isUTF8() {
		return strings.ToValidUTF8(strings.TrimPrefix(content, bom), "\uFFFD")
	}
	text, _ := found.decode(content)
	return text
}
