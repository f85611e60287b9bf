package sessions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// workplace tells its console of all that is done to it.
const workplace = `<!doctype html><title>Workplace</title><body style="margin: 0; height: 4000px">
<button id=b style="position: absolute; left: 100px; top: 60px; width: 200px; height: 40px">Press</button>
<button id=p style="position: absolute; left: 100px; top: 120px; width: 200px; height: 40px">Ask</button>
<input id=i style="position: absolute; left: 100px; top: 180px; width: 200px; height: 40px">
<script>
b.onclick = (e) => console.log('pressed', e.clientX, e.clientY);
p.onclick = () => console.log('got', prompt('Who are you?', 'nobody'));
i.oninput = () => console.log('holds', i.value, '.');
addEventListener('keydown', (e) => console.log('key', e.key, e.ctrlKey));
addEventListener('touchstart', (e) => console.log('touched', Math.round(e.touches[0].clientX), e.touches.length));
addEventListener('scroll', () => console.log('scrolled', scrollY > 0), {once: true});
addEventListener('paste', () => console.log('pasted'));
console.log('ready', location.pathname);
</script>`

// worker is the other end of a live view.
type worker struct {
	t    *testing.T
	conn *websocket.Conn
	seen liveMessage
}

func work(t *testing.T, base, id, token string) *worker {
	t.Helper()
	return &worker{t: t, conn: connect(t, strings.Replace(LiveURL("ws"+strings.TrimPrefix(base, "http"), id, token), "/live?", "/live/socket?", 1))}
}

// until reads until something holds.
func (w *worker) until(what string, holds func() bool) {
	w.t.Helper()
	for !holds() {
		kind, data, err := w.conn.Read(w.t.Context())
		if err != nil {
			w.t.Fatalf("waiting for %s: %v; seen: %+v", what, err, w.seen)
		}
		if kind == websocket.MessageText {
			w.take(data)
		}
	}
}

// take adds a message to what was seen.
func (w *worker) take(data []byte) {
	w.t.Helper()
	var m liveMessage
	if err := json.Unmarshal(data, &m); err != nil {
		w.t.Fatal(err)
	}
	w.seen.Session, w.seen.Frame = cmp.Or(m.Session, w.seen.Session), cmp.Or(m.Frame, w.seen.Frame)
	w.seen.Notice = cmp.Or(m.Notice, w.seen.Notice)
	w.seen.Lines = append(w.seen.Lines, m.Lines...)
	if m.Tabs != nil {
		w.seen.Tabs = m.Tabs
	}
}

// hears waits for a line with the words.
func (w *worker) hears(words string) {
	w.t.Helper()
	w.until("a line with "+words, func() bool { return w.heard(words) })
}

func (w *worker) heard(words string) bool {
	for _, l := range w.seen.Lines {
		if strings.Contains(l.Text, words) {
			return true
		}
	}
	return false
}

func (w *worker) do(act map[string]any) {
	w.t.Helper()
	act["tab"] = w.seen.Frame.Tab
	if err := w.conn.Write(w.t.Context(), websocket.MessageText, encoded(act)); err != nil {
		w.t.Fatal(err)
	}
}

// at adds a place of the page to an act, as a share of the picture.
func (w *worker) at(x, y float64, act map[string]any) map[string]any {
	act["x"], act["y"] = x/float64(w.seen.Frame.Width-1), y/float64(w.seen.Frame.Height-1)
	return act
}

func (w *worker) click(x, y float64) {
	w.t.Helper()
	for _, action := range []string{"down", "up"} {
		w.do(w.at(x, y, map[string]any{"type": "mouse", "action": action, "button": "left", "clicks": 1}))
	}
}

func (w *worker) press(key, code string, keyCode, modifiers int) {
	w.t.Helper()
	for _, action := range []string{"down", "up"} {
		w.do(map[string]any{"type": "key", "action": action, "key": key, "code": code, "keyCode": keyCode, "modifiers": modifiers})
	}
}

// withWorkplace is a session in Chromium that shows the workplace.
func withWorkplace(t *testing.T) (w *world, s Session, site string) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, workplace) }))
	t.Cleanup(srv.Close)
	w = start(t, setup{browser: chrometest.Provider(t)})
	s = w.create(t, Create{KeepAlive: true, Settings: Settings{Viewport: Viewport{800, 600}}})
	if _, err := w.find(s.ID).browser.Navigate(t.Context(), srv.URL+"/first"); err != nil {
		t.Fatal(err)
	}
	return w, s, srv.URL
}

// With an interactive link a viewer works on the page: each act arrives where and
// as it was meant, and is told in words.
func TestAnInteractiveLinkWorksOnThePage(t *testing.T) {
	t.Parallel()
	w, s, site := withWorkplace(t)
	v := work(t, baseOfSession(s), s.ID, must(w.ViewToken(t.Context(), s.ID, 0, true))(t))
	v.until("a frame", func() bool {
		return v.seen.Session != nil && v.seen.Frame != nil && v.seen.Frame.Width == 800 && len(v.seen.Tabs) == 1
	})
	if !v.seen.Session.Interactive || !v.seen.Tabs[0].Front || v.seen.Session.Elapsed < 0 {
		t.Errorf("%+v", v.seen)
	}
	v.click(150, 80)
	v.hears("Console: pressed 150 80")
	v.hears("Clicked at 150, 80")
	v.click(150, 200)
	v.press("h", "KeyH", 'H', 0)
	v.press("I", "KeyI", 'I', 8)
	v.hears("Console: holds hI .")
	v.hears("Typed text")
	v.do(map[string]any{"type": "text", "text": " there"})
	v.hears("Console: holds hI there .")
	v.press("Enter", "Enter", 13, 0)
	v.hears("Pressed Enter")
	v.do(v.at(400, 500, map[string]any{"type": "wheel", "deltaY": 200}))
	v.hears("Console: scrolled true")
	v.do(map[string]any{"type": "touch", "action": "down", "points": []map[string]any{{"id": 1, "x": 0.5, "y": 0.9}}})
	v.do(map[string]any{"type": "touch", "action": "up"})
	v.hears("Console: touched 400 1")
	v.do(map[string]any{"type": "navigate", "text": site + "/second"})
	v.hears("Console: ready /second")
	v.hears("Navigated to " + site + "/second")
	v.do(map[string]any{"type": "history", "steps": -1})
	v.until("going back", func() bool { return v.seen.Tabs[0].URL == site+"/first" })
	v.do(map[string]any{"type": "navigate", "text": strings.TrimPrefix(site, "http://") + "/third"})
	v.hears("Console: ready /third")
	for _, l := range v.seen.Lines {
		if l.Kind == LineInput && strings.Contains(l.Text, "there") {
			t.Errorf("what was typed is told: %s", l.Text)
		}
	}
}

// A viewer is kept to what clients may: no files, no pages of the browser, no
// scripts in addresses, no pasting of what others have copied; and nothing that
// he sends does harm.
func TestAnInteractiveLinkIsHeldLikeAClient(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it waits for limits")
	w, s, site := withWorkplace(t)
	v := work(t, baseOfSession(s), s.ID, must(w.ViewToken(t.Context(), s.ID, 0, true))(t))
	v.until("a frame", func() bool { return v.seen.Frame != nil })
	v.do(map[string]any{"type": "history", "steps": 9999})
	for _, bad := range []string{"javascript:console.log('run')", "file:///etc/passwd", "chrome://version", "view-source:http://a.example/", "about:settings", "data:text/html,x", "http://", strings.Repeat("x", 5000)} {
		v.seen.Notice = ""
		v.do(map[string]any{"type": "navigate", "text": bad})
		v.until("a refusal of "+bad, func() bool { return v.seen.Notice != "" })
	}
	v.seen.Notice = ""
	v.do(map[string]any{"type": "navigate", "text": "http://127.0.0.2/"}) // the gate's business
	v.until("a refusal by the gate", func() bool { return v.seen.Notice != "" || v.heard("Refused to load") || v.heard("Could not open") })
	v.seen.Notice = ""
	v.do(map[string]any{"type": "navigate", "text": "nowhere.invalid"})
	v.until("the reason", func() bool {
		return strings.Contains(v.seen.Notice, "cannot be opened: the host name could not be resolved")
	})
	v.hears("Failed to load https://nowhere.invalid/: the host name could not be resolved")
	v.do(map[string]any{"type": "navigate", "text": site + "/again"})
	v.hears("Console: ready /again")
	v.click(150, 200)
	v.press("v", "KeyV", 'V', 2)
	v.press("Insert", "Insert", 45, 8)
	for _, nonsense := range []string{
		`{`, `[]`, `{"type":"mouse","action":"down","button":"left","x":1e300,"y":1e300,"clicks":2147483647}`, `{"type":"mouse","action":"shout"}`,
		`{"type":"wheel","deltaX":1e300}`, `{"type":"touch","action":"down","points":[]}`, `{"type":"key","action":"down","keyCode":65622,"key":"v","modifiers":2}`,
		`{"type":"raise","tab":"x"}`, `{"type":"dialog","tab":"x"}`, `{"method":"Browser.close"}`, `null`,
	} {
		message := strings.Replace(nonsense, "{", `{"tab":"`+v.seen.Frame.Tab+`",`, 1)
		if err := v.conn.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	v.click(150, 80)
	v.hears("Console: pressed 150 80")
	if v.heard("pasted") || v.heard("Console: run") {
		t.Errorf("%+v", v.seen.Lines)
	}
}

// A link that only shows does nothing, and cannot be made interactive.
func TestAViewOnlyLinkDoesNothing(t *testing.T) {
	t.Parallel()
	w, s, _ := withWorkplace(t)
	v := work(t, baseOfSession(s), s.ID, s.ViewToken)
	v.until("a frame", func() bool { return v.seen.Frame != nil && v.seen.Session != nil })
	if v.seen.Session.Interactive {
		t.Errorf("%+v", v.seen.Session)
	}
	v.click(150, 80)
	if closed := gone(t, v.conn); closed.Code != websocket.StatusPolicyViolation {
		t.Errorf("%v", closed)
	}
	for _, e := range must(w.Logs(t.Context(), s.ID))(t) {
		if strings.Contains(string(e.Params), "pressed") {
			t.Errorf("%s", e.Params)
		}
	}
	interactive := must(w.ViewToken(t.Context(), s.ID, time.Minute, true))(t)
	for _, forged := range []string{
		strings.Replace(s.ViewToken, ".", interactiveMark+".", 1), strings.Replace(interactive, interactiveMark, "", 1),
		strings.Replace(interactive, interactiveMark, interactiveMark+interactiveMark, 1), interactive + interactiveMark,
	} {
		if res, body := get(t, LiveURL(baseOfSession(s), s.ID, forged)); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", forged, res.StatusCode, body)
		}
	}
	if res, _ := get(t, LiveURL(baseOfSession(s), s.ID, interactive)); res.StatusCode != http.StatusOK {
		t.Error(res.StatusCode)
	}
}

// A dialog is shown to who watches, and answered by who may.
func TestADialogInTheLiveView(t *testing.T) {
	t.Parallel()
	w, s, _ := withWorkplace(t)
	one := work(t, baseOfSession(s), s.ID, must(w.ViewToken(t.Context(), s.ID, 0, true))(t))
	watcher := work(t, baseOfSession(s), s.ID, s.ViewToken)
	one.until("a frame", func() bool { return one.seen.Frame != nil })
	one.click(150, 140)
	for _, v := range []*worker{one, watcher} {
		v.until("a dialog", func() bool { return len(v.seen.Tabs) == 1 && v.seen.Tabs[0].Dialog != nil })
		if d := *v.seen.Tabs[0].Dialog; d != (liveDialog{"prompt", "Who are you?", "nobody"}) {
			t.Errorf("%+v", d)
		}
	}
	one.do(map[string]any{"type": "dialog", "accept": true, "text": "Ann"})
	one.hears("Console: got Ann")
	one.hears("The page showed a dialog (prompt): “Who are you?”")
	one.until("its end", func() bool { return len(one.seen.Tabs) == 1 && one.seen.Tabs[0].Dialog == nil })
}

// The page itself: a click on the picture arrives in the session, keys do, and
// the dialog can be answered there.
func TestTheInteractivePageInChromium(t *testing.T) {
	t.Parallel()
	w, s, _ := withWorkplace(t)
	token := must(w.ViewToken(t.Context(), s.ID, 0, true))(t)
	viewer := must(w.conf.Browser.Open(t.Context(), browser.Options{Width: 1300, Height: 900}))(t)
	defer viewer.Close()
	must(viewer.Navigate(t.Context(), LiveURL(baseOfSession(s), s.ID, token)))(t)
	awaitElement(t, viewer, "img", "The screen of the session")
	c := newInside()
	over := make(chan error, 1)
	go func() { over <- viewer.Serve(t.Context(), c) }()
	defer func() { viewer.Close(); <-over }()
	at := must(c.attach(t.Context(), viewer.Tabs()[0].ID))(t)
	var box struct {
		Result struct {
			Value struct{ X, Y, Width, Height float64 }
		}
	}
	find := `(() => { const b = document.getElementById('screen').getBoundingClientRect(); return {x: b.x, y: b.y, width: b.width, height: b.height} })()`
	if err := c.call(t.Context(), at, "Runtime.evaluate", map[string]any{"expression": find, "returnByValue": true}, &box); err != nil {
		t.Fatal(err)
	}
	click := func(x, y float64) {
		b := box.Result.Value
		for _, kind := range []string{"mousePressed", "mouseReleased"} {
			params := map[string]any{"type": kind, "x": b.X + x*b.Width/800, "y": b.Y + y*b.Height/600, "button": "left", "clickCount": 1}
			if err := c.call(t.Context(), at, "Input.dispatchMouseEvent", params, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	logged := func(words string) {
		t.Helper()
		for {
			for _, l := range Narrate(must(w.Logs(t.Context(), s.ID))(t)) {
				if strings.Contains(l.Text, words) {
					return
				}
			}
		}
	}
	click(200, 80)
	logged("Console: pressed")
	click(200, 200)
	if err := c.call(t.Context(), at, "Input.insertText", map[string]any{"text": "pasted or composed"}, nil); err != nil {
		t.Fatal(err)
	}
	logged("Console: holds pasted or composed .")
	click(200, 140)
	awaitElement(t, viewer, "alertdialog", "The page asks (prompt)")
	press(t, viewer, "OK")
	logged("Console: got nobody")
}

// awaitElement waits for one on a viewer's page; the test's own time bounds it.
func awaitElement(t *testing.T, viewer browser.Session, role, name string) {
	t.Helper()
	for {
		for _, e := range must(viewer.Snapshot(t.Context()))(t).Elements {
			if e.Role == role && strings.Contains(e.Name, name) {
				return
			}
		}
	}
}
