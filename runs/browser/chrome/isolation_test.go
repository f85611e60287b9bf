package chrome_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// cookies are those that a client gets on a protocol session, by name.
func (c *rawClient) cookies(session, method string) string {
	c.t.Helper()
	var res struct {
		Cookies []struct{ Name, Value string }
	}
	if err := json.Unmarshal(c.ask(session, method, nil).Result, &res); err != nil {
		c.t.Fatal(err)
	}
	var all []string
	for _, cookie := range res.Cookies {
		all = append(all, cookie.Name+"="+cookie.Value)
	}
	return strings.Join(all, " ")
}

// The cookies of a target are those of its browser context: not of the
// browser's default one, which is everybody's, nor of the session where the
// target is in a context of the client's own.
func TestCookiesAreThoseOfTheTargetsContext(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every command about cookies")
	for name, o := range map[string]browser.Options{"shared": {}, "verified": {Verified: true}, "own process": {OwnProcess: true}} {
		t.Run(name, func(t *testing.T) {
			srv := pages(t, map[string]string{"/": `<title>t</title><script>document.cookie = 'page=1'</script>`})
			p := sharedProvider(t)
			s, other := openWith(t, p, o), openWith(t, p, o)
			navigate(t, s, srv.URL+"/")
			c, stranger := connect(t, s), connect(t, other)
			page, _ := c.page()
			guest, _ := c.guestPage()
			strange, _ := stranger.page()
			set := func(c *rawClient, session, name string) {
				c.must(session, "Storage.setCookies", map[string]any{"cookies": []any{map[string]any{"name": name, "value": "1", "url": srv.URL}}})
			}
			set(c, page, "mine")
			set(c, guest, "guest")
			set(stranger, strange, "strange")
			check := func(want map[string]string) {
				t.Helper()
				for what, got := range map[string]string{
					"page":    c.cookies(page, "Storage.getCookies"),
					"network": c.cookies(page, "Network.getAllCookies"),
					"root":    c.cookies("", "Storage.getCookies"),
					"guest":   c.cookies(guest, "Storage.getCookies"),
					"strange": stranger.cookies(strange, "Storage.getCookies"),
				} {
					if w, ok := want[what]; ok && got != w {
						t.Errorf("%s: %q, want %q", what, got, w)
					}
				}
			}
			check(map[string]string{"page": "page=1 mine=1", "network": "page=1 mine=1", "root": "page=1 mine=1", "guest": "guest=1", "strange": "strange=1"})
			c.must(guest, "Storage.clearCookies", nil)
			stranger.must(strange, "Storage.clearCookies", map[string]any{"browserContextId": nil})
			check(map[string]string{"page": "page=1 mine=1", "guest": "", "strange": ""})
			c.must(page, "Storage.clearCookies", nil)
			check(map[string]string{"page": "", "root": ""})
		})
	}
}

// What a session has copied, others cannot paste.
func TestTheClipboardIsNotPastedFromOthers(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<title>t</title><input id=i value="copied secret" autofocus>`})
	p := chrometest.Provider(t)
	s, other := openWith(t, p, browser.Options{}), openWith(t, p, browser.Options{})
	c, stranger := connect(t, s), connect(t, other)
	for _, s := range []browser.Session{s, other} {
		navigate(t, s, srv.URL+"/")
	}
	page, _ := c.page()
	c.eval(page, `i.focus(), i.select()`)
	c.must(page, "Input.dispatchKeyEvent", map[string]any{"type": "rawKeyDown", "modifiers": 2, "key": "c", "code": "KeyC", "windowsVirtualKeyCode": 67, "commands": []string{"copy"}})
	strange, _ := stranger.page()
	stranger.eval(strange, `i.value = '', i.focus()`)
	key := func(more map[string]any) map[string]any {
		more["type"] = "rawKeyDown"
		return more
	}
	for _, try := range []map[string]any{
		key(map[string]any{"modifiers": 2, "key": "v", "code": "KeyV", "windowsVirtualKeyCode": 86}),
		key(map[string]any{"modifiers": 2, "windowsVirtualKeyCode": 86}),
		key(map[string]any{"modifiers": 10, "key": "V", "code": "KeyV"}),
		key(map[string]any{"modifiers": 4, "key": "v"}),
		key(map[string]any{"modifiers": 8, "key": "Insert", "code": "Insert", "windowsVirtualKeyCode": 45}),
		key(map[string]any{"modifiers": 2, "nativeVirtualKeyCode": 86}),
		key(map[string]any{"key": "Paste"}),
		key(map[string]any{"key": "a", "commands": []string{"selectAll", "Paste"}}),
		key(map[string]any{"key": "a", "commands": []string{"pasteAndMatchStyle"}}),
		key(map[string]any{"key": "a", "commands": []string{"PasteGlobalSelection"}}),
	} {
		if r := stranger.ask(strange, "Input.dispatchKeyEvent", try); r.Error == nil || !strings.Contains(r.Error.Message, "clipboard") {
			t.Errorf("%v: %+v", try, r.Error)
		}
	}
	for _, params := range []string{`{"permissions":["clipboardReadWrite"]}`, `{"permissions":["geolocation","clipboardSanitizedWrite"]}`} {
		if r := stranger.askRaw("", "Browser.grantPermissions", params); r.Error == nil {
			t.Errorf("%s is granted", params)
		}
	}
	if r := stranger.askRaw(strange, "Browser.setPermission", `{"permission":{"name":"clipboard-read"},"setting":"granted"}`); r.Error == nil {
		t.Error("clipboard-read is granted")
	}
	// A click with the middle button pastes what is selected.
	for _, more := range []map[string]any{{"button": "middle"}, {"button": "left", "buttons": 4}, {"button": "left", "buttons": 7}} {
		more["type"], more["x"], more["y"], more["clickCount"] = "mousePressed", 20, 20, 1
		for _, method := range []string{"Input.dispatchMouseEvent", "Input.emulateTouchFromMouseEvent"} {
			if r := stranger.ask(strange, method, more); r.Error == nil || !strings.Contains(r.Error.Message, "middle button") {
				t.Errorf("%s %v: %+v", method, more, r.Error)
			}
		}
	}
	// Codes of keys of which the browser takes the last bits.
	for _, code := range []int{65536 + 86, 131072 + 86, 65536 + 45} {
		for _, name := range []string{"windowsVirtualKeyCode", "nativeVirtualKeyCode"} {
			if r := stranger.ask(strange, "Input.dispatchKeyEvent", key(map[string]any{"modifiers": 10, name: code})); r.Error == nil || !strings.Contains(r.Error.Message, name+" must be") {
				t.Errorf("%s %d: %+v", name, code, r.Error)
			}
		}
	}
	stranger.eval(strange, `document.execCommand('paste')`)
	stranger.must(strange, "Runtime.evaluate", map[string]any{"expression": `document.execCommand('paste')`, "userGesture": true})
	read := stranger.must(strange, "Runtime.evaluate", map[string]any{
		"expression": `navigator.clipboard ? navigator.clipboard.readText().catch(e => e.name) : 'none'`, "userGesture": true, "awaitPromise": true, "returnByValue": true})
	if text := fmt.Sprint(read); strings.Contains(text, "secret") {
		t.Errorf("a script reads %s", text)
	}
	if got := stranger.eval(strange, `i.value`); got != "" {
		t.Errorf("%q was pasted", got)
	}
	// Other keys go through, and text may be inserted.
	stranger.must(strange, "Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "v", "code": "KeyV", "windowsVirtualKeyCode": 86, "text": "v"})
	stranger.must(strange, "Input.insertText", map[string]any{"text": "ok"})
	if got := stranger.eval(strange, `i.value`); got != "vok" {
		t.Errorf("typed %q", got)
	}
}

func TestASessionOfItsOwnProcessMayPaste(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<title>t</title><input id=i value="copied" autofocus>`})
	s := openWith(t, chrometest.Provider(t), browser.Options{OwnProcess: true})
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	page, _ := c.page()
	c.eval(page, `i.focus(), i.select()`)
	for _, command := range []string{"copy", "paste", "paste"} {
		c.must(page, "Input.dispatchKeyEvent", map[string]any{"type": "rawKeyDown", "key": "F5", "commands": []string{command}})
	}
	if got := c.eval(page, `i.value`); got != "copiedcopied" {
		t.Errorf("%q", got)
	}
	c.must("", "Browser.grantPermissions", map[string]any{"permissions": []string{"clipboardReadWrite"}})
}
