package fenced_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/fenced"
)

var tools = []model.Tool{
	{Name: "click", Description: "clicks", Input: json.RawMessage(`{"type":"object","properties":{"x":{"type":"integer"}}}`)},
	{Name: "read", Description: "reads"},
}

func call(name, input string) model.Part {
	return model.Part{Type: model.ToolCallPart, ToolName: name, Input: json.RawMessage(input)}
}

func TestCallsInTexts(t *testing.T) {
	one, two := call("click", `{"x":1}`), call("read", `{}`)
	for text, want := range map[string][]model.Part{
		`{"tool":"click","input":{"x":1}}`:                                        {one},
		" {\"tool\":\"click\",\"input\":\"{\\\"x\\\":1}\"}\n":                     {one},
		`[{"tool":"click","input":{"x":1}},{"tool":"read"}]`:                      {one, two},
		`{"name":"click","arguments":{"x":1}}`:                                    {one},
		`{"type":"function","function":{"name":"click","arguments":"{\"x\":1}"}}`: {one},
		`{"click":{"x":1}}`: {one},
		"```json\n{\"tool\":\"click\",\"input\":{\"x\":1}}\n```":                           {one},
		"```\n{\"tool\":\"click\",\"input\":{\"x\":1}}":                                    {one},
		"First:\n```json\n{\"tool\":\"click\",\"input\":{\"x\":1}}\n```\nThen.":            {model.Text("First:\n\nThen."), one},
		"```json\n{\"tool\":\"click\",\"input\":{\"x\":1}}```and```{\"tool\":\"read\"}```": {model.Text("and"), one, two},
		"See ```go\nx := 1\n``` {\"tool\":\"read\"}":                                       {model.Text("See ```go\nx := 1\n```"), two},
		`I click {"tool":"click","input":{"x":1}} now`:                                     {model.Text("I click  now"), one},
		`<tool_call>{"name":"click","arguments":{"x":1}}</tool_call>`:                      {one},
		"<tool_call>\n{\"name\":\"read\",\"arguments\":{}}":                                {two},
		"<think>{\"tool\":\"read\"}</think>\n{\"tool\":\"click\",\"input\":{\"x\":1}}":     {model.Reasoning(`{"tool":"read"}`), one},
		"so I click</think>{\"tool\":\"read\"}":                                            {model.Reasoning("so I click"), two},
		"<think>for ever {\"tool\":\"read\"}":                                              {model.Reasoning(`for ever {"tool":"read"}`)},
		"{\"tool\":\"click\",\"input\":{\"note\":\"two\nlines\"}}":                         {call("click", `{"note":"two\u000alines"}`)},
		`{"tool":"click","input":[1]}`:                                                     {call("click", `"[1]"`)},
		`{"tool":"unknown"}`:                                                               {call("unknown", `{}`)},
		// What is no call:
		`{"name":"Alice","age":7}`:        {model.Text(`{"name":"Alice","age":7}`)},
		`{"tool":"click","input":{"x":`:   {model.Text(`{"tool":"click","input":{"x":`)},
		"```json\n{\"name\":\"Al\"}\n```": {model.Text("```json\n{\"name\":\"Al\"}\n```")},
		`<tool_call>click</tool_call>`:    {model.Text(`<tool_call>click</tool_call>`)},
		`[]`:                              {model.Text(`[]`)},
		`{"tool":7,"function":[]}`:        {model.Text(`{"tool":7,"function":[]}`)},
		``:                                nil,
	} {
		in := model.Response{Content: []model.Part{model.Text(text)}, Finish: model.FinishStop}
		got := fenced.Response(in, tools)
		if d := cmp.Diff(want, got.Content); d != "" {
			t.Errorf("%s (-want +got)\n%s", text, d)
		}
		if calls := len(model.Message{Content: got.Content}.Calls()) > 0; calls != (got.Finish == model.FinishCalls) {
			t.Errorf("%s: %s", text, got.Finish)
		}
	}
}

// A model that can call tools is read by nothing but markup.
func TestMarkup(t *testing.T) {
	for text, want := range map[string][]model.Part{
		`Well <tool_call>{"name":"read","arguments":{}}</tool_call>`: {model.Text("Well"), call("read", `{}`)},
		`{"tool":"read"}`:             {model.Text(`{"tool":"read"}`)},
		"<think>hm</think>Hello":      {model.Reasoning("hm"), model.Text("Hello")},
		"the <think> tag </thinking>": {model.Text("the <think> tag </thinking>")},
	} {
		got := fenced.Markup(model.Response{Content: []model.Part{model.Text(text)}, Finish: model.FinishStop})
		if d := cmp.Diff(want, got.Content); d != "" {
			t.Errorf("%s (-want +got)\n%s", text, d)
		}
	}
	both := []model.Part{model.Text(`<tool_call>{"name":"read","arguments":{}}</tool_call>`), call("click", `{}`)}
	if got := fenced.Markup(model.Response{Content: both}); cmp.Diff(both, got.Content) != "" {
		t.Errorf("beside a call: %+v", got.Content)
	}
}

func TestTheConversation(t *testing.T) {
	c := call("click", `{"x":1}`)
	c.ToolCallID = "a"
	file := model.Part{Type: model.FilePart, MediaType: "image/png", Data: "AAAA", ToolCallID: "a"}
	r := fenced.Request(model.Request{
		System: "Act.", Task: "Do it.", Tools: tools, Force: "click",
		Messages: []model.Message{
			{Role: model.Assistant, Content: []model.Part{model.Reasoning("hm"), model.Text("Well"), c}, Replay: "kept"},
			{Role: model.ToolRole, Content: []model.Part{model.Result(c, model.ErrorOutput("gone")), file}},
			{Role: model.User, Content: []model.Part{model.Text("Go on")}},
		},
	})
	want := []model.Message{
		{Role: model.Assistant, Content: []model.Part{model.Text("Well\n\n```json\n{\"tool\": \"click\", \"input\": {\"x\":1}}\n```")}},
		{Role: model.User, Content: []model.Part{model.Text("Error of click:\ngone"), file}},
		{Role: model.User, Content: []model.Part{model.Text("Go on")}},
	}
	if d := cmp.Diff(want, r.Messages); d != "" || r.Tools != nil || r.Force != "" || r.Task != "Do it." {
		t.Errorf("(-want +got)\n%s", d)
	}
	for _, part := range []string{"Act.", "call the tool click", "## click", "clicks", `"integer"`, "## read", `{"type":"object"}`} {
		if !strings.Contains(r.System, part) {
			t.Errorf("%q is not in %s", part, r.System)
		}
	}
	// What is asked for can be read.
	if got := fenced.Response(model.Response{Content: r.Messages[0].Content}, tools); len(model.Message{Content: got.Content}.Calls()) != 1 {
		t.Errorf("%+v", got)
	}
	if r := fenced.Request(model.Request{System: "Act."}); r.System != "Act." {
		t.Error(r.System)
	}
}

func TestTheWorkIsLinear(t *testing.T) {
	const n = 1 << 20
	began := time.Now()
	for _, text := range []string{
		strings.Repeat("```", n/3), strings.Repeat("```{", n/4), strings.Repeat("<tool_call>", n/11), strings.Repeat("<tool_call>{", n/12), strings.Repeat("{", n),
		strings.Repeat("<think>", n/7), strings.Repeat("<think></think>", n/15), strings.Repeat(`{"tool":`, n/8), "[" + strings.Repeat(`{"tool":"a"},`, n/13) + `{"tool":"a"}]`,
		strings.Repeat("```{\"a\":\"\n", n/10), strings.Repeat("<tool_call>{\"\n", n/14),
	} {
		fenced.Response(model.Response{Content: []model.Part{model.Text(text)}}, tools)
		fenced.Markup(model.Response{Content: []model.Part{model.Text(text)}})
	}
	if took := time.Since(began); took > testlevel.Loaded(20*time.Second) {
		t.Errorf("it took %v", took)
	}
}

func FuzzResponse(f *testing.F) {
	for _, s := range []string{
		`{"tool":"click","input":{"x":1}}`, "```json\n{\"tool\":\"read\"}\n```", `<tool_call>{"name":"a","arguments":"{}"}</tool_call>`, "<think>x</think>{", `{"click":{}}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := fenced.Response(model.Response{Content: []model.Part{model.Text(text)}}, tools)
		for _, c := range (model.Message{Content: got.Content}).Calls() {
			if c.ToolName == "" || !json.Valid(c.Input) {
				t.Errorf("%q: %+v", text, c)
			}
		}
		if len(got.Content) == 0 && strings.TrimSpace(text) != "" && !strings.Contains(text, "think>") {
			t.Errorf("%q is lost", text)
		}
	})
}
