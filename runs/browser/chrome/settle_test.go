package chrome_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// What a click sets off soon is waited for, by whatever way the page takes; what
// follows it, too.
func TestWhatAClickSetsOffIsWaitedFor(t *testing.T) {
	t.Parallel()
	const load = `fetch('/data').then(r => r.text()).then(s => { out.textContent = s })`
	ways := map[string]string{
		"at once":            load,
		"a promise":          `Promise.resolve().then(() => ` + load + `)`,
		"a microtask chain":  `(async () => { for (let i = 0; i < 50; i++) await null; ` + load + ` })()`,
		"a timer":            `setTimeout(() => ` + load + `, 0)`,
		"a later timer":      `setTimeout(() => ` + load + `, 100)`,
		"the next frame":     `requestAnimationFrame(() => ` + load + `)`,
		"the frame after":    `requestAnimationFrame(() => requestAnimationFrame(() => ` + load + `))`,
		"a message":          `{ const c = new MessageChannel(); c.port1.onmessage = () => ` + load + `; c.port2.postMessage(1) }`,
		"an observer":        `{ new MutationObserver(() => ` + load + `).observe(out, {attributes: true}); out.title = 'x' }`,
		"a script":           `document.head.append(Object.assign(document.createElement('script'), {src: '/script'}))`,
		"only a timer":       `setTimeout(() => { out.textContent = 'brought' }, 100)`,
		"a chain of timers":  `setTimeout(() => setTimeout(() => { out.textContent = 'brought' }, 0), 0)`,
		"a page":             `location = '/next'`,
		"a page by a timer":  `setTimeout(() => { location = '/next' }, 0)`,
		"a page by a frame":  `requestAnimationFrame(() => { location = '/next' })`,
		"a page by a form":   `document.forms[0].requestSubmit()`,
		"a page by history":  `history.pushState(0, '', '#x'); history.back(); location = '/next'`,
		"a page in a window": `window.open('/next')`,
	}
	html := `<!DOCTYPE html><p id=out></p><form action=/next></form>`
	for name, script := range ways {
		html += `<button onclick="` + script + `">` + name + `</button>`
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			io.WriteString(w, html)
			return
		case "/script":
			w.Header().Set("Content-Type", "text/javascript")
		}
		select { // a server that takes its time
		case <-time.After(300 * time.Millisecond):
		case <-r.Context().Done():
		}
		io.WriteString(w, map[string]string{"/data": "brought", "/script": "out.textContent = 'brought'", "/next": "brought"}[r.URL.Path])
	}))
	t.Cleanup(srv.Close)
	s := chrometest.Session(t, chrometest.Provider(t, func(o *chrome.Options) { o.MaxTabs = 50 }))
	for name := range ways {
		navigate(t, s, srv.URL+"/")
		click(t, s, name)
		if sn := lines(snapshot(t, s)); !strings.Contains(sn, `text "brought"`) {
			t.Errorf("%s: it came after the click had settled:\n%s", name, sn)
		}
	}
}

// What was under way before an action, or begins without it, is not waited for; what
// a frame of another site asks for because of it is, and what typing sets off late.
func TestWhatSettlingWaitsFor(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Type", "text/html")
		_, port, _ := strings.Cut(r.Host, ":")
		switch r.URL.Path {
		case "/":
			io.WriteString(w, `<p id=out></p><button onclick="out.textContent = 'set'; setTimeout(() => {}, 10000)">poll</button><iframe src="http://other.test:`+port+`/frame"></iframe>
<input aria-label=late oninput="setTimeout(() => { out.textContent = 'typed' }, 250)"><script>fetch('/poll')</script>`)
		case "/frame":
			io.WriteString(w, `<button onclick="fetch('/data').then(r => r.text()).then(s => { this.textContent = s })">frame</button>`)
		case "/poll":
			<-over
		case "/data":
			select { // a server that takes its time
			case <-time.After(200 * time.Millisecond):
			case <-r.Context().Done():
			}
			io.WriteString(w, "brought")
		}
	}))
	t.Cleanup(srv.Close)
	t.Cleanup(func() { close(over) })
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	start := time.Now()
	click(t, s, "poll")
	if took := time.Since(start); took > 3*time.Second { // which would be the request's time
		t.Errorf("a poll costs a click %v", took)
	}
	click(t, s, "frame")
	if !says(t, s, `button "brought"`) {
		t.Errorf("what a frame has asked for is not there:\n%s", lines(snapshot(t, s)))
	}
	if _, err := s.Type(t.Context(), ref(t, s, "late"), "x", browser.TypeOptions{}); err != nil || !says(t, s, `text "typed"`) {
		t.Errorf("%v\n%s", err, lines(snapshot(t, s)))
	}
}

// A page whose tree is never still is not waited for longer than a moment.
func TestAPageThatNeverRestsSettles(t *testing.T) {
	t.Parallel()
	s := show(t, `<p id=n></p><button onclick="this.textContent='done'">X</button><script>(function tick() { n.textContent = performance.now(); requestAnimationFrame(tick) })()</script>`)
	start := time.Now()
	click(t, s, "X")
	if took := time.Since(start); took > 5*time.Second || !says(t, s, "done") {
		t.Errorf("after %v:\n%s", took, lines(snapshot(t, s)))
	}
}

// Changes in shadow roots, and in frames, are seen.
func TestSettlingSeesShadowsAndFrames(t *testing.T) {
	t.Parallel()
	const grow = `let n = 0; (function f() { if (n++ < 8) { this.textContent = n; requestAnimationFrame(f.bind(this)) } }).call(this)`
	srv := pages(t, map[string]string{"/": `<x-a></x-a><iframe srcdoc="<button onclick=&quot;` + grow + `&quot;>frame</button>"></iframe><script>customElements.define('x-a', class extends HTMLElement { connectedCallback() { this.attachShadow({mode:'open'}).innerHTML = '<button onclick="` + grow + `">shadow</button>' } })</script>`})
	s := open(t)
	for _, name := range []string{"shadow", "frame"} {
		navigate(t, s, srv.URL)
		click(t, s, name)
		if !says(t, s, `button "8"`) {
			t.Errorf("%s: it had not settled:\n%s", name, lines(snapshot(t, s)))
		}
	}
}
