package anthropic

import (
	"encoding/json"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/loosejson"
)

// response is the whole answer, once its end has come. A call in whose middle
// the limit of the output was reached is none.
func (s *said) response() model.Response {
	var r model.Response
	back := &replay{model: s.model}
	for i, p := range s.blocks {
		switch p.kind {
		case "text":
			if text := p.text.String(); text != "" {
				r.Content = append(r.Content, model.Text(text))
			}
		case "thinking":
			if text := p.text.String(); text != "" {
				r.Content = append(r.Content, model.Reasoning(text))
			}
		case "tool_use":
			input, whole := p.arguments()
			if !whole && s.stop == "max_tokens" && i == len(s.blocks)-1 {
				continue
			}
			name, input := s.called(p, input)
			r.Content = append(r.Content, model.Part{Type: model.ToolCallPart, ToolCallID: word(p.fields["id"]), ToolName: name, Input: input})
		}
		back.add(p)
	}
	if len(back.blocks) > 0 {
		r.Replay = back
	}
	r.Finish = s.finish(len(model.Message{Content: r.Content}.Calls()))
	return r
}

// called is the tool of a call and its input, whichever way the model has the tool.
func (s *said) called(p *piece, input json.RawMessage) (string, json.RawMessage) {
	name := word(p.fields["name"])
	if s.toolset != nil && word(p.fields["toolset_name"]) == toolsetName {
		return s.toolset.translate(name, input)
	}
	return name, s.tools.Undo(name, input)
}

// finish goes by what has come, not by the word for it, where they differ.
func (s *said) finish(calls int) model.Finish {
	switch {
	case s.stop == "max_tokens":
		return model.FinishLength
	case s.stop == "pause_turn":
		return model.FinishPaused
	case calls > 0:
		return model.FinishCalls
	}
	return model.FinishStop
}

// arguments are the input of a call.
func (p *piece) arguments() (input json.RawMessage, whole bool) {
	if p.input.Len() > 0 {
		return loosejson.Arguments(p.input.String())
	}
	if text := word(p.fields["input"]); text != "" {
		return loosejson.Arguments(text)
	}
	return loosejson.Arguments(string(p.fields["input"]))
}
