package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/drover-go/drover/runs/model"
)

// maxLine is how much of a step a terminal shows, in characters.
const maxLine = 120

// printSteps writes a line for each step in a message.
func printSteps(w io.Writer, m model.Message) {
	for _, part := range m.Content {
		if line := stepLine(part); line != "" {
			fmt.Fprintln(w, line)
		}
	}
}

// stepLine is a part of a message in one line; empty for what is not a step.
func stepLine(p model.Part) string {
	switch p.Type {
	case model.TextPart, model.ReasoningPart:
		return "  · " + oneLine(p.Text)
	case model.ToolCallPart:
		return "  → " + oneLine(p.ToolName+" "+string(p.Input))
	case model.ToolResultPart:
		return "  ← " + oneLine(outputText(p.Output))
	}
	return ""
}

func outputText(o *model.Output) string {
	if o == nil {
		return ""
	}
	var text string
	if json.Unmarshal(o.Value, &text) != nil {
		text = string(o.Value)
	}
	if o.Type == model.OutputErrorText {
		return "failed: " + text
	}
	return text
}

// oneLine folds white space, drops what would disturb a terminal and cuts.
func oneLine(s string) string {
	s = strings.Map(printable, strings.Join(strings.Fields(s), " "))
	if r := []rune(s); len(r) > maxLine {
		return string(r[:maxLine-1]) + "…"
	}
	return s
}

// printable makes a space of what breaks a line, and drops what a terminal would obey.
func printable(r rune) rune {
	if r == '\n' || r == '\t' {
		return ' '
	}
	if r < ' ' || r >= 0x7f && r < 0xa0 {
		return -1
	}
	return r
}
