package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/looptest"
	"github.com/drover-go/drover/runs/model/internal/providertest"
	"github.com/drover-go/drover/runs/model/openai"
)

func TestWholeRunsOverOllama(t *testing.T) { looptest.Run(t, ollama()) }

// ollama is Ollama's own route, as far as whole runs need it.
func ollama() providertest.Wire {
	return providertest.Wire{
		New: func(s providertest.Setup) (model.Model, error) {
			return openai.New(openai.Options{Model: "m", BaseURL: s.BaseURL, Dialect: openai.Ollama, MaxOutput: s.MaxOutput, Transport: aboutOllama{}})
		},
		Read: readChat, Events: ollamaLines, StreamType: "application/x-ndjson",
	}
}

// aboutOllama answers what is asked of the server beside the model.
type aboutOllama struct{}

func (aboutOllama) RoundTrip(r *http.Request) (*http.Response, error) {
	about := map[string]string{"/api/version": `{"version":"0.30.0"}`, "/api/show": shown}[r.URL.Path]
	if about == "" {
		return http.DefaultTransport.RoundTrip(r)
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(about)), Request: r}, nil
}

func ollamaLines(a providertest.Answer) (said, end []string) {
	line := func(o object) string { return js(o) + "\n" }
	message := object{"role": "assistant", "content": a.Text, "thinking": a.Reasoning}
	var calls []object
	for _, c := range a.Calls {
		calls = append(calls, object{"id": c.ID, "function": object{"name": c.Name, "arguments": json.RawMessage(c.Arguments)}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	last := object{"message": object{"role": "assistant", "content": ""}, "done": true, "done_reason": "stop"}
	if a.Usage != nil {
		last["prompt_eval_count"], last["eval_count"] = a.Usage.Input, a.Usage.Output
	}
	return []string{line(object{"message": message, "done": false})}, []string{line(last)}
}
