package chrome_test

import (
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// What a client does as a person would is told, but not what it types.
func TestActsOfClientsAreTold(t *testing.T) {
	t.Parallel()
	var told seen
	s, err := sharedProvider(t).Open(t.Context(), browser.Options{Observe: told.add})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := connect(t, s)
	page, tab := c.page()
	for _, act := range []struct {
		method string
		params map[string]any
	}{
		{"Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": 1, "y": 1}},
		{"Input.dispatchMouseEvent", map[string]any{"type": "mousePressed", "x": 12, "y": 34, "button": "left", "clickCount": 1}},
		{"Input.dispatchMouseEvent", map[string]any{"type": "mouseReleased", "x": 12, "y": 34, "button": "left", "clickCount": 1}},
		{"Input.dispatchMouseEvent", map[string]any{"type": "mousePressed", "x": 12, "y": 34, "button": "left", "clickCount": 2}},
		{"Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "s", "text": "s"}},
		{"Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": "s"}},
		{"Input.dispatchKeyEvent", map[string]any{"type": "rawKeyDown", "key": "Backspace"}},
		{"Input.insertText", map[string]any{"text": "sekret"}},
		{"Input.dispatchKeyEvent", map[string]any{"type": "rawKeyDown", "key": "Shift"}},
		{"Input.dispatchKeyEvent", map[string]any{"type": "rawKeyDown", "key": "Tab"}},
		{"Input.insertText", map[string]any{"text": "sekret"}},
	} {
		c.must(page, act.method, act.params)
	}
	s.Close() // which tells all
	var all []string
	for _, e := range told.events {
		if strings.HasPrefix(e.Method, "Input.") {
			all = append(all, e.Method+string(e.Params))
			if e.Tab != tab {
				t.Errorf("%+v", e)
			}
		}
	}
	want := `Input.dispatchMouseEvent{"button":"left","type":"mousePressed","x":12,"y":34} Input.insertText{} ` +
		`Input.dispatchKeyEvent{"key":"Tab","type":"rawKeyDown"} Input.insertText{}`
	if got := strings.Join(all, " "); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A dialog that waits for a client is among what a tab shows, and can be answered
// in the client's place.
func TestADialogIsAnsweredForAClient(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": asks})
	s := open(t)
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	page, tab := c.page()
	if err := s.AnswerDialog(tab, true, ""); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("without a dialog: %v", err)
	}
	if err := s.AnswerDialog("x", true, ""); !errtypes.Is(err, errtypes.NotFound) {
		t.Errorf("of another tab: %v", err)
	}
	c.must(page, "Page.enable", nil)
	done := c.start(page, "Runtime.evaluate", map[string]any{"expression": `document.querySelectorAll('button')[0].click()`})
	c.awaitEvent("Page.javascriptDialogOpening", 1)
	for begun := time.Now(); s.Tabs()[0].Dialog == nil; {
		if time.Since(begun) > overdue {
			t.Fatal("the session has no dialog")
		}
	}
	if d := *s.Tabs()[0].Dialog; d != (browser.OpenDialog{Type: "prompt", Message: "name?", Default: "none", Origin: srv.URL}) {
		t.Errorf("%+v", d)
	}
	if err := s.AnswerDialog(tab, true, "Ann"); err != nil {
		t.Fatal(err)
	}
	receive(c, "the end of the dialog", done)
	if title := c.eval(page, "document.title"); title != "got Ann" {
		t.Errorf("%v, %+v", title, s.Tabs())
	}
}
