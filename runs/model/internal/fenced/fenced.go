// Package fenced lets models call tools that cannot, as far as their provider
// knows: the tools stand in the system prompt, and calls are read from the text
// of the answer.
package fenced

import (
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/runs/model"
)

const instruction = `# Tools

You act by calling a tool. To call one, end your answer with one JSON object in a fenced block, and write nothing behind it:

` + "```json\n" + `{"tool": "NAME", "input": {}}` + "\n```" + `

The input follows the schema of the tool. The result comes in the next message.`

// Request returns the question without tools: they stand in the system prompt,
// and earlier calls and results in the texts of the conversation. Images stay.
func Request(r model.Request) model.Request {
	out := r
	out.System = System(r)
	out.Tools, out.Force, out.Messages = nil, "", nil
	for _, m := range r.Messages {
		switch m.Role {
		case model.Assistant:
			out.Messages = append(out.Messages, model.Message{Role: model.Assistant, Content: said(m)})
		case model.ToolRole:
			out.Messages = append(out.Messages, model.Message{Role: model.User, Content: results(m)})
		default:
			out.Messages = append(out.Messages, m)
		}
	}
	return out
}

// System is the system prompt with the tools.
func System(r model.Request) string {
	if len(r.Tools) == 0 {
		return r.System
	}
	var b strings.Builder
	b.WriteString(r.System + "\n\n" + instruction)
	if r.Force != "" {
		b.WriteString(" This time the answer has to call the tool " + r.Force + ".")
	}
	for _, t := range r.Tools {
		b.WriteString("\n\n## " + t.Name + "\n\n" + t.Description + "\n\nSchema of the input: " + schema(t))
	}
	return b.String()
}

func schema(t model.Tool) string {
	if len(t.Input) == 0 {
		return `{"type":"object"}`
	}
	return string(t.Input)
}

// said is a turn of the model as it should have written it.
func said(m model.Message) []model.Part {
	var all []string
	for _, p := range m.Content {
		switch p.Type {
		case model.TextPart:
			all = append(all, p.Text)
		case model.ToolCallPart:
			all = append(all, "```json\n"+callText(p)+"\n```")
		}
	}
	return []model.Part{model.Text(strings.Join(all, "\n\n"))}
}

func callText(p model.Part) string {
	name, err := json.Marshal(p.ToolName)
	if err != nil {
		name = []byte(`""`) // cannot be: a string marshals
	}
	return `{"tool": ` + string(name) + `, "input": ` + string(p.Input) + `}`
}

func results(m model.Message) []model.Part {
	var all, files []model.Part
	for _, p := range m.Content {
		switch {
		case p.Type == model.FilePart:
			files = append(files, p)
		case p.Type == model.ToolResultPart && p.Output != nil:
			what := "Result"
			if p.Output.IsError() {
				what = "Error"
			}
			all = append(all, model.Text(what+" of "+p.ToolName+":\n"+p.Output.Text()))
		default:
			all = append(all, p)
		}
	}
	return append(all, files...)
}
