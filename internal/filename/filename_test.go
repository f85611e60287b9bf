package filename

import (
	"mime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct{ in, want string }{
		{"report.pdf", "report.pdf"},
		{"Übersicht 2026 – größer.csv", "Übersicht 2026 – größer.csv"},
		{"", "download"},
		{"...", "download"},
		{" . . ", "download"},
		{"..", "download"},
		{"/", "download"},
		{"dir/", "download"},
		{"\u202e", "download"},
		{"../../etc/passwd", "passwd"},
		{`..\..\windows\system.ini`, "system.ini"},
		{`C:\Users\x\a.txt`, "a.txt"},
		{"/a/b\\c.txt", "c.txt"},
		{"C:a.txt", "C_a.txt"},
		{"a.txt:stream", "a.txt_stream"},
		{`a<b>c"d|e?f*g`, "a_b_c_d_e_f_g"},
		{".htaccess", "htaccess"},
		{"a.txt. . ", "a.txt"},
		{"  a.txt", "a.txt"},
		{"a\u00a0\u3000b", "a  b"},
		{"a\x00.txt", "a.txt"},
		{"a\r\nSet-Cookie: x", "aSet-Cookie_ x"},
		{"a\u2028b\u2029c\x7f\u0085", "abc"},
		{"gpj.\u202eexe", "gpj.exe"},
		{"a\u2066b\u2069\u200b\ufeffc", "abc"},
		{"a\xff\xfe.txt", "a_.txt"},
		{"con", "_con"},
		{"CON.txt", "_CON.txt"},
		{"nul .tar.gz", "_nul .tar.gz"},
		{"com1", "_com1"},
		{"LPT².txt", "_LPT².txt"},
		{"com10", "com10"},
		{"console.log", "console.log"},
		{"conin$", "_conin$"},
		{"COM\u200b1", "_COM1"},
		{long + ".tar.gz", long[:252] + ".gz"},
		{long, long[:255]},
		{long + "." + long, long[:255]},
		{"x." + long, "x." + long[:253]},
		{strings.Repeat("é", 200) + ".txt", strings.Repeat("é", 125) + ".txt"},
		{strings.Repeat("x", 250) + " . y.txt", strings.Repeat("x", 250) + ".txt"},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("%.60q: %.60q, want %.60q", c.in, got, c.want)
		}
	}
}

func TestSuffixComesBeforeTheExtension(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"a.pdf", "a-1.pdf"},
		{"a.tar.gz", "a.tar-1.gz"},
		{"a", "a-1"},
		{strings.Repeat("x", 255), strings.Repeat("x", 253) + "-1"},
		{strings.Repeat("x", 251) + ".pdf", strings.Repeat("x", 249) + "-1.pdf"},
	} {
		if got := WithSuffix(c.name, "-1"); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAttachment(t *testing.T) {
	for name, want := range map[string]string{
		"a b.txt":   `attachment; filename="a b.txt"; filename*=UTF-8''a%20b.txt`,
		"50%25.txt": `attachment; filename="50_25.txt"; filename*=UTF-8''50%2525.txt`,
		"é'.txt":    `attachment; filename="_'.txt"; filename*=UTF-8''%C3%A9%27.txt`,
	} {
		if got := Attachment(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "a.txt", "../..", "CON", "\u202egpj.exe", "a\xff", strings.Repeat("é.", 200), strings.Repeat(" ", 300) + ".x", "x" + strings.Repeat(".", 300) + "y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		name := Clean(in)
		switch {
		case name == "" || len(name) > MaxLen || !utf8.ValidString(name):
			t.Errorf("%q: %d bytes", name, len(name))
		case strings.ContainsAny(name, `/\<>:"|?*`) || strings.ContainsFunc(name, hidden):
			t.Errorf("%q has a character that is not safe", name)
		case strings.Trim(name, ". ") != name:
			t.Errorf("%q begins or ends in a dot or space", name)
		case isDevice(name):
			t.Errorf("%q is a device", name)
		case Clean(name) != name:
			t.Errorf("%q is cleaned to %q", name, Clean(name))
		}
		if long := WithSuffix(name, "-1719265797164"); len(long) > MaxLen || !strings.Contains(long, "-1719265797164") || Clean(long) != long {
			t.Errorf("%q with a suffix: %q", name, long)
		}
		kind, params, err := mime.ParseMediaType(Attachment(name))
		if err != nil || kind != "attachment" || params["filename"] != name {
			t.Errorf("%s is read as %q %v, %v", Attachment(name), kind, params, err)
		}
	})
}

func hidden(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }
