package chrome_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/browser/chrome/internal/protocolfuzz"
)

// An arena is a browser with a bystander in it: another session, whose page,
// cookies and clipboard are none of the hostile client's business.
type arena struct {
	t       testing.TB
	p       *chrome.Provider
	site    string
	silence time.Duration
	c       *rawClient // of the bystander
	page    string
	was     string // what the bystander's page says of itself

	watch  chan struct{} // closed to end the watch
	alive  chan error    // what the watch found
	sent   []string      // the frames that were played in the last session, with the times and to what
	before []string      // those of the session before
	log    lockedLog     // of the browser's host
	worst  atomic.Int64  // in nanoseconds: the bystander's longest wait for an answer
	tally  tally
}

// Secrets of the bystander and of the hostile client.
const (
	theirs = "bystander-canary-7f3a"
	ours   = "hostile-canary-91c5"
)

// What can become of the bystander.
var (
	errEnded  = errors.New("the bystander's session ended")
	errSilent = errors.New("the bystander hears nothing")
	errWrong  = errors.New("sessions are not apart")
)

// silence is how long the bystander's page may take to add one and one: in a
// replay, less.
const silence, shortSilence = 60 * time.Second, 20 * time.Second

func newArena(t testing.TB, site string, silence time.Duration) *arena {
	t.Helper()
	a := &arena{t: t, site: site, silence: silence, watch: make(chan struct{}), alive: make(chan error, 1)}
	a.p = chrometest.Provider(t, func(o *chrome.Options) {
		o.Logger, o.MaxSessions = slog.New(slog.NewTextHandler(&a.log, nil)), 20
		o.Timeouts.Hung = silence // a machine with much else to do is no hang
		if to := os.Getenv("DROVER_TORTURE_KEEP"); to != "" {
			keepDumps(t, o.TempDir, to)
		}
	})
	s := openWith(t, a.p, browser.Options{})
	navigate(t, s, site+"/bystander")
	a.c = connect(t, s)
	a.page, _ = a.c.page()
	a.c.must("", "Target.setDiscoverTargets", map[string]any{"discover": true})
	a.c.eval(a.page, `t.focus(), t.select()`)
	a.c.must(a.page, "Input.dispatchKeyEvent", map[string]any{"type": "rawKeyDown", "key": "F6", "commands": []string{"copy"}})
	var err error
	if a.was, err = a.says(); err != nil || !strings.Contains(a.was, theirs) {
		t.Fatalf("the bystander says %q, %v", a.was, err)
	}
	go a.look()
	return a
}

const aboutItself = `[document.title, location.href, document.cookie, localStorage.length, innerWidth, innerHeight, devicePixelRatio, navigator.userAgent, navigator.language,
	Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.onLine, screen.width, matchMedia('print').matches, document.documentElement.outerHTML, t.value].join('|')`

// says is what the bystander's page says of itself.
func (a *arena) says() (string, error) { return a.eval(aboutItself) }

// eval is an expression's value in the bystander's page.
func (a *arena) eval(expression string) (string, error) {
	raw, err := a.ask(a.page, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true})
	var res struct{ Result struct{ Value any } }
	json.Unmarshal(raw, &res)
	return fmt.Sprint(res.Result.Value), err
}

// ask is what the bystander is answered, who may have gone.
func (a *arena) ask(session, method string, params any) (json.RawMessage, error) {
	timer := time.NewTimer(a.silence)
	defer timer.Stop()
	begun := time.Now()
	select {
	case answer := <-a.c.begin(session, method, params):
		r, ok := <-answer
		a.worst.Store(max(a.worst.Load(), int64(time.Since(begun))))
		if ok && r.Error != nil && strings.Contains(r.Error.Message, "cannot be reached") {
			return nil, fmt.Errorf("%w: %s", errEnded, r.Error.Message)
		}
		if !ok || r.Error != nil {
			return nil, fmt.Errorf("%w: %s: %+v", errWrong, method, r.Error)
		}
		return r.Result, nil
	case err := <-a.c.done:
		a.c.done <- err
		return nil, fmt.Errorf("%w: %v", errEnded, err)
	case <-timer.C:
		return nil, fmt.Errorf("%w: for %s", errSilent, a.silence)
	}
}

// begin is start that does not wait until the command is taken.
func (c *rawClient) begin(session, method string, params any) chan chan reply {
	answers := make(chan chan reply, 1)
	go func() {
		answer := make(chan reply, 1)
		c.mu.Lock()
		c.next++
		id := c.next
		c.answers[id] = answer
		c.mu.Unlock()
		frame, _ := json.Marshal(map[string]any{"id": id, "method": method, "params": params, "sessionId": session})
		select {
		case c.in <- frame:
			select {
			case r := <-answer:
				answer <- r
				answers <- answer
			case <-c.left:
			}
		case <-c.left:
		}
	}()
	return answers
}

// look asks the bystander's page all the time.
func (a *arena) look() {
	for {
		if got, err := a.eval("1+1"); err != nil || got != "2" {
			a.alive <- cmp.Or(err, fmt.Errorf("%w: one and one are %s", errWrong, got))
			return
		}
		select {
		case <-a.watch:
			a.alive <- nil
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// A lockedLog is what was logged.
type lockedLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedLog) last(n int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.b.String()
	return all[max(0, len(all)-n):]
}

// check is the bystander's state: nil where nothing has become of it.
func (a *arena) check() error {
	select {
	case err := <-a.alive:
		a.alive <- err
		return err
	default:
	}
	if is, err := a.says(); err != nil || is != a.was {
		return cmp.Or(err, fmt.Errorf("%w: the bystander's page is %q, was %q", errWrong, is, a.was))
	}
	for _, event := range a.c.heard() {
		if strings.Contains(string(event.Params), ours) {
			return fmt.Errorf("%w: the bystander hears %s %.300s", errWrong, event.Method, event.Params)
		}
	}
	list, err := a.ask("", "Target.getTargets", nil)
	if strings.Contains(string(list), ours) {
		return fmt.Errorf("%w: the bystander sees a target of the hostile client's", errWrong)
	}
	return err
}

// last are the frames that were played last.
func (a *arena) last() []string { return a.sent[max(0, len(a.sent)-10):] }

// picture takes one of the bystander's page: it needs more of the browser than
// the page itself does.
func (a *arena) picture() error {
	_, err := a.ask(a.page, "Page.captureScreenshot", map[string]any{"format": "jpeg"})
	return err
}

func (a *arena) close() {
	close(a.watch)
	a.c.leave()
	a.p.Close()
}

// play lets a hostile client send the steps in a session of its own, which is
// closed then. What may have done the harm is returned with the error.
func (a *arena) play(d *protocolfuzz.Description, steps []protocolfuzz.Step, bare bool) (suspects []sent, err error) {
	a.before, a.sent = a.sent, nil
	s, err := a.p.Open(a.t.Context(), browser.Options{})
	if err != nil {
		return nil, cmp.Or(a.check(), fmt.Errorf("%w: no other session can be opened: %v", errSilent, err))
	}
	defer s.Close()
	if _, err := s.Navigate(a.t.Context(), a.site+"/"); err != nil {
		return nil, cmp.Or(a.check(), fmt.Errorf("%w: no page can be opened: %v", errSilent, err))
	}
	h := join(a.t, s, d.Pools(a.site+"/", a.site+"/frame"), theirs)
	h.prepare(bare)
	for _, step := range steps {
		if len(a.alive) > 0 {
			break
		}
		going := h.send(step)
		a.sent = append(a.sent, h.last)
		if !going { // as by Browser.close
			h.leave()
			a.tally.add(h.tally)
			h = join(a.t, s, h.pools, theirs)
			h.prepare(bare)
		}
	}
	h.room(1)
	suspects = h.unanswered()
	h.leave()
	a.tally.add(h.tally)
	s.Close()
	if leaked := h.leak(); leaked != nil {
		return suspects, fmt.Errorf("%w: the hostile client hears %s", errWrong, leaked)
	}
	return suspects, a.linger(0)
}

// linger looks at the bystander for a while: some harm is done when a session
// ends, or after.
func (a *arena) linger(d time.Duration) error {
	for begun := time.Now(); ; {
		for range 3 {
			if err := a.check(); err != nil {
				return err
			}
		}
		if err := a.picture(); err != nil {
			return err
		}
		if time.Since(begun) >= d {
			return nil
		}
		select {
		case err := <-a.alive:
			a.alive <- err
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// prepare attaches to all that there is, and makes it known what is there.
func (h *hostile) prepare(bare bool) {
	do := func(root bool, method string, params map[string]any) {
		h.send(protocolfuzz.Step{Root: root, Method: method, Params: params})
	}
	attach := map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true}
	do(true, "Target.setAutoAttach", attach)
	h.room(1)
	do(false, "Target.setAutoAttach", attach)
	h.room(1)
	do(true, "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true, "filter": []any{map[string]any{}}}) // tabs, too
	domains := strings.Fields("Page Runtime DOM CSS Network Debugger Overlay")
	if !bare {
		domains = append(domains, strings.Fields("Accessibility Animation Audits DOMStorage HeapProfiler IndexedDB Inspector LayerTree Log Media Performance "+
			"PerformanceTimeline Profiler Security ServiceWorker WebAudio WebAuthn FedCm Preload Autofill")...)
	}
	for _, domain := range domains {
		do(false, domain+".enable", nil)
	}
	do(false, "DOM.getDocument", map[string]any{"depth": -1, "pierce": true})
	do(false, "Page.getFrameTree", nil)
	do(true, "Target.getTargets", nil)
	do(true, "Browser.getWindowForTarget", nil)
	do(false, "Page.getNavigationHistory", nil)
	do(false, "Page.getResourceTree", nil)
	do(false, "Accessibility.getFullAXTree", nil)
	do(false, "IndexedDB.requestDatabaseNames", map[string]any{"securityOrigin": ""})
	for _, expression := range []string{"document", "document.querySelector('canvas')", "document.querySelector('input[type=file]')", "document.querySelector('iframe')", "window", "(function f(){})"} {
		do(false, "Runtime.evaluate", map[string]any{"expression": expression})
	}
	h.room(1)
}

// tortureSite serves the pages of both.
func tortureSite(t testing.TB) string {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind, body := "text/html; charset=utf-8", tortureFiles[r.URL.Path]
		if strings.HasSuffix(r.URL.Path, ".js") {
			kind = "text/javascript"
		}
		w.Header().Set("Content-Type", kind)
		other := strings.Replace(r.Host, "127.0.0.1", "other.test", 1)
		fmt.Fprint(w, strings.ReplaceAll(body, "{other}", "http://"+other))
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

var tortureFiles = map[string]string{
	"/bystander": `<!doctype html><title>` + theirs + `</title><p>` + theirs + `<textarea id=t>` + theirs + `</textarea><script>document.cookie='by=` + theirs + `;path=/bystander';localStorage.by='` + theirs + `'</script>`,
	"/frame":     `<!doctype html><title>frame</title><button>b</button><input><script>setInterval(() => document.title = Date.now(), 500)</script>`,
	"/worker.js": `onmessage = e => postMessage(e.data); setInterval(() => {}, 100)`,
	"/shared.js": `onconnect = e => e.ports[0].postMessage(1)`,
	"/sw.js":     `self.addEventListener('fetch', () => {}); self.addEventListener('activate', e => e.waitUntil(clients.claim()))`,
	"/": `<!doctype html><title>` + ours + `</title><link rel=icon href=data:,>
<style>@keyframes a { to { left: 50px } } #anim { position: relative; animation: a 1s infinite } #grid { display: grid; grid-template-columns: 1fr 1fr; container-type: inline-size }
@media (min-width: 1px) { p { color: red } } @supports (display: grid) { p { margin: 1px } } @container (min-width: 1px) { b { color: blue } } @layer x { i { color: green } } p:hover { color: blue }</style>
<p>text <b>bold</b> <i>it</i><div id=anim>moves</div><div id=grid><b>1</b><b>2</b></div><div style="display:flex;overflow:auto;width:50px;height:50px"><div style="width:200px;height:200px">x</div></div>
<canvas width=200 height=100></canvas><video controls muted src="data:video/mp4,"></video><audio src="data:audio/wav,"></audio><svg width=20 height=20><circle r=9 /></svg><img src="/none.png">
<form action=/frame><input name=a autofocus><input type=password name=p autocomplete=current-password><input type=file multiple><input type=date><input type=color><input type=range><select><option>1<option>2</select><textarea>ta</textarea><button>go</button></form>
<div contenteditable>edit</div><details><summary>s</summary>d</details><dialog id=d>dialog</dialog><div popover id=pop>pop</div><button popovertarget=pop>show</button><a href=/frame target=_blank>new</a><a href="data:text/csv,a" download=a.csv>get</a>
<iframe src=/frame></iframe><iframe src="{other}/frame"></iframe><iframe srcdoc="<p>inner<input>"></iframe><div id=host></div>
<script>
host.attachShadow({mode: 'closed'}).innerHTML = '<slot></slot><input>';
const x = document.querySelector('canvas').getContext('2d'); setInterval(() => { x.fillStyle = 'hsl(' + Date.now() % 360 + ' 90% 50%)'; x.fillRect(0, 0, 200, 100) }, 100);
const w = new Worker('/worker.js'); setInterval(() => w.postMessage(1), 300);
new SharedWorker('/worker.js'); navigator.serviceWorker?.register('/sw.js'); try { new AudioContext() } catch {}
const q = indexedDB.open('db', 1); q.onupgradeneeded = () => q.result.createObjectStore('store', {autoIncrement: true}).add({a: 1});
caches?.open('cache').then(c => c.put('/cached', new Response('x'))); localStorage.a = 1; sessionStorage.b = 2; document.cookie = 'c=` + ours + `';
for (const type of ['paste', 'input', 'drop', 'copy']) addEventListener(type, e => console.log(type, e.target?.value ?? e.target?.innerText, e.clipboardData?.getData('text'), e.dataTransfer?.getData('text')), true);
new PerformanceObserver(() => {}).observe({type: 'layout-shift'}); customElements.define('x-y', class extends HTMLElement {}); console.log({a: document});
</script>`,
}
