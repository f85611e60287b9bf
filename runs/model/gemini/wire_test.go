package gemini_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/gemini"
	"github.com/drover-go/drover/runs/model/internal/providertest"
)

// obj is JSON to be.
type obj map[string]any

func (o obj) String() string {
	raw, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

const signature = "c2lnbmVk"

func usageOf(a providertest.Answer) any {
	u := a.Usage
	if u == nil {
		return nil
	}
	return obj{"promptTokenCount": u.Input + u.CacheRead, "cachedContentTokenCount": u.CacheRead, "candidatesTokenCount": u.Output - u.Reasoning, "thoughtsTokenCount": u.Reasoning}
}

// chunk is one response; without a reason it is not the last.
func chunk(a providertest.Answer, parts []any, last bool) obj {
	candidate := obj{"index": 0}
	if parts != nil {
		candidate["content"] = obj{"role": "model", "parts": parts}
	}
	if last {
		candidate["finishReason"] = finishOf(a)
		if a.Refusal != "" {
			candidate["finishMessage"] = a.Refusal
		}
	}
	o := obj{"candidates": []any{candidate}, "responseId": "resp-1"}
	if (last || a.UsageEach) && (a.Usage != nil || a.UsageNull) {
		o["usageMetadata"] = usageOf(a)
	}
	return o
}

func finishOf(a providertest.Answer) string {
	switch {
	case a.Refusal != "" || a.Stop == providertest.Filtered:
		return "SAFETY"
	case a.Stop == providertest.Length:
		return "MAX_TOKENS"
	case a.Stop == providertest.Strange:
		return "TIRED"
	}
	return "STOP"
}

func callPart(c providertest.Call, signed bool) obj {
	args := any(c.Arguments)
	if json.Valid([]byte(c.Arguments)) {
		args = json.RawMessage(c.Arguments)
	}
	inner := obj{"name": c.Name, "args": args}
	if c.ID != "" {
		inner["id"] = c.ID
	}
	p := obj{"functionCall": inner}
	if signed {
		p["thoughtSignature"] = signature
	}
	return p
}

// pieces are the parts of an answer, each as it is streamed.
func pieces(a providertest.Answer) (all []any) {
	if a.Reasoning != "" {
		all = append(all, obj{"text": a.Reasoning, "thought": true})
	}
	if t := a.Text; t != "" {
		half := len(t) / 2
		for half > 0 && t[half]&0xC0 == 0x80 {
			half--
		}
		all = append(all, obj{"text": t[:half]}, obj{"text": t[half:]})
	}
	for i, c := range a.Calls {
		all = append(all, callPart(c, i == 0 && a.Reasoning != ""))
	}
	return all
}

func document(a providertest.Answer) string { return chunk(a, pieces(a), true).String() }

func event(o obj) string { return fmt.Sprintf("data: %s\r\n\r\n", o) }

func events(a providertest.Answer) (said, end []string) {
	for _, p := range pieces(a) {
		said = append(said, event(chunk(a, []any{p}, false)))
	}
	return said, []string{event(chunk(a, nil, true))}
}

var words = map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED"}

func fault(status int, message string) string {
	e := obj{"code": status, "message": message}
	if word := words[status]; word != "" {
		e["status"] = word
	}
	return obj{"error": e}.String()
}

func bad(message string) providertest.Reply {
	return providertest.Reply{Status: 400, Body: fault(400, message)}
}

// sent is a request read back.
type sent struct {
	System struct{ Parts []sentPart } `json:"systemInstruction"`
	Tools  []struct {
		Functions []struct{ Name string } `json:"functionDeclarations"`
	}
	ToolConfig struct {
		Calling struct {
			Mode  string
			Names []string `json:"allowedFunctionNames"`
		} `json:"functionCallingConfig"`
	}
	Config   struct{ MaxOutputTokens int } `json:"generationConfig"`
	Contents []struct {
		Role  string
		Parts []sentPart
	}
}

type sentPart struct {
	Text      string
	Call      *struct{ ID, Name string } `json:"functionCall"`
	Response  *struct{ ID, Name string } `json:"functionResponse"`
	Signature string                     `json:"thoughtSignature"`
}

func read(body []byte) (asked providertest.Asked, err error) {
	var r sent
	if err := json.Unmarshal(body, &r); err != nil {
		return asked, err
	}
	asked.Limit = r.Config.MaxOutputTokens
	if c := r.ToolConfig.Calling; c.Mode == "ANY" && len(c.Names) == 1 {
		asked.Forced = c.Names[0]
	}
	for _, p := range r.System.Parts {
		asked.System += p.Text
	}
	for _, t := range r.Tools {
		for _, f := range t.Functions {
			asked.Tools = append(asked.Tools, f.Name)
		}
	}
	for _, c := range r.Contents {
		for _, p := range c.Parts {
			if p.Call != nil {
				asked.Calls = append(asked.Calls, p.Call.ID)
			}
			if p.Response != nil {
				asked.Results = append(asked.Results, p.Response.ID)
			}
			asked.Replayed = asked.Replayed || p.Signature == signature
		}
	}
	return asked, nil
}

func slowly(detail string) providertest.Reply {
	return providertest.Reply{Status: 429, Body: `{"error":{"code":429,"message":"slowly","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.Help"},` + detail + `]}}`}
}

func wire() providertest.Wire {
	corrupt := bad("Thought signature is not valid")
	answer := func(c string) string { return `{"candidates":[{"content":` + c + `,"finishReason":"STOP"}]}` }
	return providertest.Wire{
		New: func(s providertest.Setup) (model.Model, error) {
			return gemini.New(gemini.Options{
				BaseURL: s.BaseURL + "/v1beta", Key: providertest.Key, Model: "gemini-3-flash", MaxOutput: s.MaxOutput, Transport: s.Transport, Clock: s.Clock,
				Temperature: new(0.5), ThinkingLevel: "low", Caps: func(c *model.Caps) { c.Tools = c.Tools && !s.NoTools },
			})
		},
		Route:      "/v1beta/models/gemini-3-flash:streamGenerateContent",
		Authorised: func(h http.Header) bool { return h.Get("X-Goog-Api-Key") == providertest.Key },
		Read:       read, Document: document, Events: events,
		TextArguments: func(bool) bool { return true },
		Fault:         fault,
		NoModel:       providertest.Reply{Status: 404, Body: fault(404, "models/gemini-3-flash is not found for API version v1beta")},
		NoQuota:       providertest.Reply{Status: 429, Body: `{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel"}]}]}}`},
		TooLong:       bad("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
		Slowly:        map[string]providertest.Reply{"RetryInfo": slowly(`{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"60s"}`)},
		BadSchema:     bad("GenerateContentRequest.tools[0].function_declarations[0].parameters: schema is not supported"),
		Rungs:         2,
		Fields:        map[string]int{"temperature": 1, "toolConfig": 1, "thinkingConfig": 1},
		BadField: func(name string) providertest.Reply {
			return bad("Invalid JSON payload received. Unknown name \"" + name + "\": Cannot find field.")
		},
		BadReplay:  &corrupt,
		EventFault: event(obj{"error": obj{"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}),
		NoAnswer:   map[string]string{"no candidates": `{"candidates":[],"usageMetadata":{"promptTokenCount":3}}`, "an empty object": `{}`, "an empty list": `[]`},
		Blocked:    map[string]string{"the prompt": `{"promptFeedback":{"blockReason":"SAFETY"}}`, "with a reason": `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT","blockReasonMessage":"no"},"usageMetadata":{"promptTokenCount":3}}`},
		Contents: map[string][]string{
			"":      {answer(`null`), answer(`{}`), answer(`{"parts":null}`), answer(`{"parts":[7,null,{}]}`), answer(`7`), answer(`{"parts":[{"text":null}]}`), answer(`{"parts":[{"functionCall":null}]}`)},
			"Hello": {answer(`{"parts":[{"text":"Hello"}]}`), "[" + answer(`{"parts":[{"text":"Hel"},{"odd":1}]}`) + "," + answer(`{"parts":[{"text":"lo"}]}`) + "]", answer(`{"parts":[{"text":"Hello","thoughtSignature":"x"},{"text":"","thoughtSignature":"y"}]}`)},
		},
		Unknown: []string{"data: {\"odd\":{\"x\":1}}\n\n", "event: odd\ndata: {\"candidates\":[{\"index\":1,\"content\":{\"parts\":[{\"text\":\"no\"}]}}]}\n\n"},
	}
}

func TestTheMatrix(t *testing.T) { providertest.Run(t, wire()) }

// stream is an answer as a stream of events.
func stream(a providertest.Answer) string {
	said, end := events(a)
	return strings.Join(append(said, end...), "")
}
