package schema

import (
	"strings"
	"testing"
	"unicode"

	"github.com/drover-go/drover/internal/testlevel"
)

// TestPatternsOfECMAScript holds what ECMA-262 says of each form against what
// the translation matches.
func TestPatternsOfECMAScript(t *testing.T) {
	for pattern, c := range map[string]struct{ yes, no []string }{
		`^\u0041\u00e9$`:                 {[]string{"A\u00e9"}, []string{"u0041", "A"}},
		`^[\u0041-\u0043\u00e9]$`:        {[]string{"B", "\u00e9"}, []string{"D", "u", "\\"}},
		`^\ud83d\ude00$`:                 {[]string{"\U0001f600"}, []string{"\ufffd"}},
		`^[\ud83d\ude00-\ud83d\ude05]$`:  {[]string{"\U0001f603"}, []string{"\U0001f606"}},
		`^\u{1F600}$`:                    {[]string{"\U0001f600"}, nil},
		`^[\u{1f600}]$`:                  {[]string{"\U0001f600"}, []string{"u", "{"}},
		`^\cI\cj$`:                       {[]string{"\t\n"}, []string{"cIcj"}},
		`^[\cI]$`:                        {[]string{"\t"}, []string{"c", "I"}},
		`^\0$`:                           {[]string{"\x00"}, []string{"0"}},
		`^[\0]$`:                         {[]string{"\x00"}, []string{"0"}},
		`^\x41$`:                         {[]string{"A"}, nil},
		`^\d\D$`:                         {[]string{"1a", "2\u0663"}, []string{"\u06631"}}, // digits are those of ASCII
		`^[\d.]+$`:                       {[]string{"1.2"}, []string{"a"}},
		`^\w\W$`:                         {[]string{"a\u00e9"}, []string{"\u00e9a"}},
		`^\s$`:                           {[]string{"\u00a0", "\ufeff", "\v", " ", "\u2028", "\u3000"}, []string{"a", "\u200b"}},
		`^[\s-]$`:                        {[]string{"\u00a0", "-"}, []string{"a"}},
		`^\S$`:                           {[]string{"a", "\u200b"}, []string{"\u00a0", "\ufeff", " "}},
		`^[\S]$`:                         {[]string{"a", "\u200b", "\U0001f600"}, []string{"\u00a0", "\ufeff", " ", "\u205f"}},
		`^[^\s]$`:                        {[]string{"a"}, []string{"\u00a0"}},
		`^[^\S]$`:                        {[]string{"\u00a0"}, []string{"a"}},
		`^.$`:                            {[]string{"a", "\v", "\u0085", "\U0001f600"}, []string{"\n", "\r", "\u2028", "\u2029"}},
		`^[.]$`:                          {[]string{"."}, []string{"a"}},
		`a$`:                             {[]string{"a"}, []string{"a\n"}}, // the end is the end
		`^[\b]$`:                         {[]string{"\b"}, []string{"b"}},
		`\bfoo\b`:                        {[]string{"a foo b"}, []string{"afoo"}},
		`^[]$`:                           {nil, []string{"", "]", "a"}},
		`^[^]$`:                          {[]string{"]", "\n"}, []string{"", "ab"}},
		`^[^]]$`:                         {[]string{"a]"}, []string{"a"}},
		`^[]]$`:                          {nil, []string{"]"}},
		`^[[]$`:                          {[]string{"["}, nil},
		`^[[:alpha:]]$`:                  {[]string{"a]", ":]", "[]"}, []string{"b", "b]"}},
		`^[\]]$`:                         {[]string{"]"}, nil},
		`^[\\]$`:                         {[]string{"\\"}, nil},
		`^\p{L}\p{Lu}\P{L}$`:             {[]string{"\u00e9\u00c91"}, []string{"1A1"}},
		`^\p{Letter}$`:                   {[]string{"\u4e2d"}, []string{"1"}},
		`^\p{Script=Greek}\p{sc=Latin}$`: {[]string{"\u03b1a"}, []string{"a\u03b1"}},
		`^[\p{General_Category=Lu}\p{gc=Nd}]\P{sc=Greek}$`: {[]string{"Aa", "1a"}, []string{"aa", "A\u03b1"}},
		`^(?<year>\d{4})$`:             {[]string{"2026"}, nil},
		`^\/\.\$\{\}$`:                 {[]string{"/.${}"}, nil},
		`^(?!.*\.\.)[\w.]+$`:           {[]string{"a.b"}, []string{"a..b"}},
		`^(?=.*\d)(?=.*\p{Lu})\S{4,}$`: {[]string{"Ab1x"}, []string{"ab1x", "A 1x"}},
	} {
		holdPattern(t, pattern, c.yes, c.no)
	}
}

// TestSpacesAndTheirOpposite holds the two lists against each other, and
// against the list of ECMA-262, 12.2 and 12.3.
func TestSpacesAndTheirOpposite(t *testing.T) {
	is := compiled(t, `^\s$`)
	not := compiled(t, `^[\S]$`)
	for r := rune(0); r <= testlevel.Of(0x1ffff, unicode.MaxRune); r++ {
		if 0xd800 <= r && r <= 0xdfff {
			continue
		}
		want := r == 0xfeff || '\t' <= r && r <= '\r' || r == 0x2028 || r == 0x2029 || unicode.Is(unicode.Zs, r)
		if is.match(string(r)) != want || not.match(string(r)) == want {
			t.Errorf("%U: \\s says %t, \\S %t", r, is.match(string(r)), not.match(string(r)))
		}
	}
}

func compiled(t *testing.T, text string) *pattern {
	t.Helper()
	p, why := compilePattern(text, 5000)
	if why != "" {
		t.Fatalf("%s %s", text, why)
	}
	return p
}

func FuzzTranslate(f *testing.F) {
	for _, text := range []string{`^\u0041[\s\S]\cA$`, `[^][]\p{sc=Greek}`, `\ud83d\ude00`, `\`, `[\`, `\u{1`, `\Qa\E.`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		out, ok := translate(text)
		if ok && len(out) > 60*len(text)+10+len(nonSpaces)*strings.Count(text, `\S`) {
			t.Errorf("%d bytes became %d", len(text), len(out))
		}
	})
}
