package chrome_test

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
)

// log writes what happens to a page into its text.
const logScript = `<p id=log></p><script>function log(s) { document.getElementById('log').append(s + ';') }</script>`

func TestClicksHitTheirElement(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ html, name string }{
		"a button":                {`<button onclick="log('hit')">X</button>`, "X"},
		"far down":                {`<div style="height:5000px"></div><button onclick="log('hit')">X</button>`, "X"},
		"far right":               {`<div style="width:9000px;text-align:right"><button onclick="log('hit')">X</button></div>`, "X"},
		"in a scrolled box":       {`<div style="height:80px;overflow:auto"><div style="height:900px"></div><button onclick="log('hit')">X</button></div>`, "X"},
		"a label's hidden box":    {`<label><input type=checkbox style="display:none" onchange="log('hit')">X</label>`, "X"},
		"a box under its label":   {`<div style="position:relative"><input id=i type=checkbox onchange="log('hit')" aria-label=X><label for=i style="position:absolute;inset:0;width:99px">cover</label></div>`, "X"},
		"a child covers it":       {`<button onclick="log('hit')" aria-label=X><span style="display:block;padding:20px">Text</span></button>`, "X"},
		"a link over two lines":   {`<div style="width:90px">aaaaaaa <a href="#" onclick="log('hit')">bbbb ccccccccccccccccccccccc</a></div>`, "bbbb ccccccccccccccccccccccc"},
		"something moving":        {`<style>@keyframes m { from { margin-left: 0 } to { margin-left: 600px } }</style><button style="animation: m .4s forwards" onclick="log('hit')">X</button>`, "X"},
		"moved by a script":       {`<button style="position:relative" onclick="log('hit')">X</button><script>let n = 0; const b = document.querySelector('button'); (function step() { b.style.left = n + 'px'; if (n++ < 40) requestAnimationFrame(step) })()</script>`, "X"},
		"never at rest":           {`<style>@keyframes p { from { transform: scale(1) } to { transform: scale(1.2) } }</style><button style="animation: p .3s infinite alternate" onclick="log('hit')">X</button>`, "X"},
		"a listener before all":   {`<button name=addEventListener onclick="log('hit')">X</button><script>for (const e of ['pointerdown','mousedown','pointerup','mouseup']) addEventListener(e, ev => ev.stopImmediatePropagation(), true)</script>`, "X"},
		"in a shadow root":        {`<x-a></x-a><script>customElements.define('x-a', class extends HTMLElement { connectedCallback() { const b = document.createElement('button'); b.textContent = 'X'; b.onclick = () => log('hit'); this.attachShadow({mode:'open'}).append(b) } })</script>`, "X"},
		"half out of the window":  {`<button style="position:fixed;left:-50px;width:200px" onclick="log('hit')">X</button>`, "X"},
		"under a fixed head line": {`<div style="position:fixed;top:0;left:0;right:0;height:300px;background:red">Head</div><div style="height:320px"></div><div style="height:2000px"></div><button onclick="log('hit')">X</button><div style="height:2000px"></div>`, "X"},
		"a pointer without role":  {`<div style="cursor:pointer" onmouseup="log('hit')">X</div>`, "X"},
		"scaled":                  {`<div style="transform:scale(.5) translate(200px,100px);transform-origin:0 0"><button onclick="log('hit')">X</button></div>`, "X"},
		"a hidden property":       {`<form onsubmit="return false"><input name=isConnected style="display:none"><input name=getBoundingClientRect style="display:none"><button name=labels onclick="log('hit')">X</button></form>`, "X"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := show(t, "<!DOCTYPE html><body>"+logScript+c.html)
			click(t, s, c.name)
			if sn := lines(snapshot(t, s)); strings.Count(sn, "hit;") != 1 {
				t.Errorf("not hit once:\n%s", sn)
			}
		})
	}
}

func TestClicksAreRealInput(t *testing.T) {
	t.Parallel()
	s := show(t, `<button>X</button>`+logScript+`<script>for (const e of ['pointerdown','mousedown','pointerup','mouseup','click']) document.querySelector('button').addEventListener(e, ev => log(e + ev.isTrusted + ev.detail + navigator.userActivation.isActive))</script>`)
	click(t, s, "X")
	if !says(t, s, "pointerdowntrue0true;mousedowntrue1true;pointeruptrue0true;mouseuptrue1true;clicktrue1true;") {
		t.Error(lines(snapshot(t, s)))
	}
}

func TestCoveredElementsAreNotClicked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ html, by string }{
		"a dialog":       {`<div role=dialog aria-label="We value cookies" style="position:fixed;inset:0">All of it</div>`, `dialog "We value cookies"`},
		"a nameless box": {`<div id=veil style="position:fixed;inset:0"></div>`, `<div id="veil">`},
		"text in a box":  {`<div style="position:fixed;inset:0;text-align:center"><p style="margin-top:300px">Please wait</p></div>`, `"Please wait"`},
		"a frame":        {`<iframe title=Ad style="position:fixed;inset:0;width:100%;height:100%"></iframe>`, `iframe "Ad"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := show(t, logScript+`<button onclick="log('hit')">X</button>`+c.html)
			r := ref(t, s, "X")
			_, err := s.Click(t.Context(), r)
			var covered *browser.CoveredError
			if !asError(err, &covered) || covered.Ref != r || !strings.Contains(covered.By, c.by) {
				t.Errorf("got %v, want a cover like %s", err, c.by)
			}
			if says(t, s, "hit") {
				t.Error("it was clicked nevertheless")
			}
		})
	}
}

func TestAClickThatMissesReachesNobody(t *testing.T) {
	t.Parallel()
	// The button jumps away as soon as the mouse comes near, and what it has
	// covered is a trap.
	s := show(t, `<!DOCTYPE html><body>`+logScript+`<div id=trap style="position:fixed;inset:0" onmousedown="log('trap')" onclick="log('trap')" onpointerdown="log('trap')"></div>
<button style="position:fixed;left:50px;top:200px;width:90px;height:40px" onclick="log('hit')">X</button>
<script>const b = document.querySelector('button'); let n = 0; const most = Number(location.hash.slice(1) || 3);
b.addEventListener('mousemove', () => { if (n++ < most) b.style.left = 50 + 100 * (n % 5) + 'px' })</script>`)
	click(t, s, "X")
	if sn := lines(snapshot(t, s)); strings.Count(sn, "hit;") != 1 || strings.Contains(sn, "trap") {
		t.Errorf("not hit once, or something else:\n%s", sn)
	}
	p, err := s.Page(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	navigate(t, s, p.URL+"?again#1000")
	_, err = s.Click(t.Context(), ref(t, s, "X"))
	if !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), "does not stand still") {
		t.Errorf("a target that cannot be hit: %v", err)
	}
	if says(t, s, "trap") || says(t, s, "hit") {
		t.Errorf("a miss was heard:\n%s", lines(snapshot(t, s)))
	}
}

func TestElementsThatCannotBeClicked(t *testing.T) {
	t.Parallel()
	s := show(t, `<button disabled>Disabled</button><button aria-disabled=true>Aria</button><button id=gone>Gone</button><button id=none>None</button>
<button onclick="document.getElementById('gone').remove();document.getElementById('none').style.display='none'">Hide</button>`)
	gone, none := ref(t, s, "Gone"), ref(t, s, "None")
	click(t, s, "Hide")
	var stale *browser.StaleError
	for _, r := range []browser.Ref{gone, "e999", "f7e1", "", "x", "e", "e01", "e-1", "f0e1", "e1 "} {
		if _, err := s.Click(t.Context(), r); !asError(err, &stale) {
			t.Errorf("ref %q: %v", r, err)
		}
	}
	for r, text := range map[browser.Ref]string{
		ref(t, s, "Disabled"): "is disabled", ref(t, s, "Aria"): "is disabled", none: "cannot be scrolled into view",
	} {
		if _, err := s.Click(t.Context(), r); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), text) {
			t.Errorf("ref %q: %v", r, err)
		}
	}
}

func TestClicksInFrames(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every kind of frame")
	inner := logScript + `<div style="height:600px"></div><button onclick="log('hit')">Inner %</button>`
	srv := pages(t, map[string]string{
		"/": `<div style="height:1500px"></div>
<iframe title=Same style="border:7px solid;padding:11px;transform:scale(.8)" height=300 src=/same></iframe>
<iframe title=Cross style="border:5px solid;padding:3px" height=300 src={other}/cross></iframe>`,
		"/same":  strings.Replace(inner, "%", "same", 1) + `<iframe title=Nested src={other}/leaf></iframe>`,
		"/cross": strings.Replace(inner, "%", "cross", 1),
		"/leaf":  strings.Replace(inner, "%", "leaf", 1),
	})
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	for i, name := range []string{"Inner same", "Inner cross", "Inner leaf"} {
		click(t, s, name)
		if sn := lines(snapshot(t, s)); strings.Count(sn, "hit;") != i+1 {
			t.Errorf("%s was not hit:\n%s", name, sn)
		}
	}
}

func TestClicksInFramesThatMove(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/": `<!DOCTYPE html>` + logScript + `<style>@keyframes m { from { margin-left: 0 } to { margin-left: 500px } } iframe { animation: m 1s forwards }</style>
<div onmousedown="log('outside')" onclick="log('outside')"><iframe src={other}/in></iframe></div>`,
		"/in": logScript + `<button onclick="log('hit')">X</button>`,
	})
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	click(t, s, "X")
	if sn := lines(snapshot(t, s)); strings.Count(sn, "hit;") != 1 || strings.Contains(sn, "outside") {
		t.Errorf("not hit once, or something else:\n%s", sn)
	}
}

func TestClicksInFramesThatAreTurned(t *testing.T) {
	t.Parallel()
	for name, style := range map[string]string{
		"transform": "transform:rotate(30deg) scale(.8)", "rotate": "rotate:-40deg;scale:1.2", "skew": "transform:skewX(20deg);border:5px solid;padding:7px",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := show(t, `<div style="`+style+`;margin:150px;width:400px"><iframe style="width:300px;height:200px;transform:rotate(10deg)" srcdoc="<button style='position:absolute;left:220px;top:150px;width:60px;height:20px' onclick='this.textContent=1'>X</button>"></iframe></div>`)
			r := ref(t, s, "X")
			placed, err := s.Places(t.Context(), []browser.Ref{r})
			if err != nil {
				t.Fatal(err)
			}
			box := placed.Of[r].Box
			hit, err := s.HoverAt(t.Context(), browser.Point{X: box.X + box.Width/2, Y: box.Y + box.Height/2})
			if err != nil || hit.Name != "X" {
				t.Errorf("its place is %+v, where %q is: %v", box, hit.Name, err)
			}
			click(t, s, "X")
			if !says(t, s, `button "1"`) {
				t.Error(lines(snapshot(t, s)))
			}
		})
	}
}

func TestCoversOutsideAFrameCount(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":      `<iframe src={other}/inner></iframe><div role=dialog aria-label=Veil style="position:fixed;inset:0"></div>`,
		"/inner": `<button>X</button>`,
	})
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	_, err := s.Click(t.Context(), ref(t, s, "X"))
	var covered *browser.CoveredError
	if !asError(err, &covered) || covered.By != `dialog "Veil"` {
		t.Error(err)
	}
}

func TestClicksLead(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":      `<a href=/next>Link</a><form action=/next><button>Submit</button></form><button onclick="setTimeout(() => location = '/next', 100)">Later</button><a href=/hop>Hop</a><a href="#here">Fragment</a><a href=/none>Missing</a>`,
		"/next":  `<title>Next</title>arrived`,
		"/hop":   `<script>location.replace('/hop2')</script>`,
		"/hop2":  `<meta http-equiv=refresh content="0;url=/next">`,
		"/other": ``,
	})
	s := open(t)
	for name, want := range map[string]string{"Link": "/next", "Submit": "/next?", "Later": "/next", "Hop": "/next", "Fragment": "/#here", "Missing": "/none"} {
		navigate(t, s, srv.URL+"/")
		p := click(t, s, name)
		status := map[bool]int{true: 404, false: 200}[name == "Missing"]
		if p.URL != srv.URL+want || p.Status != status {
			t.Errorf("%s leads to %s with status %d, want %s", name, p.URL, p.Status, want)
		}
	}
}

// A page that locks the pointer to an element would have all clicks go there.
func TestClicksWithALockedPointer(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<canvas id=g width=200 height=100 role=button tabindex=0 aria-label=Game></canvas><button onclick="log('settings')">Settings</button><iframe srcdoc="<button onclick='parent.log(1)'>Inner</button>"></iframe>
<script>g.onclick = () => log('game'); onclick = () => g.requestPointerLock(); document.onpointerlockchange = () => log(document.pointerLockElement ? 'locked' : 'free')</script>`)
	for _, name := range []string{"Game", "Settings", "Inner"} {
		click(t, s, name)
	}
	if got := told(t, s); strings.Count(got, "game;") != 1 || !strings.Contains(got, "settings;") || !strings.Contains(got, "1;") || !strings.Contains(got, "locked;free;") {
		t.Error(got)
	}
}
