package openai

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/model"
)

// FuzzAnswers gives every reader what a hostile server may send, an event a line,
// and sends back what was kept of it.
func FuzzAnswers(f *testing.F) {
	for _, s := range []string{
		`{"choices":[{"index":0,"delta":{"content":"x","tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}}]}` + "\n[DONE]",
		`{"type":"response.output_item.done","item":{"type":"function_call","Type":"x","call_id":"a"}}` + "\n" + `{"response":{"status":"completed"}}`,
		`{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"refusal"}]},null,7]}`,
		`{"message":{"content":"x","tool_calls":[{"function":{"arguments":[1]}}]},"done":true}`,
	} {
		f.Add(s)
	}
	m, err := New(Options{Model: "m", BaseURL: "http://127.0.0.1:11434/v1", Dialect: Ollama})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, w := range []wire{chatWire{m}, responsesWire{m}, ollamaWire{m}} {
			s, r := &said{}, w.reader()
			for line := range strings.Lines(text) {
				if r.take([]byte(strings.TrimSpace(line)), s) != nil {
					break
				}
			}
			r.end(s)
			q, err := m.question(w, model.Request{Tools: []model.Tool{{Name: "f"}}})
			if err != nil {
				t.Fatal(err)
			}
			var out model.Response
			s.answer(m, q, &out)
			if _, err := m.question(w, model.Request{Messages: []model.Message{{Role: model.Assistant, Content: out.Content, Replay: out.Replay}}}); err != nil {
				t.Errorf("%q cannot be sent back: %v", text, err)
			}
		}
	})
}
