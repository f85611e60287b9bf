package chrome_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

const questions = `<title>Start</title>
<button onclick="document.title = 'is ' + confirm('Sure?')">Confirm</button>
<button onclick="document.title = 'got ' + prompt('Name?', 'none')">Prompt</button>
<button onclick="document.title = confirm('One?') + ' ' + confirm('Two?')">Twice</button>
<button onclick="alert('Hi'); document.title = 'told'">Alert</button>
<button onclick="if (confirm('Go?')) location = '/there'">Go</button>
<button onclick="setTimeout(() => document.title = 'late ' + confirm('Late?'), 0)">Late</button>
<button onclick="setTimeout(() => { window.open('/there'); document.title = 'window ' + confirm('Beside?') }, 0)">Window</button>
<input aria-label=Field onchange="document.title = 'changed ' + confirm('Changed?')">
<select aria-label=List onchange="document.title = 'chose ' + confirm('Chosen?')"><option>One<option>Two</select>
<iframe src="{other}/frame" style="width:400px;height:100px"></iframe>`

func questionSite() map[string]string {
	return map[string]string{
		"/": questions, "/there": `<title>There</title><p>there</p>`,
		"/frame": `<button onclick="parent.postMessage('', '*'); this.textContent = 'framed ' + confirm('In a frame?')">Framed</button>`,
		"/loads": `<title>Loads</title><script>document.title = 'loaded ' + confirm('While loading?')</script>`,
	}
}

// pending is the dialog that a page shows.
func pending(t *testing.T, p browser.Page, err error) browser.OpenDialog {
	t.Helper()
	if err != nil || p.Dialog == nil {
		t.Fatalf("no dialog stands: %+v %v", p, err)
	}
	d := *p.Dialog
	d.Origin = ""
	return d
}

func TestDialogsAreAsked(t *testing.T) {
	t.Parallel()
	srv := pages(t, questionSite())
	s := open(t)
	defer s.AskDialogs()()
	ctx := t.Context()
	home := at(srv, "main.test", "/")
	for name, test := range map[string]struct {
		do     func() (browser.Page, error)
		want   browser.OpenDialog
		accept bool
		text   string
		title  string
	}{
		"confirmed": {func() (browser.Page, error) { return s.Click(ctx, ref(t, s, "Confirm")) }, browser.OpenDialog{Type: "confirm", Message: "Sure?"}, true, "", "is true"},
		"refused":   {func() (browser.Page, error) { return s.Click(ctx, ref(t, s, "Confirm")) }, browser.OpenDialog{Type: "confirm", Message: "Sure?"}, false, "", "is false"},
		"answered":  {func() (browser.Page, error) { return s.Click(ctx, ref(t, s, "Prompt")) }, browser.OpenDialog{Type: "prompt", Message: "Name?", Default: "none"}, true, "Ann", "got Ann"},
		"dismissed": {func() (browser.Page, error) { return s.Click(ctx, ref(t, s, "Prompt")) }, browser.OpenDialog{Type: "prompt", Message: "Name?", Default: "none"}, false, "x", "got null"},
		"typed": {func() (browser.Page, error) {
			return s.Type(ctx, ref(t, s, "Field"), "x", browser.TypeOptions{Submit: true})
		}, browser.OpenDialog{Type: "confirm", Message: "Changed?"}, true, "", "changed true"},
		"chosen": {func() (browser.Page, error) {
			return s.Type(ctx, ref(t, s, "List"), "Two", browser.TypeOptions{})
		}, browser.OpenDialog{Type: "confirm", Message: "Chosen?"}, true, "", "chose true"},
		"leads away": {func() (browser.Page, error) { return s.Click(ctx, ref(t, s, "Go")) }, browser.OpenDialog{Type: "confirm", Message: "Go?"}, true, "", "There"},
		"late":       {func() (browser.Page, error) { return s.Click(ctx, ref(t, s, "Late")) }, browser.OpenDialog{Type: "confirm", Message: "Late?"}, true, "", "late true"},
		"loading": {func() (browser.Page, error) { return s.Navigate(ctx, at(srv, "main.test", "/loads")) },
			browser.OpenDialog{Type: "confirm", Message: "While loading?"}, true, "", "loaded true"},
		"framed": {func() (browser.Page, error) { return s.Click(ctx, ref(t, s, "Framed")) }, browser.OpenDialog{Type: "confirm", Message: "In a frame?"}, true, "", "Start"},
	} {
		navigate(t, s, home)
		soon(t, name, func() {
			p, err := test.do()
			if diff := cmp.Diff(test.want, pending(t, p, err)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		})
		for what, call := range map[string]func() error{
			"snapshot":   func() error { _, err := s.Snapshot(ctx); return err },
			"screenshot": func() error { _, err := s.Screenshot(ctx, browser.ScreenshotOptions{}); return err },
			"html":       func() error { _, _, err := s.HTML(ctx, 1000); return err },
			"click":      func() error { _, err := s.Click(ctx, "e1"); return err },
			"navigate":   func() error { _, err := s.Navigate(ctx, home); return err },
			"back":       func() error { _, err := s.Back(ctx); return err },
			"open tab":   func() error { _, err := s.OpenTab(ctx, home); return err },
			"close tab":  func() error { _, err := s.CloseTab(ctx, ""); return err },
		} {
			var stands *browser.DialogError
			if err := call(); !errors.As(err, &stands) || stands.Dialog.Message != test.want.Message {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
		p, err := s.Page(ctx)
		if got := pending(t, p, err); got != test.want || name != "loading" && p.URL != home {
			t.Errorf("%s: %+v of %s", name, got, p.URL)
		}
		p, err = s.Answer(ctx, browser.DialogAnswer{Accept: test.accept, Text: test.text})
		if err != nil || p.Title != test.title || p.Dialog != nil || len(p.Dialogs) != 1 || p.Dialogs[0].Accepted != test.accept {
			t.Errorf("%s: %+v %v", name, p, err)
		}
	}
	if _, err := s.Answer(ctx, browser.DialogAnswer{Accept: true}); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("an answer to nothing: %v", err)
	}
}

func TestOneDialogAfterAnother(t *testing.T) {
	t.Parallel()
	srv := pages(t, questionSite())
	s := open(t)
	defer s.AskDialogs()()
	navigate(t, s, srv.URL+"/")
	if got := pending(t, click(t, s, "Twice"), nil); got.Message != "One?" {
		t.Errorf("%+v", got)
	}
	p, err := s.Answer(t.Context(), browser.DialogAnswer{Accept: true})
	if got := pending(t, p, err); got.Message != "Two?" {
		t.Errorf("%+v", got)
	}
	if p, err = s.Answer(t.Context(), browser.DialogAnswer{Accept: false}); err != nil || p.Title != "true false" {
		t.Errorf("%+v %v", p, err)
	}
	if p := click(t, s, "Alert"); p.Title != "told" || len(p.Dialogs) != 1 || !p.Dialogs[0].Accepted {
		t.Errorf("an alert: %+v", p)
	}
}

// A dialog of the tab behind stands in the way, too: both may be of one process.
func TestADialogBehindAnotherTab(t *testing.T) {
	t.Parallel()
	srv := pages(t, questionSite())
	s := open(t)
	defer s.AskDialogs()()
	navigate(t, s, srv.URL+"/")
	if got := pending(t, click(t, s, "Window"), nil); got.Message != "Beside?" {
		t.Errorf("%+v", got)
	}
	p, err := s.Answer(t.Context(), browser.DialogAnswer{Accept: true})
	if err != nil || p.Title != "There" || len(p.Tabs) != 2 {
		t.Fatalf("%+v %v", p, err)
	}
	if p, err = s.SwitchTab(t.Context(), "t1"); err != nil || p.Title != "window true" {
		t.Errorf("%+v %v", p, err)
	}
}

// Without anybody who asks, dialogs are answered as ever; and nobody waits for who
// has gone.
func TestDialogsThatNobodyAnswers(t *testing.T) {
	t.Parallel()
	srv := pages(t, questionSite())
	s := open(t)
	navigate(t, s, srv.URL+"/")
	if p := click(t, s, "Confirm"); p.Title != "is true" || p.Dialog != nil {
		t.Errorf("nobody asks: %+v", p)
	}
	first, second := s.AskDialogs(), s.AskDialogs()
	first()
	first()
	pending(t, click(t, s, "Confirm"), nil)
	second()
	title := func(want string) {
		t.Helper()
		soon(t, "the page goes on", func() {
			for p, err := s.Page(t.Context()); p.Title != want; p, err = s.Page(t.Context()) {
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	title("is false")
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Timeouts.Dialog = time.Millisecond })
	s = openWith(t, p, browser.Options{})
	defer s.AskDialogs()()
	navigate(t, s, srv.URL+"/")
	if _, err := s.Click(t.Context(), ref(t, s, "Prompt")); err != nil {
		var stands *browser.DialogError
		if !errors.As(err, &stands) {
			t.Error(err)
		}
	}
	title("got null")
}

// A client that hears of dialogs may answer them before the agent does.
func TestAClientAnswersWhatTheAgentIsAsked(t *testing.T) {
	t.Parallel()
	srv := pages(t, questionSite())
	s := open(t)
	defer s.AskDialogs()()
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	page, _ := c.page()
	c.must(page, "Page.enable", nil)
	pending(t, click(t, s, "Confirm"), nil)
	if tabs := s.Tabs(); tabs[0].Dialog == nil || s.AnswerDialog(tabs[0].ID, true, "") != nil {
		t.Fatalf("%+v", tabs)
	}
	soon(t, "the page goes on", func() {
		for p, err := s.Page(t.Context()); p.Title != "is true"; p, err = s.Page(t.Context()) {
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	pending(t, click(t, s, "Prompt"), nil)
	c.leave() // the dialog is the agent's still
	if p, err := s.Answer(t.Context(), browser.DialogAnswer{Accept: true, Text: "Bob"}); err != nil || p.Title != "got Bob" {
		t.Errorf("%+v %v", p, err)
	}
}

// Whoever answers may say to which origin.
func TestAnswersGoToAllowedOriginsOnly(t *testing.T) {
	t.Parallel()
	srv := pages(t, questionSite())
	s := open(t)
	defer s.AskDialogs()()
	navigate(t, s, at(srv, "main.test", "/"))
	for name, want := range map[string]string{"Prompt": at(srv, "main.test", ""), "Framed": at(srv, "other.test", "")} {
		pending(t, click(t, s, name), nil)
		var asked string
		no := errors.New("not there")
		_, err := s.Answer(t.Context(), browser.DialogAnswer{Accept: true, Text: "x", Allow: func(origin string) error { asked = origin; return no }})
		if asked != want || !errors.Is(err, no) {
			t.Errorf("%s: asked for %q, want %q: %v", name, asked, want, err)
		}
		if _, err := s.Answer(t.Context(), browser.DialogAnswer{}); err != nil {
			t.Error(err)
		}
	}
}
