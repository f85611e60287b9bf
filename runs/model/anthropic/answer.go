package anthropic

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/runs/model/internal/dialect"
)

// said is what has come of an answer.
type said struct {
	model     string
	tools     dialect.Tools
	toolset   *toolset
	longCache bool

	any     bool // something of a message has come
	done    bool // its end has
	stop    string
	why     string // of a refusal
	blocks  []*piece
	byIndex map[int]*piece // the last of each index
	usage   usage
	size    int // bytes of what was said
}

// A piece is a content block as it comes.
type piece struct {
	fields map[string]json.RawMessage // as the block began
	kind   string
	text   strings.Builder // of a text, or of reasoning
	input  strings.Builder // of a call
	sign   strings.Builder // the signature of reasoning
	cites  []json.RawMessage
}

// An event of a stream; a whole message has the same fields.
type event struct {
	Type       string          `json:"type"`
	Index      *int            `json:"index"`
	Message    json.RawMessage `json:"message"`
	Block      json.RawMessage `json:"content_block"`
	Delta      json.RawMessage `json:"delta"`
	Content    json.RawMessage `json:"content"`
	StopReason any             `json:"stop_reason"`
	Details    stopDetails     `json:"stop_details"`
	Usage      json.RawMessage `json:"usage"`
}

type stopDetails struct {
	Category    any `json:"category"`
	Explanation any `json:"explanation"`
}

// take reads an event of a stream, or a whole message.
func (s *said) take(raw []byte) error {
	var e event
	if err := json.Unmarshal(raw, &e); err != nil {
		return err
	}
	switch e.Type {
	case "message_start":
		return s.start(e)
	case "content_block_start":
		return s.begin(e)
	case "content_block_delta":
		return s.delta(e)
	case "message_delta":
		return s.end(e)
	case "message_stop":
		s.done = true
	case "message":
		return s.whole(e)
	case "":
		if len(e.Content) > 0 {
			return s.whole(e)
		}
	}
	return nil // ping, content_block_stop, and what nobody knows yet
}

func (s *said) start(e event) error {
	s.any = true
	if len(e.Message) == 0 {
		return nil
	}
	var m event
	if err := json.Unmarshal(e.Message, &m); err != nil {
		return err
	}
	s.usage.take(m.Usage)
	return s.contents(m.Content)
}

// whole reads a message in one piece.
func (s *said) whole(e event) error {
	if len(e.Content) == 0 {
		return nil
	}
	s.any, s.done = true, true
	s.stopped(e)
	s.usage.take(e.Usage)
	return s.contents(e.Content)
}

// contents reads blocks that are there at once; a text instead of them is one.
func (s *said) contents(raw json.RawMessage) error {
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		s.piece(nil, "text").text.WriteString(text)
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil // null, or nothing that could be a message
	}
	for i, b := range list {
		if err := s.block(&i, b); err != nil {
			return err
		}
	}
	return nil
}

func (s *said) begin(e event) error {
	s.any = true
	s.usage.take(e.Usage)
	return s.block(e.Index, e.Block)
}

func (s *said) block(index *int, raw json.RawMessage) error {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return nil // a number among the blocks, say
	}
	p := s.piece(index, word(fields["type"]))
	p.fields = fields
	p.text.WriteString(word(fields["text"]))
	p.text.WriteString(word(fields["thinking"]))
	p.sign.WriteString(word(fields["signature"]))
	return nil
}

// piece begins a block.
func (s *said) piece(index *int, kind string) *piece {
	p := &piece{kind: kind}
	if s.byIndex == nil {
		s.byIndex = map[int]*piece{}
	}
	if index != nil {
		s.byIndex[*index] = p
	}
	s.blocks = append(s.blocks, p)
	return p
}

// delta adds to a block: the last one of its index, or the last one at all.
func (s *said) delta(e event) error {
	s.any = true
	s.usage.take(e.Usage)
	var d struct {
		Type                      string
		Text, Thinking, Signature string
		Input                     string          `json:"partial_json"`
		Citation                  json.RawMessage `json:"citation"`
	}
	if err := json.Unmarshal(e.Delta, &d); err != nil {
		return err
	}
	p := s.find(e.Index, d.Type)
	if p == nil {
		return nil
	}
	s.size += len(d.Text) + len(d.Thinking) + len(d.Input)
	p.text.WriteString(d.Text)
	p.text.WriteString(d.Thinking)
	p.input.WriteString(d.Input)
	p.sign.WriteString(d.Signature)
	if d.Citation != nil {
		p.cites = append(p.cites, d.Citation)
	}
	return nil
}

// kinds are the blocks that a delta without one begins.
var kinds = map[string]string{"text_delta": "text", "thinking_delta": "thinking"}

func (s *said) find(index *int, delta string) *piece {
	if index == nil && len(s.blocks) > 0 {
		return s.blocks[len(s.blocks)-1]
	}
	if index != nil && s.byIndex[*index] != nil {
		return s.byIndex[*index]
	}
	if kind := kinds[delta]; kind != "" {
		return s.piece(index, kind)
	}
	return nil
}

func (s *said) end(e event) error {
	s.any = true
	s.usage.take(e.Usage)
	var d event
	if len(e.Delta) > 0 {
		if err := json.Unmarshal(e.Delta, &d); err != nil {
			return err
		}
	}
	s.stopped(d)
	return nil
}

// stopped notes why the answer ends.
func (s *said) stopped(e event) {
	if reason, ok := e.StopReason.(string); ok && reason != "" {
		s.stop = reason
	}
	why := ""
	for _, v := range []any{e.Details.Category, e.Details.Explanation} {
		if text, ok := v.(string); ok && text != "" {
			why += ": " + text
		}
	}
	s.why = cmp.Or(why, s.why)
}

// word is a text in JSON; empty for anything else.
func word(raw json.RawMessage) (text string) {
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}
