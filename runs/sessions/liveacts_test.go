package sessions

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
)

// interactivePage opens the interactive page of a session in another browser.
func interactivePage(t *testing.T, w *world, s Session) browser.Session {
	t.Helper()
	token := must(w.ViewToken(t.Context(), s.ID, 0, true))(t)
	viewer := must(w.conf.Browser.Open(t.Context(), browser.Options{Width: 1300, Height: 900}))(t)
	t.Cleanup(func() { viewer.Close() })
	must(viewer.Navigate(t.Context(), LiveURL(baseOfSession(s), s.ID, token)))(t)
	awaitElement(t, viewer, "img", "The screen of the session")
	return viewer
}

// Who clicks a tab in the interactive page brings it to the front, each time.
func TestAClickOnATabBringsItToTheFront(t *testing.T) {
	t.Parallel()
	w, s, site := withWorkplace(t)
	b := w.find(s.ID).browser
	client := connectCDP(t, s.ConnectURL)
	client.page = "" // the browser's own
	client.call("Target.createTarget", map[string]any{"url": site + "/second"}, &struct{}{})
	for len(b.Tabs()) < 2 {
	}
	watcher := work(t, baseOfSession(s), s.ID, s.ViewToken)
	front := func(n int) func() bool {
		return func() bool { return len(watcher.seen.Tabs) == 2 && watcher.seen.Tabs[n].Front }
	}
	viewer := interactivePage(t, w, s)
	for _, n := range []int{0, 1, 0} {
		pressTab(t, viewer, n)
		late := time.AfterFunc(testlevel.Loaded(20*time.Second), func() { watcher.conn.CloseNow() })
		watcher.until(fmt.Sprintf("tab %d in front", n), front(n))
		late.Stop()
	}
}

// pressTab clicks the nth tab of the page.
func pressTab(t *testing.T, viewer browser.Session, n int) {
	t.Helper()
	for t.Context().Err() == nil {
		tabs := []browser.Ref{}
		for _, e := range must(viewer.Snapshot(t.Context()))(t).Elements {
			if e.Role == "tab" {
				tabs = append(tabs, e.Ref)
			}
		}
		if len(tabs) != 2 {
			continue
		}
		if _, err := viewer.Click(t.Context(), tabs[n]); err == nil {
			return
		}
		// The list was drawn anew in between.
	}
}

// What is pasted arrives whole, however long it is, and in few parts: each part
// makes the page lay out anew all that is there.
func TestALongTextIsPastedWhole(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a megabyte is typed")
	w, s, _ := withWorkplace(t)
	client := connectCDP(t, s.ConnectURL)
	client.evaluate(`window.parts = 0; document.getElementById('i').focus(); document.getElementById('i').oninput = () => parts++; ''`)
	viewer := interactivePage(t, w, s)
	hands := newInside()
	over := make(chan error, 1)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	go func() { over <- viewer.Serve(ctx, hands) }()
	defer func() { stop(); <-over }()
	at := must(hands.attach(ctx, viewer.Tabs()[0].ID))(t)
	paste := `const d = new DataTransfer(); d.setData('text/plain', 'x' + '😀"'.repeat(30000));
		document.getElementById('keys').dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, cancelable: true}))`
	if err := hands.call(ctx, at, "Runtime.evaluate", map[string]any{"expression": paste}, nil); err != nil {
		t.Fatal(err)
	}
	got := ""
	for ; got != "whole"; got = client.evaluate(`(v => v === 'x' + '😀"'.repeat(30000) ? 'whole' : String(v.length))(document.getElementById('i').value)`) {
		if ctx.Err() != nil {
			t.Fatalf("%s characters of %d arrived", got, 1+3*30_000)
		}
	}
	if parts := client.evaluate(`String(parts)`); parts != "2" && parts != "3" {
		t.Errorf("it came in %s parts", parts)
	}
}

// An address without a scheme is one of https, but on this machine and in its
// network one of http.
func TestAnAddressWithoutAScheme(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a.example/x?y": "https://a.example/x?y", " a.example:8443 ": "https://a.example:8443", "8.8.8.8": "https://8.8.8.8", "[2606:4700::1]": "https://[2606:4700::1]",
		"localhost": "http://localhost", "LOCALHOST:3000/x": "http://LOCALHOST:3000/x", "shop.localhost.": "http://shop.localhost.", "127.1:80": "http://127.1:80",
		"[::1]:8080/": "http://[::1]:8080/", "10.0.0.5/a": "http://10.0.0.5/a", "172.16.0.1": "http://172.16.0.1", "192.168.1.1": "http://192.168.1.1", "[fd00::1]": "http://[fd00::1]",
		"notlocalhost": "https://notlocalhost", "localhost.a.example": "https://localhost.a.example", "https://localhost": "https://localhost", "http://a.example": "http://a.example",
	} {
		if got, err := address(text); err != nil || got != want {
			t.Errorf("%q: %q %v, want %q", text, got, err, want)
		}
	}
}
