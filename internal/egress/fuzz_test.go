package egress

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/weburl"
)

// checkFinal fails unless u is in the form that ParseURL promises.
func checkFinal(t *testing.T, u *url.URL) {
	t.Helper()
	text := u.String()
	again, err := ParseURL(text)
	if err != nil || again.String() != text {
		t.Fatalf("%q does not parse to itself: %v, %v", text, again, err)
	}
	req, err := http.NewRequest("GET", text, nil)
	if err != nil {
		t.Fatalf("net/http does not take %q: %v", text, err)
	}
	if req.URL.Host != u.Host || req.Host != u.Host || req.URL.User != nil {
		t.Fatalf("net/http reads %q as host %q, Host %q", text, req.URL.Host, req.Host)
	}
	if want := requestTarget(text); req.URL.RequestURI() != want {
		t.Fatalf("net/http would ask %q for %q, want %q", text, req.URL.RequestURI(), want)
	}
	checkHost(t, u.Hostname())
}

// requestTarget returns what stands between the host and the fragment.
func requestTarget(text string) string {
	text, _, _ = strings.Cut(text, "#")
	_, rest, _ := strings.Cut(text, "://")
	return rest[strings.IndexByte(rest, '/'):]
}

func checkHost(t *testing.T, host string) {
	t.Helper()
	if strings.ToLower(host) != host || strings.ContainsFunc(host, func(c rune) bool { return c >= 0x80 }) {
		t.Fatalf("the host %q is not in its final form", host)
	}
	addr, err := netip.ParseAddr(host)
	switch {
	case err != nil && weburl.EndsInNumber(host):
		t.Fatalf("the host %q may be read as an address", host)
	case err == nil && addr.Is4() && addr.String() != host:
		t.Fatalf("the host %q is not in its final form", host)
	}
}

func FuzzParseURL(f *testing.F) {
	for _, raw := range []string{
		"http://127.1", "http://①②⑦.1/%2e%2e/a|b%zz?'#^", `https:\\EXAMPLE.com:0443\x`,
		"http://[::ffff:127.0.0.1]:81/é", "http://xn--bcher-kva.example./", "http://a%2eb.example/?%",
		"http://0x7f0000012130706433}", "http://127.0.0.1#@example.com", "http://example.com%00@127.0.0.1",
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if u, err := ParseURL(raw); err == nil {
			checkFinal(t, u)
		}
	})
}

func FuzzResolveReference(f *testing.F) {
	f.Add("https://shop.example:8443/a/b?q#f", "../x")
	f.Add("http://127.1/", `\\other.example\y`)
	f.Add("http://h.example/", "caf\xe9#\xff")
	f.Fuzz(func(t *testing.T, rawBase, ref string) {
		base, err := ParseURL(rawBase)
		if err != nil {
			return
		}
		if u, err := ResolveReference(base, ref); err == nil {
			checkFinal(t, u)
		}
	})
}
