package drover_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model/anthropic"
)

// buttonRef finds the reference of the button in what a model is told.
var buttonRef = regexp.MustCompile(`button \\"Go\\" \[(e\d+)\]`)

// toolsetModel speaks the wire of the Messages API and acts by the browser toolset: it
// opens a page, clicks its button and ends.
func toolsetModel(t *testing.T, page string) http.HandlerFunc {
	step := 0
	return func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if step > 0 && step < 3 && strings.Count(string(raw), `"toolset_name":"browser"`) != 2*step {
			t.Errorf("step %d: calls and results of members are told apart: %s", step, raw)
		}
		block := []string{
			fmt.Sprintf(`"name":"navigate","toolset_name":"browser","input":{"url":%q}`, page),
			fmt.Sprintf(`"name":"left_click","toolset_name":"browser","input":{"target":{"type":"ref","ref":%q}}`, lastMatch(buttonRef, string(raw))),
			`"name":"done","input":{"success":true,"result":{"clicked":true}}`,
		}[step]
		step++
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"type":"message","role":"assistant","stop_reason":"tool_use","content":[{"type":"tool_use","id":"toolu_%d",%s}]}`, step, block)
	}
}

func lastMatch(pattern *regexp.Regexp, text string) string {
	all := pattern.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

func TestARunByTheBrowserToolset(t *testing.T) {
	t.Parallel()
	clicked := make(chan struct{}, 1)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/clicked" {
			clicked <- struct{}{}
			return
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<title>Page</title><button onclick="fetch('/clicked')">Go</button>`)
	}))
	defer site.Close()
	llm := httptest.NewServer(toolsetModel(t, site.URL+"/"))
	defer llm.Close()
	m, err := anthropic.New(anthropic.Options{Model: "claude-opus-5", Key: "k", BaseURL: llm.URL, BrowserToolset: true})
	if err != nil {
		t.Fatal(err)
	}
	d, err := drover.Open(t.Context(), drover.Options{Data: drover.InMemory, Model: m, AllowPrefixes: loopback})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	run, err := d.Runs.Create(t.Context(), runs.Create{Task: "Press Go."})
	if err != nil {
		t.Fatal(err)
	}
	if run, err = d.Runs.Wait(t.Context(), run.ID); err != nil || run.Status != runs.Completed {
		t.Fatal(run.Status, run.Cause, err)
	}
	<-clicked
	page, err := d.Runs.ListMessages(t.Context(), run.ID, runs.MessageFilter{All: true})
	if err != nil {
		t.Fatal(err)
	}
	var called []string
	for _, message := range page.Messages {
		for _, c := range message.Message.Calls() {
			called = append(called, c.ToolName)
		}
	}
	if got := strings.Join(called, " "); got != "navigate click done" {
		t.Errorf("the messages of the run have %s", got)
	}
	if raw, _ := json.Marshal(page.Messages); strings.Contains(string(raw), "toolset") {
		t.Error("the messages of the run name the provider's toolset")
	}
}
