package gemini

import (
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/dialect"
	"github.com/drover-go/drover/runs/model/internal/loosejson"
)

// said is what has come of an answer.
type said struct {
	model string
	tools dialect.Tools

	any     bool // a candidate has come
	id      string
	finish  string
	why     string // of the finish
	blocked string
	parts   []*piece
	usage   *usage
	size    int // bytes of what was said
}

// A piece is a part as it comes: texts that go on are one.
type piece struct {
	fields map[string]json.RawMessage
	text   strings.Builder
}

// A chunk is an answer, or what is new of it.
type chunk struct {
	Candidates []struct {
		Index   int             `json:"index"`
		Content json.RawMessage `json:"content"`
		Finish  any             `json:"finishReason"`
		Message any             `json:"finishMessage"`
	} `json:"candidates"`
	Feedback struct {
		Reason  any `json:"blockReason"`
		Message any `json:"blockReasonMessage"`
	} `json:"promptFeedback"`
	Usage json.RawMessage `json:"usageMetadata"`
	ID    any             `json:"responseId"`
}

// take reads a chunk, or a list of all: that is what a server sends that does not
// stream events.
func (s *said) take(raw []byte) error {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		for _, one := range list {
			if err := s.chunk(one); err != nil {
				return err
			}
		}
		return nil
	}
	return s.chunk(raw)
}

func (s *said) chunk(raw []byte) error {
	var c chunk
	if err := json.Unmarshal(raw, &c); err != nil {
		return err
	}
	if id := word(c.ID); id != "" {
		s.id = id
	}
	s.takeUsage(c.Usage)
	if reason := word(c.Feedback.Reason); reason != "" {
		s.blocked = reason + colon(word(c.Feedback.Message))
	}
	for _, candidate := range c.Candidates {
		if candidate.Index != 0 {
			continue
		}
		s.any = true
		s.content(candidate.Content)
		if finish := word(candidate.Finish); finish != "" && finish != "FINISH_REASON_UNSPECIFIED" {
			s.finish, s.why = finish, colon(word(candidate.Message))
		}
	}
	return nil
}

func word(v any) string {
	s, _ := v.(string)
	return s
}

func colon(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

func (s *said) content(raw json.RawMessage) {
	var c struct {
		Parts []json.RawMessage `json:"parts"`
	}
	if json.Unmarshal(raw, &c) != nil {
		return // no content, or what could be none
	}
	for _, raw := range c.Parts {
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) == nil && len(fields) > 0 {
			s.size += len(raw)
			s.part(fields)
		}
	}
}

// part adds a part. Texts that go on are one, unless the provider signed them.
func (s *said) part(fields map[string]json.RawMessage) {
	if n := len(s.parts); n > 0 && plain(fields) && plain(s.parts[n-1].fields) && thought(fields) == thought(s.parts[n-1].fields) {
		s.parts[n-1].text.WriteString(text(fields))
		return
	}
	p := &piece{fields: fields}
	p.text.WriteString(text(fields))
	s.parts = append(s.parts, p)
}

// plain reports whether a part is nothing but text.
func plain(fields map[string]json.RawMessage) bool {
	for name := range fields {
		if name != "text" && name != "thought" {
			return false
		}
	}
	return fields["text"] != nil
}

func text(fields map[string]json.RawMessage) (text string) {
	if json.Unmarshal(fields["text"], &text) != nil {
		return ""
	}
	return text
}

func thought(fields map[string]json.RawMessage) (yes bool) {
	return json.Unmarshal(fields["thought"], &yes) == nil && yes
}

// response is the whole answer, once its end has come. A call in whose middle
// the limit of the output was reached is none.
func (s *said) response() model.Response {
	var r model.Response
	back := &replay{model: s.model}
	var now strings.Builder // the provider parts a text only to sign it
	written := func() {
		if now.Len() > 0 {
			r.Content = append(r.Content, model.Text(now.String()))
			now.Reset()
		}
	}
	calls := 0
	for i, p := range s.parts {
		c, isCall := callOf(p.fields)
		switch said := p.text.String(); {
		case isCall:
			input, whole := loosejson.Arguments(c.arguments())
			if !whole && s.finish == "MAX_TOKENS" && i == len(s.parts)-1 {
				continue
			}
			written()
			calls++
			r.Content = append(r.Content, model.Part{Type: model.ToolCallPart, ToolCallID: c.ID, ToolName: c.Name, Input: s.tools.Undo(c.Name, input)})
		case said != "" && thought(p.fields):
			written()
			r.Content = append(r.Content, model.Reasoning(said))
		default:
			now.WriteString(said)
		}
		back.add(p, c, isCall)
	}
	written()
	if len(back.parts) > 0 {
		r.Replay = back
	}
	r.Finish = s.finished(calls)
	return r
}

// finished goes by what has come, not by the word for it: calls end with "STOP",
// too.
func (s *said) finished(calls int) model.Finish {
	switch {
	case s.finish == "MAX_TOKENS":
		return model.FinishLength
	case calls > 0:
		return model.FinishCalls
	}
	return model.FinishStop
}

// callOf reads a call.
func callOf(fields map[string]json.RawMessage) (c call, ok bool) {
	raw := fields["functionCall"]
	if len(raw) == 0 || string(raw) == "null" {
		return call{}, false
	}
	var loose struct {
		ID, Name any
		Args     json.RawMessage
	}
	if json.Unmarshal(raw, &loose) != nil {
		return call{}, false
	}
	return call{word(loose.ID), word(loose.Name), loose.Args}, true
}

// arguments are the text of an object, or in a text.
func (c call) arguments() string {
	var text string
	if json.Unmarshal(c.Args, &text) == nil {
		return text
	}
	return string(c.Args)
}
