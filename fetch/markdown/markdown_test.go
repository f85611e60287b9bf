package markdown

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"go.uber.org/goleak"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/testlevel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func mustConvert(t testing.TB, page string, o Options) string {
	t.Helper()
	md, err := FromString(ctx, page, o)
	if err != nil {
		t.Fatalf("%.80q: %v", page, err)
	}
	return md
}

func TestEmptyPages(t *testing.T) {
	for _, page := range []string{"", " \n", "<html>", "<!-- x -->", "<script>x</script>", "<ul><li></ul>", "<table></table>", "\x00", "<frameset><frame>"} {
		if md := mustConvert(t, page, Options{}); md != "" && md != "\uFFFD" {
			t.Errorf("%q gives %q", page, md)
		}
	}
}

func TestInputLimit(t *testing.T) {
	page := strings.Repeat("a", 100)
	if _, err := FromString(ctx, page, Options{MaxInput: 99}); !errtypes.Is(err, errtypes.BadGateway) {
		t.Errorf("FromString: %v", err)
	}
	if _, err := FromReader(ctx, strings.NewReader(page), Options{MaxInput: 99}); !errtypes.Is(err, errtypes.BadGateway) {
		t.Errorf("FromReader: %v", err)
	}
	if md, err := FromReader(ctx, strings.NewReader(page), Options{MaxInput: 100}); err != nil || md != page {
		t.Errorf("at the limit: %q, %v", md, err)
	}
}

func TestReaderErrorIsPassedOn(t *testing.T) {
	broken := errors.New("the line is cut")
	if _, err := FromReader(ctx, iotest.ErrReader(broken), Options{}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// Each of these pages asks for far more markdown than it is long.
func TestOutputLimit(t *testing.T) {
	far := "https://example.com/" + strings.Repeat("d/", 3000)
	pages := map[string]string{
		"long base":      `<base href="` + far + `">` + strings.Repeat("<a href=a>b</a>", 5000),
		"images":         `<base href="` + far + `">` + strings.Repeat("<img src=a>", 5000),
		"tall cells":     "<table><tr><td rowspan=999>" + strings.Repeat("text ", 2_000) + "<td>b" + strings.Repeat("<tr><td>c", 900) + "</table>",
		"quotes":         strings.Repeat("<blockquote>", 300) + strings.Repeat("<p>x", 30_000),
		"code in quotes": strings.Repeat("<blockquote>", 300) + "<pre>" + strings.Repeat("x\n", 60_000),
	}
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			_, err := FromString(ctx, page, Options{MaxOutput: 1 << 20, PageURL: benchURL})
			if !errtypes.Is(err, errtypes.BadGateway) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestOutputAtTheLimit(t *testing.T) {
	if md, err := FromString(ctx, "abc", Options{MaxOutput: 3}); err != nil || md != "abc" {
		t.Errorf("%q, %v", md, err)
	}
	if _, err := FromString(ctx, "abcd", Options{MaxOutput: 3}); !errtypes.Is(err, errtypes.BadGateway) {
		t.Errorf("got %v", err)
	}
}

func TestMaxDepthKeepsText(t *testing.T) {
	page := strings.Repeat("<div>", 50) + "<p>one <b>two</b></p><p>three</p><script>no</script>" + strings.Repeat("</div>", 50) + "four"
	if md := mustConvert(t, page, Options{MaxDepth: 20}); strings.Join(strings.Fields(md), " ") != "one two three four" {
		t.Errorf("got %q", md)
	}
}

func TestMaxNestingMakesParagraphs(t *testing.T) {
	page := strings.Repeat("<ul><li>x", 4) + strings.Repeat("<blockquote>y", 2)
	want := "- x\n  - x\n\n    x\n\n    x\n\n    y\n\n    y"
	if md := mustConvert(t, page, Options{MaxNesting: 2}); md != want {
		t.Errorf("got %q", md)
	}
}

// TestDeepTrees builds trees deeper than any parser does, as a host may.
func TestDeepTrees(t *testing.T) {
	for _, name := range []string{"div", "blockquote", "b", "span", "ul", "table"} {
		doc := &html.Node{Type: html.DocumentNode}
		at := doc
		for range 100_000 {
			n := &html.Node{Type: html.ElementNode, Data: name, DataAtom: atomOf(name)}
			at.AppendChild(n)
			at = n
		}
		at.AppendChild(tree.Text("bottom"))
		md, err := Convert(ctx, doc, Options{})
		if err != nil || !strings.Contains(md, "bottom") {
			t.Errorf("%s: %.60q, %v", name, md, err)
		}
	}
}

func TestConvertTakesAPartOfATree(t *testing.T) {
	doc, err := tree.Parse(ctx, "<div><p>before</p><main><p>inside</p></main><p>after</p></div>", tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Data != "main" {
			continue
		}
		md, err := Convert(ctx, n, Options{})
		if err != nil || md != "inside" {
			t.Errorf("%q, %v", md, err)
		}
		return
	}
}

func TestOneURLIsNotChanged(t *testing.T) {
	u, _ := url.Parse("https://user@example.com/a?b#c")
	before := u.String()
	mustConvert(t, "<a href=x>y</a>", Options{PageURL: u})
	if u.String() != before {
		t.Errorf("PageURL became %s", u)
	}
}

// TestHostileShapes converts what is made to be slow. The test has no clock;
// quadratic time would show as its not ending.
func TestHostileShapes(t *testing.T) {
	size := testlevel.Of(50<<10, 200<<10)
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			page := s.page(size)
			md, err := ours(page)
			if err != nil && !errtypes.Is(err, errtypes.BadGateway) {
				t.Fatal(err)
			}
			if !utf8.ValidString(md) {
				t.Error("not UTF-8")
			}
			checkFences(t, md)
		})
	}
}

var fence = regexp.MustCompile("^[ >]*(?:[-*] |[0-9]+[.)] )*[ >]*(`{3,})")

// checkFences reports a code block that is not closed, line by line: readers of
// markdown take their time for what these pages are made of.
func checkFences(t *testing.T, md string) {
	t.Helper()
	open := ""
	for l := range strings.SplitSeq(md, "\n") {
		m := fence.FindStringSubmatch(l)
		switch {
		case m == nil:
		case open == "":
			open = m[1]
		case strings.HasPrefix(m[1], open):
			open = ""
		}
	}
	if open != "" {
		t.Errorf("a fence of %q is not closed", open)
	}
}

func TestGeneratedPage(t *testing.T) {
	page := makePage(100 << 10)
	md := mustConvert(t, page, Options{PageURL: benchURL})
	checkInvariants(t, page, md)
	for _, want := range []string{"# A long list", "| Name | Year | Notes | Notes |", "```go\nfunc ", "https://example.com/wiki/Page_", "> "} {
		if !strings.Contains(md, want) {
			t.Errorf("%q is not there", want)
		}
	}
}

func FuzzFromString(f *testing.F) {
	f.Add("<p>a<b>b</b><a href='x'>c</a><img src=d><pre>e</pre><ul><li>f</ul><table><tr><td>g</table>")
	for _, s := range shapes {
		f.Add(s.page(200))
	}
	for page := range strings.SplitSeq(strings.Join(textPieces, "\n"), "\n") {
		f.Add("<p>" + page + "<i>" + page + "</i></p>")
	}
	f.Fuzz(func(t *testing.T, page string) {
		o := Options{PageURL: benchURL, MaxOutput: 1 << 20}
		md, err := FromString(ctx, page, o)
		if err != nil {
			if !errtypes.Is(err, errtypes.BadGateway) {
				t.Fatal(err)
			}
			return
		}
		if !utf8.ValidString(md) || len(md) > o.MaxOutput {
			t.Errorf("%d bytes, valid UTF-8: %v", len(md), utf8.ValidString(md))
		}
		if again := mustConvert(t, page, o); again != md {
			t.Error("the second conversion differs from the first")
		}
		if strings.ContainsAny(md, "\x00\a\r\f") || strings.ContainsRune(md, markNewline) {
			t.Errorf("a control character or a mark is left in %q", md)
		}
		checkFaults(t, md)
	})
}

func atomOf(name string) atom.Atom { return atom.Lookup([]byte(name)) }
