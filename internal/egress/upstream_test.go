package egress

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

func TestParseUpstream(t *testing.T) {
	for raw, want := range map[string]struct{ url, user, password string }{
		"http://proxy.example:3128":             {"http://proxy.example:3128", "", ""},
		"HTTP://Proxy.Example":                  {"http://proxy.example:80", "", ""},
		"https://proxy.example/":                {"https://proxy.example:443", "", ""},
		"socks5://proxy.example":                {"socks5://proxy.example:1080", "", ""},
		"socks5h://u:p@10.0.0.1:9":              {"socks5://10.0.0.1:9", "u", "p"},
		"proxy.example:3128":                    {"http://proxy.example:3128", "", ""},
		"u:p@proxy.example:3128":                {"http://proxy.example:3128", "u", "p"},
		"http://u:p:q@proxy.example":            {"http://proxy.example:80", "u", "p:q"},
		"http://u@proxy.example":                {"http://proxy.example:80", "u", ""},
		"http://a%40b:p%2F%3a%25@proxy.example": {"http://proxy.example:80", "a@b", "p/:%"},
		"http://a@b:c@proxy.example":            {"http://proxy.example:80", "a@b", "c"},
		"http://:@proxy.example":                {"http://proxy.example:80", "", ""},
		"http://[::1]:8":                        {"http://[::1]:8", "", ""},
		"http://0x7f.1:8":                       {"http://127.0.0.1:8", "", ""},
		"http://bücher.example":                 {"http://xn--bcher-kva.example:80", "", ""},
	} {
		u, err := ParseUpstream(raw)
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		var got login
		if u.login != nil {
			got = u.login()
		}
		if u.String() != want.url || got != (login{want.user, want.password}) {
			t.Errorf("%s: %s, %+v", raw, u, got)
		}
	}
}

func TestUpstreamsThatAreRefused(t *testing.T) {
	const secret = "s3cr3t"
	for raw, want := range map[string]string{
		"":                                       "must not be empty",
		"ftp://u:s3cr3t@h":                       "must begin with",
		"socks4://u:s3cr3t@h":                    "must begin with",
		"direct://":                              "must begin with",
		"://h":                                   "must begin with",
		"http://":                                "must name a host",
		"http://u:s3cr3t@":                       "must name a host",
		"http://u:s3cr3t@:80":                    "must name a host",
		"http://h:0":                             "port 0",
		"http://h:65536":                         "must name a host",
		"http://h:x":                             "must name a host",
		"http://u:s3cr3t@h:80:80":                "must name a host",
		"http://h/path":                          "must not have a path",
		"http://h?q":                             "must not have a path",
		"http://u:s3cr3t/x@h":                    "percent-encoded",
		"http://u:s3cr3t#x@h":                    "percent-encoded",
		`http://good.example\u:s3cr3t@h`:         "percent-encoded",
		"http://u:s3cr3t%zz@h":                   "percent signs",
		"http://u:s3cr3t\r\nX: y@h":              "control characters",
		"http://u:s3cr3t%0d%0a@h":                "control characters",
		"http://u%00:s3cr3t@h":                   "control characters",
		"http://u:s3cr3t%ff@h":                   "must be at most 255 bytes of text",
		"http://\xff":                            "must be text",
		"http://:s3cr3t@h":                       "username that must not be empty",
		"http://a%3ab:s3cr3t@h":                  "colon",
		"socks5://u@h":                           "password that must not be empty",
		"http://u:" + secret + long(255) + "@h":  "at most 255 bytes",
		"socks5://" + long(256) + ":s3cr3t@h":    "at most 255 bytes",
		"http://u:s3cr3t@" + long(3000):          "at most 2048 bytes",
		"http://u:s3cr3t@a..b":                   "must name a host",
		"http://u:s3cr3t@a b":                    "must name a host",
		"http://u:p@s3cr3t@1.2.3.4.5":            "must name a host",
		"http://u:s3cr3t@h:s3cr3t":               "must name a host",
		"http://u:s3cr3t@[::1":                   "must name a host",
		"http://u:s3cr3t@[fe80::1%25s3cr3t]:80/": "must name a host",
	} {
		u, err := ParseUpstream(raw)
		pub := errtypes.Public(err)
		if err == nil || pub.Kind != errtypes.Invalid || pub.Field != "server" || !strings.Contains(pub.Message, want) {
			t.Errorf("%.60q: %v, %v, want one that says %q", raw, u, err, want)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%.60q: the error tells the password: %v", raw, err)
		}
	}
}

func long(n int) string { return strings.Repeat("x", n) }

func TestWithLogin(t *testing.T) {
	u, err := ParseUpstream("socks5://old:one@h")
	if err != nil {
		t.Fatal(err)
	}
	with, err := u.WithLogin("new", "pass")
	if err != nil || with.login() != (login{"new", "pass"}) || u.login().user != "old" {
		t.Error(err)
	}
	none, err := u.WithLogin("", "")
	if err != nil || none.login != nil {
		t.Error(err)
	}
	for _, l := range []login{{"", "p"}, {"u", ""}, {"u\n", "p"}, {"u", long(256)}} {
		if _, err := u.WithLogin(l.user, l.password); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%q: %v", l, err)
		}
	}
}

// However an upstream, or what holds one, is printed, its credentials are not.
func TestCredentialsAreNeverShown(t *testing.T) {
	u, err := ParseUpstream("http://hideme:s3cr3t@proxy.example:3128")
	if err != nil {
		t.Fatal(err)
	}
	holder := struct {
		Up     Upstream
		hidden Upstream
		ptr    *Upstream
		policy Policy
	}{u, u, &u, Policy{Routes: []Route{{Upstream: &u}}}}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+" "+verb+" "+verb+"\n", u, &u, holder)
	}
	text, err := json.Marshal(holder)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(text)
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("x", "u", u, "p", &u, "h", holder)
	}
	fmt.Fprintln(&out, u.errorf(errtypes.BadGateway, nil, "failed"), u.OfHost())
	for _, secret := range []string{"hideme", "s3cr3t", fmt.Sprintf("%x", "s3cr3t"), "aGlkZW1lOnMzY3IzdA"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%q is shown in\n%s", secret, out.String())
		}
	}
	if n := strings.Count(out.String(), "http://proxy.example:3128"); n < 10 {
		t.Errorf("the address is shown %d times only\n%s", n, out.String())
	}
}

func FuzzParseUpstream(f *testing.F) {
	for _, raw := range []string{"http://u:p@h:1", "socks5://a%40:%20@[::1]", "https://h/", "h:3128", "u@h", "http://0x7f.1", "http://a\\b@c"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := ParseUpstream(raw)
		if err != nil {
			if !errtypes.Is(err, errtypes.Invalid) || len(err.Error()) > 200 {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		again, err := ParseUpstream(u.String())
		if err != nil || again.String() != u.String() || again.login != nil {
			t.Fatalf("%q: %s does not parse to itself: %v, %v", raw, u, again, err)
		}
		checkHost(t, u.host)
		if u.login != nil && strings.ContainsAny(u.authorization()+u.login().user+u.login().password, "\r\n\x00") {
			t.Fatalf("%q: a login that can end a line", raw)
		}
	})
}
