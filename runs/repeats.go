package runs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/tools"
)

// repeats notices an agent that goes round in circles.
type repeats struct {
	failed map[string]failure // by call
	steps  []string           // the newest ones: calls and what came of them
}

// failure is how a call has failed, the same way n times in a row.
type failure struct {
	how string
	n   int
}

// maxFailed is how often a call may fail the same way before it is refused.
const maxFailed = 2

// refuse says why a call is not made that failed the same way twice, as long as
// nothing else has been done since; empty for one that may be made.
func (r *repeats) refuse(call model.Part) string {
	f := r.failed[callKey(call)]
	if f.n < maxFailed {
		return ""
	}
	return fmt.Sprintf("not executed: the same call has failed %d times in a row (%q). Look at the page, then do something else: another element, another way, or %s if it cannot be done.",
		f.n, shorten.Bytes(f.how, 300), tools.DoneName)
}

// note keeps what came of a call.
func (r *repeats) note(call model.Part, out model.Output) {
	key := callKey(call)
	switch {
	case call.ToolName == tools.DoneName:
	case out.IsError():
		how := firstLine(out)
		f := r.failed[key]
		if f.how != how {
			f = failure{how: how}
		}
		f.n++
		if r.failed == nil {
			r.failed = map[string]failure{}
		}
		r.failed[key] = f
	case tools.OnlyLooks(call.ToolName):
		delete(r.failed, key)
	default: // the page may be another one now
		clear(r.failed)
	}
}

func callKey(call model.Part) string {
	var input any
	raw := []byte(call.Input)
	if json.Unmarshal(raw, &input) == nil {
		if sorted, err := json.Marshal(input); err == nil {
			raw = sorted
		}
	}
	return call.ToolName + " " + string(raw)
}

// loopWindow is how many steps back are looked at; loopNotices are how many equal
// ones among them are told.
const loopWindow = 20

var loopNotices = []int{3, 5, 8}

// step keeps a step, and returns what to tell the agent about it; mostly nothing.
func (r *repeats) step(calls, results []model.Part) string {
	var key strings.Builder
	for i, c := range calls {
		key.WriteString(callKey(c))
		if i < len(results) && results[i].Output != nil {
			key.WriteString(strings.ReplaceAll(results[i].Output.Text(), "- *", "- "))
		}
	}
	r.steps = append(r.steps[max(len(r.steps)-loopWindow+1, 0):], key.String())
	n := 0
	for _, s := range r.steps {
		if s == key.String() {
			n++
		}
	}
	if !slices.Contains(loopNotices, n) {
		return ""
	}
	return fmt.Sprintf("You have made the same calls %d times, and the page answered the same each time. Another time will not help. Try another way, or end with %s and say what is missing.", n, tools.DoneName)
}
