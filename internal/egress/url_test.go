package egress

import (
	"net/url"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

func TestURLForms(t *testing.T) {
	for raw, want := range map[string]string{
		// forms of 127.0.0.1 that browsers, or some resolver, take
		"http://127.0.0.1/":                       "http://127.0.0.1/",
		"http://127.1":                            "http://127.0.0.1/",
		"http://127.0.1":                          "http://127.0.0.1/",
		"http://2130706433":                       "http://127.0.0.1/",
		"http://0x7f000001":                       "http://127.0.0.1/",
		"http://0X7F.1":                           "http://127.0.0.1/",
		"http://0177.0.0.1":                       "http://127.0.0.1/",
		"http://0177.0x0.0.0x1":                   "http://127.0.0.1/",
		"http://000000000000000000177.1":          "http://127.0.0.1/",
		"http://127.0.0.1.":                       "http://127.0.0.1/",
		"http://①②⑦.⓪.⓪.①":                        "http://127.0.0.1/",
		"http://127。0。0。1":                        "http://127.0.0.1/",
		"http://１２７.0.0.1":                        "http://127.0.0.1/",
		"http://127．0｡0．1":                        "http://127.0.0.1/",
		"http://%31%32%37.0.0.1":                  "http://127.0.0.1/",
		"http://%EF%BC%91%EF%BC%92%EF%BC%97.1":    "http://127.0.0.1/",
		"http://127.0.\u00ad0.1":                  "http://127.0.0.1/",
		"http://0":                                "http://0.0.0.0/",
		"http://0x":                               "http://0.0.0.0/",
		"http://4294967295":                       "http://255.255.255.255/",
		"http://127.0.0.1#@example.com":           "http://127.0.0.1/#@example.com",
		"http://127.0.0.1?@example.com":           "http://127.0.0.1/?@example.com",
		`http://127.0.0.1\@example.com`:           "http://127.0.0.1/@example.com",
		"http://ⓛocalhost":                        "http://localhost/",
		"http://LOCALHOST.":                       "http://localhost./",
		"http://[::1]":                            "http://[::1]/",
		"http://[0:0:0:0:0:0:0:1]:80":             "http://[::1]/",
		"http://[::]":                             "http://[::]/",
		"http://[::ffff:127.0.0.1]":               "http://[::ffff:7f00:1]/",
		"http://[::ffff:7f00:1]":                  "http://[::ffff:7f00:1]/",
		"http://[::127.0.0.1]":                    "http://[::7f00:1]/",
		"http://[64:FF9B::127.0.0.1]":             "http://[64:ff9b::7f00:1]/",
		"http://0x7f000001213070643x/":            "http://0x7f000001213070643x/",
		"http://1.2.3.com":                        "http://1.2.3.com/",
		"http://[2606:4700::1111]:8080/a?b#c":     "http://[2606:4700::1111]:8080/a?b#c",
		"https://169.254.169.254.nip.example/x":   "https://169.254.169.254.nip.example/x",
		"http://bücher.example":                   "http://xn--bcher-kva.example/",
		"http://B%C3%9CCHER.example":              "http://xn--bcher-kva.example/",
		"http://faß.example":                      "http://xn--fa-hia.example/",
		"http://r3---sn-apo3qvuoxuxbt-j5pe.ex":    "http://r3---sn-apo3qvuoxuxbt-j5pe.ex/",
		"http://a_b.example":                      "http://a_b.example/",
		"  \x00http://example.com\t/a\r\nb \x1f ": "http://example.com/ab",
		"ht\ntp://exa\tmple.com":                  "http://example.com/",
		`http:\\example.com\a\..\b`:               "http://example.com/b",
		"http:example.com":                        "http://example.com/",
		"http:/example.com":                       "http://example.com/",
		"http:////example.com//a":                 "http://example.com//a",
		"HTTPS://EXAMPLE.com:443/A":               "https://example.com/A",
		"http://@example.com":                     "http://example.com/", // an empty user is none
		"http://:@example.com":                    "http://example.com/",
		"https://example.com:80":                  "https://example.com:80/",
		"http://example.com:":                     "http://example.com/",
		"http://example.com:0080":                 "http://example.com/",
		"http://example.com:00081":                "http://example.com:81/",
		"http://example.com/a/./b/../c/%2e%2E/d":  "http://example.com/a/d",
		"http://example.com/../../a":              "http://example.com/a",
		"http://example.com/foo%":                 "http://example.com/foo%25",
		"http://example.com/%zz%41%2":             "http://example.com/%25zz%41%252",
		"http://example.com/a b|c^d{e}":           "http://example.com/a%20b%7Cc%5Ed%7Be%7D",
		"http://example.com/é?ü=ö#ß":              "http://example.com/%C3%A9?%C3%BC=%C3%B6#%C3%9F",
		"http://example.com/a%2Fb;c=d,e":          "http://example.com/a%2Fb;c=d,e",
		"http://example.com?a=%&b='\"<>":          "http://example.com/?a=%&b=%27%22%3C%3E",
		"http://example.com/?":                    "http://example.com/?",
		"http://example.com/#":                    "http://example.com/",
		"http://example.com/x#/route?y#z":         "http://example.com/x#/route?y%23z",
	} {
		u, err := ParseURL(raw)
		if err != nil {
			t.Errorf("%q: %v", raw, err)
			continue
		}
		if u.String() != want {
			t.Errorf("%q: got %s, want %s", raw, u, want)
		}
	}
}

func TestURLsThatAreRefused(t *testing.T) {
	for raw, want := range map[string]string{
		"":                                   "must not be empty",
		" \t\n":                              "must not be empty",
		"/relative":                          "must be absolute",
		"example.com":                        "must be absolute",
		"//example.com":                      "must be absolute",
		"127.0.0.1:8080":                     "must be absolute",
		"example.com:8080/":                  "not with example.com:",
		"file:///etc/passwd":                 "not with file:",
		"ftp://example.com":                  "not with ftp:",
		"gopher://x":                         "not with gopher:",
		"javascript:alert(1)":                "not with javascript:",
		"data:text/html,x":                   "not with data:",
		"chrome://settings":                  "not with chrome:",
		"ws://example.com":                   "not with ws:",
		"view-source:http://example.com":     "not with view-source:",
		"http://":                            "has no host",
		"http://?x":                          "has no host",
		"http://:80":                         "has no host",
		"http://\u00ad/evil.example":         "has no host",
		"http://user@example.com":            "user name or a password",
		"http://@@example.com":               "user name or a password",
		"http://:x@example.com":              "user name or a password",
		"http://@":                           "has no host",
		"http://@:80/":                       "has no host",
		"http://user:secret@example.com":     "user name or a password",
		"http://example.com%00@127.0.0.1":    "user name or a password",
		"http://good.example@evil.example/x": "user name or a password",
		"http://example.com:65536":           "port above 65535",
		"http://example.com:999999999999999999999": "port above 65535",
		"http://example.com:80:80":                 "port that is not a number",
		"http://example.com:-1":                    "port that is not a number",
		"http://example.com:8a":                    "port that is not a number",
		"http://[::1":                              "no IPv6 address",
		"http://[::1]x":                            "no IPv6 address",
		"http://[[::1]]":                           "no IPv6 address",
		"http://[fe80::1%25eth0]":                  "no IPv6 address",
		"http://[fe80::1%eth0]":                    "no IPv6 address",
		"http://[127.0.0.1]":                       "no IPv6 address",
		"http://[1::2::3]":                         "no IPv6 address",
		"http://::1/":                              "port that is not a number",
		"http://256.1.1.1":                         "no IPv4 address",
		"http://1.2.3.4.5":                         "no IPv4 address",
		"http://1..2":                              "no IPv4 address",
		"http://4294967296":                        "no IPv4 address",
		"http://99999999999999999999999999999999":  "no IPv4 address",
		"http://1.2.3.09":                          "no IPv4 address",
		"http://foo.0x4":                           "no IPv4 address",
		"http://0x7f0000012130706433}":             "the character '}'",
		"http://exa mple.com":                      "the character ' '",
		"http://exa%20mple.com":                    "the character ' '",
		"http://exa%00mple.com":                    `the character '\x00'`,
		"http://exa%2Fmple.com":                    "the character '/'",
		"http://exa%zzmple.com":                    "the character '%'",
		"http://exa%25mple.com":                    "the character '%'",
		"http://a<b":                               "the character '<'",
		"http://a^b":                               "the character '^'",
		"http://a|b":                               "the character '|'",
		"http://a;b":                               "the character ';'",
		"http://a..b":                              "empty label",
		"http://.a":                                "empty label",
		"http://.":                                 "empty label",
		"http://a..":                               "empty label",
		"http://xn--example-.com":                  "no valid domain name",
		"http://xn--":                              "no valid domain name",
		"http://127.1.xn--":                        "no valid domain name",
		"http://xn--a\u00df.example":               "no valid domain name",
		"http://\ufffd.example":                    "no valid domain name",
		"http://%ff.example":                       "no valid domain name",
		"http://\u202ea.example":                   "no valid domain name",
		"http://example.com/\xff":                  "valid UTF-8",
		"http://example.com/" + strings.Repeat("a", 8192-18):   "at most 8192 bytes",
		"http://example.com/" + strings.Repeat("é", 2000):      "at most 8192 bytes long, once",
		"http://" + strings.Repeat("a.", 4096) + "example.com": "at most 8192 bytes",
	} {
		u, err := ParseURL(raw)
		if err == nil {
			t.Errorf("%.80q was read as %s", raw, u)
			continue
		}
		pub := errtypes.Public(err)
		if pub.Kind != errtypes.Invalid || pub.Field != "url" || !strings.HasPrefix(pub.Message, "url ") || !strings.Contains(pub.Message, want) {
			t.Errorf("%.80q: %s %q %q, want one that says %q", raw, pub.Kind, pub.Field, pub.Message, want)
		}
	}
}

func TestTheLengthLimitIsAnOption(t *testing.T) {
	o := URLOptions{MaxLength: 20}
	if _, err := o.Parse("http://example.com/a"); err != nil {
		t.Error(err)
	}
	if _, err := o.Parse("http://example.com/ab"); err == nil || !strings.Contains(err.Error(), "20 bytes") {
		t.Errorf("got %v", err)
	}
}

func TestResolveReference(t *testing.T) {
	const base = "https://shop.example:8443/a/b/c?q=1#frag"
	for ref, want := range map[string]string{
		"":                         "https://shop.example:8443/a/b/c?q=1",
		"#x":                       "https://shop.example:8443/a/b/c?q=1#x",
		"?r=2":                     "https://shop.example:8443/a/b/c?r=2",
		"?":                        "https://shop.example:8443/a/b/c?",
		"d":                        "https://shop.example:8443/a/b/d",
		"./d/":                     "https://shop.example:8443/a/b/d/",
		"../d":                     "https://shop.example:8443/a/d",
		"../../../../d":            "https://shop.example:8443/d",
		"..":                       "https://shop.example:8443/a/",
		"/d":                       "https://shop.example:8443/d",
		`\d`:                       "https://shop.example:8443/d",
		"//other.example/d":        "https://other.example/d",
		`\\other.example\d`:        "https://other.example/d",
		`/\other.example`:          "https://other.example/",
		"///other.example":         "https://other.example/",
		"https:d":                  "https://shop.example:8443/a/b/d",
		"https:/d":                 "https://shop.example:8443/d",
		"http:d":                   "http://d/",
		"http://127.1/":            "http://127.0.0.1/",
		" /a\tb\n":                 "https://shop.example:8443/ab",
		"/caf\xc3\xa9":             "https://shop.example:8443/caf%C3%A9",
		"/caf\xe9":                 "https://shop.example:8443/caf%E9", // a server that sends Latin-1
		"/100% sure":               "https://shop.example:8443/100%25%20sure",
		"d:e":                      "", // another scheme
		"mailto:a@b.example":       "",
		"http://u:p@shop.example/": "",
		"http://":                  "",
	} {
		u, err := ResolveReference(mustParse(t, base), ref)
		switch {
		case want == "" && err == nil:
			t.Errorf("%q was read as %s", ref, u)
		case want == "":
			if !errtypes.Is(err, errtypes.Invalid) {
				t.Errorf("%q: %v", ref, err)
			}
		case err != nil || u.String() != want:
			t.Errorf("%q: got %v, %v, want %s", ref, u, err, want)
		}
	}
}

func TestResolveReferenceReadsItsBaseToo(t *testing.T) {
	for _, raw := range []string{"http://127.1", "http://EXAMPLE.com", "http://example.com/a|b"} {
		base, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		u, err := ResolveReference(base, "#x")
		if err != nil {
			t.Fatal(err)
		}
		if want := mustParse(t, raw).String() + "#x"; u.String() != want {
			t.Errorf("%s: got %s, want %s", raw, u, want)
		}
	}
	if u, err := ResolveReference(&url.URL{Scheme: "file", Path: "/etc/"}, "passwd"); err == nil {
		t.Errorf("a file: base gave %s", u)
	}
}

func mustParse(t testing.TB, raw string) *url.URL {
	t.Helper()
	u, err := ParseURL(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
