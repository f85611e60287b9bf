package providertest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/model"
)

// usage is told, in part or not at all.
func (w Wire) usage(t *testing.T) {
	all := model.Usage{Input: 40, CacheRead: 60, Output: 20, Reasoning: 5}
	for _, c := range []struct {
		name   string
		answer Answer
		want   *model.Usage // nil for an estimate
	}{
		{"all", Answer{Usage: &all}, &all},
		{"some", Answer{Usage: &model.Usage{Input: 40, Output: 20}}, &model.Usage{Input: 40, Output: 20}},
		{"in each event", Answer{Usage: &all, UsageEach: true}, &all},
		{"negative", Answer{Usage: &model.Usage{Input: -40, Output: -20, Reasoning: -1}}, &model.Usage{}},
		{"missing", Answer{}, nil},
		{"null", Answer{UsageNull: true}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			twice(t, func(t *testing.T, streamed bool) {
				c.answer.Text = "Hello"
				s := w.serve(t, inTurn(w.reply(c.answer, streamed)))
				got, err := s.model(Setup{}).Generate(t.Context(), Request())
				switch {
				case err != nil:
					t.Error(err)
				case c.want != nil && got.Usage != *c.want:
					t.Errorf("%+v instead of %+v", got.Usage, *c.want)
				case c.want == nil && (!got.Usage.Estimated || got.Usage.Input == 0 || got.Usage.Output == 0):
					t.Errorf("%+v is no estimate", got.Usage)
				}
			})
		})
	}
}

// ids of calls are missing, not unique or too long. The run gives calls ids of
// its own; every result must come with its call in the next request.
func (w Wire) ids(t *testing.T) {
	for name, ids := range map[string][3]string{
		"fine":       {"call_a", "call_b", "call_c"},
		"missing":    {},
		"duplicated": {"a", "a", "a"},
		"over-long":  {strings.Repeat("a", 500), strings.Repeat("a", 500) + "b", "c"},
		"strange":    {"functions.click:0", "ä ö", "a\nb"},
	} {
		t.Run(name, func(t *testing.T) {
			twice(t, func(t *testing.T, streamed bool) { w.answered(t, ids, streamed) })
		})
	}
}

func (w Wire) answered(t *testing.T, ids [3]string, streamed bool) {
	a := Answer{Reasoning: "Hm", Calls: []Call{{ids[0], "click", `{"x":1}`}, {ids[1], "read", `{"x":2}`}, {ids[2], "click", `{"x":3}`}}}
	s := w.serve(t, inTurn(w.reply(a, streamed)))
	m := s.model(Setup{})
	got, err := m.Generate(t.Context(), Request())
	says(model.FinishCalls, model.Reasoning("Hm"), call("click", `{"x":1}`), call("read", `{"x":2}`), call("click", `{"x":3}`)).check(t, got, err)
	req := Request()
	req.Messages = turn(got)
	if _, err := m.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	asked := s.last()
	if d := cmp.Diff(asked.Calls, asked.Results); d != "" || len(asked.Calls) != 3 {
		t.Errorf("calls and results differ (-calls +results)\n%s\n%q", d, asked.Calls)
	}
	seen := map[string]bool{}
	for _, id := range asked.Calls {
		if id == "" || len(id) > 64 || seen[id] {
			t.Errorf("the ids %q", asked.Calls)
		}
		seen[id] = true
	}
}

// turn is an answer in a conversation, as the run stores it: with ids of its own,
// and a result for each call.
func turn(r model.Response) []model.Message {
	said := model.Message{Role: model.Assistant, Content: append([]model.Part(nil), r.Content...), Replay: r.Replay}
	results := model.Message{Role: model.ToolRole}
	n := 0
	for i := range said.Content {
		if p := &said.Content[i]; p.Type == model.ToolCallPart {
			n++
			p.ToolCallID = "run-7c0e9f5b-call-" + string(rune('0'+n))
			results.Content = append(results.Content, model.Result(*p, model.TextOutput("done")))
		}
	}
	if n == 0 {
		return []model.Message{said}
	}
	return []model.Message{said, results}
}

func contains(text string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}
