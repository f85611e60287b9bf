package tree

import (
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/internal/testlevel"
)

// pieces are what the tag soup of the tests is cooked from: everything that
// changes how the parser keeps its list of active formatting elements.
var pieces = []string{
	"<p>", "</p>", "<b a=1>", "<b a=2>", "<b a=3>", "</b>", "<i>", "</i>", "<a href=x>", "</a>", "<nobr>", "<font size=1>",
	"</font>", "<code>", "</code>", "x", "y ", "<div>", "</div>", "<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>",
	"<th>", "<caption>", "</caption>", "<object>", "</object>", "<marquee>", "</marquee>", "<select>", "</select>",
	"<option>", "<template>", "</template>", "<svg>", "</svg>", "<math>", "</math>", "<mi>", "</mi>", "<desc>", "</desc>",
	"<title>", "</title>", "<foreignObject>", "</foreignObject>", "<annotation-xml encoding=text/html>", "<style>", "</style>",
	"<textarea>", "</textarea>", "<script>", "</script>", "<xmp>", "</xmp>", "<button>", "</button>", "<li>", "<ul>", "</ul>",
	"<h1>", "</h1>", "<form>", "</form>", "<br>", "<hr>", "<input>", "<img>", "<path/>", "<g>", "</g>", "<frameset>", "<body>",
	"</body>", "</html>", "<colgroup>", "<col>", "<b a=4 />", "<i/>", "<td/>", "<svg/>", "<table/>", "<mi/>", "<![CDATA[ > </svg>", "]]>", "<tbody>", "<!-- -->", "<noscript>", "</noscript>", "<iframe>", "</iframe>",
}

func soup(r *rand.Rand, length int) string {
	var b strings.Builder
	few := make([]string, 4+r.IntN(8)) // few kinds at a time make deep trouble
	for i := range few {
		few[i] = pieces[r.IntN(len(pieces))]
	}
	for range length {
		b.WriteString(few[r.IntN(len(few))])
	}
	return b.String()
}

// checkForecast holds the bound against what the parser does. The parser adds
// html, head, body, and in tables up to tbody and tr for each token.
func checkForecast(t *testing.T, src string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(src))
	if err != nil {
		return // too deep: Parse simplifies it
	}
	got, bound := count(doc), foresee(t.Context(), src, 1<<40)
	if got > 3*bound+10 {
		t.Fatalf("%d nodes, %d foreseen, of %q", got, bound, src)
	}
}

func TestForeseeIsAnUpperBound(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	rounds := 1_000
	if testlevel.Torture() {
		rounds = 20_000
	}
	for range rounds {
		checkForecast(t, soup(r, 20+r.IntN(400)))
	}
}

func TestForeseeIsTightForOrdinaryPages(t *testing.T) {
	src := strings.Repeat(`<div><p>a <b>b</b> <a href="x"><i class=i><svg><path/></svg></i> c</a></p>`+
		`<table><tr><td><font>x<td><b>y</b></td></tr></table></div>`, 500)
	doc, err := html.Parse(strings.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	if got, bound := count(doc), foresee(t.Context(), src, 1<<40); bound > 3*got {
		t.Errorf("%d nodes, %d foreseen", got, bound)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("<p><b a=1><b a=2></p><p>x<svg><title></svg><b></title></b>")
	f.Add("<table><td><b></table></b><select><b></select></b>")
	f.Add("<b><svg><desc></svg></b>")
	f.Fuzz(func(t *testing.T, src string) {
		checkForecast(t, src)
		o := Options{MaxNodes: 1000, MaxDepth: 20}
		doc, err := Parse(t.Context(), src, o)
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		if d := depth(doc); d > parserDepth+2 {
			t.Errorf("depth %d", d)
		}
	})
}

func BenchmarkForesee(b *testing.B) {
	src := strings.Repeat(`<li><a href="/wiki/Some_page" title="Some page">Some page</a> and <b>more</b> words to read</li>`+"\n", 20_000)
	b.SetBytes(int64(len(src)))
	b.Run("foresee", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			foresee(b.Context(), src, 1<<40)
		}
	})
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			_, _ = html.Parse(strings.NewReader(src))
		}
	})
}
