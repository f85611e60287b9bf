package markdown

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

// FuzzTable makes tables of any rows and cells, which are converted within the
// limits, the same way twice.
func FuzzTable(f *testing.F) {
	f.Add("a|b;1|2")
	f.Add("h rowspan=2|h colspan=3;c|d;|;x")
	f.Add("h a\\|<br>b;rowspan=0 colspan=0|<pre>x\ny</pre>;<ul><li>a</ul>|`|`")
	f.Add("h colspan=1000 rowspan=1000|b;c;d|e")
	f.Fuzz(func(t *testing.T, rows string) {
		var b strings.Builder
		b.WriteString("<table><caption>c</caption>")
		for row := range strings.SplitSeq(rows, ";") {
			b.WriteString("<tr>")
			for c := range strings.SplitSeq(row, "|") {
				tag, rest := "td", c
				if s, ok := strings.CutPrefix(c, "h "); ok {
					tag, rest = "th", s
				}
				b.WriteString("<" + tag + " " + rest + ">" + rest)
			}
		}
		md, err := FromString(ctx, b.String(), Options{MaxOutput: 1 << 20})
		if err != nil {
			if !errtypes.Is(err, errtypes.BadGateway) {
				t.Fatal(err)
			}
			return
		}
		if again := mustConvert(t, b.String(), Options{MaxOutput: 1 << 20}); again != md {
			t.Error("the second conversion differs from the first")
		}
	})
}
