package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/drover-go/drover/runs/model"
)

func (s *Set) done() tool {
	result := `{"description":"What the task asks for, as JSON."}`
	if len(s.opts.ResultSchema) > 0 {
		result = string(s.opts.ResultSchema)
	}
	return tool{
		Tool: model.Tool{
			Name: DoneName,
			Description: "Ends the run. Say success true and give the result if the task is done, " +
				"or success false and the reason if it cannot be done.",
			Input: object(1,
				"success", property("boolean", "Whether the task is done."),
				"reason", property("string", "Why it cannot be done, or a remark."),
				"result", result),
		},
		run: s.runDone,
	}
}

func (s *Set) runDone(_ context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Success *bool           `json:"success"`
		Reason  string          `json:"reason"`
		Result  json.RawMessage `json:"result"`
	}](raw)
	switch {
	case err != nil:
		return Result{}, err
	case in.Success == nil:
		return Result{}, badInput("success is required")
	}
	end := &End{Success: *in.Success, Reason: cut(oneLine(s.clean(in.Reason)), maxError)}
	if end.Success {
		if end.Result, err = s.result(in.Result); err != nil {
			return Result{Refused: true}, err
		}
	}
	return Result{Output: model.TextOutput("The run ends."), End: end}, nil
}

// result redacts and checks a result. Without a schema none is needed.
func (s *Set) result(raw json.RawMessage) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if len(s.opts.ResultSchema) == 0 && (len(raw) == 0 || string(raw) == "null") {
		return nil, nil
	}
	if len(raw) == 0 {
		return nil, badInput("result is required: the task has a result schema")
	}
	raw = s.opts.Variables.RedactJSON(raw)
	if len(raw) > s.opts.MaxResult {
		return nil, badInput("result has %d bytes; at most %d are taken", len(raw), s.opts.MaxResult)
	}
	if err := s.opts.Validate(raw); err != nil {
		return nil, badInput("result: %s", s.clean(err.Error()))
	}
	return asObject(raw, len(s.opts.ResultSchema) > 0), nil
}

// asObject makes an object of a value, as the wire has only such, unless a schema
// says what it is.
func asObject(raw json.RawMessage, schema bool) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if schema || raw[0] == '{' {
		return raw
	}
	return json.RawMessage(fmt.Sprintf(`{"result":%s}`, raw))
}
