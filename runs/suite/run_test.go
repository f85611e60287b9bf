package suite_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/suite"
)

func load(t testing.TB, files map[string]string) *suite.Suite {
	t.Helper()
	fs := fstest.MapFS{}
	for name, text := range files {
		fs[name] = &fstest.MapFile{Data: []byte(text)}
	}
	s, err := suite.Load(fs)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	buttons = `<!doctype html><title>Buttons</title><script src="/suite/task.js"></script><button onclick="task.done(true)">Right</button><button onclick="task.done(false, 'the wrong one'); task.done(true)">Wrong</button>`
	solving = `"solution":[{"tool":"click","ref":"button Right"}]`
)

// TestAPageDecides has a suite of what can become of tasks, each tried twice.
func TestAPageDecides(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{
		"b.html": buttons, "n.html": `<p>The number is 12.</p>`,
		"suite.json": `{"title":"Fates","tasks":[
			{"id":"right","page":"b.html","task":"press right",` + solving + `},
			{"id":"wrong","page":"b.html","task":"press wrong","solution":[{"tool":"click","ref":"button Wrong"}]},
			{"id":"nothing","page":"b.html","task":"do nothing","solution":[{"see":"Right"}]},
			{"id":"answer","page":"n.html","task":"say 12","expect":12,"solution":[{"see":"number is (\\d+)","as":"n"},{"tool":"done","success":true,"result":"${n|number}"}]},
			{"id":"answer-wrong","page":"n.html","task":"say 13","expect":12,"solution":[{"tool":"done","success":true,"result":13}]},
			{"id":"both","page":"b.html","task":"press and say","expect":"x","reports":true,"solution":[{"tool":"click","ref":"button Right"},{"tool":"done","success":true,"result":"x"}]},
			{"id":"one-of-both","page":"b.html","task":"only say","expect":"x","reports":true,"solution":[{"tool":"done","success":true,"result":"x"}]},
			{"id":"stuck","page":"b.html","task":"get stuck","solution":[{"tool":"click","ref":"button None"}]}]}`,
	})
	report := measure(t, s, s.Script(), suite.Options{Repeat: 2})
	want := map[string]string{
		"right": "", "answer": "", "both": "",
		"wrong": "the page says: the wrong one", "nothing": "the page has reported nothing", "answer-wrong": "the answer is 13, not 12",
		"one-of-both": "the page has reported nothing", "stuck": "there is no button None",
	}
	m := report.Models[0]
	if m.Tried != 16 || m.Passed != 6 || m.Steps < 16 || report.Least() != m.Score {
		t.Errorf("%d of %d, %d steps", m.Passed, m.Tried, m.Steps)
	}
	for i, a := range m.Attempts {
		if why := want[a.Task]; !strings.Contains(a.Why, why) || a.Passed != (why == "") || a.Number != i%2+1 {
			t.Errorf("%s %d: %v %q", a.Task, a.Number, a.Passed, a.Why)
		}
		if !a.Passed && len(a.Last) == 0 {
			t.Errorf("%s: no last messages", a.Task)
		}
	}
	checkPrinted(t, report)
}

func checkPrinted(t *testing.T, r suite.Report) {
	t.Helper()
	var b bytes.Buffer
	if err := r.Table(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"right (2)", "6 of 16", "0.375", "FAIL"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	raw, err := json.Marshal(r)
	var again suite.Report
	if err == nil {
		err = json.Unmarshal(raw, &again)
	}
	if err != nil || again.Models[0].Attempts[2].Report == nil || again.Models[0].Attempts[2].Status != runs.Stopped {
		t.Errorf("%v %s", err, raw)
	}
}

// An adapter makes pages of another kind report, and reads the task off them.
func TestAdaptersTranslateOtherSuites(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{
		"suite.json": `{"adapter":{"script":"adapter.js","pages":["other/*"],"text":"#query"},"tasks":[{"id":"a","page":"other/a.html"}]}`,
		"adapter.js": `addEventListener("load", () => { window.begin(); const look = () => window.GAME_OVER ? task.done(window.POINTS > 0, "points: " + window.POINTS) : setTimeout(look, 20); look(); })`,
		"other/a.html": `<!DOCTYPE html><html><head><script>
			function begin() { const n = Math.floor(Math.random() * 3); document.getElementById("query").textContent = "Press " + n + "."; window.right = n }
			function press(n) { window.POINTS = n === window.right ? 1 : -1; window.GAME_OVER = true }</script></head>
			<body><div id="query"></div><button onclick="press(0)">0</button><button onclick="press(1)">1</button><button onclick="press(2)">2</button></body></html>`,
	})
	said := regexp.MustCompile(`The page http://\S+ is open\. Do this there:\n\nPress (\d)\.$`)
	m := model.Func(func(_ context.Context, r model.Request) (model.Response, error) {
		n := said.FindStringSubmatch(r.Task)
		if n == nil {
			return model.Response{}, model.Errorf("told %q", r.Task)
		}
		call := model.Call("a", "snapshot", map[string]any{})
		if len(r.Messages) > 0 {
			text := r.Messages[len(r.Messages)-1].Results()[0].Output.Text()
			ref := regexp.MustCompile(`button "` + n[1] + `" \[(\w+)\]`).FindStringSubmatch(text)
			if ref == nil {
				return model.Response{}, model.Errorf("no button in %s", text)
			}
			call = model.Call("b", "click", map[string]any{"ref": ref[1]})
		}
		return model.Response{Content: []model.Part{call}, Finish: model.FinishCalls}, nil
	})
	measure(t, s, m, suite.Options{Repeat: 2, Each: failing(t)})
}

func TestRunRefusesWhatCannotBe(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{"suite.json": `{"adapter":{},"tasks":[{"id":"a"},{"id":"b","task":"do"}]}`, "a.html": "", "b.html": ""})
	for want, o := range map[string]suite.Options{
		"Options.Runs":     {},
		"Options.Sessions": {Runs: noRuns{}},
	} {
		if _, err := suite.Run(t.Context(), s, o); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	s = load(t, map[string]string{"suite.json": `{"tasks":[{"id":"b","task":"do"}]}`, "b.html": ""})
	for want, o := range map[string]suite.Options{
		"fits no task":  {Runs: noRuns{}, Only: "x"},
		"is no pattern": {Runs: noRuns{}, Only: "["},
		"below 0":       {Runs: noRuns{}, Repeat: -1},
	} {
		if _, err := suite.Run(t.Context(), s, o); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// noRuns is a service that is asked for nothing.
type noRuns struct{ runs.Service }

// TestRunEndsWithItsContext ends while a model thinks.
func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{"suite.json": `{"tasks":[{"id":"a","task":"do"},{"id":"b","task":"do"},{"id":"c","task":"do"}]}`, "a.html": "", "b.html": "", "c.html": ""})
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	m := model.Func(func(ctx context.Context, _ model.Request) (model.Response, error) {
		cancel(enough)
		<-ctx.Done()
		return model.Response{}, context.Cause(ctx)
	})
	d := opened(t, m)
	report, err := suite.Run(ctx, s, suite.Options{Runs: d.Runs, AtOnce: 1})
	if !errors.Is(err, enough) || len(report.Models) != 1 || report.Models[0].Passed != 0 {
		t.Fatalf("%v %+v", err, report)
	}
	all := report.Models[0].Attempts
	if all[0].Status != runs.Stopped || !strings.Contains(all[1].Why, "not tried: enough") {
		t.Errorf("%+v", all)
	}
}

// TestLimitsOfTasksHold has a model that would go on.
func TestLimitsOfTasksHold(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{"suite.json": `{"maxSteps":30,"tasks":[{"id":"a","task":"do","maxSteps":4},{"id":"b","task":"do","time":"1m"}]}`, "a.html": "", "b.html": ""})
	m := model.Func(func(_ context.Context, r model.Request) (model.Response, error) {
		return model.Response{Content: []model.Part{model.Text("hm"), model.Call("", "note_answer", map[string]any{"answer": len(r.Messages)})}, Finish: model.FinishCalls}, nil
	})
	report := measure(t, s, m, suite.Options{MaxSteps: 6, Time: 5 * time.Minute})
	for i, steps := range []int{4, 6} {
		if a := report.Models[0].Attempts[i]; a.Steps != steps || !strings.Contains(a.Why, runs.CauseStepLimit) {
			t.Errorf("%s: %d steps, %s", a.Task, a.Steps, a.Why)
		}
	}
}
