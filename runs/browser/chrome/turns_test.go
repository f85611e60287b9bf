package chrome_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// Large pictures of all sessions are taken in turn: no more pixels than the
// limit are being drawn at a time, all come, and a small one does not wait.
func TestLargePicturesAreTakenInTurn(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "large pictures")
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Limits.Pixels = 10_000_000 })
	srv := pages(t, map[string]string{"/": `<title>t</title><body style="margin:0;height:8000px;background:linear-gradient(red,blue)">`})
	large := map[string]any{"clip": map[string]any{"x": 0, "y": 0, "width": 1200, "height": 6000, "scale": 1}, "captureBeyondViewport": true, "format": "jpeg"}
	done := make(chan struct{})
	most := make(chan int64, 1)
	var wg sync.WaitGroup
	var c *rawClient
	var page string
	for range 3 {
		s := openWith(t, p, browser.Options{})
		navigate(t, s, srv.URL+"/")
		c = connect(t, s)
		page, _ = c.page()
		for range 3 {
			answer := c.start(page, "Page.captureScreenshot", large)
			wg.Go(func() {
				if r := <-answer; r.Error != nil || len(r.Result) < 1000 {
					t.Errorf("no picture: %+v", r.Error)
				}
			})
		}
	}
	go func() { most <- chrome.Drawing(p, done) }()
	small := map[string]any{"clip": map[string]any{"x": 0, "y": 0, "width": 20, "height": 20, "scale": 1}}
	if r := c.ask(page, "Page.captureScreenshot", small); r.Error != nil {
		t.Errorf("a small picture: %+v", r.Error)
	}
	wg.Wait()
	close(done)
	if n := <-most; n > 7_200_000 || n == 0 {
		t.Errorf("%d pixels were being drawn at a time", n)
	}
}

// A picture whose page says that its screen has ten pixels for each is as large
// as it will be.
func TestPicturesCountAsTheyAreDrawn(t *testing.T) {
	s := open(t)
	navigate(t, s, pages(t, map[string]string{"/": `<title>t</title>`}).URL+"/")
	c := connect(t, s)
	page, _ := c.page()
	c.must(page, "Emulation.setDeviceMetricsOverride", map[string]any{"width": 800, "height": 600, "deviceScaleFactor": 10, "mobile": false})
	clip := func(width, height int) map[string]any {
		return map[string]any{"clip": map[string]any{"x": 0, "y": 0, "width": width, "height": height, "scale": 1}, "captureBeyondViewport": true}
	}
	for _, test := range [][2]int{{1200, 1200}, {1, 9000}} {
		if r := c.ask(page, "Page.captureScreenshot", clip(test[0], test[1])); r.Error == nil || !strings.Contains(r.Error.Message, "the picture would be") {
			t.Errorf("%v: %+v", test, r.Error)
		}
	}
	c.must(page, "Page.captureScreenshot", clip(20, 20))
}

// A page that hangs when it is to be drawn holds up others for a while only.
func TestAPictureThatNeverComesGivesItsTurnBack(t *testing.T) {
	t.Parallel()
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Limits.Pixels = 5_000_000; o.Timeouts.Call = 2 * time.Second })
	srv := pages(t, map[string]string{"/": `<title>t</title><body style="height:9000px">`})
	s, other := openWith(t, p, browser.Options{}), openWith(t, p, browser.Options{})
	large := map[string]any{"clip": map[string]any{"x": 0, "y": 0, "width": 1200, "height": 6000, "scale": 1}, "captureBeyondViewport": true}
	navigate(t, s, srv.URL+"/")
	navigate(t, other, srv.URL+"/")
	c, patient := connect(t, s), connect(t, other)
	page, _ := c.page()
	theirs, _ := patient.page()
	c.start(page, "Runtime.evaluate", map[string]any{"expression": "for (;;);"})
	if r := c.ask(page, "Page.captureScreenshot", large); r.Error == nil {
		t.Error("a picture of a page that hangs")
	}
	patient.must(theirs, "Page.captureScreenshot", large)
}

// What may be granted is, and what may not is named.
func TestGrantsNameWhatWasNot(t *testing.T) {
	srv := pages(t, map[string]string{"/": `<title>t</title>`})
	s := open(t)
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	page, _ := c.page()
	state := `navigator.permissions.query({name: 'geolocation'}).then(p => p.state)`
	for _, test := range []struct {
		permissions []string
		says        string // in the error; empty for none
		geolocation string
	}{
		{[]string{"geolocation", "clipboardReadWrite"}, "granted are geolocation, and not clipboardReadWrite", "granted"},
		{[]string{"clipboardSanitizedWrite", "clipboardReadWrite"}, "granted are nothing, and not clipboardSanitizedWrite, clipboardReadWrite", "denied"},
		{[]string{"geolocation"}, "", "granted"},
		{[]string{"geolocation", "nope"}, "nknown permission", "granted"}, // the browser's own answer
	} {
		r := c.ask("", "Browser.grantPermissions", map[string]any{"permissions": test.permissions, "origin": srv.URL})
		if test.says == "" && r.Error != nil || test.says != "" && (r.Error == nil || !strings.Contains(r.Error.Message, test.says)) {
			t.Errorf("%v: %+v, want %q", test.permissions, r.Error, test.says)
		}
		if got := c.eval(page, state); got != test.geolocation {
			t.Errorf("%v: geolocation is %v, want %s", test.permissions, got, test.geolocation)
		}
	}
}

// Unknown methods are answered as by Chromium, refused ones otherwise.
func TestUnknownMethods(t *testing.T) {
	s := open(t)
	c := connect(t, s)
	page, _ := c.page()
	for _, session := range []string{"", page} {
		for method, code := range map[string]int{"Page.nope": -32601, "Nope.nope": -32601, "nope": -32601, "Browser.crash": -32000} {
			r := c.ask(session, method, nil)
			if r.Error == nil || r.Error.Code != code || code == -32601 && r.Error.Message != "'"+method+"' wasn't found" {
				t.Errorf("%s: %+v", method, r.Error)
			}
		}
	}
}

// A session with a process of its own may be traced, from the browser and from
// a page, and reads the trace where it was asked for.
func TestTracing(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "large traces")
	p := chrometest.Provider(t)
	srv := pages(t, map[string]string{"/": `<title>traced</title>`})
	own, crowd := openWith(t, p, browser.Options{OwnProcess: true}), openWith(t, p, browser.Options{})
	navigate(t, own, srv.URL+"/")
	c, other := connect(t, own), connect(t, crowd)
	page, _ := c.page()
	for _, on := range []string{"", page} {
		if r := other.ask("", "Tracing.start", nil); r.Error == nil || !strings.Contains(r.Error.Message, "ownProcess") {
			t.Errorf("a session that shares its browser is traced: %+v", r.Error)
		}
		c.must(on, "Tracing.start", map[string]any{"transferMode": "ReturnAsStream", "streamCompression": "gzip", "streamFormat": "proto",
			"traceConfig": map[string]any{"includedCategories": []string{"*", "disabled-by-default-file", "disabled-by-default-devtools.timeline"}}})
		c.eval(page, `for (let i = 0; i < 100; i++) document.title = 'traced ' + i`)
		c.must(on, "Tracing.end", nil)
		trace := c.stream(on, c.hears("Tracing.tracingComplete", on))
		if !strings.Contains(trace, `"traceEvents"`) || strings.Contains(trace, "--user-data-dir") || strings.Contains(trace, filepath.Join(os.TempDir(), "dc")) {
			t.Errorf("on %q: a trace of %d bytes: %.2000s", on, len(trace), trace)
		}
	}
}

// hears returns the parameters of the next event of the kind on a session.
func (c *rawClient) hears(method, session string) json.RawMessage {
	c.t.Helper()
	var params json.RawMessage
	c.until(method, func(heard []reply) bool {
		at := slices.IndexFunc(heard, func(e reply) bool { return e.Method == method && e.SessionID == session })
		if at < 0 {
			return false
		}
		params = heard[at].Params
		c.mu.Lock()
		c.events = c.events[at+1:]
		c.mu.Unlock()
		return true
	})
	return params
}

// stream reads what an event names to its end.
func (c *rawClient) stream(session string, event json.RawMessage) string {
	c.t.Helper()
	var of struct{ Stream string }
	json.Unmarshal(event, &of)
	var all strings.Builder
	for {
		part := c.must(session, "IO.read", map[string]any{"handle": of.Stream, "size": 5000, "offset": 7})
		all.WriteString(part["data"].(string))
		if part["eof"] == true {
			c.must(session, "IO.close", map[string]any{"handle": of.Stream})
			return all.String()
		}
	}
}

// attached is what an event says that a session was attached to.
func attached(event json.RawMessage) (kind, session string) {
	var p struct {
		SessionID  string
		TargetInfo struct{ Type string }
	}
	json.Unmarshal(event, &p)
	return p.TargetInfo.Type, p.SessionID
}
