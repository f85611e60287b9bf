package schema

import (
	"strings"
	"testing"
)

func TestLeadingLookaheads(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{`^(?!\.)(?!.*\.\.)([a-z.]+)@[a-z]+$`, []string{"a.b@c", "a@c"}, []string{".a@c", "a..b@c", "a", "@c"}},
		{`^(?=.*[A-Z])(?=.*\d).{4,}$`, []string{"Ab1x", "1xxA"}, []string{"ab1x", "Abxx", "A1"}},
		{`^(?=[^\]]*(x|y))(a|b)`, []string{"ax", "bqy"}, []string{"a", "cx", "a]x"}},
		{`^(?=[^])(?![]])(?=a[)]b).*$`, []string{"a)b"}, []string{"", "ab"}},
		{`^(?=a\))b?`, []string{"a)"}, []string{"a", "b"}},
		{`a|b`, []string{"xa", "b"}, []string{"c"}},
	} {
		p, why := compilePattern(c.pattern, 5000)
		if why != "" {
			t.Errorf("%s %s", c.pattern, why)
			continue
		}
		for _, s := range c.yes {
			if !p.match(s) {
				t.Errorf("%s does not match %q", c.pattern, s)
			}
		}
		for _, s := range c.no {
			if p.match(s) {
				t.Errorf("%s matches %q", c.pattern, s)
			}
		}
	}
}

func TestPatternsThatAreRefused(t *testing.T) {
	for pattern, want := range map[string]string{
		`(?=a)`:          `has a look-ahead, which RE2 does not support (except directly behind a leading ^): "(?="`,
		`a(?!b)`:         `has a look-ahead, which RE2 does not support (except directly behind a leading ^): "(?!"`,
		`^(?=a)b|c`:      `has a look-ahead, which RE2 does not support (except directly behind a leading ^): "(?="`,
		`^(?=(?!a))b`:    `has a look-ahead, which RE2 does not support (except directly behind a leading ^): "(?!"`,
		`^(?=a`:          `has a look-ahead, which RE2 does not support (except directly behind a leading ^): "(?="`,
		`(?<=a)b`:        `has a look-behind, which RE2 does not support: "(?<=a)b"`,
		`(?<!a)b`:        `has a look-behind, which RE2 does not support: "(?<!a)b"`,
		`(a)\1`:          `has a backreference, which RE2 does not support: "\\1"`,
		`(`:              `RE2 does not accept (missing closing ): "(")`,
		`[z-a]`:          `RE2 does not accept (invalid character class range: "z-a")`,
		`a{1001}`:        `RE2 does not accept (invalid repeat count: "{1001}")`,
		`(a{30}){31}{2}`: `RE2 does not accept (invalid nested repetition operator: "{31}{2}")`,
		`((a{10}){10}){9}(b{900}){1}(c{900}){1}(d{900}){1}(e{900}){1}(f{900}){1}(g{900}){1}`: `is too large: repetitions count as often as they may occur`,
		`^(?!a{900})(?!b{900})(?!c{900})(?!d{900})(?!e{900})f{900}`:                          `is too large: repetitions count as often as they may occur`,
		strings.Repeat("a", 4097): `has more than 4096 bytes`,
	} {
		if _, why := compilePattern(pattern, 5000); why != want {
			t.Errorf("%.60s:\n got %s\nwant %s", pattern, why, want)
		}
	}
}

func TestReadingCostSeesWhatIsSlowToParse(t *testing.T) {
	cheap := readingCost(`(?i)^[a-z]+\d{2,3}$`)
	for _, slow := range []string{`(?i)[a-\x{fff0}]`, `(?i:[!-\x{fff0}])`, `(?s-U)(?mi)[a-￰]`, `(?i)[a-\ufff0]`, `(?i)[\Sa]`, strings.Repeat(`\pL`, 10)} {
		if readingCost(slow) < 20*cheap {
			t.Errorf("%s costs only %d, the cheap one %d", slow, readingCost(slow), cheap)
		}
	}
	if got := readingCost(`[a-\x{fff0}] (?: i)(?P<i>x)`); got > 100 {
		t.Errorf("case is not ignored, but it costs %d", got)
	}
}
