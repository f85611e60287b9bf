package tools

import (
	"context"
	"encoding/json"

	"github.com/drover-go/drover/runs/model"
)

// NoteAnswerName is the tool that keeps a partial result.
const NoteAnswerName = "note_answer"

// noteAnswer keeps what an agent knows so far. The loop keeps it: the result of a
// run that ends before it is done.
func (s *Set) noteAnswer() tool {
	return tool{
		Tool: model.Tool{
			Name: NoteAnswerName,
			Description: "Keeps what you have found so far, in place of what was kept before. " +
				"If the run has to end before you are done, this is its result. It does not end the run.",
			Input: object(1, "answer", `{"description":"The partial result, as JSON."}`),
		},
		run: func(_ context.Context, raw json.RawMessage) (Result, error) {
			in, err := decode[struct {
				Answer json.RawMessage `json:"answer"`
			}](raw)
			switch {
			case err != nil:
				return Result{}, err
			case len(in.Answer) == 0 || string(in.Answer) == "null":
				return Result{}, badInput("answer is required")
			}
			answer := s.opts.Variables.RedactJSON(in.Answer)
			if len(answer) > s.opts.MaxResult {
				return Result{}, badInput("answer has %d bytes; at most %d are taken", len(answer), s.opts.MaxResult)
			}
			return Result{Output: model.TextOutput("Kept."), Noted: asObject(answer, len(s.opts.ResultSchema) > 0)}, nil
		},
	}
}

// AskHumanName is the tool that asks a person.
const AskHumanName = "ask_human"

func (s *Set) askHuman() tool {
	return tool{
		Tool: model.Tool{
			Name: AskHumanName,
			Description: "Asks the person who watches, who may also use the browser before you go on: for a code, a decision, or a step that only a person can take. " +
				"Ask only for what you cannot do yourself.",
			Input: object(1, "question", property("string", "What you need, in one or two sentences.")),
		},
		run: func(_ context.Context, raw json.RawMessage) (Result, error) {
			in, err := decode[struct {
				Question string `json:"question"`
			}](raw)
			switch {
			case err != nil:
				return Result{}, err
			case in.Question == "":
				return Result{}, badInput("question is required")
			}
			return Result{Question: cut(s.clean(in.Question), maxError)}, nil
		},
	}
}

// Look returns the page as it is now, as the tool snapshot does.
func (s *Set) Look(ctx context.Context) model.Output {
	return s.Call(ctx, model.Call("", snapshotName, nil)).Output
}
