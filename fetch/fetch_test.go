package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns a service whose gate lets 127.0.0.1 through, and nothing else
// that is private.
func open(tb testing.TB, c fetch.Config) fetch.Service {
	tb.Helper()
	gate, err := egress.New(egress.Options{AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Telemetry: c.Telemetry})
	if err != nil {
		tb.Fatal(err)
	}
	callers, err := projects.New(tb.Context(), storagetest.OpenWith(tb, storage.Options{Telemetry: c.Telemetry}), projects.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	c.Gate, c.Callers = gate, callers
	s, err := fetch.New(c)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// serve returns the address of a server that lives as long as the test.
func serve(tb testing.TB, h http.HandlerFunc) string {
	tb.Helper()
	server := httptest.NewServer(h)
	tb.Cleanup(server.Close)
	return server.URL
}

// page is a handler that sends a body with a content type; an empty one
// sends none.
func page(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = nil
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		io.WriteString(w, body)
	}
}

func get(t *testing.T, s fetch.Service, url string, o fetch.Options) *fetch.Answer {
	t.Helper()
	a, err := s.Get(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestRawPageIsReturnedAsItIs(t *testing.T) {
	s := open(t, fetch.Config{})
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Add("X-Two", "a")
		w.Header().Add("X-Two", "b")
		w.Header().Add("Set-Cookie", "a=1; Expires=Thu, 01 Jan 2037 00:00:00 GMT")
		w.Header().Add("Set-Cookie", "b=2")
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, "<p>é</p>")
	})
	a := get(t, s, url, fetch.Options{})
	if !ids.Valid(a.ID) || a.StatusCode != 418 || a.Content != "<p>é</p>" || a.Encoding != "utf-8" ||
		a.ContentType != "text/html; charset=utf-8" || a.URL != url+"/" {
		t.Errorf("%+v", a)
	}
	for name, want := range map[string]string{
		"x-two": "a, b", "set-cookie": "a=1; Expires=Thu, 01 Jan 2037 00:00:00 GMT\nb=2",
		"content-type": "text/html; charset=utf-8",
	} {
		if a.Headers[name] != want {
			t.Errorf("%s: %q, want %q", name, a.Headers[name], want)
		}
	}
}

func TestBinaryIsBase64(t *testing.T) {
	s := open(t, fetch.Config{})
	for name, test := range map[string]struct{ contentType, body, content, encoding string }{
		"image":                 {"image/png", "\x89PNG", "iVBORw==", "base64"},
		"octets":                {"application/octet-stream", "abc", "YWJj", "base64"},
		"pdf":                   {"application/pdf", "%PDF", "JVBERg==", "base64"},
		"sniffed binary":        {"", "\x89PNG\x0D\x0A\x1A\x0A", "iVBORw0KGgo=", "base64"},
		"sniffed html":          {"", "<!doctype html><p>x", "<!doctype html><p>x", "utf-8"},
		"json":                  {"application/json", `{"a":1}`, `{"a":1}`, "utf-8"},
		"problem":               {"application/problem+json", `{}`, `{}`, "utf-8"},
		"svg":                   {"image/svg+xml", "<svg/>", "<svg/>", "utf-8"},
		"broken utf-8":          {"text/html; charset=utf-8", "a\xffb", "Yf9i", "base64"},
		"empty":                 {"image/png", "", "", "base64"},
		"bad parameter":         {"text/html; charset", "x", "x", "utf-8"},
		"binary called text":    {"text/plain", "\x89PNG\r\n\x1a\n\x00\x00", "iVBORw0KGgoAAA==", "base64"},
		"control in utf-8":      {"text/plain", "a\x00b", "a\x00b", "utf-8"},
		"undecodable shift_jis": {"text/html; charset=shift_jis", "a\xff\xffb", "Yf//Yg==", "base64"},
	} {
		t.Run(name, func(t *testing.T) {
			a := get(t, s, serve(t, page(test.contentType, test.body)), fetch.Options{})
			if a.Content != test.content || a.Encoding != test.encoding || a.ContentType != test.contentType {
				t.Errorf("%q %s %q", a.Content, a.Encoding, a.ContentType)
			}
		})
	}
}

func TestStreamGivesTheBytesBeforeTheyAreComplete(t *testing.T) {
	s := open(t, fetch.Config{})
	more := make(chan struct{})
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "first")
		w.(http.Flusher).Flush()
		<-more
		io.WriteString(w, " second")
	})
	stream, err := s.Open(t.Context(), url, fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	first := make([]byte, 5)
	if _, err := io.ReadFull(stream.Body, first); err != nil || string(first) != "first" {
		t.Fatalf("%q, %v", first, err)
	}
	close(more)
	if rest, err := io.ReadAll(stream.Body); err != nil || string(rest) != " second" {
		t.Errorf("%q, %v", rest, err)
	}
	if _, err := s.Open(t.Context(), url, fetch.Options{Format: fetch.Markdown}); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("markdown stream: %v", err)
	}
}

func TestMarkdownIsThePage(t *testing.T) {
	s := open(t, fetch.Config{})
	url := serve(t, page("text/html", `<title>T</title><base href="/b/"><style>p{}</style><h1>Head</h1><p>See <a href="x">it</a>.<script>no()</script>`))
	a := get(t, s, url+"/a/", fetch.Options{Format: fetch.Markdown})
	if want := "# Head\n\nSee [it](" + url + "/b/x)."; strings.TrimSpace(a.Content) != want || a.Encoding != "utf-8" {
		t.Errorf("%q, want %q", a.Content, want)
	}
	if a.ContentType != "text/html" {
		t.Errorf("content type %q is not the page's", a.ContentType)
	}
	for name, test := range map[string]struct{ contentType, body, want string }{
		"text":     {"text/plain", "# as *it* is\n", "# as *it* is\n"},
		"xhtml":    {"application/xhtml+xml", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><h1>X</h1></body></html>`, "# X"},
		"legacy":   {"text/html; charset=iso-8859-1", "<p>caf\xe9</p>", "café"},
		"broken":   {"text/html; charset=utf-8", "<p>caf\xe9</p>", "caf\uFFFD"},
		"empty":    {"image/png", "", ""},
		"no type":  {"", "<html><p>x</p>", "x"},
		"markdown": {"text/markdown", "*x*", "*x*"},
	} {
		t.Run(name, func(t *testing.T) {
			a := get(t, s, serve(t, page(test.contentType, test.body)), fetch.Options{Format: fetch.Markdown})
			if strings.TrimSpace(a.Content) != strings.TrimSpace(test.want) {
				t.Errorf("%q, want %q", a.Content, test.want)
			}
		})
	}
	_, err := s.Get(t.Context(), serve(t, page("application/pdf", "%PDF")), fetch.Options{Format: fetch.Markdown})
	if !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(errtypes.Public(err).Message, "application/pdf") {
		t.Errorf("PDF as markdown: %v", err)
	}
}

func TestMetadataIsToldOfPagesInHTML(t *testing.T) {
	s := open(t, fetch.Config{})
	url := serve(t, page("text/html", `<html lang=en><title>T</title><link rel=canonical href="/c"><script type="application/ld+json">{"@type":"Article","headline":"H","author":{"name":"A"}}</script><p>words`))
	m := get(t, s, url, fetch.Options{Format: fetch.Markdown}).Metadata
	if m == nil || m.Title != "H" || m.Language != "en" || m.CanonicalURL != url+"/c" || len(m.Authors) != 1 || m.Authors[0] != "A" {
		t.Errorf("got %+v", m)
	}
	schema := []byte(`{"type":"object","properties":{"headline":{"type":"string"}}}`)
	if m := get(t, s, url, fetch.Options{Format: fetch.JSON, Schema: schema}).Metadata; m == nil || m.Title != "H" {
		t.Errorf("JSON: %+v", m)
	}
	if m := get(t, s, url, fetch.Options{}).Metadata; m != nil {
		t.Errorf("raw: %+v", m)
	}
	if m := get(t, s, serve(t, page("text/plain", "words")), fetch.Options{Format: fetch.Markdown}).Metadata; m != nil {
		t.Errorf("a text: %+v", m)
	}
}

func TestOptionsThatWillNotDoAreRefusedByName(t *testing.T) {
	s := open(t, fetch.Config{})
	for field, o := range map[string]fetch.Options{
		"format":          {Format: "pdf"},
		"schema":          {Format: fetch.JSON},
		"schema ":         {Format: fetch.JSON, Schema: []byte(`[]`)},
		"schema  ":        {Format: fetch.JSON, Schema: []byte(`{"type":"string"}`)},
		"proxies":         {Proxies: true},
		"onlyMainContent": {OnlyMainContent: true},
	} {
		_, err := s.Get(t.Context(), "http://example.com", o)
		if pub := errtypes.Public(err); pub.Kind != errtypes.Invalid || pub.Field != strings.TrimSpace(field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestRequestLooksLikeABrowsers(t *testing.T) {
	s := open(t, fetch.Config{})
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Method, " ", r.URL, " ", r.UserAgent(), " ", r.Header.Get("Accept-Encoding"), " ", r.Header.Get("Cookie"))
	})
	a := get(t, s, url+"/a b?q=ü#f", fetch.Options{})
	for _, want := range []string{"GET /a%20b?q=%C3%BC", "Chrome/", "gzip, deflate, br, zstd"} {
		if !strings.Contains(a.Content, want) {
			t.Errorf("%q is not in %q", want, a.Content)
		}
	}
	custom := open(t, fetch.Config{UserAgent: "me/1"})
	if a := get(t, custom, url, fetch.Options{}); !strings.Contains(a.Content, "me/1") {
		t.Errorf("%q", a.Content)
	}
}

func TestConfigNeedsItsParts(t *testing.T) {
	if _, err := fetch.New(fetch.Config{}); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("no gate: %v", err)
	}
}

func TestEveryFailureCarriesItsID(t *testing.T) {
	s := open(t, fetch.Config{})
	for _, url := range []string{"", "http://127.0.0.2/", "http://127.0.0.1:1/"} {
		if _, err := s.Get(t.Context(), url, fetch.Options{}); !ids.Valid(fetch.ErrorID(err)) {
			t.Errorf("%q: %v", url, err)
		}
		if _, err := s.Open(t.Context(), url, fetch.Options{}); !ids.Valid(fetch.ErrorID(err)) {
			t.Errorf("%q: %v", url, err)
		}
	}
	if fetch.ErrorID(errors.New("x")) != "" {
		t.Error("a foreign error has an id")
	}
}
