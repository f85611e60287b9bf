package chrome_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// oddSite has pages that do what pages seldom do.
func oddSite(t *testing.T) *httptest.Server {
	html := map[string]string{
		"/socket": `<p id=p>waiting</p><script>const s = new WebSocket('ws://' + location.host + '/ws'); s.onopen = () => s.send('ping'); s.onmessage = e => document.querySelector('#p').textContent = 'got ' + e.data</script>`,
		"/worker": `<p id=p>waiting</p><script>navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(async () => {
  if (!navigator.serviceWorker.controller) await new Promise(r => navigator.serviceWorker.oncontrollerchange = r);
  document.querySelector('#p').textContent = await (await fetch('/made-up')).text() })</script>`,
		"/shadow": `<x-card></x-card><script>customElements.define('x-card', class extends HTMLElement { connectedCallback() {
  const root = this.attachShadow({mode: 'open'}); root.innerHTML = '<input type=file aria-label=Card><p></p>';
  root.querySelector('input').onchange = e => root.querySelector('p').textContent = 'holds ' + e.target.files[0].name } })</script>`,
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/ws":
			c, err := websocket.Accept(w, r, nil)
			if err != nil {
				return
			}
			_, data, err := c.Read(r.Context())
			if err == nil {
				c.Write(r.Context(), websocket.MessageText, append([]byte("echo of "), data...))
			}
			c.Close(websocket.StatusNormalClosure, "")
		case "/sw.js":
			w.Header().Set("Content-Type", "text/javascript")
			io.WriteString(w, `oninstall = () => skipWaiting(); onactivate = e => e.waitUntil(clients.claim()); onfetch = e => { if (e.request.url.endsWith('/made-up')) e.respondWith(new Response('from the worker')) }`)
		case "/basic":
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			io.WriteString(w, `<title>Locked</title>`)
		case "/broken":
			w.Header().Set("Content-Length", "5000")
			io.WriteString(w, `<title>Broken</title><p>half`)
			panic(http.ErrAbortHandler)
		default:
			io.WriteString(w, html[r.URL.Path])
		}
	}))
	srv.Config.ErrorLog = nil
	t.Cleanup(srv.Close)
	return srv
}

func TestOddSites(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many pages")
	srv := oddSite(t)
	var got seen
	s := openWith(t, sharedProvider(t), browser.Options{Observe: got.add})
	for path, want := range map[string]string{"/socket": "got echo of ping", "/worker": "from the worker"} {
		navigate(t, s, srv.URL+path)
		soon(t, path, func() {
			for !says(t, s, want) {
			}
		})
	}
	soon(t, "basic auth", func() {
		if p, err := s.Navigate(t.Context(), srv.URL+"/basic"); err == nil && p.Status != http.StatusUnauthorized || err != nil && !errtypes.Is(err, errtypes.BadGateway) {
			t.Errorf("basic auth: %+v %v", p, err)
		}
	})
	soon(t, "a broken page", func() { s.Navigate(t.Context(), srv.URL+"/broken") })
	navigate(t, s, srv.URL+"/shadow")
	if _, err := s.Upload(t.Context(), ref(t, s, "Card"), []browser.File{file("a.txt", "x")}); err != nil || !says(t, s, "holds a.txt") {
		t.Errorf("a shadow root's input: %v %s", err, lines(snapshot(t, s)))
	}
	s.Close()
	if len(got.with("Network.webSocketCreated", "/ws")) != 1 || len(got.with("Network.responseReceived", `"status":401`)) == 0 {
		t.Error("the socket, or the refusal, was not observed")
	}
}

// Each way of using a page ends at once when the page crashes or the browser
// is killed under it.
func TestNothingHangsOnACrash(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "it waits for limits")
	srv, spinning := busySite(t)
	for name, call := range map[string]func(s browser.Session) error{
		"screenshot": func(s browser.Session) error {
			_, err := s.Screenshot(context.Background(), browser.ScreenshotOptions{FullPage: true})
			return err
		},
		"pdf": func(s browser.Session) error { _, err := s.PDF(context.Background(), browser.PDFOptions{}); return err },
		"upload": func(s browser.Session) error {
			_, err := s.Upload(context.Background(), "e1", []browser.File{file("a", "b")})
			return err
		},
	} {
		for how, end := range map[string]func(p *chrome.Provider, s browser.Session){
			"the page":    func(_ *chrome.Provider, s browser.Session) { chrome.CrashPage(t, s) },
			"the browser": func(p *chrome.Provider, _ browser.Session) { chrome.KillBrowser(p) },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				p := chrometest.Provider(t)
				s := chrometest.Session(t, p)
				navigate(t, s, srv.URL+"/")
				spun := spin(t, s, "Spin", spinning)
				result := make(chan error, 1)
				go func() { result <- call(s) }()
				soon(t, name, func() {
					end(p, s)
					<-spun
					if err := <-result; !errtypes.Is(err, errtypes.BadGateway) && !errtypes.Is(err, errtypes.Unavailable) {
						t.Errorf("%v", err)
					}
				})
			})
		}
	}
}
