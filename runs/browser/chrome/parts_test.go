package chrome_test

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser"
)

func TestPartsOfPicturesAreClicked(t *testing.T) {
	t.Parallel()
	s := show(t, `<div style="height:2000px"></div><img usemap="#m" width=100 height=50 alt=Map src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><map name=m>
<area shape=rect coords="0,0,50,50" href="#west" alt=West><area shape=circle coords="75,25,20" href="#east" alt=East></map>`)
	for _, name := range []string{"East", "West"} {
		p, err := s.Click(t.Context(), ref(t, s, name))
		if err != nil || !strings.HasSuffix(p.URL, "#"+strings.ToLower(name)) {
			t.Errorf("%s: %s %v", name, p.URL, err)
		}
	}
}

func TestDocumentsOfObjectsAreEntered(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":   `<object data="/in?a" width=200 height=60></object><embed src="{other}/in?b" width=200 height=60><object data="/none" width=10 height=10>Instead</object><embed src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`,
		"/in": `<button onclick="this.textContent='Clicked ' + location.search">In</button>`,
	})
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	for _, e := range snapshot(t, s).FindAll("button") {
		if _, err := s.Click(t.Context(), e.Ref); err != nil {
			t.Error(err)
		}
	}
	got := lines(snapshot(t, s))
	if !strings.Contains(got, "Clicked ?a") || !strings.Contains(got, "Clicked ?b") || !strings.Contains(got, "Instead") {
		t.Error(got)
	}
	html, _, err := s.HTML(t.Context(), 1<<20)
	if err != nil || !strings.Contains(html, "Clicked ?a") {
		t.Errorf("%v %s", err, html)
	}
}

func TestWhatIsListenedForInShadowRootsCanBeUsed(t *testing.T) {
	t.Parallel()
	s := show(t, `<p id=out>-</p><x-a></x-a><x-b></x-b><script>
const make = (name, mode) => customElements.define(name, class extends HTMLElement { constructor() { super();
  const root = this.attachShadow({mode}); root.innerHTML = '<div id=i>Press ' + mode + '</div><div>Nothing</div>';
  root.getElementById('i').addEventListener('click', () => out.textContent += ' ' + mode); } });
make('x-a', 'open'); make('x-b', 'closed');</script>`)
	snapshot(t, s)
	for _, mode := range []string{"open", "closed"} {
		if _, err := s.Click(t.Context(), ref(t, s, "Press "+mode)); err != nil {
			t.Error(mode, err)
		}
	}
	if got := lines(snapshot(t, s)); !strings.Contains(got, "- open closed") || strings.Contains(got, `"Nothing" [ref]`) {
		t.Error(got)
	}
}

func TestTextsHaveReferencesWhereTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	s := show(t, `<div id=d>Hidden in plain sight <b>here</b></div><h2>Title</h2><script>document.addEventListener('click', e => d.textContent = 'Clicked ' + e.target.id)</script>`)
	sn, err := s.SnapshotOf(t.Context(), browser.SnapshotOptions{Refs: true})
	if err != nil || len(sn.FindAll("text")) != 1 || element(sn, "heading", "Title").Ref == "" {
		t.Fatalf("%v %s", err, lines(sn))
	}
	if _, err := s.Click(t.Context(), sn.FindAll("text")[0].Ref); err != nil {
		t.Error(err)
	}
	if got := lines(snapshot(t, s)); got != "text \"Clicked d\"\nheading \"Title\" level=2\n" {
		t.Error(got)
	}
}
