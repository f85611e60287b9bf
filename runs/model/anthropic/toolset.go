package anthropic

import (
	"encoding/json"
	"slices"

	"github.com/drover-go/drover/runs/model"
)

// The provider's browser toolset is one entry among the tools that stands for a family
// of them, its members, which models have been taught. A call of a member names the
// toolset, and so does its result. Here members become calls of Drover's tools, and
// the loop knows only those: see members.go.

const (
	toolsetType = "browser_toolset_20260801"
	toolsetName = "browser"
)

// memberConfig is what is said of a member that is not as by default.
type memberConfig struct {
	Enabled bool `json:"enabled"`
}

// toolset is what of the family a request can have, by the tools that there are.
type toolset struct {
	has map[string]map[string]bool // the tools, and the names of their inputs
	// told says that the conversation has calls of members, but the request no tools
	// for them: the last question has only the end left to call.
	told bool
}

// newToolset returns the toolset for a request to a model; nil where no member can be
// had with its tools, and none was called.
func newToolset(r model.Request, of string) *toolset {
	t := &toolset{has: map[string]map[string]bool{}}
	for _, tool := range r.Tools {
		var schema struct{ Properties map[string]json.RawMessage }
		if json.Unmarshal(tool.Input, &schema) != nil {
			continue
		}
		names := map[string]bool{}
		for name := range schema.Properties {
			names[name] = true
		}
		t.has[tool.Name] = names
	}
	if slices.ContainsFunc(members, t.serves) {
		return t
	}
	t.told = slices.ContainsFunc(r.Messages, func(m model.Message) bool {
		said, ok := m.Replay.(*replay)
		return ok && said.model == of && slices.ContainsFunc(said.blocks, kept.isMember)
	})
	if t.told {
		return t
	}
	return nil
}

// isMember reports whether a block is a call of a member.
func (k kept) isMember() bool { return k.call && word(k.fields["toolset_name"]) == toolsetName }

// takes reports whether there is a tool with inputs of these names.
func (t *toolset) takes(tool string, inputs ...string) bool {
	names, ok := t.has[tool]
	return ok && !slices.ContainsFunc(inputs, func(name string) bool { return !names[name] })
}

func (t *toolset) serves(m member) bool { return m.served != nil && (t.told || m.served(t)) }

// covered are the tools that models have by members, or that are called like one.
var covered = []string{
	"navigate", "back", "click", "point", "hover", "press", "scroll", "type", "wait", "snapshot", "screenshot", "find", "zoom", "key",
}

// others are the tools of a request that stay beside the toolset.
func (t *toolset) others(all []model.Tool) (rest []model.Tool) {
	for _, tool := range all {
		if !slices.Contains(covered, tool.Name) {
			rest = append(rest, tool)
		}
	}
	return rest
}

// entry declares the toolset, without the members that cannot be had.
func (t *toolset) entry() tool {
	e := tool{Type: toolsetType, Configs: map[string]memberConfig{}}
	for _, m := range members {
		if !t.serves(m) {
			e.Configs[m.name] = memberConfig{}
		}
	}
	return e
}

// toolsetNote is said in the system prompt, because results are Drover's own.
const toolsetNote = "The references of elements are what stands in brackets behind them, such as e12. To type into a field use form_input."

// translate makes a call of a tool of a call of a member. What cannot be translated
// becomes a call that its tool refuses in words.
func (t *toolset) translate(name string, input json.RawMessage) (tool string, out json.RawMessage) {
	for _, m := range members {
		if m.name != name || !t.serves(m) {
			continue
		}
		var in memberInput
		if json.Unmarshal(input, &in) != nil {
			in = memberInput{}
		}
		tool, fields := m.call(t, in)
		return tool, marshal(fields)
	}
	return name, inputOf(input)
}
