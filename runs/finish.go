package runs

import (
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/tools"
)

// How a run comes to its end by what the model says: with a result, with one that
// does not fit, or with words and no call.

// ended is how the agent itself ends the run.
func (x *activeRun) ended(end *tools.End) ending {
	if end.Success {
		return ending{status: Completed, result: end.Result}
	}
	reason := end.Reason
	if reason == "" {
		reason = "the agent gave up without a reason"
	}
	if x.refused > 0 {
		return failed(CauseResultInvalid, "%s", reason)
	}
	return failed(CauseTaskFailed, "%s", reason)
}

// maxOffered is how much of a result that does not fit the last message keeps, in
// bytes.
const maxOffered = 16 << 10

// resultRefused is the answer to a result that does not fit. The last one keeps
// the value.
func (x *activeRun) resultRefused(out model.Output, call model.Part) model.Output {
	x.refused++
	x.refusedNow = true
	x.refusal = firstLine(out)
	if !x.final {
		return out
	}
	var in struct {
		Result json.RawMessage `json:"result"`
	}
	if json.Unmarshal(call.Input, &in) != nil || len(in.Result) == 0 {
		return out
	}
	value := x.vault.RedactJSON(in.Result)
	if len(value) > maxOffered {
		return model.ErrorOutput(out.Text() + "\nThe result that was offered: " + cutNoted(string(value), maxOffered))
	}
	return model.ErrorOutput(out.Text() + "\nThe result that was offered: " + string(value))
}

// judgeResult asks a last time, with nothing but the end left to call, when too
// many results did not fit, and then ends the run.
func (x *activeRun) judgeResult() *ending {
	if x.final {
		e := failed(CauseResultInvalid, "the agent offered %d results that do not fit; the last one: %s", x.refused, x.refusal)
		return &e
	}
	if x.refused >= x.limits.ResultTries || x.number >= x.limits.MaxSteps {
		// Why is said in the answer to the call: here it would be words of the user,
		// and it may quote a page.
		x.finish("The result does not fit, as the answer says. This is the last time that you are asked.")
	}
	return nil
}

// finish makes the next step the last one: only the end can be called.
func (x *activeRun) finish(why string) {
	x.final = true
	x.said.hint(why + " Call " + tools.DoneName + " now: with success true and the result, or with success false and the reason.")
}

// maxIdle is after how many answers without a tool call a run comes to its end.
const maxIdle = 3

// noCall is what follows from an answer without a call: the model is told to make
// one, at last to end the run, and if it only talks even then its words are the
// result where any result will do.
func (x *activeRun) noCall(answer model.Response, said model.Message) *ending {
	if answer.Finish == model.FinishPaused {
		return nil // the provider goes on
	}
	text := strings.TrimSpace(textOf(said))
	if x.final || x.number >= x.limits.MaxSteps && text != "" && x.schema() == nil {
		return x.lastWords(text)
	}
	x.idle++
	switch {
	case x.idle < maxIdle:
		x.said.hint("Go on by calling a tool. Call " + tools.DoneName + " when the task is done or cannot be done.")
	case text == "":
		e := failed(CauseTaskFailed, "the model stopped calling tools without ending the run")
		return &e
	default:
		x.finish("You have called no tool.")
	}
	return nil
}

// lastWords takes the words of a model that does not call the end for its result.
func (x *activeRun) lastWords(text string) *ending {
	e := failed(CauseTaskFailed, "the model stopped calling tools without ending the run")
	if text == "" {
		return &e
	}
	for _, input := range endsIn(text, x.schema() != nil) {
		r := x.tools.Call(x.ctx, model.Call("", tools.DoneName, input))
		if r.End != nil {
			e = x.ended(r.End)
			return &e
		}
		e = failed(CauseResultInvalid, "the model ended with words that are no result: %s", firstLine(r.Output))
	}
	return &e
}

// endsIn are the inputs of the end that a text may stand for, the likeliest first.
func endsIn(text string, schema bool) (all []map[string]any) {
	var value json.RawMessage
	begin, last := strings.IndexAny(text, "{["), strings.LastIndexAny(text, "}]")
	if begin >= 0 && last > begin && json.Unmarshal([]byte(text[begin:last+1]), &value) == nil {
		var call map[string]any
		if json.Unmarshal(value, &call) == nil {
			if _, ok := call["success"].(bool); ok {
				all = append(all, call)
			}
		}
		if schema || begin == 0 && last == len(text)-1 {
			all = append(all, map[string]any{"success": true, "result": value})
		}
	}
	if !schema {
		all = append(all, map[string]any{"success": true, "result": map[string]string{"text": text}})
	}
	return all
}

func textOf(m model.Message) string {
	var all []string
	for _, p := range m.Content {
		if p.Type == model.TextPart {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n")
}

// withPartial gives a run that ran out of time, steps or budget the result that
// the agent noted.
func (x *activeRun) withPartial(e ending) ending {
	if e.cause == nil || e.result != nil {
		return e
	}
	switch e.cause.Code {
	case CauseTimedOut, CauseStepLimit, CauseBudget:
		e.result = x.noted
	}
	return e
}
