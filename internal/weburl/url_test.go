package weburl

import (
	"strings"
	"testing"
)

const shop = "https://shop.example:8443/a/b/c?q=1#frag"

// cases are what the standard says, by the states of its parser.
var cases = []struct{ base, ref, want string }{
	// scheme
	{"", "HTTP://Example.COM", "http://example.com/"},
	{"", " \x00http://e.org/\x1f", "http://e.org/"},
	{"", "ht\ntp://e.\torg/\r", "http://e.org/"},
	{"", "a1+-.:x", "a1+-.:x"},
	{"", "1a:x", ""},
	{"", ":x", ""},
	{"", "x", ""},
	{"", "//e.org", ""},
	{"", "file:///etc/passwd", ""},
	{shop, "FILE:x", ""},
	// special: the slashes do not count
	{"", "http:e.org", "http://e.org/"},
	{"", `http:\\e.org\a`, "http://e.org/a"},
	{"", "ftp:////e.org//a", "ftp://e.org//a"},
	{"", "ws://e.org:80", "ws://e.org/"},
	{"", "wss://e.org:80", "wss://e.org:80/"},
	{shop, "https:d", "https://shop.example:8443/a/b/d"},
	{shop, "https:/d", "https://shop.example:8443/d"},
	{shop, "https://d", "https://d/"},
	{shop, "http:d", "http://d/"},
	// user
	{"", "http://u@e.org", "http://u@e.org/"},
	{"", "http://u:p@e.org", "http://u:p@e.org/"},
	{"", "http://:p@e.org", "http://:p@e.org/"},
	{"", "http://@e.org", "http://e.org/"},
	{"", "http://:@e.org", "http://e.org/"},
	{"", "http://@@e.org", "http://%40@e.org/"},
	{"", "http://a@b:c@e.org", "http://a%40b:c@e.org/"},
	{"", "http://\u00fc[]:^|@e.org", "http://%C3%BC%5B%5D:%5E%7C@e.org/"},
	{"", "http://@/a", ""},
	{"", "http://u:p@", ""},
	// host
	{"", "http://", ""},
	{"", "http://:80", ""},
	{"", "http://a b", ""},
	{"", "http://a%00b", ""},
	{"", "http://a%2fb", ""},
	{"", "http://[::1", ""},
	{"", "http://[::1]x", ""},
	{"", "http://[1::2::3]", ""},
	{"", "http://[::127.0.0.1]", "http://[::7f00:1]/"},
	{"", "http://0x7f.1", "http://127.0.0.1/"},
	{"", "http://1.2.3.4.5", ""},
	{"", "http://256.256.256.256", ""},
	{"", "http://a.0x", ""},
	{"", "http://\uff11.2.3.4", "http://1.2.3.4/"},
	{"", "http://b\u00fccher.example", "http://xn--bcher-kva.example/"},
	{"", "http://a..b", "http://a..b/"},
	{"", "http://a;b", "http://a;b/"},
	{"", "http://\u00ad", ""},
	// port
	{"", "http://e.org:", "http://e.org/"},
	{"", "http://e.org:0080", "http://e.org/"},
	{"", "http://e.org:65535", "http://e.org:65535/"},
	{"", "http://e.org:65536", ""},
	{"", "http://e.org:0", "http://e.org:0/"},
	{"", "http://e.org:8a", ""},
	// path
	{"", "http://e.org/a/./b/../c/%2e%2E/d/.", "http://e.org/a/d/"},
	{"", "http://e.org/../..", "http://e.org/"},
	{"", "http://e.org/a//..", "http://e.org/a/"},
	{"", "http://e.org/%zz%41%", "http://e.org/%zz%41%"},
	{"", "http://e.org/ \"#", "http://e.org/%20%22#"},
	{"", "http://e.org/<>^`{}|'", "http://e.org/%3C%3E%5E%60%7B%7D|'"},
	{"", "http://e.org/\u00e9", "http://e.org/%C3%A9"},
	// query and fragment
	{"", "http://e.org?", "http://e.org/?"},
	{"", "http://e.org?'\"<>`{|}", "http://e.org/?%27%22%3C%3E`{|}"},
	{"", "http://e.org?a?b#c#d?", "http://e.org/?a?b#c#d?"},
	{"", "http://e.org#", "http://e.org/#"},
	{"", "http://e.org# \"<>`{|}'", "http://e.org/#%20%22%3C%3E%60{|}'"},
	// relative
	{shop, "", "https://shop.example:8443/a/b/c?q=1"},
	{shop, "#x", "https://shop.example:8443/a/b/c?q=1#x"},
	{shop, "?r", "https://shop.example:8443/a/b/c?r"},
	{shop, "?", "https://shop.example:8443/a/b/c?"},
	{shop, "d", "https://shop.example:8443/a/b/d"},
	{shop, "./", "https://shop.example:8443/a/b/"},
	{shop, "../../../d", "https://shop.example:8443/d"},
	{shop, `\d`, "https://shop.example:8443/d"},
	{shop, `\\e.org\d`, "https://e.org/d"},
	{shop, "///e.org", "https://e.org/"},
	{shop, "//e.org:443/d", "https://e.org/d"},
	{shop, "//", ""},
	{"http://u:p@e.org/a", "b", "http://u:p@e.org/b"},
	{"http://u:p@e.org/a", "//e.org/b", "http://e.org/b"},
	// other schemes
	{"", "mailto:A@B.example?subject=a b", "mailto:A@B.example?subject=a%20b"},
	{shop, "tel:+1 2", "tel:+1 2"},
	{"", "javascript:alert('x')", "javascript:alert('x')"},
	{"", "data:text/html,<p>\u00e9#<", "data:text/html,<p>%C3%A9#%3C"},
	{"", "git://Host.Example/a/../b", "git://Host.Example/b"},
	{"", "git://h", "git://h"},
	{"", "git://", "git://"},
	{"", "git://u@", ""},
	{"", "git://:1", ""},
	{"", "git://h:22/x", "git://h:22/x"},
	{"", "git://a b", ""},
	{"", "git://a%b\u00e9", "git://a%b%C3%A9"},
	{"", "git://[::0:1]", "git://[::1]"},
	{"", "git:/a/../b", "git:/b"},
	{"", "git:/a//../..//x", "git:/.//x"},
	{"", `git:\a`, `git:\a`},
	{"", "git:/a?'", "git:/a?'"},
	{"git://h/a/b", "c", "git://h/a/c"},
	{"git://h/a/b", "//g", "git://g"},
	{"git://h/a/b", "///g", "git:///g"},
	{"git://h/a/b", `\c`, `git://h/a/\c`},
	{"git://h/a/b", "git:c", "git:c"},
	{"mailto:a", "#b", "mailto:a#b"},
	{"mailto:a", "b", ""},
	{"mailto:a", "", ""},
}

func TestParse(t *testing.T) {
	for _, c := range cases {
		u, err := parseOn(t, c.base, c.ref)
		switch {
		case c.want == "" && err == nil:
			t.Errorf("%q on %q was read as %s", c.ref, c.base, u)
		case c.want != "" && (err != nil || u.String() != c.want):
			t.Errorf("%q on %q: got %v, %v, want %s", c.ref, c.base, u, err, c.want)
		}
	}
}

func parseOn(t testing.TB, base, ref string) (*URL, error) {
	t.Helper()
	if base == "" {
		return Parse(ref, nil)
	}
	b, err := Parse(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(ref, b)
}

func TestWhatIsWrittenIsReadAsTheSame(t *testing.T) {
	for _, c := range cases {
		if c.want == "" {
			continue
		}
		if u, err := Parse(c.want, nil); err != nil || u.String() != c.want {
			t.Errorf("%s: %v, %v", c.want, u, err)
		}
	}
}

func TestABaseStaysAsItIs(t *testing.T) {
	base, err := Parse(shop, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		_, _ = Parse(c.ref, base)
	}
	if base.String() != shop {
		t.Errorf("now it is %s", base)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range cases {
		f.Add(c.base, c.ref)
	}
	f.Fuzz(func(t *testing.T, rawBase, ref string) {
		base, err := Parse(rawBase, nil)
		if err != nil {
			base = nil
		}
		u, err := Parse(ref, base)
		if err != nil {
			return
		}
		text := u.String()
		if again, err := Parse(text, nil); err != nil || again.String() != text {
			t.Fatalf("%q on %q: %q is read as %v, %v", ref, rawBase, text, again, err)
		}
		if strings.ContainsAny(text, "\t\r\n\x00") {
			t.Fatalf("%q", text)
		}
	})
}
