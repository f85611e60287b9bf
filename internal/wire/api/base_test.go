package api

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// baseOf is what an adapter says of its address that a host serves so.
func baseOf(t *testing.T, o Interface, r *http.Request, mount func(http.Handler) http.Handler) string {
	t.Helper()
	said := "nobody was asked"
	h := New(typed(o), []Route{{Method: "GET", Pattern: "/t/{x}", Public: true, Call: func(x *Exchange) (Answer, error) {
		said = x.Base() + " " + x.BasePath()
		return NoContent(), nil
	}}})
	mount(h).ServeHTTP(httptest.NewRecorder(), r)
	return said
}

func under(prefix string) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		mux := http.NewServeMux()
		mux.Handle(prefix+"/", http.StripPrefix(prefix, h))
		return mux
	}
}

func plain(h http.Handler) http.Handler { return h }

// rewritten serves another path than was asked for.
func rewritten(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path = "/t/y"
		h.ServeHTTP(w, r)
	})
}

// byTenant takes off whatever the first segment is.
func byTenant(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tenant, _, _ := strings.Cut(r.URL.Path[1:], "/")
		http.StripPrefix("/"+tenant, h).ServeHTTP(w, r)
	})
}

func TestBase(t *testing.T) {
	for name, test := range map[string]struct {
		target, public string
		mount          func(http.Handler) http.Handler
		want           string
	}{
		"nothing before it":         {"/t/x", "", plain, "http://drover.test "},
		"a prefix":                  {"/browser/t/x?y=/browser", "", under("/browser"), "http://drover.test/browser /browser"},
		"a deep one":                {"/a/b/t/x", "", under("/a/b"), "http://drover.test/a/b /a/b"},
		"two, one in the other":     {"/a/b/t/x", "", func(h http.Handler) http.Handler { return under("/a")(under("/b")(h)) }, "http://drover.test/a/b /a/b"},
		"one that is escaped":       {"/a%20b/t/x", "", func(h http.Handler) http.Handler { return http.StripPrefix("/a b", h) }, "http://drover.test/a%20b /a%20b"},
		"a value that is escaped":   {"/browser/t/a%2Fb%20c", "", under("/browser"), "http://drover.test/browser /browser"},
		"whatever is there":         {"/shop-7/t/x", "", byTenant, "http://drover.test/shop-7 /shop-7"},
		"the same twice":            {"/t/x/t/x", "", under("/t/x"), "http://drover.test/t/x /t/x"},
		"another path altogether":   {"/other", "", rewritten, "http://drover.test "},
		"an address in whole":       {"http://drover.test/browser/t/x", "", under("/browser"), "http://drover.test/browser /browser"},
		"an option":                 {"/t/x", "https://x.test/deep", plain, "https://x.test/deep /deep"},
		"an option before a prefix": {"/browser/t/x", "https://x.test", under("/browser"), "https://x.test "},
	} {
		r := httptest.NewRequest("GET", test.target, nil)
		r.Host = "drover.test"
		if got := baseOf(t, Interface{PublicURL: test.public}, r, test.mount); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestBaseOfOtherRequests(t *testing.T) {
	secure := httptest.NewRequest("GET", "/browser/t/x", nil)
	secure.TLS, secure.Host = &tls.ConnectionState{}, "drover.test:8443"
	if got := baseOf(t, Interface{}, secure, under("/browser")); got != "https://drover.test:8443/browser /browser" {
		t.Errorf("with TLS: %q", got)
	}
	inside, _ := http.NewRequest("GET", "http://drover.test/t/x", nil) // that came over no wire
	if got := baseOf(t, Interface{}, inside, plain); got != "http://drover.test " {
		t.Errorf("without a wire: %q", got)
	}
	odd := httptest.NewRequest("GET", "/t/x", nil)
	odd.Host = "%zz"
	if got := baseOf(t, Interface{}, odd, plain); got != "http://%zz " {
		t.Errorf("of an odd host: %q", got)
	}
}
