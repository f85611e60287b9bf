package schema

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
)

// match is matches where nothing is stopped.
func (p *pattern) match(s string) bool {
	ok, err := p.matches(s)
	return ok && err == nil
}

func holdPattern(t *testing.T, text string, yes, no []string) {
	t.Helper()
	p, why := compilePattern(text, 5000)
	if why != "" {
		t.Errorf("%s %s", text, why)
		return
	}
	for _, s := range yes {
		if !p.match(s) {
			t.Errorf("%s does not match %q", text, s)
		}
	}
	for _, s := range no {
		if ok, err := p.matches(s); ok || err != nil {
			t.Errorf("%s matches %q, %v", text, s, err)
		}
	}
}

// What Go's engine lacks, as ECMA-262 has it with the flag u.
func TestPatternsThatOnlyECMAScriptHas(t *testing.T) {
	t.Parallel()
	for text, c := range map[string]struct{ yes, no []string }{
		`x(?=y)`:                         {[]string{"xy"}, []string{"x", "xz"}},
		`a(?!b)`:                         {[]string{"ac", "a"}, []string{"ab"}},
		`^(?=a)b|c`:                      {[]string{"c"}, []string{"ab", "b"}},
		`^(?=(?!ab)a).c`:                 {[]string{"ac"}, []string{"ab", "bc"}},
		`(?<=\$)\d+`:                     {[]string{"for $42"}, []string{"for 42"}},
		`(?<!\$)\b\d+$`:                  {[]string{"42"}, []string{"$42"}},
		`[a-z]{2}(?<!ab)$`:               {[]string{"xac"}, []string{"xab"}},
		`^(.)\1$`:                        {[]string{"aa", "\U0001f600\U0001f600"}, []string{"ab", "a"}},
		`^(?<q>["']).*\k<q>$`:            {[]string{`"a"`, `'a'`}, []string{`"a'`}},
		`^(?:(a)|b)\1$`:                  {[]string{"aa", "b"}, []string{"a", "ba"}}, // a group that took no part matches nothing
		`^(?:(?<y>\d{4})|(?<m>\d\d)x)$`:  {[]string{"2026", "12x"}, []string{"12"}},
		`^\p{Script_Extensions=Greek}$`:  {[]string{"\u03b1"}, []string{"a"}},
		`^\p{scx=Grek}\P{scx=Grek}$`:     {[]string{"\u03b1a"}, []string{"a\u03b1"}},
		`^\p{Emoji_Presentation}$`:       {[]string{"\U0001f600"}, []string{"1", "a"}},
		`^\p{Alphabetic}+$`:              {[]string{"h\u00e9llo", "\u4e2d"}, []string{"a1"}},
		`^\p{ASCII}+$`:                   {[]string{"ab~"}, []string{"\u00e9"}},
		`^\p{ID_Start}\p{ID_Continue}*$`: {[]string{"a_1", "\u00e91"}, []string{"1a"}},
		`^[\p{Uppercase}\d](?=.)`:        {[]string{"\u00c9a", "1a"}, []string{"\u00e9a", "A"}},
		`^.(?=$)`:                        {[]string{"\U0001f600", "a"}, []string{"\n", "\u2028"}}, // one character, not two units
		`^\u{1f600}(?!x)`:                {[]string{"\U0001f600"}, []string{"\U0001f600x"}},
		`^\ud83d\ude00(?!x)`:             {[]string{"\U0001f600"}, []string{"\U0001f600x"}},
		`^\ud83d$`:                       {nil, []string{"\U0001f600", "\ufffd"}}, // half of a character is in no text
		`^\s(?=\S)`:                      {[]string{"\u00a0a", "\ufeffa"}, []string{"\u200ba", "  "}},
		`^\w(?=\W)`:                      {[]string{"a\u00e9"}, []string{"\u00e9-"}},
		`^a{2,1001}$`:                    {[]string{strings.Repeat("a", 1001)}, []string{"a", strings.Repeat("a", 1002)}},
		`^((a{2}){500}){2}b{900}$`:       {[]string{strings.Repeat("a", 2000) + strings.Repeat("b", 900)}, []string{"b"}},
		`^(?:(?!<script).)*$`:            {[]string{strings.Repeat("<p>", 2000)}, []string{"a<script>"}},
		`^(?=.*[A-Z])(?=.*\d)[^\s]{8,}$`: {[]string{"Passw0rd"}, []string{"passw0rd", "Pass w0rd"}},
		`^(?=[)]\)a[(?i:])\)?`:           {[]string{"))a(", "))a?"}, []string{")a("}},
	} {
		holdPattern(t, text, c.yes, c.no)
	}
}

func TestPatternsThatAreRefused(t *testing.T) {
	t.Parallel()
	const none = "is none of ECMAScript: "
	for text, want := range map[string]string{
		`(`: none, `[z-a]`: none, `[\d-`: none, `\`: none, `\y`: none, `^(?=a`: none, `(a){2}{3}`: none, `a**(?=b)`: none,
		`\u12`: none, `\u12g4`: none, `\u{110000}`: none, `\u{12`: none, `\u{}`: none, `\u{-1}`: none,
		`\c`: none, `\c1`: none, `[\c]`: none, `\01`: none, `[\07]`: none, `\k<a>`: none, `(a)\2`: none,
		`\p{sc=Nonsense}`: none, `\p{Nonsense}`: none, `(?<a>x)(?<a>y)(?=z)`: none, `(?>a)(?=b)`: "sets flags", `(?#x)(?=b)`: "sets flags",
		`(?i)a(?=b)`: "sets flags", `(?=b)(?i:[^x])`: "sets flags", `[](?i:\D)](?=a)`: "sets flags", `[^](?-i:\D)(?=a)`: "sets flags",
		`\[(?ni:\D)](?=a)`: "sets flags", `(?=a)(?`: "sets flags",
		strings.Repeat("a", 4097): "has more than 4096 bytes",
	} {
		if _, why := compilePattern(text, 5000); !strings.HasPrefix(why, want) || strings.Contains(why, "regexp") {
			t.Errorf("%.60s: %s, want %s", text, why, want)
		}
	}
}

// What is hostile to engines that go back.
var goingBack = []struct{ name, pattern, text string }{
	{"nested repetition", `^(a+)+$(?!b)`, strings.Repeat("a", 40_000) + "!"},
	{"the same, not anchored", `(a+)+$(?!b)`, strings.Repeat("a", 40_000) + "!"},
	{"alternatives that overlap", `^(a|aa)+$(?!b)`, strings.Repeat("a", 40_000) + "!"},
	{"stars of stars", `(.*)*x(?!b)`, strings.Repeat("a", 40_000)},
	{"a backreference", `(a*)*\1b`, strings.Repeat("a", 40_000)},
	{"a look-ahead that captures", `(?=(.*))\1x`, strings.Repeat("b", 400_000)},
	{"optional groups in each other", strings.Repeat("(a?", 300) + strings.Repeat(")", 300) + `{5}(?=b)`, strings.Repeat("a", 1_000)},
	{"counted groups in each other", `((a{1,1000}){1,1000}){1,1000}(?=b)`, strings.Repeat("a", 40_000)},
	{"too much to go back to", `^(?:(?!foo)(?:(.)|b))*x$`, strings.Repeat("a", 4_000_000)},
}

func TestAPatternThatGoesBackIsStopped(t *testing.T) {
	for i, c := range goingBack {
		for _, keyword := range []string{"pattern", "patternProperties", "propertyNames"}[:max(1, 3-2*i)] {
			t.Run(c.name+"/"+keyword, func(t *testing.T) {
				t.Parallel()
				schema, value := `{"pattern":`+strconv.Quote(c.pattern)+`}`, `"`+c.text+`"`
				switch keyword {
				case "patternProperties":
					schema, value = `{"patternProperties":{`+strconv.Quote(c.pattern)+`:{}}}`, `{`+value+`:1}`
				case "propertyNames":
					schema, value = `{"propertyNames":`+schema+`}`, `{`+value+`:1}`
				}
				s := mustCompile(t, schema, Options{})
				began := time.Now()
				var err error
				ends(t, func() { _, err = s.ValidateJSON([]byte(value)) })
				if !errors.Is(err, ErrTooMuchWork) || !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(errtypes.Public(err).Message, "takes too long") {
					t.Errorf("%.300v", err)
				}
				if took := time.Since(began); took > testlevel.Loaded(10*time.Second) { // a quarter of one
					t.Errorf("it took %v", took)
				}
			})
		}
	}
}

// Many values, each of which takes a while, take no more than the steps there are.
func TestTheTimeOfPatternsCountsAsSteps(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a", 21) + "!" // some ten milliseconds
	s := mustCompile(t, `{"items":{"anyOf":[{"pattern":"^(a+)+$(?!b)"},{}]}}`, Options{MaxWork: 200_000})
	began := time.Now()
	var err error
	ends(t, func() { err = s.Validate(slicesOf(text, 20_000)) })
	if !errors.Is(err, ErrTooMuchWork) {
		t.Errorf("%.300v", err)
	}
	if took := time.Since(began); took > testlevel.Loaded(10*time.Second) {
		t.Errorf("it took %v", took)
	}
}

func slicesOf(text string, n int) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = text
	}
	return all
}

// Names are matched without a meter: who is stopped again and again is not tried
// any more.
func TestANameIsNotWaitedForAgainAndAgain(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a thousand slow matches")
	s := mustCompile(t, `{"patternProperties":{"^(a+)+$(?!b)":{},"^b(?=c)":{}}}`, Options{})
	o, err := s.Outline()
	if err != nil {
		t.Fatal(err)
	}
	name, began := strings.Repeat("a", 1000)+"!", time.Now()
	for range 1000 {
		if o.Patterns[0].Match(name) || !o.Patterns[1].Match("bc") || o.Patterns[1].Match("bd") {
			t.Fatal("a name is taken for another")
		}
	}
	if took := time.Since(began); took > testlevel.Loaded(20*time.Second) {
		t.Errorf("it took %v", took)
	}
}

// Reading one is bounded, whatever it says.
func TestPatternsAreReadQuickly(t *testing.T) {
	for name, text := range map[string]string{
		"groups": strings.Repeat("(", 2040) + "a" + strings.Repeat(")", 2040) + `\1`, "look-aheads": strings.Repeat("(?=", 1000) + "a" + strings.Repeat(")", 1000),
		"classes": strings.Repeat("[!-~]", 800) + "(?=a)", "properties": strings.Repeat(`\p{L}`, 800) + "(?=a)", "negated": strings.Repeat(`[\P{Lu}\p{Ll}\W]`, 200) + "(?=a)",
		"not ASCII": strings.Repeat("[^a-\uffff]", 400) + "(?=a)", "dots": strings.Repeat(".", 4000) + "(?=a)", "alternatives": strings.Repeat("(a|b|c|d|e|f|g|h)", 200) + "(?=a)",
		"nested alternatives": strings.Repeat("(?:a|(?:b|", 250) + "c" + strings.Repeat("))", 250) + "(?=a)", "stars": strings.Repeat("(?:a*)*", 500) + "(?=b)",
		"counts": strings.Repeat("a{0,2147483647}", 200) + "(?=b)", "prefixes": strings.Repeat("(?:ab|cd|ef|)", 300) + "(?=a)", "look-behinds": strings.Repeat("(?<!a*b)", 400),
		"flags": "(?i:" + strings.Repeat(`\D`, 1800) + ")(?=a)", "hidden flags": `[](?i:` + strings.Repeat(`\D`, 1800) + `)](?=a)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			ends(t, func() { _, _ = compilePattern(text, 5000) })
			if took := time.Since(began); took > testlevel.Loaded(10*time.Second) { // some milliseconds
				t.Errorf("it took %v", took)
			}
		})
	}
}

// Format "regex" takes what patterns take.
func TestFormatRegexIsECMAScript(t *testing.T) {
	t.Parallel()
	s := mustCompile(t, `{"format":"regex"}`, Options{AssertFormat: true})
	for text, good := range map[string]bool{`^(?<=a)b\1()`: true, `\p{Emoji}`: true, `a`: true, `(`: false, `\Z(?=a)`: false, `(?<=a`: false} {
		if err := s.Validate(text); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}
