package anthropic

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/turns"
)

type message struct {
	Role    string   `json:"role"`
	Content []*block `json:"content"`
}

// A block is a piece of a message. One that came from the provider is sent back
// as it came.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	Source    *source         `json:"source,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   []*block        `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
	Toolset   string          `json:"toolset_name,omitempty"`
	Cache     *cache          `json:"cache_control,omitempty"`

	verbatim json.RawMessage
}

type source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      string `json:"data"`
}

// MarshalJSON implements [json.Marshaler].
func (b *block) MarshalJSON() ([]byte, error) {
	if b.verbatim != nil {
		return b.verbatim, nil
	}
	type fields block
	return json.Marshal((*fields)(b))
}

// conversation writes the turns of a request.
type conversation struct {
	model *Model
	caps  model.Caps

	used     map[string]bool   // ids of calls so far
	ids      map[string]string // of the calls of the last turn, by the run's ids
	members  map[string]string // those of the calls of the last turn that are of a toolset, by the run's ids
	sentBack []*replay
	// goesOn says that the last answer, if it waits for results, is sent back with
	// its reasoning: a model that thinks by a budget wants that.
	goesOn bool
}

func (c *conversation) messages(all []turns.Turn) []message {
	c.used, c.goesOn = map[string]bool{}, true
	var out []message
	for _, t := range all {
		if t.Said != nil {
			out = append(out, message{"assistant", c.assistant(*t.Said)})
		} else {
			out = append(out, message{"user", c.user(t)})
		}
	}
	if last := out[len(out)-1]; last.Role == "assistant" && last.Content[0].verbatim == nil {
		out = append(out, message{"user", c.user(turns.Turn{})}) // it is no beginning of the next answer
	}
	return out
}

// user is a turn of the user: results first, then texts and images.
func (c *conversation) user(t turns.Turn) (all []*block) {
	var behind []*block
	for _, r := range t.Results {
		b := &block{Type: "tool_result", ToolUseID: c.ids[r.Call.ToolCallID], IsError: r.Output.IsError()}
		member := c.members[r.Call.ToolCallID]
		if member != "" {
			b.Toolset = toolsetName
		}
		if text := r.Output.Text(); strings.TrimSpace(text) != "" {
			b.Content = append(b.Content, &block{Type: "text", Text: text})
		}
		for _, f := range r.Files {
			if img := partOf(f); c.caps.ImagesInResults && (member == "" || member == "screenshot") || f.Type == model.TextPart {
				b.Content = append(b.Content, img)
			} else {
				behind = append(behind, img)
			}
		}
		all = append(all, b)
	}
	all = append(all, behind...)
	for _, p := range t.Parts {
		if p.Type == model.FilePart || strings.TrimSpace(p.Text) != "" {
			all = append(all, partOf(p))
		}
	}
	if len(all) == 0 {
		all = []*block{{Type: "text", Text: "Go on."}}
	}
	return all
}

func partOf(p model.Part) *block {
	if p.Type == model.FilePart {
		return &block{Type: "image", Source: &source{"base64", p.MediaType, p.Data}}
	}
	return &block{Type: "text", Text: p.Text}
}

// assistant is a turn of the model: as it came, if this model made it.
func (c *conversation) assistant(msg model.Message) []*block {
	c.ids, c.members = map[string]string{}, map[string]string{}
	calls := msg.Calls()
	r, ok := msg.Replay.(*replay)
	if ok && r.model == c.model.opts.Model && r.calls() == len(calls) && c.model.learned.replays.Takes(r) && c.caps.Tools {
		return c.replayed(r, calls)
	}
	c.goesOn = len(calls) == 0
	var all []*block
	for _, p := range msg.Content {
		switch {
		case p.Type == model.TextPart && strings.TrimSpace(p.Text) != "":
			all = append(all, &block{Type: "text", Text: p.Text})
		case p.Type == model.ToolCallPart:
			all = append(all, &block{Type: "tool_use", ID: c.id(p.ToolCallID, p.ToolCallID), Name: p.ToolName, Input: inputOf(p.Input)})
		}
	}
	if len(all) == 0 {
		all = []*block{{Type: "text", Text: "(Nothing.)"}}
	}
	return all
}

// replayed is a turn as it came. Only ids of calls that are missing, of a form
// that the provider refuses, or there twice, are others.
func (c *conversation) replayed(r *replay, calls []model.Part) (all []*block) {
	c.goesOn = len(calls) == 0 || r.reasons
	if r.reasons {
		c.sentBack = append(c.sentBack, r)
	}
	for _, b := range r.blocks {
		raw := b.raw
		if b.call {
			raw = b.with(c.id(b.id, calls[0].ToolCallID))
			if b.isMember() {
				c.members[calls[0].ToolCallID] = word(b.fields["name"])
			}
			calls = calls[1:]
		}
		all = append(all, &block{verbatim: raw})
	}
	return all
}

var goodID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// id is what a call is named by towards the provider: its own name for it, else
// the run's, else a number.
func (c *conversation) id(own, run string) string {
	id := own
	if !goodID.MatchString(id) || c.used[id] {
		id = run
	}
	for n := len(c.used); !goodID.MatchString(id) || c.used[id]; n++ {
		id = fmt.Sprintf("call_%d", n)
	}
	c.used[id] = true
	c.ids[run] = id
	return id
}

// inputOf is the input of a call as the object that it has to be.
func inputOf(raw json.RawMessage) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) == nil && object != nil {
		return raw
	}
	return json.RawMessage(`{}`)
}
