package chrome_test

import (
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

const dropPage = toldScript + `<style>#a,#b{width:120px;height:60px;border:1px solid;position:relative}</style>
<div id=a draggable=true tabindex=0 aria-label=A role=button>A</div><div style="{style}"><div style="height:{gap}px"></div><div id=b tabindex=0 aria-label=B role=button>B</div></div>
<script>const a = document.getElementById('a'), b = document.getElementById('b'); let over = 0;
a.addEventListener('dragstart', ev => { ev.dataTransfer.setData('text/plain', 'thing'); log('start') });
a.addEventListener('dragend', ev => log('end'));
b.addEventListener('dragenter', ev => { ev.preventDefault(); log('enter') });
b.addEventListener('dragover', ev => { ev.preventDefault(); if (!over++) log('over') });
b.addEventListener('drop', ev => { ev.preventDefault(); log('drop ' + ev.dataTransfer.getData('text/plain')) });
addEventListener('mouseup', () => log('mouseup'))</script>`

func drag(t testing.TB, s browser.Session, from, to string, o browser.DragOptions) {
	t.Helper()
	spot := browser.Spot{}
	if to != "" {
		spot.Ref = ref(t, s, to)
	}
	if _, err := s.Drag(t.Context(), browser.Spot{Ref: ref(t, s, from)}, spot, o); err != nil {
		t.Fatal(err)
	}
}

func TestDragAndDrop(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ gap, style string }{
		"in view": {"30", ""}, "out of view": {"3000", ""}, "out of the view of a part": {"300", "height:80px;overflow:auto"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := show(t, strings.NewReplacer("{gap}", c.gap, "{style}", c.style).Replace(dropPage))
			drag(t, s, "A", "B", browser.DragOptions{})
			if got := told(t, s); got != "start;enter;over;drop thing;end;" {
				t.Error(got)
			}
			// The page is as it was: a click is a click.
			click(t, s, "B")
			if got := told(t, s); !strings.HasSuffix(got, "mouseup;") {
				t.Error(got)
			}
		})
	}
}

func TestDragsThatThePageMakes(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<style>body{margin:0} #a{position:absolute;z-index:2;left:50px;top:200px;width:60px;height:60px;background:red} #b{position:absolute;left:500px;top:400px;width:100px;height:100px;border:1px solid}</style>
<div id=a tabindex=0 aria-label=A role=button></div><div id=b tabindex=0 aria-label=B role=button></div>
<script>const a = document.getElementById('a'); let from = null, moves = 0;
a.onpointerdown = ev => { from = [ev.clientX - a.offsetLeft, ev.clientY - a.offsetTop]; a.setPointerCapture(ev.pointerId) };
a.onpointermove = ev => { if (from) { moves++; a.style.left = ev.clientX - from[0] + 'px'; a.style.top = ev.clientY - from[1] + 'px' } };
a.onpointerup = ev => { from = null; log(Math.round(a.offsetLeft) + ',' + Math.round(a.offsetTop) + (moves > 5 ? ' smoothly' : ' at once')) }</script>`)
	drag(t, s, "A", "", browser.DragOptions{By: browser.Point{X: 100, Y: -50}})
	drag(t, s, "A", "B", browser.DragOptions{Steps: 3})
	at := func(x, y float64) browser.Spot { return browser.Spot{At: point(x, y)} }
	if _, err := s.Drag(t.Context(), at(550, 450), at(30, 30), browser.DragOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := told(t, s); got != "150,150 smoothly;521,421 smoothly;1,1 smoothly;" {
		t.Error(got)
	}
	for _, c := range []struct {
		from, to browser.Spot
		o        browser.DragOptions
	}{
		{}, {from: at(1, 1)}, {from: at(1, 1), to: at(2, 2), o: browser.DragOptions{Steps: 101}}, {from: at(1, 1), to: at(2000, 2)}, {from: at(-1, 1), to: at(2, 2)},
	} {
		if _, err := s.Drag(t.Context(), c.from, c.to, c.o); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestSlidersAreDragged(t *testing.T) {
	t.Parallel()
	s := show(t, `<!DOCTYPE html><input type=range aria-label=R min=0 max=100 value=20 style="width:216px">
<div style="width:200px;height:10px;background:#ccc;position:relative;margin-top:40px"><div id=k role=slider tabindex=0 aria-label=K aria-valuenow=0 style="position:absolute;left:0;top:-5px;width:20px;height:20px;background:blue"></div></div>
<script>let down = null; k.onmousedown = ev => { down = ev.clientX - k.offsetLeft; ev.preventDefault() };
onmousemove = ev => { if (down !== null) { const x = Math.max(0, Math.min(180, ev.clientX - down)); k.style.left = x + 'px'; k.setAttribute('aria-valuenow', Math.round(x / 1.8)) } };
onmouseup = () => down = null</script>`)
	drag(t, s, "R", "", browser.DragOptions{By: browser.Point{X: 100}})
	if got := valueOf(t, s, "R"); got != "70" {
		t.Errorf("the slider is at %s", got)
	}
	drag(t, s, "K", "", browser.DragOptions{By: browser.Point{X: 90}})
	if got := valueOf(t, s, "K"); got != "50" {
		t.Errorf("the other is at %s", got)
	}
}

// Lists that are scrolled by a quick move are sorted by a late one, and what has to be
// held is.
func TestHolding(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<style>div{height:30px;width:90px;background:#ddd}</style><div id=a tabindex=0 role=button aria-label=A></div><div tabindex=0 role=button aria-label=B></div>
<script>const a = document.getElementById('a'); let at = 0; a.onpointerdown = ev => { at = ev.timeStamp }; onpointerup = ev => log(ev.timeStamp - at >= 200 ? 'long' : 'short');
let first = true; onpointermove = ev => { if (ev.buttons && first) { first = false; log(ev.timeStamp - at >= 200 ? 'late' : 'early') } };
onkeydown = ev => ev.repeat && log('again'); onkeyup = () => log('up')</script>`)
	r := ref(t, s, "A")
	hold := 300 * time.Millisecond
	for _, do := range []func() error{
		func() error { _, err := s.ClickWith(t.Context(), r, browser.ClickOptions{}); return err },
		func() error { _, err := s.ClickWith(t.Context(), r, browser.ClickOptions{Hold: hold}); return err },
		func() error {
			_, err := s.Drag(t.Context(), browser.Spot{Ref: r}, browser.Spot{Ref: ref(t, s, "B")}, browser.DragOptions{Hold: hold})
			return err
		},
		func() error {
			_, err := s.Press(t.Context(), "a", browser.PressOptions{Hold: 60 * time.Millisecond})
			return err
		},
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	if got := told(t, s); !strings.HasPrefix(got, "short;long;late;long;again;") || !strings.HasSuffix(got, "again;up;") {
		t.Error(got)
	}
	if _, err := s.ClickWith(t.Context(), r, browser.ClickOptions{Hold: 11 * time.Second}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
}

func TestSortableLists(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"of drag and drop": `let held; for (const li of document.querySelectorAll('li')) { li.draggable = true;
li.ondragstart = ev => { held = li; ev.dataTransfer.effectAllowed = 'move' };
li.ondragover = ev => { ev.preventDefault(); if (held === li) return; const r = li.getBoundingClientRect(); ev.clientY > r.top + r.height / 2 ? li.after(held) : li.before(held) } }`,
		"of mouse events": `let held; for (const li of document.querySelectorAll('li')) li.onmousedown = ev => { held = li; ev.preventDefault() };
onmousemove = ev => { if (!held) return; const li = document.elementFromPoint(ev.clientX, ev.clientY)?.closest('li'); if (!li || li === held) return;
const r = li.getBoundingClientRect(); ev.clientY > r.top + r.height / 2 ? li.after(held) : li.before(held) }; onmouseup = () => held = null`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := show(t, `<!DOCTYPE html><ul><li tabindex=0>One<li tabindex=0>Two<li tabindex=0>Three<li tabindex=0>Four</ul><script>`+script+`</script>`)
			drag(t, s, "One", "Three", browser.DragOptions{By: browser.Point{Y: 5}})
			if sn := lines(snapshot(t, s)); !inOrder(sn, "Two", "Three", "One", "Four") {
				t.Error(sn)
			}
			drag(t, s, "Four", "Two", browser.DragOptions{By: browser.Point{Y: -5}})
			if sn := lines(snapshot(t, s)); !inOrder(sn, "Four", "Two", "Three", "One") {
				t.Error(sn)
			}
		})
	}
}

// inOrder reports whether the words stand in the text in this order.
func inOrder(text string, words ...string) bool {
	for _, w := range words {
		_, rest, ok := strings.Cut(text, w)
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

func TestDragsBetweenFrames(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/": `<!DOCTYPE html><div id=a draggable=true tabindex=0 role=button style="width:99px" ondragstart="event.dataTransfer.setData('text/plain','thing')">A</div><iframe src=/in></iframe><iframe src={other}/in2></iframe>`,
		"/in": toldScript + `<div tabindex=0 role=button ondragover="event.preventDefault()" ondrop="event.preventDefault();log('drop '+event.dataTransfer.getData('text/plain'))">B</div>
<div tabindex=0 role=button draggable=true ondragstart="event.dataTransfer.setData('text/plain','inner')">C</div>`,
		"/in2": toldScript + `<div tabindex=0 role=button ondragover="event.preventDefault()" ondrop="event.preventDefault();log('far '+event.dataTransfer.getData('text/plain'))">D</div>
<div tabindex=0 role=button draggable=true ondragstart="event.dataTransfer.setData('text/plain','foreign')">E</div>`,
	})
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	drag(t, s, "A", "B", browser.DragOptions{})
	drag(t, s, "C", "B", browser.DragOptions{})
	drag(t, s, "A", "D", browser.DragOptions{})
	drag(t, s, "E", "D", browser.DragOptions{})
	sn := lines(snapshot(t, s))
	if !strings.Contains(sn, "drop thing;drop inner;") || !strings.Contains(sn, "far thing;far foreign;") {
		t.Error(sn)
	}
}

// What is written in a field is not carried elsewhere by dragging it.
func TestTextOfFieldsIsNotDragged(t *testing.T) {
	t.Parallel()
	s := show(t, `<!DOCTYPE html><input aria-label=one value=geheim size=6><div contenteditable aria-label=rich style="width:80px">geheim</div><p>gap</p><input aria-label=two>`)
	for _, name := range []string{"one", "rich"} {
		press(t, s, "Control+A", browser.PressOptions{Ref: ref(t, s, name)})
		drag(t, s, name, "two", browser.DragOptions{})
		if got := valueOf(t, s, "two") + valueOf(t, s, name); got != "geheim" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
