package conformance

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"
)

// modelServer is a language model for tests: it speaks the protocol of OpenAI's
// responses, and finds what it is asked for in the words it is given, by their
// spelling. What it says fits the schema that comes with the question.
func modelServer(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/llm/responses", func(w http.ResponseWriter, r *http.Request) {
		var q modelQuestion
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		answer := q.answer()
		if answer == nil {
			t.Errorf("the model has no answer to %s", q.Text.Format.Schema)
			http.Error(w, "no answer", http.StatusBadRequest)
			return
		}
		text, err := json.Marshal(answer)
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "resp_1", "object": "response", "created_at": time.Now().Unix(), "status": "completed", "model": "words",
			"output": []any{map[string]any{
				"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
				"content": []any{map[string]any{"type": "output_text", "text": string(text), "annotations": []any{}}},
			}},
			"usage": map[string]any{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
		})
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv
}

// modelQuestion is a request of that protocol.
type modelQuestion struct {
	Input json.RawMessage `json:"input"`
	Text  struct {
		Format struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"text"`
}

// inTree finds the button Greet in a tree of a page.
var inTree = regexp.MustCompile(`\[(\d+-\d+)\] button: Greet`)

// greeting is what the button says.
var greeting = regexp.MustCompile(`Hello \p{L}+`)

// answer goes by the members that the schema asks for.
func (q modelQuestion) answer() any {
	var schema struct{ Properties map[string]any }
	var words string
	if json.Unmarshal(q.Text.Format.Schema, &schema) != nil {
		return nil
	}
	words = strings.NewReplacer(`\n`, "\n", `\"`, `"`).Replace(string(q.Input))
	click := func() map[string]any {
		found := inTree.FindStringSubmatch(words)
		if found == nil {
			return nil
		}
		return map[string]any{"elementId": found[1], "description": "the button Greet", "method": "click", "arguments": []string{}}
	}
	has := func(name string) bool { _, there := schema.Properties[name]; return there }
	switch {
	case has("elements"):
		return map[string]any{"elements": []any{click()}}
	case has("action"):
		return map[string]any{"action": click(), "twoStep": false}
	case has("completed"):
		return map[string]any{"progress": "done", "completed": true}
	case has("greeting"):
		return map[string]any{"greeting": greeting.FindString(words)}
	}
	return nil
}
