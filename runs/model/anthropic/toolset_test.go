package anthropic_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/anthropic"
	"github.com/drover-go/drover/runs/model/internal/providertest"
)

// toolWith is a tool with inputs of these names.
func toolWith(name string, inputs ...string) model.Tool {
	props := map[string]any{}
	for _, in := range inputs {
		props[in] = map[string]string{"type": "string"}
	}
	schema, _ := json.Marshal(map[string]any{"type": "object", "properties": props, "additionalProperties": false})
	return model.Tool{Name: name, Description: "Does " + name + ".", Input: schema}
}

// few are tools of a run that has no others in the browser, many those of one with all.
var (
	few = []model.Tool{
		toolWith("navigate", "url"), toolWith("click", "ref"), toolWith("type", "ref", "text"), toolWith("snapshot", "find", "offset"),
		toolWith("read", "as", "offset"), toolWith("wait", "text", "seconds"), toolWith("search", "query"), toolWith("done", "success"),
	}
	many = append(slices.Clone(few[2:]), toolWith("navigate", "url"), toolWith("click", "ref", "button", "double", "modifiers"), toolWith("back", "action"),
		toolWith("point", "x", "y", "action", "to_x", "to_y"), toolWith("hover", "ref"), toolWith("press", "keys", "text", "ref", "repeat", "hold"),
		toolWith("scroll", "direction", "pages", "ref", "text", "x", "y"), toolWith("fill_form", "fields"), toolWith("screenshot", "marks"), toolWith("tabs", "action"))
)

func toolsetRequest(tools []model.Tool) model.Request {
	r := providertest.Request()
	r.Tools = tools
	return r
}

// member is an answer that calls a member of the toolset.
func member(name, input string) providertest.Reply {
	return providertest.Reply{Body: event(obj{"type": "message", "role": "assistant", "stop_reason": "tool_use", "content": []any{
		obj{"type": "tool_use", "id": "toolu_1", "name": name, "toolset_name": "browser", "input": json.RawMessage(input)},
	}})}
}

// declared is what a request has as tools: the members that the toolset leaves out, and
// the names of the others.
func (s *server) declared(t *testing.T, n int) (without, others []string) {
	t.Helper()
	for _, tool := range s.tree(t, n)["tools"].([]any) {
		tool := tool.(map[string]any)
		if tool["type"] != "browser_toolset_20260801" {
			others = append(others, tool["name"].(string))
			continue
		}
		if tool["name"] != nil || tool["input_schema"] != nil {
			t.Errorf("a toolset has no name: %v", tool)
		}
		for name, config := range tool["configs"].(map[string]any) {
			if diff := cmp.Diff(map[string]any{"enabled": false}, config); diff != "" {
				t.Error(diff)
			}
			without = append(without, name)
		}
	}
	slices.Sort(without)
	return without, others
}

func TestTheToolsetIsDeclaredWithWhatCanBeDone(t *testing.T) {
	t.Parallel()
	never := []string{"close_tab", "left_mouse_down", "left_mouse_up", "list_tabs", "mouse_move", "new_tab", "switch_tab", "triple_click", "zoom"}
	s, m := serve(t, anthropic.Options{BrowserToolset: true}, says(providertest.Answer{Text: "x"}))
	generate(t, m, toolsetRequest(many))
	without, others := s.declared(t, 0)
	if diff := cmp.Diff(never, without) + cmp.Diff([]string{"read", "search", "done", "fill_form", "tabs"}, others); diff != "" {
		t.Error(diff)
	}
	generate(t, m, toolsetRequest(few))
	without, others = s.declared(t, 1)
	want := append([]string{"double_click", "hover", "key", "left_click_drag", "middle_click", "right_click", "screenshot", "scroll", "scroll_to", "hold_key", "type"}, never...)
	slices.Sort(want)
	if diff := cmp.Diff(want, without) + cmp.Diff([]string{"read", "search", "done"}, others); diff != "" {
		t.Error(diff)
	}
	if choice := fmt.Sprint(s.tree(t, 1)["tool_choice"]); choice != "map[disable_parallel_tool_use:true type:auto]" || m.Caps().ParallelTools {
		t.Error("several actions at once: what comes behind one that fails must not be done", choice)
	}
	_, m = serve(t, anthropic.Options{}, says(providertest.Answer{Text: "x"}))
	if !m.Caps().ParallelTools {
		t.Error("it is not asked for, and counts")
	}
}

func TestMembersAreCallsOfTools(t *testing.T) {
	t.Parallel()
	point := `{"type":"coordinate","x":10,"y":20}`
	for _, c := range [][4]string{
		{"navigate", `{"url":"https://a.example"}`, "navigate", `{"url":"https://a.example"}`},
		{"navigate", `{"url":"back"}`, "back", `{"action":"back"}`},
		{"navigate", `{"url":"reload","tab_id":"x"}`, "back", `{"action":"reload"}`},
		{"read_page", `{"filter":"interactive","depth":3}`, "snapshot", `{}`},
		{"find", `{"query":"search bar"}`, "snapshot", `{"find":"search bar"}`},
		{"get_page_text", `{}`, "read", `{"as":"text"}`},
		{"left_click", `{"target":{"type":"ref","ref":"e12"}}`, "click", `{"ref":"e12"}`},
		{"left_click", `{"target":{"type":"ref","ref":"ref_f1e3"},"modifiers":"ctrl+shift"}`, "click", `{"modifiers":["Control","Shift"],"ref":"f1e3"}`},
		{"left_click", `{"target":` + point + `}`, "point", `{"action":"click","x":10,"y":20}`},
		{"left_click", `{}`, "click", `{"ref":""}`},
		{"left_click", `{"target":"e12"}`, "click", `{"ref":""}`},
		{"right_click", `{"target":{"type":"ref","ref":"e1"}}`, "click", `{"button":"right","ref":"e1"}`},
		{"right_click", `{"target":` + point + `}`, "point", `{"action":"right","x":10,"y":20}`},
		{"middle_click", `{"target":{"type":"ref","ref":"e1"}}`, "click", `{"button":"middle","ref":"e1"}`},
		{"double_click", `{"target":{"type":"ref","ref":"e1"}}`, "click", `{"double":true,"ref":"e1"}`},
		{"double_click", `{"target":` + point + `}`, "point", `{"action":"double","x":10,"y":20}`},
		{"hover", `{"target":{"type":"ref","ref":"e1"}}`, "hover", `{"ref":"e1"}`},
		{"hover", `{"target":` + point + `}`, "point", `{"action":"hover","x":10,"y":20}`},
		{"left_click_drag", `{"from":` + point + `,"target":{"type":"coordinate","x":30,"y":40}}`, "point", `{"action":"drag","to_x":30,"to_y":40,"x":10,"y":20}`},
		{"left_click_drag", `{"from":` + point + `}`, "point", `{}`},
		{"scroll", `{"target":` + point + `,"scroll_direction":"down"}`, "scroll", `{"direction":"down","pages":0.375,"x":10,"y":20}`},
		{"scroll", `{"target":` + point + `,"scroll_direction":"up","scroll_amount":10}`, "scroll", `{"direction":"up","pages":1.25,"x":10,"y":20}`},
		{"scroll", `{"target":{"type":"ref","ref":"e9"},"scroll_direction":"up"}`, "scroll", `{"direction":"up","pages":0.375,"ref":"e9"}`},
		{"scroll", `{"scroll_direction":"up"}`, "scroll", `{"direction":"up","pages":0.375}`},
		{"scroll_to", `{"target":{"type":"ref","ref":"e9"}}`, "scroll", `{"ref":"e9"}`},
		{"key", `{"text":"Return"}`, "press", `{"keys":"Return"}`},
		{"key", `{"text":"ctrl+a Page_Up cmd++ _","repeat":3}`, "press", `{"keys":"Control+a PageUp Meta++ _","repeat":3}`},
		{"form_input", `{"target":{"type":"ref","ref":"e4"},"value":"%password%"}`, "type", `{"ref":"e4","text":"%password%"}`},
		{"form_input", `{"target":{"type":"ref","ref":"e4"},"value":7.5}`, "type", `{"ref":"e4","text":"7.5"}`},
		{"form_input", `{"target":{"type":"ref","ref":"e4"},"value":true}`, "fill_form", `{"fields":[{"ref":"e4","value":"true"}]}`},
		{"wait", `{"duration":2}`, "wait", `{"seconds":2}`},
		{"screenshot", `{}`, "screenshot", `{}`},
		{"teleport", `{"to":"x"}`, "teleport", `{"to":"x"}`},
		{"hold_key", `{"text":"a","duration":2}`, "press", `{"hold":2,"keys":"a"}`},
		{"type", `{"text":"some text"}`, "press", `{"text":"some text"}`},
	} {
		_, m := serve(t, anthropic.Options{BrowserToolset: true}, member(c[0], c[1]))
		got := generate(t, m, toolsetRequest(many))
		if len(got.Content) != 1 || got.Finish != model.FinishCalls {
			t.Fatalf("%s: %+v", c[0], got)
		}
		if p := got.Content[0]; p.ToolName != c[2] || string(p.Input) != c[3] || p.ToolCallID != "toolu_1" {
			t.Errorf("%s %s is %s %s, not %s %s", c[0], c[1], p.ToolName, p.Input, c[2], c[3])
		}
	}
}

// What the loop calls by its own name the provider gets back as it called it.
func TestMembersAreSentBack(t *testing.T) {
	t.Parallel()
	s, m := serve(t, anthropic.Options{BrowserToolset: true}, member("left_click", `{"target":{"type":"ref","ref":"e12"}}`), member("screenshot", `{}`), says(providertest.Answer{Text: "x"}))
	r := toolsetRequest(many)
	for range 2 {
		got := generate(t, m, r)
		r.Messages = append(r.Messages,
			model.Message{Role: model.Assistant, Content: got.Content, Replay: got.Replay},
			model.Message{Role: model.ToolRole, Content: []model.Part{model.Result(got.Content[0], model.TextOutput("Done.")), image(got.Content[0].ToolCallID)}})
	}
	r.Tools = []model.Tool{toolWith("done", "success")} // the last step
	generate(t, m, r)
	messages := s.tree(t, 2)["messages"].([]any)
	click := messages[1].(map[string]any)["content"].([]any)[0].(map[string]any)
	if click["toolset_name"] != "browser" || click["name"] != "left_click" || fmt.Sprint(click["input"]) != "map[target:map[ref:e12 type:ref]]" {
		t.Errorf("%v", click)
	}
	results := messages[2].(map[string]any)["content"].([]any)
	first := results[0].(map[string]any)
	if first["toolset_name"] != "browser" || len(first["content"].([]any)) != 1 || results[1].(map[string]any)["type"] != "image" {
		t.Errorf("only a screenshot has a picture in it: %v", results)
	}
	shot := messages[4].(map[string]any)["content"].([]any)[0].(map[string]any)
	if len(shot["content"].([]any)) != 2 || shot["toolset_name"] != "browser" {
		t.Errorf("%v", shot)
	}
	without, others := s.declared(t, 2)
	if slices.Contains(without, "left_click") || len(without) == 0 || !slices.Equal(others, []string{"done"}) {
		t.Errorf("calls of members are sent without the toolset: %v %v", without, others)
	}
}

func TestAToolsetThatIsRefused(t *testing.T) {
	t.Parallel()
	s, m := serve(t, anthropic.Options{BrowserToolset: true},
		bad("'claude-haiku-4-5' does not support tool types: browser_toolset_20260801. Did you mean one of bash_20250124"), says(providertest.Answer{Text: "x"}))
	for range 2 {
		generate(t, m, toolsetRequest(few))
	}
	if len(s.asked) != 3 || strings.Contains(s.asked[1]+s.asked[2], "toolset") || !m.Caps().ParallelTools {
		t.Errorf("%d requests", len(s.asked))
	}
	names := map[string]bool{}
	for _, tool := range s.tree(t, 1)["tools"].([]any) {
		names[tool.(map[string]any)["name"].(string)] = true
	}
	if len(names) != len(few) {
		t.Error(slices.Sorted(maps.Keys(names)))
	}
}
