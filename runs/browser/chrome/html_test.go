package chrome_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
)

func TestHTMLIsThePageAsItStands(t *testing.T) {
	t.Parallel()
	s := show(t, `<!DOCTYPE html><html lang=en><head><title>T &amp; T</title></head><body><!-- comment -->
<input id=a value=start><input type=checkbox id=b value=on1><input type=radio name=r id=c checked><textarea id=d>x</textarea>
<select id=e><option selected>1<option>2</select><input type=password value=secret1><input type=hidden value=h>
<br><img src=x alt='a "b"'><a href="/?a=1&amp;b=2">l</a><p>1 &lt; 2 &amp; 3&nbsp;!</p><script>var x = "<p>&amp;";</script>
<iframe src="about:blank">fallback</iframe><template><p>tpl</p></template><pre>
two</pre><x-c><b slot=s>slotted</b>light</x-c><svg viewBox="0 0 1 1"><path d="M0"/></svg>
<script>
 a.value = 'typed <"&'; b.checked = true; c.checked = false; d.value = 'new </textarea>'; e.selectedIndex = 1;
 customElements.define('x-c', class extends HTMLElement { constructor() { super(); window.made = (window.made ?? 0) + 1; this.attachShadow({mode:'open'}).innerHTML = '<i>in shadow</i><slot name=s></slot>' } });
</script></body></html>`)
	got, truncated, err := s.HTML(t.Context(), 1<<20)
	if err != nil || truncated {
		t.Fatal(truncated, err)
	}
	for _, want := range []string{
		`<!DOCTYPE html><html lang="en"><head><title>T &amp; T</title></head>`, `<input id="a" value="typed &lt;&quot;&amp;">`,
		`<input type="checkbox" id="b" value="on1" checked="">`, `<input type="radio" name="r" id="c">`, `<textarea id="d">new &lt;/textarea&gt;</textarea>`,
		`<option>1</option><option selected="">2</option>`, `<input type="password"><input type="hidden" value="h">`,
		`<br><img src="x" alt="a &quot;b&quot;"><a href="/?a=1&amp;b=2">l</a><p>1 &lt; 2 &amp; 3&nbsp;!</p><script>var x = "<p>&amp;";</script>`,
		`<iframe src="about:blank"></iframe>`, `<x-c><i>in shadow</i><slot name="s"><b slot="s">slotted</b></slot></x-c>`, `<svg viewBox="0 0 1 1"><path d="M0"></path></svg>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %s", want)
		}
	}
	for _, unwanted := range []string{"secret1", "comment", "light<", "fallback"} {
		if strings.Contains(got, unwanted) {
			t.Errorf("has %s", unwanted)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

func TestHTMLIsCutAtItsLimit(t *testing.T) {
	t.Parallel()
	s := show(t, `<!DOCTYPE html><title>Grüße</title><div><p>Ein längerer Text mit 漢字 und 😀 darin &amp; mehr</p><ul><li>eins<li>zwei</ul></div><script>var code = "more than one limit here"</script><p>end</p>`)
	whole, truncated, err := s.HTML(t.Context(), 1<<20)
	if err != nil || truncated {
		t.Fatal(truncated, err)
	}
	for limit := range len(whole) + 1 {
		got, truncated, err := s.HTML(t.Context(), limit)
		if err != nil || len(got) > limit || !utf8.ValidString(got) || truncated != (limit < len(whole)) {
			t.Fatalf("limit %d of %d: %d bytes, truncated %t, %v\n%s", limit, len(whole), len(got), truncated, err, got)
		}
		if strings.Count(got, "</") != strings.Count(got, "<")-strings.Count(got, "</")-strings.Count(got, "<!") {
			t.Fatalf("limit %d leaves tags open: %s", limit, got)
		}
		if _, err := html.Parse(strings.NewReader(got)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.HTML(t.Context(), -1); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("a negative limit: %v", err)
	}
}

func TestHTMLChangesNothing(t *testing.T) {
	t.Parallel()
	s := show(t, `<p id=n>0</p><script>
let n = 0; customElements.define('x-n', class extends HTMLElement { constructor() { super(); n++ } });
new MutationObserver(() => n++).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
</script><x-n></x-n><button onclick="document.title = 'made ' + n">Ask</button>`)
	made := func() (n int) {
		t.Helper()
		if _, err := fmt.Sscanf(click(t, s, "Ask").Title, "made %d", &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := made() // a click reads the page, too
	if _, _, err := s.HTML(t.Context(), 1<<20); err != nil {
		t.Fatal(err)
	}
	if after := made(); after != before+1 { // the title's own change
		t.Errorf("%d events were seen before, %d after", before, after)
	}
}
