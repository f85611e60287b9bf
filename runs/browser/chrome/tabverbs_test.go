package chrome_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// tabsOf writes the tabs of a page, a star before the current one.
func tabsOf(p browser.Page) string {
	var all []string
	for _, t := range p.Tabs {
		mark := ""
		if t.Current {
			mark = "*"
		}
		all = append(all, mark+t.Name+" "+t.Title)
	}
	return strings.Join(all, ", ")
}

func TestTabsAreOpenedSwitchedAndClosed(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/a":      `<title>A</title><a target=_blank href=/c>Popup</a><button onclick="requestAnimationFrame(() => document.title += '!')">Draw</button>`,
		"/b":      `<title>B</title><button>Only B</button>`,
		"/c":      `<title>C</title>`,
		"/to-get": `<title>Get</title>`,
	})
	s := open(t)
	ctx := t.Context()
	step := func(what, title, tabs string, p browser.Page, err error) {
		t.Helper()
		if err != nil || p.Title != title || tabsOf(p) != tabs {
			t.Errorf("%s: %q with %q, %v; want %q with %q", what, p.Title, tabsOf(p), err, title, tabs)
		}
	}
	step("begin", "A", "", navigate(t, s, srv.URL+"/a"), nil)
	p, err := s.OpenTab(ctx, srv.URL+"/b")
	step("open", "B", "t1 A, *t2 B", p, err)
	b := ref(t, s, "Only B")
	p, err = s.SwitchTab(ctx, "t1")
	step("switch", "A", "*t1 A, t2 B", p, err)
	if _, err := s.Click(ctx, b); err == nil {
		t.Error("an element of another tab was clicked")
	}
	step("a popup", "C", "t1 A, t2 B, *t3 C", click(t, s, "Popup"), nil)
	p, err = s.SwitchTab(ctx, "t2")
	step("switch from the popup", "B", "t1 A, *t2 B, t3 C", p, err)
	p, err = s.SwitchTab(ctx, "t1")
	step("to the popup's window", "A", "*t1 A, t2 B, t3 C", p, err)
	if p := click(t, s, "Draw"); p.Title != "A!" {
		t.Errorf("a tab that was behind is not drawn: %q", p.Title)
	}
	p, err = s.CloseTab(ctx, "t3")
	step("close another", "A!", "*t1 A!, t2 B", p, err)
	p, err = s.CloseTab(ctx, "")
	step("close the current one", "B", "", p, err)
	p, err = s.OpenTab(ctx, "")
	step("open an empty one", "", "t2 B, *t4 ", p, err)
	for _, tab := range s.Tabs() {
		p, err = s.CloseTab(ctx, tab.ID)
	}
	step("close all", "", "", p, err)
	if tabs := s.Tabs(); len(tabs) != 1 || tabs[0].Name != "t5" || !tabs[0].Current {
		t.Errorf("%+v", tabs)
	}
	step("go on", "C", "", navigate(t, s, srv.URL+"/c"), nil)
	if _, err := s.SwitchTab(ctx, "t1"); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), "there is no such tab; open are t5") {
		t.Errorf("a tab that is closed: %v", err)
	}
}

// The tab that was worked on before is drawn again, though the browser shows
// another one in that place.
func TestTheTabBeforeIsDrawnWhenOneCloses(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/": `<title>A</title><a target=_blank href=/?2>Two</a><a target=_blank href=/?3>Three</a>
<button onclick="let n = 0; const f = () => ++n < 3 ? requestAnimationFrame(f) : document.title = 'drawn'; f()">Draw</button>`,
	})
	s := open(t)
	navigate(t, s, srv.URL+"/")
	click(t, s, "Two")
	if _, err := s.SwitchTab(t.Context(), "t1"); err != nil {
		t.Fatal(err)
	}
	click(t, s, "Three")
	if p, err := s.CloseTab(t.Context(), "t3"); err != nil || tabsOf(p) != "*t1 A, t2 A" {
		t.Fatalf("%q %v", tabsOf(p), err)
	}
	if p := click(t, s, "Draw"); p.Title != "drawn" {
		t.Errorf("%q", p.Title)
	}
}

func TestTabsAreRefused(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<title>A</title>`})
	p := chrometest.Provider(t, func(o *chrome.Options) { o.MaxTabs = 2 })
	s := openWith(t, p, browser.Options{})
	for url, want := range map[string]errtypes.Kind{
		"file:///etc/passwd": errtypes.Invalid, "javascript:alert(1)": errtypes.Invalid,
	} {
		if _, err := s.OpenTab(t.Context(), url); !errtypes.Is(err, want) || len(s.Tabs()) != 1 {
			t.Errorf("%s: %v, %d tabs", url, err, len(s.Tabs()))
		}
	}
	if _, err := s.OpenTab(t.Context(), "http://10.1.2.3/"); err == nil {
		t.Error("a private address was opened")
	}
	_, err := s.OpenTab(t.Context(), srv.URL)
	if !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(fmt.Sprint(err), "2 tabs are open") {
		t.Errorf("beyond the limit: %v", err)
	}
}
