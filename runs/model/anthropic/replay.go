package anthropic

import (
	"encoding/json"
	"maps"
	"strings"
)

// A replay is an answer as the provider wants it back: its reasoning is signed,
// and what nobody here knows is kept.
type replay struct {
	model   string
	blocks  []kept
	reasons bool // reasoning is among the blocks
}

// kept is one block of it.
type kept struct {
	raw    json.RawMessage
	call   bool
	id     string
	fields map[string]json.RawMessage // of a call
}

func (r *replay) calls() (n int) {
	for _, b := range r.blocks {
		if b.call {
			n++
		}
	}
	return n
}

// with is the call under another id.
func (k kept) with(id string) json.RawMessage {
	fields := maps.Clone(k.fields)
	fields["id"] = marshal(id)
	return marshal(fields)
}

// add keeps a block that has come.
func (r *replay) add(p *piece) {
	fields := maps.Clone(p.fields)
	if fields == nil {
		fields = map[string]json.RawMessage{"type": marshal(p.kind)}
	}
	switch p.kind {
	case "text":
		if strings.TrimSpace(p.text.String()) == "" {
			return // the provider refuses it
		}
		fields["text"] = marshal(p.text.String())
		if len(p.cites) > 0 {
			fields["citations"] = marshal(p.cites)
		}
	case "thinking":
		fields["thinking"] = marshal(p.text.String())
		if p.sign.Len() > 0 {
			fields["signature"] = marshal(p.sign.String())
		}
		r.reasons = true
	case "redacted_thinking":
		r.reasons = true
	case "tool_use", "server_tool_use", "mcp_tool_use":
		input, _ := p.arguments()
		fields["input"] = inputOf(input)
	}
	k := kept{raw: marshal(fields)}
	if p.kind == "tool_use" {
		k.call, k.id, k.fields = true, word(fields["id"]), fields
	}
	r.blocks = append(r.blocks, k)
}

func marshal(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("anthropic: what was read as JSON does not marshal: " + err.Error())
	}
	return raw
}
