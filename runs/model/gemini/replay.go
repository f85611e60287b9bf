package gemini

import (
	"encoding/json"
	"maps"
)

// A replay is an answer as the provider wants it back: signatures stand at its
// parts, and what nobody here knows is kept.
type replay struct {
	model  string
	parts  []kept
	signed bool
}

// kept is one part of it.
type kept struct {
	raw    json.RawMessage
	call   bool
	id     string
	fields map[string]json.RawMessage // of a call's part
}

func (r *replay) calls() (n int) {
	for _, k := range r.parts {
		if k.call {
			n++
		}
	}
	return n
}

// add keeps a part that has come.
func (r *replay) add(p *piece, c call, isCall bool) {
	fields := p.fields
	if _, ok := fields["thoughtSignature"]; ok {
		r.signed = true
	} else if plain(fields) && p.text.Len() == 0 {
		return // the provider refuses it
	}
	if plain(fields) {
		fields["text"] = marshal(p.text.String())
	}
	k := kept{raw: marshal(fields)}
	if isCall {
		k.call, k.id, k.fields = true, c.ID, fields
	}
	r.parts = append(r.parts, k)
}

// with is the call under another id; under none if that is empty.
func (k kept) with(id string) json.RawMessage {
	fields, inner := maps.Clone(k.fields), map[string]json.RawMessage{}
	if json.Unmarshal(k.fields["functionCall"], &inner) != nil {
		return k.raw // never: it was read before
	}
	inner["id"] = marshal(id)
	if id == "" {
		delete(inner, "id")
	}
	inner["args"] = argsOf(inner["args"])
	fields["functionCall"] = marshal(inner)
	return marshal(fields)
}

func marshal(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("gemini: what was read as JSON does not marshal: " + err.Error())
	}
	return raw
}
