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
		holdPattern(t, c.pattern, c.yes, c.no)
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
