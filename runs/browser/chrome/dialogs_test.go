package chrome_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// awaitEvent returns the parameters of the n-th event of a method.
func (c *rawClient) awaitEvent(method string, n int) (params map[string]any) {
	c.t.Helper()
	c.until(method, func(heard []reply) bool {
		seen := 0
		for _, e := range heard {
			if e.Method == method {
				if seen++; seen == n {
					json.Unmarshal(e.Params, &params)
					return true
				}
			}
		}
		return false
	})
	return params
}

const asks = `<title>t</title><button onclick="document.title = 'got ' + prompt('name?', 'none')">Ask</button>
<button onclick="document.title = 'is ' + confirm('sure?')">Confirm</button>`

// Dialogs are answered by the client that hears of them, with its words.
func TestAClientAnswersDialogs(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": asks})
	s := open(t)
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	page, _ := c.page()
	guest, _ := c.guestPage()
	c.must(guest, "Page.navigate", map[string]any{"url": srv.URL + "/"})
	n := 0
	for _, on := range []string{page, guest} {
		c.must(on, "Page.enable", nil)
		for _, test := range []struct {
			script string
			answer map[string]any
			title  string
		}{
			{`document.querySelectorAll('button')[0].click()`, map[string]any{"accept": true, "promptText": "Ann"}, "got Ann"},
			{`document.querySelectorAll('button')[0].click()`, map[string]any{"accept": false}, "got null"},
			{`document.querySelectorAll('button')[1].click()`, map[string]any{"accept": false}, "is false"},
			{`document.querySelectorAll('button')[1].click()`, map[string]any{"accept": true}, "is true"},
		} {
			done := c.start(on, "Runtime.evaluate", map[string]any{"expression": test.script})
			n++
			c.awaitEvent("Page.javascriptDialogOpening", n)
			c.must(on, "Page.handleJavaScriptDialog", test.answer)
			receive(c, "the end of the dialog", done)
			if title := c.eval(on, "document.title"); title != test.title {
				t.Errorf("%q, want %q", title, test.title)
			}
		}
	}
	got, err := s.Page(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var accepted []bool
	for _, d := range got.Dialogs {
		accepted = append(accepted, d.Accepted)
	}
	if diff := cmp.Diff([]bool{true, false, false, true}, accepted); diff != "" {
		t.Errorf("the agent is told: %s", diff)
	}
}

// A client that does not answer, or goes, leaves no page standing still.
func TestDialogsThatNoClientAnswers(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it waits for limits")
	srv := pages(t, map[string]string{"/": asks})
	confirm := map[string]any{"expression": `document.querySelectorAll('button')[1].click()`}
	for name, test := range map[string]struct {
		wait  time.Duration
		leave func(c *rawClient, page string)
	}{
		"it goes":         {time.Hour, func(c *rawClient, _ string) { c.leave() }},
		"it turns it off": {time.Hour, func(c *rawClient, page string) { c.must(page, "Page.disable", nil) }},
		"it sleeps":       {time.Millisecond, func(*rawClient, string) {}},
	} {
		t.Run(name, func(t *testing.T) {
			p := chrometest.Provider(t, func(o *chrome.Options) { o.Clients.Dialog = test.wait })
			s := openWith(t, p, browser.Options{})
			navigate(t, s, srv.URL+"/")
			c, other := connect(t, s), connect(t, s)
			page, _ := c.page()
			their, _ := other.page()
			c.must(page, "Page.enable", nil)
			done := other.start(their, "Runtime.evaluate", confirm)
			c.awaitEvent("Page.javascriptDialogOpening", 1)
			test.leave(c, page)
			receive(other, "the end of the dialog", done)
			if title := other.eval(their, "document.title"); title != "is true" {
				t.Errorf("%q", title)
			}
		})
	}
}

// A session that ends does not wait for a client's answer.
func TestASessionEndsWithADialogOpen(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": asks})
	s := open(t)
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	page, _ := c.page()
	c.must(page, "Page.enable", nil)
	c.start(page, "Runtime.evaluate", map[string]any{"expression": `document.querySelector('button').click()`})
	c.awaitEvent("Page.javascriptDialogOpening", 1)
	soon(t, "the end of the session", func() { s.Close() })
}
