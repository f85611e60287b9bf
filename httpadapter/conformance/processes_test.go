package conformance

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// asker sends requests with a key.
type asker struct {
	t            *testing.T
	address, key string
}

func (a asker) ask(method, path, kind, body string, into any) {
	a.t.Helper()
	req := must(http.NewRequestWithContext(a.t.Context(), method, a.address+path, strings.NewReader(body)))(a.t)
	req.Header.Set("X-SVC-API-Key", a.key)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	res := must(http.DefaultTransport.RoundTrip(req))(a.t)
	defer res.Body.Close()
	data := must(io.ReadAll(res.Body))(a.t)
	if res.StatusCode/100 != 2 {
		a.t.Fatalf("%s %s: %d %s", method, path, res.StatusCode, data)
	}
	if page, ok := into.(*string); ok {
		*page = string(data)
	} else if err := json.Unmarshal(data, into); err != nil {
		a.t.Fatalf("%s %s: %v: %s", method, path, err, data)
	}
}

// Whichever process on the same data is asked, it answers for a session that
// another one has.
func TestASessionThatAnotherProcessHas(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	owner := build(t, config{realTime: true, onDisk: true, data: dir, browser: chrometest.Provider(t)})
	other := must(drover.Open(t.Context(), drover.Options{
		Data: dir, RequireProject: true, Workers: drover.WorkersNever, Browser: chrometest.Provider(t), Logger: discard,
	}))(t)
	defer other.Close()
	here := asker{t, "http://" + serve(t, owner.handler), owner.words["<key>"]}
	there := asker{t, "http://" + serve(t, httpadapter.New(other, httpadapter.Options{Logger: discard})), owner.words["<key>"]}
	var s struct{ ID, ReplayURL, Status string }
	here.ask("POST", "/v1/sessions", "application/json", `{"keepAlive":true,"browserSettings":{"solveCaptchas":true}}`, &s)
	path := "/v1/sessions/" + s.ID

	var debug struct {
		DebuggerURL string
		Pages       []struct{ ID, URL string }
	}
	there.ask("GET", path+"/debug?expiresIn=60", "", "", &debug)
	if len(debug.Pages) != 1 || debug.Pages[0].URL != "about:blank" {
		t.Errorf("%+v", debug)
	}
	var page, said string
	there.ask("GET", strings.TrimPrefix(debug.DebuggerURL, there.address), "", "", &page)
	if !strings.Contains(page, "<title>Session</title>") {
		t.Error(page)
	}
	there.ask("POST", path+"/uploads", "multipart/form-data; boundary=b",
		"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nhello\r\n--b--\r\n", &said)
	there.ask("GET", path, "", "", &s)
	there.ask("GET", strings.TrimPrefix(s.ReplayURL, there.address), "", "", &page)
	if !strings.Contains(page, "<title>Recording</title>") {
		t.Error(page)
	}
	logged := func(when string) {
		t.Helper()
		var log []struct{ Method string }
		there.ask("GET", path+"/logs", "", "", &log)
		var recording []struct{ Type int }
		there.ask("GET", path+"/recording", "", "", &recording)
		if len(log) == 0 || log[0].Method != "Drover.note" || len(recording) == 0 || recording[0].Type != 4 {
			t.Errorf("%s: %+v, %+v", when, log, recording)
		}
	}
	logged("while it runs")
	there.ask("POST", path, "application/json", `{"status":"REQUEST_RELEASE"}`, &s)
	if s.Status != "COMPLETED" {
		t.Errorf("%+v", s)
	}
	logged("afterwards")
}
