package chrome_test

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

func scroll(t testing.TB, s browser.Session, o browser.ScrollOptions) browser.Scrolled {
	t.Helper()
	at, err := s.Scroll(t.Context(), o)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	return at
}

func TestScrollingThePage(t *testing.T) {
	t.Parallel()
	s := show(t, `<!DOCTYPE html><style>body{margin:0}</style><div style="height:2800px;width:3000px">Top</div><button>End</button><script>addEventListener('scroll', () => { document.title = 'at ' + scrollY })</script>`)
	at := scroll(t, s, browser.ScrollOptions{})
	if at.Above != 640 || at.Below < 1300 || !at.Moved || at.Height != 800 || at.Page.Title != "at 640" {
		t.Errorf("%+v", at)
	}
	if at = scroll(t, s, browser.ScrollOptions{Direction: browser.Down, Pixels: 60}); at.Above != 700 {
		t.Errorf("%+v", at)
	}
	if at = scroll(t, s, browser.ScrollOptions{Direction: browser.Up, Pages: 0.5}); at.Above != 300 {
		t.Errorf("%+v", at)
	}
	if at = scroll(t, s, browser.ScrollOptions{Direction: browser.Right, Pages: 1}); at.Before != 1280 || at.After == 0 {
		t.Errorf("%+v", at)
	}
	if at = scroll(t, s, browser.ScrollOptions{Direction: browser.Bottom}); at.Below != 0 || !at.Moved {
		t.Errorf("%+v", at)
	}
	if at = scroll(t, s, browser.ScrollOptions{Direction: browser.Down}); at.Moved || at.Below != 0 {
		t.Errorf("%+v", at)
	}
	if at = scroll(t, s, browser.ScrollOptions{Direction: browser.Top}); at.Above != 0 {
		t.Errorf("%+v", at)
	}
	if at = scroll(t, s, browser.ScrollOptions{Ref: ref(t, s, "End")}); !at.Moved || at.Below > 400 {
		t.Errorf("%+v", at)
	}
	for _, o := range []browser.ScrollOptions{{Direction: "sideways"}, {Pages: -1}, {Pages: 101}, {Pixels: -5}, {At: point(5, 900)}, {At: point(1, 1), Ref: "e1"}} {
		if _, err := s.Scroll(t.Context(), o); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestScrollingParts(t *testing.T) {
	t.Parallel()
	s := show(t, `<!DOCTYPE html><style>html,body{margin:0;height:100%;overflow:hidden} main{height:700px;overflow:auto} #l{height:100px;width:200px;overflow:auto}</style>
<main><div id=l tabindex=0 aria-label=List role=listbox><div style="height:900px"><button>In</button></div></div><div style="height:3000px">Long</div></main>`)
	if at := scroll(t, s, browser.ScrollOptions{}); at.Above != 560 || at.Height != 700 {
		t.Errorf("the main part: %+v", at)
	}
	scroll(t, s, browser.ScrollOptions{Direction: browser.Top})
	if at := scroll(t, s, browser.ScrollOptions{Ref: ref(t, s, "In"), Direction: browser.Down, Pages: 1}); at.Above != 100 || at.Height != 100 {
		t.Errorf("around an element: %+v", at)
	}
	if at := scroll(t, s, browser.ScrollOptions{At: point(50, 50), Direction: browser.Down, Pixels: 100}); at.Above != 200 || at.Height != 100 {
		t.Errorf("at a point: %+v", at)
	}
	if at := scroll(t, s, browser.ScrollOptions{Ref: ref(t, s, "List"), Direction: browser.Bottom}); at.Below != 0 || at.Height != 100 {
		t.Errorf("an element: %+v", at)
	}
}

func TestTheWheelIsTurnedWhereNothingScrolls(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<canvas tabindex=0 role=button aria-label=C width=300 height=300></canvas><script>document.querySelector('canvas').addEventListener('wheel', ev => { ev.preventDefault(); log('wheel ' + Math.sign(ev.deltaY) + ' ' + ev.isTrusted) }, {passive: false})</script>`)
	scroll(t, s, browser.ScrollOptions{Ref: ref(t, s, "C"), Direction: browser.Down, Pixels: 100})
	scroll(t, s, browser.ScrollOptions{At: point(100, 150), Direction: browser.Up, Pixels: 100})
	if got := told(t, s); got != "wheel 1 true;wheel -1 true;" {
		t.Error(got)
	}
}

// What is no part that scrolls gets the wheel; where it does not hear that, what is
// around is scrolled, and said to be.
func TestTheWheelOverWhatDoesNotScroll(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<style>[role=list]{height:150px;width:200px;overflow:hidden}hr{height:2000px}</style><div role=list aria-label=T tabindex=0 id=tl><div id=inner style="height:3000px">Rows</div></div><button>Plain</button><hr><button id=far aria-label=Far>Far</button><hr>
<script>let off = 0; tl.addEventListener('wheel', ev => { ev.preventDefault(); off += ev.deltaY; inner.style.transform = 'translateY(' + -off + 'px)'; log('off ' + off) }, {passive: false});
far.addEventListener('wheel', ev => { ev.preventDefault(); ev.stopPropagation(); log('far') }, {passive: false})</script>`)
	for _, c := range []struct {
		o             browser.ScrollOptions
		heard, around bool
		above         float64
		log           string
	}{
		{browser.ScrollOptions{Ref: ref(t, s, "T"), Direction: browser.Down, Pixels: 300}, true, false, 0, "off 300;"},
		{browser.ScrollOptions{At: point(50, 120), Direction: browser.Up, Pixels: 100}, true, false, 0, "off 200;"},
		{browser.ScrollOptions{Ref: ref(t, s, "Plain"), Direction: browser.Down, Pixels: 100}, false, true, 100, ""},
		{browser.ScrollOptions{At: point(600, 500), Direction: browser.Down, Pixels: 100}, false, false, 200, ""},
		{browser.ScrollOptions{Ref: ref(t, s, "Far"), Direction: browser.Down}, true, false, -1, "far;"},
	} {
		before := told(t, s)
		at := scroll(t, s, c.o)
		if got := strings.TrimPrefix(told(t, s), before); at.Heard != c.heard || at.Around != c.around || !at.Moved || c.above >= 0 && at.Above != c.above || got != c.log {
			t.Errorf("%+v: %+v %q", c.o, at, got)
		}
	}
}

func TestScrollingLoadsMore(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/": `<!DOCTYPE html><ul id=l></ul><div id=end>…</div><script>let n = 0; async function more() { await fetch('/data'); for (let i = 0; i < 20; i++) { const li = document.createElement('li'); li.textContent = 'Item ' + ++n; li.style.height = '50px'; l.append(li) } }
new IntersectionObserver(es => { if (es[0].isIntersecting && n < 60) more() }).observe(end)</script>`,
		"/data": `x`,
	})
	s := open(t)
	navigate(t, s, srv.URL)
	if !says(t, s, "Item 20") || says(t, s, "Item 21") {
		t.Fatal(lines(snapshot(t, s)))
	}
	if at := scroll(t, s, browser.ScrollOptions{Direction: browser.Bottom}); at.Below < 500 || !says(t, s, "Item 40") {
		t.Errorf("%+v\n%s", at, lines(snapshot(t, s)))
	}
	if at := scroll(t, s, browser.ScrollOptions{Text: "item 59"}); !at.Moved || !says(t, s, "Item 59") {
		t.Errorf("%+v", at)
	}
	if _, err := s.Scroll(t.Context(), browser.ScrollOptions{Text: "Item 61"}); !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
}

// virtualList draws only what is seen of its rows.
const virtualList = `<!DOCTYPE html><style>#v{height:200px;width:300px;overflow:auto;position:relative}#v>div{position:absolute;height:20px}</style><p>About</p><div id=v tabindex=0 role=listbox aria-label=V></div>
<script>const all = 2000; function draw() { const first = Math.floor(v.scrollTop / 20); v.replaceChildren(); const pad = document.createElement('div'); pad.style.cssText = 'top:' + (all * 20 - 1) + 'px;height:1px;width:1px'; v.append(pad);
for (let i = first; i < Math.min(all, first + 12); i++) { const d = document.createElement('div'); d.textContent = 'Row ' + i + '.'; d.setAttribute('role', 'option'); d.style.top = i * 20 + 'px'; v.append(d) } } v.onscroll = draw; draw()</script>`

func TestTextInVirtualLists(t *testing.T) {
	t.Parallel()
	s := show(t, virtualList)
	if at := scroll(t, s, browser.ScrollOptions{Text: "Row 140."}); at.Above < 2600 || at.Above > 2900 || !says(t, s, "Row 140.") {
		t.Errorf("%+v\n%s", at, lines(snapshot(t, s)))
	}
	if at := scroll(t, s, browser.ScrollOptions{Text: "row 3.", Ref: ref(t, s, "V")}); at.Above > 100 || !says(t, s, "Row 3.") {
		t.Errorf("back: %+v", at)
	}
}

func TestScrollingToText(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":   `<div style="height:2000px">a <span style="display:none">Find me</span></div><p>Please <b>Find</b>  <i>me</i> here</p><div style="height:2000px"></div><iframe src={other}/in></iframe><x-a></x-a><script>customElements.define('x-a', class extends HTMLElement { connectedCallback() { this.attachShadow({mode:'open'}).innerHTML = '<div style="height:1500px"></div>In the shadow' } })</script>`,
		"/in": `<div style="height:900px"></div>Within`,
	})
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	snapshot(t, s)
	if at := scroll(t, s, browser.ScrollOptions{Text: "find ME"}); at.Above < 1400 || at.Above > 2100 {
		t.Errorf("%+v", at)
	}
	if at := scroll(t, s, browser.ScrollOptions{Text: "within"}); !at.Moved || at.Above < 500 || at.Height > 200 {
		t.Errorf("in a frame: %+v", at)
	}
	if at := scroll(t, s, browser.ScrollOptions{Text: "In the shadow"}); !at.Moved || at.Above < 3000 {
		t.Errorf("in a shadow root: %+v", at)
	}
	if _, err := s.Scroll(t.Context(), browser.ScrollOptions{Text: "nowhere"}); !errtypes.Is(err, errtypes.NotFound) || !strings.Contains(err.Error(), "nowhere") {
		t.Error(err)
	}
}
