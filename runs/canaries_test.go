package runs

import (
	"context"
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
)

const codeSecret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

// codesAround are the codes of the periods before, at and after a moment.
func codesAround(t *testing.T, at time.Time) (all []string) {
	t.Helper()
	totp, err := secrets.ParseTOTP(codeSecret)
	if err != nil {
		t.Fatal(err)
	}
	for _, off := range []time.Duration{0, -30 * time.Second, 30 * time.Second} {
		v := secrets.NewVault(map[string]secrets.Variable{"c": {TOTP: totp}}, clock.NewManual(at.Add(off)))
		code, _, err := v.Resolve("%c%")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, code)
	}
	return all
}

// Whatever way values take, through pages, persons, hooks, partial results and the
// shortened view, they reach no model, message, hook, log line and file.
func TestValuesTakeNoneOfTheOtherWays(t *testing.T) {
	t.Parallel()
	codes := codesAround(t, noon)
	all := canary + " and " + strings.Join(codes, " and ") + " and " + codeSecret
	b := &quickBrowser{
		html: "<title>" + html.EscapeString(all) + "</title><p>" + strings.Repeat("word ", 300) + "<p>" + html.EscapeString(all) + "<table><tr><th>Code<th>Name<tr><td>" + codes[0][:3] + " " + codes[0][3:] + "<td>" + html.EscapeString(canary) + "</table>",
		act:  func(context.Context, *quickSession) error { return &browser.CoveredError{Ref: "e1", By: all} },
	}
	var mu sync.Mutex
	var hooked []any
	m := scripted.New(
		calls(model.Text("I saw "+all), model.Reasoning(all), model.Call("n", "note_answer", map[string]any{"answer": map[string]string{"a": all}})),
		scripted.Call("type", map[string]string{"ref": "e2", "text": "%otp% %word%"}),
		scripted.Call("read", map[string]string{"as": "data"}),
		scripted.Call("read", map[string]string{"as": "text"}),
		scripted.Call("ask_human", map[string]string{"question": "Is it " + all + "?"}),
		scripted.Call("read", map[string]string{"as": "main"}),
		scripted.Call("navigate", map[string]string{"url": "https://deny.example/" + all}),
		click("e1"),
		scripted.Call("type", map[string]string{"ref": "e2", "text": "change"}),
		scripted.Call("read", map[string]string{"as": "text"}),
		scripted.Call("read", map[string]string{"as": "main"}),
		scripted.Call(all, nil),
		scripted.Call("snapshot", map[string]string{"find": all}),
		scripted.Call("wait", map[string]any{"text": all, "seconds": 0}),
	)
	dir := t.TempDir()
	w := quick(t, setup{
		dir: dir, browser: b, model: m, clock: clock.NewManual(noon), limits: Limits{MaxSteps: 14, MaxConversation: 1000, MaxFailures: 14},
		hooks: Hooks{
			Human: true,
			BeforeCall: func(_ context.Context, c ToolCall) (Decision, error) {
				mu.Lock()
				defer mu.Unlock()
				hooked = append(hooked, c)
				switch {
				case strings.Contains(string(c.Input), "deny"):
					return Deny(all), nil
				case strings.Contains(string(c.Input), "change"):
					return Change(json.RawMessage(`{"ref":"e2","text":` + string(model.TextOutput(canary).Value) + `}`)), nil
				}
				return Allow(), nil
			},
			AfterStep: func(_ context.Context, s Step) {
				mu.Lock()
				defer mu.Unlock()
				hooked = append(hooked, s)
			},
		},
	})
	r := w.create(t, Create{Task: "x", Variables: map[string]Variable{"word": {Value: canary}, "otp": {Value: codeSecret, TOTP: true}}})
	paused := w.until(t, r.ID, func(r Run) bool { return r.Pause != nil && !r.Pause.Requested })
	if !strings.Contains(paused.Pause.Question, "%otp%") || leftOf(canary, paused.Pause.Question) != "" {
		t.Errorf("the question: %q", paused.Pause.Question)
	}
	if _, err := w.Resume(t.Context(), r.ID, "Yes: "+all); err != nil {
		t.Fatal(err)
	}
	got := w.wait(t, r.ID)
	if got.Cause == nil || got.Cause.Code != CauseStepLimit || !strings.Contains(string(got.Result), "%word% and %otp%") || m.Left() > 0 {
		t.Fatalf("%s %+v %s, %d turns left", got.Status, got.Cause, got.Result, m.Left())
	}
	places := map[string]string{"log": w.log.String()}
	for place, what := range map[string]any{"requests": m.Requests(), "messages": w.conversation(t, r.ID), "run": got, "hooks": hooked} {
		raw, err := json.Marshal(what)
		if err != nil {
			t.Fatal(err)
		}
		places[place] = string(raw)
	}
	for _, want := range []string{"is left out here", "They say: Yes: %word%", "not executed: %word%", "is covered by %word%"} {
		if !strings.Contains(places["requests"], want) {
			t.Errorf("one way was not taken: no %q", want)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil {
			places[filepath.Base(file)] = string(data)
		}
	}
	for place, text := range places {
		if form := leftOf(canary, text); form != "" {
			t.Errorf("%q stands in the %s", form, place)
		}
		for _, value := range append(codes, codeSecret, codes[0][:3]+" "+codes[0][3:]) {
			if i := strings.Index(text, value); i >= 0 {
				t.Errorf("%q stands in the %s: …%s…", value, place, text[max(0, i-60):min(len(text), i+60)])
			}
		}
	}
}
