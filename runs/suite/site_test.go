package suite

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func openTestSite(t *testing.T, files map[string]string) *site {
	t.Helper()
	s, err := Load(folder(files))
	if err != nil {
		t.Fatal(err)
	}
	a, err := openSite(s, s.Tasks[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// ask is a request without a network; headers are "Name: value".
func ask(a *site, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

func TestOnlyPagesReport(t *testing.T) {
	t.Parallel()
	a := openTestSite(t, map[string]string{"suite.json": `{"tasks":[{"id":"a","task":"do"}]}`, "a.html": ""})
	origin, site := "Origin: "+a.origins[1], "Sec-Fetch-Site: same-origin"
	right := `{"token":"` + a.token + `","ok":true,"note":"n"}`
	for what, got := range map[string]*httptest.ResponseRecorder{
		"opened":          ask(a, "GET", "/suite/report?token="+a.token+"&ok=true", "", origin, site),
		"without token":   ask(a, "POST", "/suite/report", `{"ok":true}`, origin, site),
		"wrong token":     ask(a, "POST", "/suite/report", `{"token":"x","ok":true}`, origin, site),
		"another origin":  ask(a, "POST", "/suite/report", right, "Origin: http://127.0.0.1:1", site),
		"no origin":       ask(a, "POST", "/suite/report", right, site),
		"another site":    ask(a, "POST", "/suite/report", right, origin, "Sec-Fetch-Site: cross-site"),
		"a form":          ask(a, "POST", "/suite/report", "token="+a.token+"&ok=true", origin, site),
		"script opened":   ask(a, "GET", "/suite/task.js", "", "Sec-Fetch-Dest: document"),
		"script, unknown": ask(a, "GET", "/suite/task.js", ""),
	} {
		if got.Code != http.StatusForbidden || strings.Contains(got.Body.String(), a.token) {
			t.Errorf("%s: %d %s", what, got.Code, got.Body)
		}
	}
	if a.outcome() != nil {
		t.Fatal("it has been reported")
	}
	if got := ask(a, "GET", "/suite/task.js", "", "Sec-Fetch-Dest: script"); !strings.Contains(got.Body.String(), a.token) || strings.Contains(got.Body.String(), "{{") {
		t.Error("pages do not get the token")
	}
	ask(a, "POST", "/suite/report", right, origin, site)
	ask(a, "POST", "/suite/report", strings.Replace(right, "true", "false", 1), origin, site)
	if got := a.outcome(); got == nil || !got.OK || got.Note != "n" {
		t.Errorf("%+v", got)
	}
}

func TestWhatSolvesTasksIsNotServed(t *testing.T) {
	t.Parallel()
	a := openTestSite(t, map[string]string{
		"suite.json": `{"adapter":{"script":"ad.js","pages":["*.html"]},"tasks":["t/*.json"]}`,
		"t/a.html":   "", "t/a.json": `{"task":"do"}`, "ad.js": "1", "x.html": "<!DOCTYPE html><html><Head><title>x</title>{{origin2}}", "data.json": "{}",
	})
	for path, code := range map[string]int{"/suite.json": 404, "/t/a.json": 404, "/suite/slow/1/t/a.json": 404, "/suite/events/t/a.json": 404, "/t/../t/a.json": 404, "/data.json": 200, "/none": 404, "/suite/none": 404} {
		if got := ask(a, "GET", path, ""); got.Code != code {
			t.Errorf("%s: %d", path, got.Code)
		}
	}
	got := ask(a, "GET", "/x.html", "").Body.String()
	if want := `<Head><script src="/suite/task.js"></script><script src="/ad.js"></script><title>x</title>` + a.origins[1]; !strings.HasSuffix(got, want) {
		t.Errorf("%s", got)
	}
}

func TestPagesGetWhatFilesCannotDo(t *testing.T) {
	t.Parallel()
	a := openTestSite(t, map[string]string{"suite.json": `{"tasks":[{"id":"a","task":"do"}]}`, "a.html": "page", "lines.txt": "one\ntwo\n"})
	if got := ask(a, "GET", "/suite/redirect/2/a.html", ""); got.Code != 302 || got.Header().Get("Location") != "/suite/redirect/1/a.html" {
		t.Errorf("%d %v", got.Code, got.Header())
	}
	if got := ask(a, "GET", "/suite/redirect/1/a.html", ""); got.Header().Get("Location") != "/a.html" {
		t.Errorf("%v", got.Header())
	}
	if got := ask(a, "GET", "/suite/attachment/lines.txt", ""); got.Header().Get("Content-Disposition") != `attachment; filename="lines.txt"` || got.Body.String() != "one\ntwo\n" {
		t.Errorf("%v %s", got.Header(), got.Body)
	}
	if got := ask(a, "GET", "/suite/status/503/a.html", ""); got.Code != 503 || got.Body.String() != "page" {
		t.Errorf("%d %s", got.Code, got.Body)
	}
	if got := ask(a, "GET", "/suite/slow/20/a.html", ""); got.Body.String() != "page" {
		t.Errorf("%s", got.Body)
	}
	if got := ask(a, "GET", "/suite/events/lines.txt", ""); got.Body.String() != "data: one\n\ndata: two\n\n" {
		t.Errorf("%s", got.Body)
	}
}

// TestSocketsEndWithTheAttempt leaves one open.
func TestSocketsEndWithTheAttempt(t *testing.T) {
	t.Parallel()
	a := openTestSite(t, map[string]string{"suite.json": `{"tasks":[{"id":"a","task":"do"}]}`, "a.html": ""})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	c, _, err := websocket.Dial(ctx, strings.Replace(a.origins[2], "http", "ws", 1)+"/suite/echo", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.CloseNow() })
	if err := c.Write(ctx, websocket.MessageText, []byte("ahoy")); err != nil {
		t.Fatal(err)
	}
	if _, text, err := c.Read(ctx); err != nil || string(text) != "ahoy" {
		t.Fatalf("%q %v", text, err)
	}
	a.end()
	if _, _, err := c.Read(ctx); err == nil || ctx.Err() != nil {
		t.Errorf("the socket is open: %v", err)
	}
}

// TestOriginsAreServed asks each address over the network.
func TestOriginsAreServed(t *testing.T) {
	t.Parallel()
	a := openTestSite(t, map[string]string{"suite.json": `{"tasks":[{"id":"a","task":"do"}]}`, "a.html": "page of {{origin3}}"})
	for _, origin := range a.origins {
		r, err := http.NewRequestWithContext(t.Context(), "GET", origin+"/a.html", nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		got.Body.Close()
		if err != nil || string(body) != "page of "+a.origins[2] {
			t.Errorf("%s: %s %v", origin, body, err)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}
