package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/drover-go/drover/runs/model"
)

// check says what the agents of a command with these models do a task with.
func (c chosenModels) check(ctx context.Context) (all []finding) {
	if len(c.Model) == 0 {
		return []finding{checkPlain()}
	}
	for _, name := range c.Model {
		if name == plainModel {
			all = append(all, checkPlain())
			continue
		}
		all = append(all, checkModel(ctx, name))
	}
	return all
}

func checkPlain() finding {
	return finding{"model", true, indented("plain: follows written steps and asks no language model\n" +
		"a task in free words is not begun: it fails with MODEL_FAILED, which names what is no step\n" +
		"docs/plain-tasks.md has the steps; --model or DROVER_MODEL names a language model")}
}

// modelTime bounds the one question: a model that runs on this machine may have to
// be loaded first.
const modelTime = 2 * time.Minute

// checkModel asks a model to call a tool, which is all that agents need of it.
func checkModel(ctx context.Context, name string) finding {
	m, variable, err := openModel(name)
	if err != nil {
		return finding{"model", false, indented(diagnose(err))}
	}
	ctx, cancel := context.WithTimeout(ctx, modelTime)
	defer cancel()
	start := time.Now()
	answer, err := m.Generate(ctx, question)
	took := time.Since(start)
	about := aboutModel(model.CapsOf(m), variable)
	if err != nil {
		return finding{"model", false, indented(name + ": " + oneParagraph(err.Error()) + "\n" + about)}
	}
	ok, what := judgeAnswer(answer)
	return finding{"model", ok, indented(fmt.Sprintf("%s answers in %d ms %s\n%s", name, took.Milliseconds(), what, about))}
}

// question has the one right answer that its tool is called.
var question = model.Request{
	System: "You check a connection.", Task: "Call the tool report with the number 7.",
	Tools: []model.Tool{{
		Name: "report", Description: "Reports a number.",
		Input: json.RawMessage(`{"type":"object","properties":{"number":{"type":"integer"}},"required":["number"],"additionalProperties":false}`),
	}},
	Force: "report", Step: 1, MaxSteps: 1,
}

func judgeAnswer(r model.Response) (ok bool, what string) {
	calls := model.Message{Content: r.Content}.Calls()
	if len(calls) == 0 {
		return false, "but calls no tool, which agents do with every step"
	}
	var in struct{ Number *int }
	if calls[0].ToolName != "report" || json.Unmarshal(calls[0].Input, &in) != nil || in.Number == nil {
		return false, "but does not call tools as their schemas say: " + oneLine(calls[0].ToolName+" "+string(calls[0].Input))
	}
	return true, "and calls tools"
}

// aboutModel is what is known of a model without asking it.
func aboutModel(c model.Caps, keyVariable string) string {
	all := []string{"no key was sent"}
	if keyVariable != "" {
		all[0] = "the key is that of " + keyVariable
	}
	if c.ContextTokens > 0 {
		all = append(all, fmt.Sprintf("a conversation may have %d tokens", c.ContextTokens))
	}
	if !c.Tools {
		all = append(all, "tools are called through JSON in its texts")
	}
	return strings.Join(all, "; ")
}

// oneParagraph drops what would disturb a terminal.
func oneParagraph(s string) string {
	return strings.Map(printable, strings.Join(strings.Fields(s), " "))
}
