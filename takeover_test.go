package drover_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/drovertest"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model"
	script "github.com/drover-go/drover/runs/model/scripted"
	"github.com/drover-go/drover/runs/sessions"
)

// typedPage tells its console and its server of all that is typed.
const typedPage = `<!doctype html><title>Codes</title><body style="margin: 0">
<input aria-label=Code id=i style="position: absolute; left: 0; top: 0; width: 400px; height: 100px">
<button style="position: absolute; left: 0; top: 200px" onclick="console.log('again', i.value); location = '/kept?code=' + i.value">Keep</button>
<script>i.oninput = () => { console.log('holds', i.value); fetch('/typed?code=' + i.value) }</script>`

// What a person types who has taken a run over reaches the page, and nothing else:
// no message, no question to the model, no log, no recording.
func TestWhatAPersonTypesIsNowhere(t *testing.T) {
	t.Parallel()
	chrometest.RequireChromium(t)
	const secret = "hunter-2-typed"
	typed, kept := make(chan string, 100), make(chan string, 1)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch code := r.URL.Query().Get("code"); r.URL.Path {
		case "/typed":
			typed <- code
		case "/kept":
			kept <- code
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, typedPage, "<p>", r.URL.Query().Get("code"), "</p>")
	}))
	t.Cleanup(site.Close)
	m := script.New(
		script.Call("navigate", map[string]string{"url": site.URL}),
		script.Call("ask_human", map[string]string{"question": "What is the code?"}),
		script.Turn{Do: func(_ context.Context, r model.Request) (model.Response, error) {
			return model.Response{Content: []model.Part{model.Call("k", "click", map[string]string{"ref": refOf(r, `button "Keep"`)})}}, nil
		}},
		script.Call("read", map[string]string{"as": "text"}),
		script.Call("read", map[string]string{"as": "data"}),
		script.Call("snapshot", nil),
		script.Call("done", map[string]any{"success": true}),
	)
	var log lockedBuffer
	d := drovertest.New(t, drover.Options{
		Model: m, RunHooks: runs.Hooks{Human: true}, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	run, err := d.Runs.Create(t.Context(), runs.Create{Task: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for m, err := range d.Runs.Messages(t.Context(), run.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if calls := m.Message.Calls(); len(calls) > 0 && calls[0].ToolName == "ask_human" {
			break
		}
	}
	if run, err = d.Runs.Pause(t.Context(), run.ID); err != nil || run.Pause == nil || run.Pause.Question != "What is the code?" {
		t.Fatalf("%+v, %v", run, err)
	}
	typeInLiveView(t, d, run.SessionID, secret)
	for code := ""; code != secret; code = <-typed {
	}
	if _, err := d.Runs.Resume(t.Context(), run.ID, "It is there."); err != nil {
		t.Fatal(err)
	}
	if run, err = d.Runs.Wait(t.Context(), run.ID); err != nil || run.Status != runs.Completed {
		t.Fatalf("%+v, %v", run, err)
	}
	if code := <-kept; code != secret {
		t.Errorf("the page kept %q", code)
	}
	if all := everythingSaid(t, d, m, run) + log.String(); strings.Contains(all, secret) || strings.Contains(all, "hunter-2-t") {
		t.Errorf("what was typed shows: %s", around(all, "hunter-2-t"))
	}
}

// refOf is the reference of the newest element with that role and name.
func refOf(r model.Request, element string) string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		for _, p := range r.Messages[i].Results() {
			if _, behind, ok := strings.Cut(p.Output.Text(), element+" ["); ok {
				ref, _, _ := strings.Cut(behind, "]")
				return ref
			}
		}
	}
	return "none"
}

// typeInLiveView types into the field at the top left of the page.
func typeInLiveView(t *testing.T, d *drovertest.Drover, session, text string) {
	t.Helper()
	token, err := d.Sessions.ViewToken(t.Context(), session, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Sessions.Get(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ := strings.Cut(strings.TrimPrefix(s.ConnectURL, "ws://"), "/")
	c, res, err := websocket.Dial(t.Context(), fmt.Sprintf("ws://%s%s/socket?viewToken=%s", host, sessions.LivePath(session), token), nil)
	if err != nil {
		t.Fatalf("%v %v", err, res)
	}
	c.SetReadLimit(64 << 20)
	var seen struct {
		Frame *struct {
			Tab string `json:"tab"`
		} `json:"frame"`
	}
	for seen.Frame == nil {
		kind, data, err := c.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if kind == websocket.MessageText {
			if err := json.Unmarshal(data, &seen); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Cleanup(func() { c.CloseNow() })
	go func() {
		for {
			if _, _, err := c.Read(t.Context()); err != nil {
				return
			}
		}
	}()
	do := func(act map[string]any) {
		act["tab"] = seen.Frame.Tab
		raw, _ := json.Marshal(act)
		if err := c.Write(t.Context(), websocket.MessageText, raw); err != nil {
			t.Fatal(err)
		}
	}
	for _, action := range []string{"down", "up"} {
		do(map[string]any{"type": "mouse", "action": action, "button": "left", "clicks": 1, "x": 0.05, "y": 0.05})
	}
	for _, r := range text[:len(text)-5] {
		for _, action := range []string{"down", "up"} {
			do(map[string]any{"type": "key", "action": action, "key": string(r)})
		}
	}
	do(map[string]any{"type": "text", "text": text[len(text)-5:]})
}

// everythingSaid is all that is kept of a run, and all that its model was asked.
func everythingSaid(t *testing.T, d *drovertest.Drover, m *script.Model, run runs.Run) string {
	t.Helper()
	messages, err := d.Runs.ListMessages(t.Context(), run.ID, runs.MessageFilter{All: true})
	if err != nil {
		t.Fatal(err)
	}
	logged, err := d.Sessions.Logs(t.Context(), run.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := d.Sessions.Recording(t.Context(), run.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	if len(messages.Messages) < 10 || len(logged) < 5 || len(recorded) < 3 {
		t.Errorf("%d messages, %d lines of log, %d of recording", len(messages.Messages), len(logged), len(recorded))
	}
	raw, err := json.Marshal([]any{messages, logged, recorded, m.Requests(), run})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func around(text, what string) string {
	i := strings.Index(text, what)
	return text[max(i-300, 0):min(i+300, len(text))]
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
