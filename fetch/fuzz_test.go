package fetch

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzContent puts arbitrary bytes through decompression, character sets and
// markdown: nothing may panic, exceed its limit or yield broken UTF-8.
func FuzzContent(f *testing.F) {
	f.Add("text/html; charset=utf-8", "", []byte("<p>x</p>"))
	f.Add("text/html", "gzip", []byte("\x1f\x8b\x08"))
	f.Add("", "br, zstd", []byte("\xff\xfe<meta charset=shift_jis>"))
	f.Add("text/css", "deflate", []byte(`@charset "big5";`))
	f.Add("application/xhtml+xml", "zstd,zstd,zstd", []byte(`<?xml encoding='x'?>`))
	f.Fuzz(func(t *testing.T, contentType, coding string, data []byte) {
		const limit = 1 << 16
		page, _ := url.Parse("https://example.com/dir/")
		for _, format := range []Format{Raw, Markdown} {
			body, err := decompress(strings.NewReader(string(data)), contentCodings(http.Header{"Content-Encoding": {coding}}), limit)
			if err != nil {
				return
			}
			a := &answer{url: page, contentType: contentType, length: -1, body: body, one: &one{ctx: t.Context(), turns: make(chan struct{}, 1)}}
			content, encoding, err := a.content(format)
			if err != nil {
				return
			}
			if !utf8.ValidString(content) {
				t.Errorf("%s: broken UTF-8", format)
			}
			if encoding == encodingBase64 {
				if _, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, strings.NewReader(content))); err != nil {
					t.Error(err)
				}
			}
		}
	})
}
