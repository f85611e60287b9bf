package plain

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

// talk lets the model follow a task; answer is what the tools say. It returns
// the calls, one a line.
func talk(t *testing.T, r model.Request, answer func(tool, input string) model.Output) string {
	t.Helper()
	var calls []string
	for range 30 {
		out, err := New().Generate(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		said := model.Message{Role: model.Assistant, Content: out.Content}
		call := said.Calls()[0]
		calls = append(calls, call.ToolName+" "+string(call.Input))
		res := answer(call.ToolName, string(call.Input))
		r.Messages = append(r.Messages, said, model.Message{Role: model.ToolRole, Content: []model.Part{model.Result(call, res)}})
		if call.ToolName == "done" && !res.IsError() {
			return strings.Join(calls, "\n")
		}
	}
	t.Fatalf("it never ends:\n%s", strings.Join(calls, "\n"))
	return ""
}

// page is what a tool answers with: part of a page, from a line on.
func page(url string, from int, limit int, elements ...browser.Element) model.Output {
	v := viewOf(elements...)
	v.Page.URL = url
	v.Lines, v.First = v.Lines[from:], from
	text, _ := v.Text("abc", limit)
	return model.TextOutput("Done.\n" + text)
}

func TestWaitsAsLongAsItIsTold(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]string{
		"wait 30 seconds": "wait {\"seconds\":20}\nwait {\"seconds\":10}",
		"wait 1 minute":   "wait {\"seconds\":20}\nwait {\"seconds\":20}\nwait {\"seconds\":20}",
		"wait 2.5s":       "wait {\"seconds\":2.5}",
		`wait for "X"`:    "wait {\"seconds\":20,\"text\":\"X\"}",
	} {
		got := talk(t, model.Request{Task: task}, func(string, string) model.Output { return page("https://a.example", 0, 1000) })
		if want += "\ndone {\"success\":true}"; got != want {
			t.Errorf("%s: %s", task, got)
		}
	}
	late := func(tool, _ string) model.Output {
		if tool == "done" {
			return model.TextOutput("The run ends.")
		}
		return model.ErrorOutput(`Error: "X" did not come up within 20s.`)
	}
	got := talk(t, model.Request{Task: `wait up to 50 seconds for "X"`}, late)
	if strings.Count(got, "wait") != 4 || !strings.Contains(got, `{"seconds":10,"text":"X"}`) || !strings.Contains(got, "did not come up within 50 seconds") {
		t.Error(got)
	}
}

func TestGoesBackToThePageBefore(t *testing.T) {
	t.Parallel()
	visit := func(tool, input string) model.Output {
		var in struct{ URL string }
		if json.Unmarshal([]byte(input), &in) != nil || tool != "navigate" {
			return model.TextOutput("The run ends.")
		}
		return page(in.URL, 0, 1000)
	}
	const go3 = "go to https://a.example, go to https://b.example, go to https://c.example, "
	for task, want := range map[string]string{
		go3 + "go back":                                   "https://b.example",
		go3 + "go back and go back":                       "https://a.example",
		go3 + "go back, go to https://d.example, go back": "https://b.example",
	} {
		got := talk(t, model.Request{Task: task}, visit)
		lines := strings.Split(got, "\n")
		if last := lines[len(lines)-2]; last != `navigate {"url":"`+want+`"}` {
			t.Errorf("%s: %s", task, got)
		}
	}
	if got := talk(t, model.Request{Task: "go to https://a.example and go back"}, visit); !strings.Contains(got, "no page to go back to") {
		t.Error(got)
	}
}

// TestAPageThatIsShownInPartsIsSeenAsAWhole: the better element, the second of
// the name and the end of the row may be further down.
func TestAPageThatIsShownInPartsIsSeenAsAWhole(t *testing.T) {
	t.Parallel()
	elements := []browser.Element{e("link", "Sign in with a card", "e1"), e("link", "Edit", "e2")}
	for i := range 40 {
		elements = append(elements, e("row", "", ""), inside(e("cell", fmt.Sprintf("Thing %d", i), "")), inside(e("link", "Details", fmt.Sprintf("e1%02d", i))))
	}
	elements = append(elements, e("button", "Sign in", "e3"), e("button", "Edit", "e4"))
	answer := func(tool, input string) model.Output {
		var in struct {
			Find   string
			Offset int
		}
		if json.Unmarshal([]byte(input), &in) != nil || tool == "done" {
			return model.TextOutput("The run ends.")
		}
		if in.Find == "" {
			return page("https://a.example", in.Offset, 600, elements...)
		}
		var found []browser.Element
		for _, e := range elements {
			if strings.Contains(strings.ToLower(e.Name), strings.ToLower(in.Find)) {
				found = append(found, e)
			}
		}
		return page("https://a.example", 0, 600, found...)
	}
	if v, _ := outline.Parse(answer("snapshot", "{}").Text()); v.Whole() {
		t.Fatal("the page is shown as a whole")
	}
	for task, want := range map[string]string{
		`click "Sign in"`:                       `click {"ref":"e3"}`,
		`click the last "Edit"`:                 `click {"ref":"e4"}`,
		`click "Details" in the row "Thing 39"`: `click {"ref":"e139"}`,
		`click "Details" in the row "Thing 3"`:  `click {"ref":"e103"}`,
		`click "Details"`:                       "not said which is meant",
		`click "Edit", click "Sign in"`:         `click {"ref":"e3"}`,
	} {
		if got := talk(t, model.Request{Task: task}, answer); !strings.Contains(got, want) {
			t.Errorf("%s: %s", task, got)
		}
	}
}

func TestAResultThatIsTooLargeIsBlamedOnWhatIsAsked(t *testing.T) {
	t.Parallel()
	got := talk(t, model.Request{Task: "return the title"}, func(tool, input string) model.Output {
		switch {
		case tool == "read":
			return model.JSONOutput(json.RawMessage(`{"url":"https://a.example","title":"A"}`))
		case strings.Contains(input, `"success":true`):
			return model.ErrorOutput("input: result has 2000000 bytes; at most 65536 are taken")
		}
		return model.TextOutput("The run ends.")
	})
	if !strings.Contains(got, "the result that is asked for is too large: result has 2000000 bytes; at most 65536 are taken") || strings.Contains(got, "the page does not have") {
		t.Error(got)
	}
}

func TestATitleDoesNotStandForAHeading(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 1000)
	for _, title := range []string{"The shop", long} {
		read := func(tool, _ string) model.Output {
			if tool != "read" {
				return model.TextOutput("The run ends.")
			}
			return model.JSONOutput(encode(map[string]string{"url": "https://a.example", "title": title}))
		}
		if got := talk(t, model.Request{Task: "return the heading"}, read); !strings.Contains(got, "the page has no heading") {
			t.Error(got)
		}
		if got := talk(t, model.Request{Task: "return it", ResultSchema: json.RawMessage(props("name", "heading"))}, read); strings.Contains(got, "result\"") {
			t.Error(got)
		}
	}
}
