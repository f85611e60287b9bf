package fenced

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/loosejson"
)

// Response reads the calls from the text of an answer: the whole text, fenced
// blocks, the first object, markup. Thinking tags become reasoning. What cannot
// be read stays text.
func Response(r model.Response, tools []model.Tool) model.Response {
	return withCalls(r, func(text string) (string, []model.Part) { return Calls(text, tools) })
}

// Markup does the same for an answer of a model that can call tools and called
// none: some servers leave the markup of a call in the text. Nothing else in it
// is a call.
func Markup(r model.Response) model.Response {
	if len(model.Message{Content: r.Content}.Calls()) > 0 {
		return Thoughts(r)
	}
	return withCalls(r, markup)
}

// Thoughts makes reasoning of the thinking tags alone.
func Thoughts(r model.Response) model.Response {
	return withCalls(r, func(text string) (string, []model.Part) { return text, nil })
}

func withCalls(r model.Response, read func(string) (string, []model.Part)) model.Response {
	var parts, calls []model.Part
	for _, p := range r.Content {
		if p.Type != model.TextPart {
			parts = append(parts, p)
			continue
		}
		text, thought := Think(p.Text)
		if thought != "" {
			parts = append(parts, model.Reasoning(thought))
		}
		text, found := read(text)
		if text != "" {
			parts = append(parts, model.Text(text))
		}
		calls = append(calls, found...)
	}
	r.Content = append(parts, calls...)
	if len(calls) > 0 && r.Finish == model.FinishStop {
		r.Finish = model.FinishCalls
	}
	return r
}

// Think parts a text from the thoughts before it, which stand in tags. Some
// templates leave out the first tag. A thought without an end is all there is.
func Think(text string) (said, thought string) {
	var thoughts []string
	rest := text
	for {
		trimmed := strings.TrimSpace(rest)
		tag, ok := opening(trimmed)
		if !ok {
			break
		}
		inner, after, _ := strings.Cut(trimmed[len(tag)+2:], "</"+tag+">")
		thoughts = append(thoughts, strings.TrimSpace(inner))
		rest = strings.TrimSpace(after)
	}
	if before, after, ok := strings.Cut(rest, "</think>"); ok && len(thoughts) == 0 {
		thoughts, rest = append(thoughts, strings.TrimSpace(before)), strings.TrimSpace(after)
	}
	return rest, strings.Join(thoughts, "\n")
}

func opening(text string) (tag string, ok bool) {
	for _, tag := range []string{"think", "thinking"} {
		if strings.HasPrefix(text, "<"+tag+">") {
			return tag, true
		}
	}
	return "", false
}

// Calls reads the calls of a text, and returns what is left of it.
func Calls(text string, tools []model.Tool) (rest string, calls []model.Part) {
	trimmed := strings.TrimSpace(text)
	if v, behind, ok := loosejson.First(trimmed); ok && strings.TrimSpace(behind) == "" {
		if calls = listed(v, tools); calls != nil {
			return "", calls
		}
	}
	for _, read := range []func(string, []model.Tool) (string, []model.Part){
		blocks,
		func(text string, _ []model.Tool) (string, []model.Part) { return markup(text) },
		object,
	} {
		if rest, calls = read(trimmed, tools); calls != nil {
			return rest, calls
		}
	}
	return text, nil
}

// blocks are all fenced blocks that are calls.
func blocks(text string, tools []model.Tool) (rest string, calls []model.Part) {
	var left strings.Builder
	for {
		before, block, ok := strings.Cut(text, "```")
		left.WriteString(before)
		if !ok {
			break
		}
		body, after, _ := strings.Cut(block, "```")
		if found := inBlock(body, tools); found != nil {
			calls = append(calls, found...)
		} else {
			left.WriteString("```" + block[:len(block)-len(after)])
		}
		text = after
	}
	return strings.TrimSpace(left.String()), calls
}

// inBlock reads a block, whose first line may name a language.
func inBlock(body string, tools []model.Tool) []model.Part {
	if i := strings.IndexAny(body, "{["); i >= 0 && i < 40 {
		if v, _, ok := loosejson.First(body[i:]); ok {
			return listed(v, tools)
		}
	}
	return nil
}

func object(text string, tools []model.Tool) (rest string, calls []model.Part) {
	v, from, to, ok := loosejson.Object(text)
	if !ok {
		return text, nil
	}
	if c, ok := one(v, tools); ok {
		return strings.TrimSpace(text[:from] + text[to:]), []model.Part{c}
	}
	return text, nil
}

const open, shut = "<tool_call>", "</tool_call>"

// markup are all calls in tags.
func markup(text string) (rest string, calls []model.Part) {
	var left strings.Builder
	for {
		before, inner, ok := strings.Cut(text, open)
		left.WriteString(before)
		if !ok {
			break
		}
		body, after, closed := strings.Cut(inner, shut)
		v, _, ok := loosejson.First(strings.TrimSpace(body))
		found := listed(v, nil)
		if !ok || found == nil {
			left.WriteString(open + body)
			if closed {
				left.WriteString(shut)
			}
		}
		calls = append(calls, found...)
		text = after
	}
	if calls == nil {
		return left.String(), nil
	}
	return strings.TrimSpace(left.String()), calls
}

// listed is one call, or a list of nothing but calls.
func listed(v json.RawMessage, tools []model.Tool) []model.Part {
	if c, ok := one(v, tools); ok {
		return []model.Part{c}
	}
	var list []json.RawMessage
	if json.Unmarshal(v, &list) != nil {
		return nil
	}
	var calls []model.Part
	for _, item := range list {
		c, ok := one(item, tools)
		if !ok {
			return nil
		}
		calls = append(calls, c)
	}
	return calls
}

// one reads an object as a call: the form that was asked for, those that models
// were trained on, or the name of a tool with its input.
func one(v json.RawMessage, tools []model.Tool) (model.Part, bool) {
	var o map[string]json.RawMessage
	if json.Unmarshal(v, &o) != nil {
		return model.Part{}, false
	}
	if raw, ok := o["function"]; ok && bytes.HasPrefix(raw, []byte("{")) && json.Unmarshal(raw, &o) != nil {
		return model.Part{}, false
	}
	input, given := member(o, "input", "arguments", "parameters", "args")
	if name := text(o["tool"]); name != "" {
		return part(name, input), true
	}
	name, _ := member(o, "name", "tool_name", "function")
	if n := text(name); n != "" && given {
		return part(n, input), true
	}
	for _, t := range tools {
		if input, ok := o[t.Name]; ok && len(o) == 1 && bytes.HasPrefix(input, []byte("{")) {
			return part(t.Name, input), true
		}
	}
	return model.Part{}, false
}

func member(o map[string]json.RawMessage, names ...string) (json.RawMessage, bool) {
	for _, name := range names {
		if v, ok := o[name]; ok {
			return v, true
		}
	}
	return nil, false
}

func text(raw json.RawMessage) (s string) {
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

func part(name string, input json.RawMessage) model.Part {
	object, _ := loosejson.Arguments(string(input))
	return model.Part{Type: model.ToolCallPart, ToolName: name, Input: object}
}
