package fetch

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/markdown"
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
		for _, o := range []Options{{Format: Raw}, {Format: Markdown}, {Format: Markdown, OnlyMainContent: true}} {
			body, err := decompress(strings.NewReader(string(data)), contentCodings(http.Header{"Content-Encoding": {coding}}), limit)
			if err != nil {
				return
			}
			a := converting(t.Context(), markdown.Options{})
			a.url, a.contentType, a.length, a.body = page, contentType, -1, body
			got := &Answer{Format: o.Format}
			if err := a.fill(got, o); err != nil {
				return
			}
			if !utf8.ValidString(got.Content) {
				t.Errorf("%s: broken UTF-8", o.Format)
			}
			if got.Encoding == encodingBase64 {
				if _, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, strings.NewReader(got.Content))); err != nil {
					t.Error(err)
				}
			}
		}
	})
}
