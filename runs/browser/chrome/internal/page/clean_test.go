package page

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/drover-go/drover/runs/browser"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                               "",
		"  a\n\tb\u00a0c\u2003d  ":       "a b c d",
		"z\u200bw\u200cj\u200dn\ufeff":   "zwjn",
		"\u202eabc\u202c\u2066d\u2069":   "abcd",
		"tag\U000e0041\U000e007f":        "tag",
		"private\ue000\U000f0000end":     "privateend",
		"soft\u00adhyphen":               "softhyphen",
		"filler\u3164\u115f\u1160\uffa0": "filler",
		"vs\ufe00\U000e0100 ❤\ufe0f":     "vs ❤\ufe0f",
		"bell\x07nul\x00del\x7fc1\u0081": "bellnuldelc1",
		"\xff\xfebad":                    "\ufffdbad",
		"漢字 😀 é":                         "漢字 😀 é",
	} {
		if got := Clean(in, 0); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Clean(strings.Repeat("é", 20), 10); got != strings.Repeat("é", 10)+"…" {
		t.Errorf("cut: %q", got)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\u200bb \xed\xa0\x80\xff\U000e0041", 3)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := Clean(s, limit)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, Invisible) || got != strings.TrimSpace(got) {
			t.Errorf("Clean(%q) = %q", s, got)
		}
		if limit > 0 && utf8.RuneCountInString(got) > limit+1 {
			t.Errorf("Clean(%q, %d) is %d long", s, limit, utf8.RuneCountInString(got))
		}
	})
}

func TestRefs(t *testing.T) {
	t.Parallel()
	for ref, want := range map[browser.Ref][2]int{"e1": {0, 1}, "e120": {0, 120}, "f3e7": {3, 7}} {
		if f, e, ok := parseRef(ref); !ok || [2]int{f, e} != want || refOf(f, e) != ref {
			t.Errorf("%s: %d %d %t", ref, f, e, ok)
		}
	}
	for _, ref := range []browser.Ref{"", "e", "e0", "e01", "e-1", "e+1", "1", "f1", "f1e", "f0e1", "fe1", "f1e1e1", "E1", "e1 ", "e99999999999999999999", "e١"} {
		if _, _, ok := parseRef(ref); ok {
			t.Errorf("%q was read", ref)
		}
	}
}

func TestNetErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"net::ERR_NAME_NOT_RESOLVED":                 "bad gateway: the host name could not be resolved (ERR_NAME_NOT_RESOLVED)",
		"net::ERR_CONNECTION_TIMED_OUT":              "gateway timeout: the server did not answer in time (ERR_CONNECTION_TIMED_OUT)",
		"net::ERR_CONNECTION_RESET":                  "bad gateway: the connection to the server broke (ERR_CONNECTION_RESET)",
		"net::ERR_CERT_DATE_INVALID":                 "bad gateway: the server's certificate is not valid (ERR_CERT_DATE_INVALID)",
		"net::ERR_UNKNOWN_URL_SCHEME":                "invalid: only http and https URLs can be loaded (ERR_UNKNOWN_URL_SCHEME)",
		"net::ERR_SOMETHING_NEW_OF_A_LATER_CHROMIUM": "bad gateway: the page could not be loaded (ERR_SOMETHING_NEW_OF_A_LATER_CHROMIUM)",
		"net::ERR_BLOCKED_BY_RESPONSE":               "bad gateway: the browser blocked the page (ERR_BLOCKED_BY_RESPONSE)",
		"net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH":    "bad gateway: the TLS handshake with the server failed (ERR_SSL_VERSION_OR_CIPHER_MISMATCH)",
		"net::ERR_PROXY_CONNECTION_FAILED":           "bad gateway: the session's proxy could not be reached (ERR_PROXY_CONNECTION_FAILED)",
		"net::ERR_TUNNEL_CONNECTION_FAILED":          "bad gateway: the server could not be reached (ERR_TUNNEL_CONNECTION_FAILED)",
		"net::ERR_CONNECTION_REFUSED":                "bad gateway: the server refused the connection (ERR_CONNECTION_REFUSED)",
		"net::ERR_EMPTY_RESPONSE":                    "bad gateway: the server answered nothing (ERR_EMPTY_RESPONSE)",
		"net::ERR_HTTP_RESPONSE_CODE_FAILURE":        "bad gateway: the server answered with an error and no page (ERR_HTTP_RESPONSE_CODE_FAILURE)",
	} {
		err := netError(text)
		if got := kindAndText(err); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
