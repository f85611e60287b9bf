package turns

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/model"
)

func call(id string) model.Part {
	return model.Part{Type: model.ToolCallPart, ToolCallID: id, ToolName: "do", Input: json.RawMessage(`{}`)}
}

func said(parts ...model.Part) model.Message {
	return model.Message{Role: model.Assistant, Content: parts}
}

func tool(parts ...model.Part) model.Message {
	return model.Message{Role: model.ToolRole, Content: parts}
}

func result(id, text string) model.Part { return model.Result(call(id), model.TextOutput(text)) }

func image(id, data string) model.Part {
	return model.Part{Type: model.FilePart, ToolCallID: id, MediaType: "image/png", Data: data}
}

func hint(text string) model.Message {
	return model.Message{Role: model.User, Content: []model.Part{model.Text(text)}}
}

// show writes turns in short.
func show(turns []Turn) string {
	var all []string
	for _, t := range turns {
		text := "user:"
		if t.Said != nil {
			text = "assistant:" + parts(t.Said.Content)
		}
		for _, r := range t.Results {
			text += " " + r.Call.ToolCallID + "=" + r.Output.Text() + parts(r.Files)
		}
		all = append(all, text+parts(t.Parts))
	}
	return strings.Join(all, " | ")
}

func parts(list []model.Part) (text string) {
	for _, p := range list {
		text += fmt.Sprintf(" %s%s%s", p.Text, p.ToolCallID, p.Data)
	}
	return text
}

func TestTurns(t *testing.T) {
	for name, c := range map[string]struct {
		messages []model.Message
		want     string
	}{
		"the task alone":          {nil, `user: task`},
		"results out of order":    {[]model.Message{said(call("a"), call("b")), tool(result("b", "2"), result("a", "1")), hint("so")}, `user: task | assistant: a b | user: a=1 b=2 so`},
		"a result is missing":     {[]model.Message{said(call("a"), call("b")), tool(result("b", "2"))}, `user: task | assistant: a b | user: a=The call was not carried out. b=2`},
		"all are missing":         {[]model.Message{said(call("a")), said(model.Text("x"))}, `user: task | assistant: a | user: a=The call was not carried out. | assistant: x`},
		"at the end, too":         {[]model.Message{said(call("a"))}, `user: task | assistant: a | user: a=The call was not carried out.`},
		"in two messages":         {[]model.Message{said(call("a"), call("b")), tool(result("a", "1")), tool(result("b", "2"), result("a", "3"))}, `user: task | assistant: a b | user: a=1 b=2`},
		"an empty answer":         {[]model.Message{said(model.Text("")), hint("once more"), said(model.Text("x"))}, `user: task once more | assistant: x`},
		"two answers":             {[]model.Message{said(model.Text("x")), said(model.Text("y"))}, `user: task | assistant: x | assistant: y`},
		"a result of no call":     {[]model.Message{tool(result("z", "0")), said(model.Text("x")), tool(result("z", "0")), hint("go")}, `user: task | assistant: x | user: go`},
		"an image of a result":    {[]model.Message{said(call("a")), tool(result("a", "1"), image("a", "I"), image("", "J"))}, `user: task | assistant: a | user: a=1 aI J`},
		"too many images":         {[]model.Message{said(call("a")), tool(result("a", "1"), image("a", "I"), image("a", "J"), image("a", "K"), image("", "L"), image("", "M"))}, `user: task | assistant: a | user: a=1 ` + Left + `a ` + Left + `a aK L M`},
		"too many, in two steps":  {[]model.Message{hint("x"), tool(image("", "I"), image("", "J"), image("", "K"), image("", "L"), image("", "M"), image("", "N"), image("", "O"))}, `user: task x ` + Left + ` ` + Left + ` ` + Left + ` ` + Left + ` M N O`},
		"a replay of no content":  {[]model.Message{{Role: model.Assistant, Replay: 1}, hint("so")}, `user: task | assistant: | user: so`},
		"reasoning is no content": {[]model.Message{said(model.Reasoning("hm")), hint("so")}, `user: task so`},
	} {
		if got := show(Of(model.Request{Task: "task", Messages: c.messages}, model.Caps{Images: true, MaxImages: 4})); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
	if got := show(Of(model.Request{Messages: []model.Message{tool(image("", "I"))}}, model.Caps{})); got != `user: Begin. `+Left {
		t.Error(got)
	}
}

// While a run goes on, what is left out changes seldom.
func TestImagesAreLeftOutInSteps(t *testing.T) {
	changes, before := 0, 0
	var messages []model.Message
	for range 300 {
		messages = append(messages, tool(image("", "I")))
		n := strings.Count(show(Of(model.Request{Messages: messages}, model.Caps{Images: true, MaxImages: 20})), Left)
		if shown := len(messages) - n; shown > 20 || len(messages) >= 20 && shown < 10 {
			t.Fatalf("%d of %d images are shown", shown, len(messages))
		}
		if n != before {
			changes, before = changes+1, n
		}
	}
	if changes > 300/10 {
		t.Errorf("the history changed %d times", changes)
	}
}
