package runs

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/model"
)

func TestLongMessagesAreCutAndSaySo(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("größe\n", 5000)
	data, _ := json.Marshal(map[string]string{"a": long})
	call := model.Call("c1", "done", map[string]string{"result": long})
	for name, m := range map[string]model.Message{
		"text":      {Role: model.Assistant, Content: []model.Part{model.Text("short"), model.Reasoning(long)}},
		"input":     {Role: model.Assistant, Content: []model.Part{model.Text("short"), call}},
		"output":    {Role: model.ToolRole, Content: []model.Part{model.Result(call, model.TextOutput(long))}},
		"error":     {Role: model.ToolRole, Content: []model.Part{model.Result(call, model.ErrorOutput(long))}},
		"data":      {Role: model.ToolRole, Content: []model.Part{model.Result(call, model.JSONOutput(data))}},
		"several":   {Role: model.ToolRole, Content: []model.Part{model.Result(call, model.TextOutput(long)), model.Result(call, model.TextOutput("short")), model.Result(call, model.JSONOutput(data))}},
		"all kinds": {Role: model.Assistant, Content: []model.Part{model.Text(long), model.Reasoning(long), call, call}},
	} {
		before, _ := json.Marshal(m)
		for _, limit := range []int{1000, 5000, 20_000} {
			got := cutMessage(m, limit)
			raw, err := json.Marshal(got)
			if err != nil || len(raw) > limit || len(got.Content) != len(m.Content) {
				t.Errorf("%s at %d: %d bytes in %d parts, %v", name, limit, len(raw), len(got.Content), err)
			}
			if text := string(raw); !strings.Contains(text, "(cut: ") && !strings.Contains(text, `{"cut":`) {
				t.Errorf("%s at %d does not say that it is cut", name, limit)
			}
			if strings.Contains(string(raw), `�`) {
				t.Errorf("%s at %d is cut inside a character", name, limit)
			}
		}
		if after, _ := json.Marshal(m); string(after) != string(before) {
			t.Errorf("%s: the message itself was changed", name)
		}
		if same, _ := json.Marshal(cutMessage(m, 1<<20)); string(same) != string(before) {
			t.Errorf("%s is cut for no reason", name)
		}
	}
}

func TestSystemTextNamesVariablesAndTheAgentsInstructions(t *testing.T) {
	t.Parallel()
	bare := systemText(row{})
	if !strings.Contains(bare, "done") || strings.Contains(bare, "Variables") || strings.Contains(bare, "Instructions") {
		t.Error(bare)
	}
	full := systemText(row{systemPrompt: "Be brief.", variables: []model.Variable{{Name: "a", Description: "the a"}, {Name: "b"}}})
	if !strings.Contains(full, "- %a%: the a\n- %b%\n") || !strings.HasSuffix(full, "Instructions of the agent you are:\nBe brief.") {
		t.Error(full)
	}
	special := systemText(row{variables: []model.Variable{{Name: "otp", TOTP: true, Origins: []string{"https://a.example", "https://*.b.example"}}}})
	if !strings.Contains(special, "- %otp% (a one-time code") || !strings.Contains(special, " (only at https://a.example, https://*.b.example)\n") {
		t.Error(special)
	}
}
