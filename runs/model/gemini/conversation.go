package gemini

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/turns"
)

type content struct {
	Role  string  `json:"role,omitempty"`
	Parts []*part `json:"parts"`
}

// A part is a piece of a content. One that came from the provider is sent back as
// it came.
type part struct {
	Text      string    `json:"text,omitempty"`
	Inline    *blob     `json:"inlineData,omitempty"`
	Call      *call     `json:"functionCall,omitempty"`
	Response  *response `json:"functionResponse,omitempty"`
	Signature string    `json:"thoughtSignature,omitempty"`

	verbatim json.RawMessage
}

type blob struct {
	MimeType string `json:"mimeType"`
	Data     string `json:"data"`
}

type call struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

type response struct {
	ID       string                     `json:"id,omitempty"`
	Name     string                     `json:"name"`
	Response map[string]json.RawMessage `json:"response"`
	Parts    []*part                    `json:"parts,omitempty"`
}

// MarshalJSON implements [json.Marshaler].
func (p *part) MarshalJSON() ([]byte, error) {
	if p.verbatim != nil {
		return p.verbatim, nil
	}
	type fields part
	return json.Marshal((*fields)(p))
}

// anySignature stands where newer models want a signature and there is none: at a
// call that another model made. It is the provider's own word for it.
const anySignature = "skip_thought_signature_validator"

// conversation writes the turns of a request.
type conversation struct {
	model *Model
	caps  model.Caps
	ids   bool // calls are sent with their ids

	used     map[string]bool   // ids of calls so far
	sent     map[string]string // those of the last turn, by the run's ids
	sentBack []*replay
	unsigned bool
}

func (c *conversation) contents(all []turns.Turn) (out []content) {
	c.used = map[string]bool{}
	for _, t := range all {
		if t.Said != nil {
			out = append(out, content{"model", c.assistant(*t.Said)})
		} else {
			out = append(out, c.user(t)...)
		}
	}
	if out[len(out)-1].Role == "model" {
		out = append(out, content{"user", []*part{{Text: "Go on."}}})
	}
	return out
}

// user is a turn of the user: one content with all results, and one with what is
// behind them.
func (c *conversation) user(t turns.Turn) (all []content) {
	var results, behind []*part
	for _, r := range t.Results {
		p := &part{Response: &response{ID: c.sent[r.Call.ToolCallID], Name: r.Call.ToolName, Response: outputOf(r.Output)}}
		if !c.ids {
			p.Response.ID = ""
		}
		results = append(results, p)
		for _, f := range r.Files {
			if img := partOf(f); c.caps.ImagesInResults && f.Type == model.FilePart {
				p.Response.Parts = append(p.Response.Parts, img)
			} else {
				behind = append(behind, img)
			}
		}
	}
	if all := append(results, behind...); len(all) > 0 {
		results = all
	}
	var rest []*part
	for _, p := range t.Parts {
		rest = append(rest, partOf(p))
	}
	for _, parts := range [][]*part{results, rest} {
		if len(parts) > 0 {
			all = append(all, content{"user", parts})
		}
	}
	return all
}

// outputOf is what a tool answered, under the name that the provider looks for.
func outputOf(o model.Output) map[string]json.RawMessage {
	value := o.Value
	if !json.Valid(value) {
		value = marshal(o.Text())
	}
	if o.IsError() {
		return map[string]json.RawMessage{"error": value}
	}
	return map[string]json.RawMessage{"output": value}
}

func partOf(p model.Part) *part {
	if p.Type == model.FilePart {
		return &part{Inline: &blob{p.MediaType, p.Data}}
	}
	return &part{Text: p.Text}
}

// assistant is a turn of the model: as it came, if this model made it.
func (c *conversation) assistant(msg model.Message) (all []*part) {
	c.sent = map[string]string{}
	calls := msg.Calls()
	r, ok := msg.Replay.(*replay)
	if ok && r.model == c.model.opts.Model && r.calls() == len(calls) && c.model.learned.replays.Takes(r) && c.caps.Tools {
		return c.replayed(r, calls)
	}
	first := true
	for _, p := range msg.Content {
		switch {
		case p.Type == model.TextPart && strings.TrimSpace(p.Text) != "":
			all = append(all, &part{Text: p.Text})
		case p.Type == model.ToolCallPart:
			made := &part{Call: &call{ID: c.id(p.ToolCallID, p.ToolCallID), Name: p.ToolName, Args: argsOf(p.Input)}}
			if first {
				made.Signature = c.signature()
			}
			all, first = append(all, made), false
		}
	}
	if len(all) == 0 {
		all = []*part{{Text: "(Nothing.)"}}
	}
	return all
}

// signature stands at the first call of an answer that this model did not make.
func (c *conversation) signature() string {
	if from3.MatchString(c.model.opts.Model) || !c.model.learned.fields.Takes(noSignature) {
		return anySignature
	}
	c.unsigned = true
	return ""
}

// replayed is a turn as it came. Only ids of calls that are missing or there twice
// are others.
func (c *conversation) replayed(r *replay, calls []model.Part) (all []*part) {
	if r.signed {
		c.sentBack = append(c.sentBack, r)
	}
	for _, k := range r.parts {
		raw := k.raw
		if k.call {
			raw = k.with(c.id(k.id, calls[0].ToolCallID))
			calls = calls[1:]
		}
		all = append(all, &part{verbatim: raw})
	}
	return all
}

const maxID = 64 // bytes

// id is what a call is named by towards the provider: its own name for it, else
// the run's, else a number; empty where the provider takes none.
func (c *conversation) id(own, run string) string {
	if !c.ids {
		return ""
	}
	id := own
	if id == "" || len(id) > maxID || c.used[id] {
		id = run
	}
	for n := len(c.used); id == "" || len(id) > maxID || c.used[id]; n++ {
		id = fmt.Sprintf("call_%d", n)
	}
	c.used[id] = true
	c.sent[run] = id
	return id
}

// argsOf is the input of a call as the object that it has to be.
func argsOf(raw json.RawMessage) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) == nil && object != nil {
		return raw
	}
	return json.RawMessage(`{}`)
}
