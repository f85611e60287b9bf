package page

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
)

func parse(t testing.TB, src string) *Page {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(context.Background(), doc, &url.URL{Scheme: "https", Host: "example.com", Path: "/a/b"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestShownText(t *testing.T) {
	for _, c := range [][3]string{
		{"words", " a \n b&nbsp;&nbsp;c ", "a b c"},
		{"inline", "a<b>b</b> <i> c</i>", "ab c"},
		{"blocks", "a<p>b</p><p>c</p>d<br>e", "a\nb\nc\nd\ne"},
		{"cells", "<table><tr><td>a<td>b<tr><td>c</table>", "a\nb\nc"},
		{"silent", "a<script>x</script><style>y</style><template>z</template><noscript>n</noscript>b<svg><title>q</title></svg>", "ab"},
		{"pre", "<pre>a  b\nc</pre>", "a b\nc"},
		{"hidden", "a<b hidden>x</b><b style='color:red; DISPLAY : none !important'>y</b><b hidden=until-found>z</b>", "az"},
		{"empty", " <p> </p> ", ""},
	} {
		if got := parse(t, c[1]); got.Shown(got.Doc) != c[2] {
			t.Errorf("%s: %q, want %q", c[0], got.Shown(got.Doc), c[2])
		}
	}
	if p := parse(t, "a <b hidden>x</b>"); p.Full(p.Doc) != "a x" {
		t.Errorf("with what is hidden: %q", p.Full(p.Doc))
	}
}

func TestTextHasALimitInWholeCharacters(t *testing.T) {
	p := parse(t, "a"+strings.Repeat("ä", MaxText)+" b")
	if got := p.Shown(p.Doc); len(got) > MaxText || len(got) < MaxText-1 || !strings.HasSuffix(got, "ä") {
		t.Errorf("%d bytes, ends with %q", len(got), got[len(got)-2:])
	}
}

func TestBase(t *testing.T) {
	p := parse(t, `<base target=x><base href="//cdn.example.org/x/"><base href=/no/><template><a href=t></a></template>`)
	if got := p.Resolve(" y "); got != "https://cdn.example.org/x/y" {
		t.Error(got)
	}
	if got := p.Resolve("javascript:x"); got != "javascript:x" {
		t.Error(got)
	}
	for n := range p.Elements() {
		if n.Data == "a" {
			t.Error("a template's content was walked")
		}
	}
}

func TestWorkHasALimit(t *testing.T) {
	doc, _ := html.Parse(strings.NewReader(strings.Repeat("<p>", 300)))
	if _, err := New(context.Background(), doc, nil, 50); errtypes.KindOf(err) != errtypes.BadGateway {
		t.Errorf("got %v", err)
	}
}

func TestTextOfDataHasNoTags(t *testing.T) {
	p := parse(t, "")
	for s, want := range map[string]string{
		"<p>A <strong>fine</strong> lamp.</p><ul><li>Oak<li>Brass</ul>": "A fine lamp.\nOak\nBrass",
		"&lt;p&gt;A &lt;b&gt;lamp&lt;/b&gt;&lt;/p&gt;":                  "A lamp",
		"&amp;lt;p&amp;gt;Oil &amp;amp; wick&amp;lt;/p&amp;gt;":         "Oil & wick",
		"<p>A</p><script>x()</script><style>p{}</style><p>B</p>":        "A\nB",
		"<![CDATA[<p>A</p>]]>":                                          "A",
		"if a < b and c > d":                                            "if a < b and c > d",
		"use the <b> tag":                                               "use the <b> tag",
		"<b>A</b> lamp":                                                 "A lamp",
		"<Enter> starts it":                                             "<Enter> starts it",
	} {
		if got := p.Plain(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"<p>A <b>lamp</b>.</p><p>Oak</p>": "A lamp.\nOak", "Oil &amp; wick": "Oil & wick", "A<br/>B": "A\nB", "<em>A</em> lamp": "A lamp",
		"use the <b> tag": "use the <b> tag", "When <b> and </b> stand in a text": "When <b> and </b> stand in a text", "a < b": "a < b", "Q&A; all of it": "Q&A; all of it",
	} {
		if got := p.OfAttribute(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}
