package chrome_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// largePage has many more elements than are listed, and what is drawn over them at
// the end of its body, in a container without a size.
const largePage = `<!DOCTYPE html><title>Large</title><button onclick="ask()">Delete</button><table id=t aria-label=Rows></table>
<div style="height:120px;overflow:auto" id=box></div><div id=portal></div>
<script>
t.innerHTML = Array.from({length: 1000}, (_, i) => '<tr><td>Row ' + i + '<td><a href=/' + i + '>Open ' + i + '</a>').join('');
box.innerHTML = Array.from({length: 500}, (_, i) => '<button style="display:block;height:30px">Inner ' + i + '</button>').join('');
function ask() {
  portal.innerHTML = '<div style="position:fixed;inset:0"><div role=dialog aria-modal=true aria-label=Sure style="position:fixed;top:50px;left:50px;width:300px;height:100px"><button>Yes, delete</button></div></div>';
}
</script>`

// limited opens a session that lists 200 elements, and as many again that can be
// seen.
func limited(t *testing.T, html string) browser.Session {
	t.Helper()
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Limits = chrome.Limits{Elements: 200} })
	s := chrometest.Session(t, p)
	navigate(t, s, pages(t, map[string]string{"/": html}).URL+"/")
	return s
}

// element is the first of a snapshot that is called so; an empty one for none.
func element(sn browser.Snapshot, role, name string) (found browser.Element) {
	for _, e := range sn.FindAll(role) {
		if e.Name == name {
			return e
		}
	}
	return found
}

func TestWhatIsInViewIsListedHoweverLargeThePage(t *testing.T) {
	t.Parallel()
	s := limited(t, largePage)
	sn := snapshot(t, s)
	if !sn.Truncated || sn.Unlisted < 3000 || strings.Contains(lines(sn), "Row 900") {
		t.Fatalf("truncated %t, %d unlisted\n%s", sn.Truncated, sn.Unlisted, lines(sn))
	}
	rows := element(sn, "table", "Rows")
	if rows.Ref == "" || rows.Unlisted < 3000 {
		t.Errorf("%+v", rows)
	}
	if _, err := s.Scroll(t.Context(), browser.ScrollOptions{Text: "Open 900"}); err != nil {
		t.Fatal(err)
	}
	if got := lines(snapshot(t, s)); !strings.Contains(got, "Open 900\" [ref]\n") || !strings.Contains(got, "Open 897\" [ref]\n") {
		t.Errorf("where it was scrolled to:\n%s", got)
	}
	if _, err := s.Scroll(t.Context(), browser.ScrollOptions{Text: "Inner 400"}); err != nil {
		t.Fatal(err)
	}
	if got := lines(snapshot(t, s)); !strings.Contains(got, "Inner 400\" [ref]\n") || strings.Contains(got, "Inner 300") {
		t.Errorf("in a part that scrolls:\n%s", got)
	}
}

func TestAModalAtTheEndOfALargePageIsListed(t *testing.T) {
	t.Parallel()
	s := limited(t, largePage)
	click(t, s, "Delete")
	yes := element(snapshot(t, s), "button", "Yes, delete")
	if yes.Ref == "" || yes.States.Has(browser.Outside) {
		t.Fatalf("%+v", yes)
	}
	if _, err := s.Click(t.Context(), yes.Ref); err != nil {
		t.Error(err)
	}
}

func TestWhatIsLookedForIsListed(t *testing.T) {
	t.Parallel()
	s := limited(t, largePage)
	sn, err := s.SnapshotOf(t.Context(), browser.SnapshotOptions{Find: "row 77", Refs: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"77", "770", "779"} {
		link, cell := element(sn, "link", "Open "+want), element(sn, "cell", "Row "+want)
		if link.Ref == "" || cell.Ref == "" {
			t.Errorf("row %s: %+v, %+v", want, link, cell)
		}
	}
	if element(sn, "link", "Open 780").Role != "" {
		t.Error("a row that nobody looked for is listed")
	}
}

func TestAPartOfALargePageCanBeSeen(t *testing.T) {
	t.Parallel()
	s := limited(t, fmt.Sprintf(`<ul>%s</ul><p>Middle</p><ol aria-label=Last><li>first of the last%s</ol>`, strings.Repeat("<li><b>x</b> <i>y</i>", 2000), strings.Repeat("<li>last", 49)))
	if _, err := s.Scroll(t.Context(), browser.ScrollOptions{Text: "first of the last"}); err != nil {
		t.Fatal(err)
	}
	var list browser.Element
	for begun := time.Now(); list.Ref == ""; { // a walk that gets no processor for seconds lists the beginning of the page
		sn := snapshot(t, s)
		list = element(sn, "list", "Last")
		if list.Ref == "" && time.Since(begun) > testlevel.Loaded(10*time.Second) {
			t.Fatalf("%+v\n%s", list, lines(sn))
		}
	}
	if list.Unlisted == 0 {
		t.Errorf("%+v", list)
	}
	part, err := s.SnapshotOf(t.Context(), browser.SnapshotOptions{Ref: list.Ref})
	if err != nil || len(part.Elements) != 51 || part.Truncated {
		t.Errorf("%v %d elements, truncated %t", err, len(part.Elements), part.Truncated)
	}
}

func TestOneSubtreeTooDeepHidesNothingElse(t *testing.T) {
	t.Parallel()
	s := show(t, `<div id=d></div><p>Behind</p><script>let at = d; for (let i = 0; i < 1500; i++) { const e = document.createElement('ul'); at.append(e); at = e }; at.append('bottom')</script><button>End</button>`)
	sn := snapshot(t, s)
	if got := lines(sn); !sn.Truncated || !strings.Contains(got, "Behind") || !strings.Contains(got, "End") {
		t.Errorf("%t %.300s", sn.Truncated, got[max(len(got)-300, 0):])
	}
}

func TestFramesInViewAreEnteredFirst(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":   `<body style="margin:0"><div style="height:3000px">` + strings.Repeat(`<iframe src=/in?far title=Far></iframe>`, 5) + `</div><iframe src=/in?near title=Near></iframe><script>scrollTo(0, 9999)</script>`,
		"/in": `<button>In</button>`,
	})
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Limits = chrome.Limits{Frames: 3} })
	s := chrometest.Session(t, p)
	navigate(t, s, srv.URL+"/")
	sn := snapshot(t, s)
	near, last := element(sn, "iframe", "Near"), sn.FindAll("iframe")[4]
	if near.Unlisted != 0 || len(sn.FindAll("button")) != 3 || last.Unlisted == 0 || !sn.Truncated {
		t.Fatalf("%s", lines(sn))
	}
	part, err := s.SnapshotOf(t.Context(), browser.SnapshotOptions{Ref: last.Ref})
	if err != nil || len(part.FindAll("button")) != 1 {
		t.Errorf("%v %s", err, lines(part))
	}
}
