package chrome_test

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// told is what the page has logged, which is emptied.
func told(t testing.TB, s browser.Session) string {
	t.Helper()
	for _, e := range snapshot(t, s).Elements {
		if strings.HasPrefix(e.Name, "log:") {
			return strings.TrimPrefix(e.Name, "log:")
		}
	}
	return ""
}

const toldScript = `<!DOCTYPE html><body><p id=log>log:</p><script>function log(s) { document.getElementById('log').append(s + ';') }</script>`

// point makes one, for options.
func point(x, y float64) *browser.Point { return &browser.Point{X: x, Y: y} }

func TestClicksOfEveryKind(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<button style="width:100px;height:40px">X</button><script>const b = document.querySelector('button');
for (const e of ['click','auxclick','dblclick','contextmenu']) b.addEventListener(e, ev => log(e + ev.button + ev.detail + (ev.ctrlKey ? 'C' : '') + (ev.shiftKey ? 'S' : '') + (ev.altKey ? 'A' : '') + (ev.metaKey ? 'M' : '')));
b.addEventListener('click', ev => { if (ev.offsetX < 20) log('left') });
addEventListener('keydown', ev => log('down' + ev.key)); addEventListener('keyup', ev => log('up' + ev.key))</script>`)
	for _, c := range []struct {
		o    browser.ClickOptions
		want string
	}{
		{browser.ClickOptions{}, "click01;"},
		{browser.ClickOptions{Count: 2}, "click01;click02;dblclick02;"},
		{browser.ClickOptions{Count: 3}, "click01;click02;dblclick02;click03;"},
		{browser.ClickOptions{Button: browser.ButtonRight}, "contextmenu20;auxclick21;"},
		{browser.ClickOptions{Held: browser.Control | browser.Shift}, "downControl;downShift;click01CS;upShift;upControl;"},
		{browser.ClickOptions{Held: browser.Alt | browser.Meta}, "downAlt;downMeta;click01AM;upMeta;upAlt;"},
		{browser.ClickOptions{At: point(5, 5)}, "click01;left;"},
	} {
		before := told(t, s)
		if _, err := s.ClickWith(t.Context(), ref(t, s, "X"), c.o); err != nil {
			t.Fatalf("%+v: %v", c.o, err)
		}
		if got := strings.TrimPrefix(told(t, s), before); got != c.want {
			t.Errorf("%+v: %s, want %s", c.o, got, c.want)
		}
	}
	for _, o := range []browser.ClickOptions{{Button: "up"}, {Count: 4}, {Count: -1}, {Held: 16}, {Button: browser.ButtonMiddle}} {
		if _, err := s.ClickWith(t.Context(), ref(t, s, "X"), o); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestTheMiddleButtonInABrowserOfItsOwn(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<a href=/next>Link</a>`, "/next": `<title>Next</title>`})
	s, err := sharedProvider(t).Open(t.Context(), browser.Options{OwnProcess: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	navigate(t, s, srv.URL)
	p, err := s.ClickWith(t.Context(), ref(t, s, "Link"), browser.ClickOptions{Button: browser.ButtonMiddle})
	if err != nil || p.Title != "Next" || len(s.Tabs()) != 2 {
		t.Errorf("%+v %v, %d tabs", p, err, len(s.Tabs()))
	}
}

func TestPlacesInLargeElements(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<div style="height:300px"></div><canvas aria-label=C role=button tabindex=0 width=900 height=3000 onclick="log(event.offsetX + ',' + event.offsetY)"></canvas>`)
	for _, at := range []*browser.Point{point(10, 20), point(700, 2900), point(3, 1500)} {
		if _, err := s.ClickWith(t.Context(), ref(t, s, "C"), browser.ClickOptions{At: at}); err != nil {
			t.Fatal(err)
		}
	}
	if got := told(t, s); got != "10,20;700,2900;3,1500;" {
		t.Error(got)
	}
}

func TestClicksAtPoints(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":   toldScript + `<style>body{margin:0} #b{position:fixed;left:100px;top:100px;width:100px;height:50px} iframe{position:fixed;left:300px;top:100px;border:0}</style><button id=b onclick="log('b')">Save <b>all</b></button><iframe src={other}/in></iframe>`,
		"/in": `<style>body{margin:0}</style><button style="position:absolute;left:20px;top:20px" onclick="this.textContent='Pressed'">Inner</button>`,
	})
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	snapshot(t, s)
	for _, c := range []struct {
		at         browser.Point
		role, name string
	}{
		{browser.Point{X: 150, Y: 120}, "button", "Save all"},
		{browser.Point{X: 330, Y: 130}, "button", "Inner"},
		{browser.Point{X: 700, Y: 700}, "", ""},
	} {
		hit, err := s.ClickAt(t.Context(), c.at, browser.ClickOptions{})
		if err != nil || hit.Role != c.role || hit.Name != c.name || hit.Page.URL == "" {
			t.Errorf("%v: %+v %v", c.at, hit, err)
		}
	}
	if sn := lines(snapshot(t, s)); !strings.Contains(sn, "log:b;") || !strings.Contains(sn, "Pressed") {
		t.Error(sn)
	}
	for _, p := range []browser.Point{{X: -1}, {Y: 800}, {X: 1280}} {
		if _, err := s.ClickAt(t.Context(), p, browser.ClickOptions{}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%v: %v", p, err)
		}
	}
}

func TestHovering(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<style>#m{display:none} li:hover #m{display:block}</style><ul><li tabindex=0 aria-label=Menu>Menu<ul id=m><li><button onclick="log('item')">Item</button></ul></ul>
<button onmouseenter="log('over')" onmouseleave="log('out')">B</button>`)
	if _, err := s.Hover(t.Context(), ref(t, s, "B")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Hover(t.Context(), ref(t, s, "Menu")); err != nil {
		t.Fatal(err)
	}
	click(t, s, "Item")
	if got := told(t, s); got != "over;out;item;" {
		t.Error(got)
	}
	hit, err := s.HoverAt(t.Context(), browser.Point{X: 1, Y: 790})
	if err != nil || hit.Role != "" {
		t.Errorf("%+v %v", hit, err)
	}
	if sn := lines(snapshot(t, s)); strings.Contains(sn, "Item") {
		t.Errorf("the menu is still open:\n%s", sn)
	}
}
