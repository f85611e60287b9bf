package chrome_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/sight"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

var framePages = map[string]string{
	"/": `<!DOCTYPE html><title>Main</title><p>Outside: main</p>
<iframe src=/same></iframe><iframe src={other}/cross srcdocx></iframe>
<iframe srcdoc="<p>Inline: srcdoc</p><a href='rel'>l</a>"></iframe>
<iframe sandbox src=/sandboxed></iframe>
<iframe src={other}/cross?hidden style="display:none"></iframe>
<iframe src=http://a.private.test:1/></iframe><iframe src=about:blank>Fallback: shown</iframe>
<x-s></x-s><script>customElements.define('x-s', class extends HTMLElement { connectedCallback() { this.attachShadow({mode:'open'}).innerHTML = '<iframe src=/shadow></iframe>' } })</script>`,
	"/same":      `<p>Same: a "quoted" &amp; b</p><iframe src={other}/leaf></iframe>`,
	"/cross":     `<base href="{other}/deep/"><p>Cross: c</p><a href=x>link</a><input aria-label=Field value=typed><iframe src={host}/leaf></iframe>`,
	"/leaf":      `<p>Leaf: d</p>`,
	"/sandboxed": `<p>Sandboxed: e</p><script>document.body.innerHTML = 'Script: ran'</script>`,
	"/shadow":    `<p>Shadow: f</p>`,
}

func TestHTMLHasTheDocumentsOfFrames(t *testing.T) {
	t.Parallel()
	srv := pages(t, framePages)
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	snapshot(t, s)
	got, truncated, err := s.HTML(t.Context(), 1<<20)
	if err != nil || truncated {
		t.Fatal(truncated, err)
	}
	data, err := sight.Data(got, at(srv, "main.test", "/"))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, v := range data.Values {
		have[v.Label] = v.Value.Text
	}
	for label, want := range map[string]string{
		"Outside": "main", "Same": `a "quoted" & b`, "Cross": "c", "Field": "typed", "Leaf": "d", "Inline": "srcdoc", "Sandboxed": "e", "Shadow": "f", "Script": "", "Fallback": "",
	} {
		if have[label] != want {
			t.Errorf("%s: %q, want %q", label, have[label], want)
		}
	}
	if n := strings.Count(got, "Cross: c"); n != 1 {
		t.Errorf("%d frames show the other site, one of them is hidden", n)
	}
	for _, want := range []string{at(srv, "other.test", "/deep/"), `<iframe src="about:blank"></iframe>`, at(srv, "main.test", "/")} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %s", want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

func TestHTMLWithFramesKeepsItsLimits(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "large documents")
	srv := pages(t, map[string]string{
		"/":     `<p>"Outside"</p><iframe src=/in></iframe><iframe src={other}/in></iframe><p>end</p>`,
		"/in":   `<p>&amp; "in" &amp; "in"</p><iframe src={host}/leaf></iframe>`,
		"/leaf": strings.Repeat(`<p title='"&amp;"'>leaf &amp; "leaf"</p>`, 20),
	})
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	whole, truncated, err := s.HTML(t.Context(), 1<<20)
	if err != nil || truncated || strings.Count(whole, "leaf &amp;amp;") != 40 {
		t.Fatal(truncated, err, whole)
	}
	for limit := 0; limit <= len(whole); limit += 1 + limit/9 {
		got, truncated, err := s.HTML(t.Context(), limit)
		if err != nil || len(got) > limit || !truncated && limit < len(whole) {
			t.Fatalf("limit %d of %d: %d bytes, truncated %t, %v\n%s", limit, len(whole), len(got), truncated, err, got)
		}
		if _, err := html.Parse(strings.NewReader(got)); err != nil {
			t.Fatal(err)
		}
	}
	few := chrometest.Session(t, chrometest.Provider(t, func(o *chrome.Options) { o.Limits.Frames, o.Limits.FrameDepth = 2, 1 }))
	navigate(t, few, at(srv, "main.test", "/"))
	if got, truncated, err := few.HTML(t.Context(), 1<<20); err != nil || !truncated || strings.Count(got, "srcdoc") != 2 {
		t.Errorf("two frames, one deep: %t, %v\n%s", truncated, err, got)
	}
}

func TestAFrameThatHangsLeavesThePage(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":     `<p>Outside</p><iframe src={other}/hang></iframe><iframe src=/well></iframe>`,
		"/hang": `<button>x</button><script>setTimeout(() => { for (;;); }, 200)</script>`,
		"/well": `<p>Well</p>`,
	})
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	var got string
	truncated, err := false, error(nil)
	for !truncated && err == nil { // until it hangs
		got, truncated, err = s.HTML(t.Context(), 1<<20)
	}
	if err != nil || !strings.Contains(got, "Outside") || !strings.Contains(got, "Well") {
		t.Errorf("%v\n%s", err, got)
	}
}
