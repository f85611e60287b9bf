package chrome_test

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

func choose(t testing.TB, s browser.Session, name string, options ...string) {
	t.Helper()
	if _, err := s.Select(t.Context(), ref(t, s, name), options...); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func TestSelectingInLists(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<select aria-label=one onchange="log('one')"><option>Small<option value=m>Medium size<option disabled>Huge</select><select multiple aria-label=more onchange="log('more')"><option selected>A<option>B<option>C</select>`)
	choose(t, s, "one", "m")
	choose(t, s, "more", "C", "b")
	for name, want := range map[string]string{"one": "Medium size", "more": "B, C"} {
		if got := valueOf(t, s, name); got != want {
			t.Errorf("%s shows %s", name, got)
		}
	}
	choose(t, s, "more")
	if got := valueOf(t, s, "more") + told(t, s); got != "one;more;more;" {
		t.Error(got)
	}
	for _, options := range [][]string{{"Huge"}, {"none"}, {"Small", "m"}, {}} {
		_, err := s.Select(t.Context(), ref(t, s, "one"), options...)
		if !errtypes.Is(err, errtypes.Invalid) || len(options) == 1 && !strings.Contains(err.Error(), `"Small", "Medium size"`) {
			t.Errorf("%q: %v", options, err)
		}
	}
	if got := valueOf(t, s, "one"); got != "Medium size" {
		t.Errorf("it shows %s now", got)
	}
}

const combos = `<!DOCTYPE html><style>[role=listbox]{border:1px solid;max-height:120px;overflow:auto} [hidden]{display:none}</style>
<div role=listbox aria-label=Other tabindex=0><div role=option>Paris</div></div>
<div id=c role=combobox tabindex=0 aria-label=City aria-haspopup=listbox aria-expanded=false aria-controls=cl>Choose</div>
<ul id=cl role=listbox hidden><li role=option>Paris<li role=option>Rome<li role=option aria-disabled=true>Oslo</ul>
<label for=f>Fruit</label><input id=f role=combobox aria-autocomplete=list aria-expanded=false aria-controls=fl><ul id=fl role=listbox hidden></ul>
<div role=listbox aria-multiselectable=true aria-label=Many tabindex=0><div role=option aria-selected=true>Red</div><div role=option aria-selected=false>Green</div><div role=option aria-selected=false>Blue</div></div>
<button aria-haspopup=menu aria-expanded=false id=m>Menu</button><div role=menu id=ml hidden><div role=menuitem tabindex=-1>Copy it</div><div role=menuitem tabindex=-1>Delete it</div></div><p id=log>log:</p>
<script>const $ = (id) => document.getElementById(id), log = (s) => $('log').append(s + ';');
c.onclick = () => { const open = cl.hidden; cl.hidden = !open; c.setAttribute('aria-expanded', open) };
cl.onclick = ev => { c.textContent = ev.target.textContent; cl.hidden = true; c.setAttribute('aria-expanded', false) };
const fruits = ['Apple', 'Apricot', 'Banana', 'Cherry'];
f.oninput = () => setTimeout(() => { const q = f.value.toLowerCase(); fl.replaceChildren(...fruits.filter(x => q && x.toLowerCase().includes(q)).map(x => Object.assign(document.createElement('li'), {textContent: x, role: 'option', onclick: () => { f.value = x; fl.hidden = true }}))); fl.hidden = fl.children.length === 0; f.setAttribute('aria-expanded', !fl.hidden) }, 200);
for (const o of document.querySelectorAll('[aria-label=Many] [role=option]')) o.onclick = () => o.setAttribute('aria-selected', o.getAttribute('aria-selected') !== 'true');
m.onclick = () => { ml.hidden = !ml.hidden; m.setAttribute('aria-expanded', !ml.hidden) }; ml.onclick = ev => { log(ev.target.textContent); ml.hidden = true }</script>`

func TestSelectingInWidgets(t *testing.T) {
	t.Parallel()
	s := show(t, combos)
	r := ref(t, s, "City")
	if _, err := s.Select(t.Context(), r, "rome"); err != nil {
		t.Fatal(err)
	}
	choose(t, s, "Fruit", "Banana")
	choose(t, s, "Many", "Blue", "Green")
	choose(t, s, "Menu", "Copy it")
	sn := lines(snapshot(t, s))
	for _, want := range []string{`combobox "City"`, `"Rome"`, `"Fruit" [ref] value="Banana"`, `option "Blue" [ref] selected`, `option "Green" [ref] selected`, "Copy it;"} {
		if !strings.Contains(sn, want) {
			t.Errorf("no %s in\n%s", want, sn)
		}
	}
	if strings.Contains(sn, `"Red" [ref] selected`) {
		t.Errorf("Red is still chosen:\n%s", sn)
	}
	for name, want := range map[string]string{"City": `"Paris", "Rome"`, "Many": `"Red", "Green", "Blue"`} {
		_, err := s.Select(t.Context(), ref(t, s, name), "Nowhere")
		if !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSelectingInVirtualLists(t *testing.T) {
	t.Parallel()
	s := show(t, virtualList+`<p id=log>log:</p><script>v.onclick = ev => document.getElementById('log').append(ev.target.textContent)</script>`)
	choose(t, s, "V", "Row 300.")
	if got := told(t, s); got != "Row 300." {
		t.Error(got)
	}
}

func TestChecking(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<input type=checkbox aria-label=box onclick="log('box')"><label><input type=checkbox style="display:none" onclick="log('hidden')">hidden</label>
<input type=radio name=r aria-label=r1 checked><input type=radio name=r aria-label=r2><div role=switch tabindex=0 aria-checked=false aria-label=sw onclick="log('sw'); setTimeout(() => this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true'), 100)"></div>
<button aria-pressed=true aria-label=tog onclick="this.setAttribute('aria-pressed', this.getAttribute('aria-pressed') !== 'true')">T</button>
<div role=checkbox aria-checked=false tabindex=0 aria-label=dead></div><button>plain</button><input type=checkbox aria-label=off disabled>
<style>div[role]{width:40px;height:20px;background:#ccc}</style>`)
	check := func(name string, on bool) error {
		_, err := s.Check(t.Context(), ref(t, s, name), on)
		return err
	}
	for _, c := range []struct {
		name string
		on   bool
	}{{"box", false}, {"box", true}, {"box", true}, {"box", false}, {"hidden", true}, {"hidden", true}, {"r2", true}, {"sw", true}, {"sw", true}, {"tog", true}, {"tog", false}} {
		if err := check(c.name, c.on); err != nil {
			t.Errorf("%v: %v", c, err)
		}
		for _, e := range snapshot(t, s).Elements {
			if e.Name == c.name && e.Checked != c.on {
				t.Errorf("%v is %t", c, e.Checked)
			}
		}
	}
	if got := told(t, s); got != "box;box;hidden;sw;" {
		t.Error(got)
	}
	for name, c := range map[string]struct {
		on   bool
		kind errtypes.Kind
	}{"r2": {false, errtypes.Invalid}, "dead": {true, errtypes.BadGateway}, "plain": {true, errtypes.Invalid}, "off": {true, errtypes.Invalid}} {
		if err := check(name, c.on); !errtypes.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var stale *browser.StaleError
	if _, err := s.Check(t.Context(), "e999", true); !asError(err, &stale) {
		t.Error(err)
	}
}

// A list belongs to what it has appeared for, unless one of the two names the other.
const foreignLists = toldScript + `<style>[tabindex]{width:90px;border:1px solid} .pop{position:absolute;left:300px;top:20px}</style>
<ul role=listbox aria-label=Foreign><li role=option onclick="log('FOREIGN')">Medium</li></ul><select multiple size=3 aria-label=Native><option>Medium</select>
<div tabindex=0 role=button aria-haspopup=true aria-label=Plain onclick="document.body.insertAdjacentHTML('beforeend', '<div>Medium</div>')">size</div>
<div tabindex=0 role=combobox aria-label=Late id=late onclick="setTimeout(() => show('late'), 200)">size</div>
<div tabindex=0 role=combobox aria-label=Open id=open aria-expanded=true onclick="toggle()">size</div><ul role=listbox id=beside><li role=option onclick="log('beside')">Medium</li></ul>
<div tabindex=0 role=combobox aria-label=Over aria-expanded=true onclick="this.ariaExpanded = false; this.onclick = null">size</div><div class=pop><ul role=listbox><li role=option onclick="log('over')">Large</li></ul></div>
<script>function show(who) { document.body.insertAdjacentHTML('beforeend', '<ul role=listbox><li role=option onclick="log(\'' + who + '\')">Medium</li></ul>') }
function toggle() { beside.hidden = !beside.hidden; open.setAttribute('aria-expanded', !beside.hidden) }
const open = document.getElementById('open')</script>`

func TestSelectingLeavesForeignListsAlone(t *testing.T) {
	t.Parallel()
	s := show(t, foreignLists)
	for _, c := range []struct{ name, option, want string }{
		{"Open", "Medium", "beside;"}, {"Late", "Medium", "late;"},
	} {
		before := told(t, s)
		choose(t, s, c.name, c.option)
		if got := strings.TrimPrefix(told(t, s), before); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	before := told(t, s)
	_, err := s.Select(t.Context(), ref(t, s, "Plain"), "Medium")
	if !errtypes.Is(err, errtypes.BadGateway) || !strings.Contains(err.Error(), "no list of options of its own") {
		t.Error(err)
	}
	if got := strings.TrimPrefix(told(t, s), before); got != "" {
		t.Errorf("it chose %q", got)
	}
}

// A list that was open before belongs to the one element that says so.
func TestSelectingFromAListThatIsOpen(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<ul role=listbox aria-label=Foreign><li role=option onclick="log('FOREIGN')">Large</li></ul>
<div tabindex=0 role=combobox aria-label=Over aria-expanded=true onclick="log('closed')">size</div><div style="position:absolute;left:300px"><ul role=listbox><li role=option onclick="log('over')">Large</li></ul></div>`)
	choose(t, s, "Over", "Large")
	if got := told(t, s); got != "over;" {
		t.Error(got)
	}
}

func TestSelectingWhatAFieldProposes(t *testing.T) {
	t.Parallel()
	s := show(t, `<input list=dd aria-label=D><datalist id=dd><option>Alpha<option value=b>Beta</datalist>`)
	choose(t, s, "D", "beta")
	if got := valueOf(t, s, "D"); got != "b" {
		t.Error(got)
	}
	if _, err := s.Select(t.Context(), ref(t, s, "D"), "Gamma"); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), `"Alpha", "Beta"`) {
		t.Error(err)
	}
}

func TestSelectingInLongLists(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<div id=c role=combobox tabindex=0 aria-label=V aria-expanded=false style="width:90px">size</div><select id=s aria-label=S></select><script>let box, stale = 3;
s.innerHTML = Array.from({length: 5000}, (_, i) => '<option>' + i + '</option>').join('');
c.onclick = () => { if (box) return; box = document.createElement('div'); box.role = 'listbox'; box.style.cssText = 'height:100px;width:200px;overflow:auto'; const inner = document.createElement('div'); inner.style.cssText = 'position:relative;height:3600px'; box.append(inner);
const draw = () => { inner.innerHTML = ''; for (let n = 0, i = Math.floor(box.scrollTop / 20); n < 7 && i < 180; n++, i++) { const o = document.createElement('div'); o.role = 'option'; o.textContent = 'Virtual ' + i; o.style.cssText = 'position:absolute;height:20px;top:' + i * 20 + 'px'; o.onclick = () => log(i); inner.append(o) } };
box.onscroll = draw; draw(); document.body.append(box); c.setAttribute('aria-expanded', true) }</script>`)
	choose(t, s, "V", "Virtual 170")
	if got := told(t, s); got != "170;" {
		t.Error(got)
	}
	for name, want := range map[string]string{"V": `"Virtual 0", "Virtual 1",`, "S": " and 4970 more"} {
		_, err := s.Select(t.Context(), ref(t, s, name), "Nowhere")
		if !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
