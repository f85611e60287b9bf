package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

// Step is one of a solution: a call of a tool, as an object of the tool's input
// and the member "tool"; or what has to be seen before the next call.
//
//	{"tool": "click", "ref": "button Save"}
//	{"see": "Your code is (\\d+)", "as": "code"}
//	{"tool": "type", "ref": "textbox Code", "text": "${code}"}
//
// The members ref, from, to and refs name elements by role and name: see [find].
// What a regular expression has found stands for ${name}, and for ${name|number}
// as a number.
type Step map[string]any

func (s Step) check() error {
	_, call := s["tool"].(string)
	see, look := s["see"].(string)
	if call == look {
		return fmt.Errorf("must have either a tool or what is to be seen")
	}
	_, err := regexp.Compile(see)
	return err
}

// Script is a model that does the tasks of the suite by their solutions. It sees
// what every model sees, and nothing else.
func (s *Suite) Script() model.Model {
	return model.Func(func(_ context.Context, r model.Request) (model.Response, error) {
		for _, t := range s.Solvable() {
			if strings.HasSuffix(r.Task, "\n\n"+t.Task) {
				return newPlayer(t, r).next()
			}
		}
		return model.Response{}, model.Errorf("there is no solution")
	})
}

// player finds the place of a conversation in a solution.
type player struct {
	task     Task
	url      string
	messages []model.Message
	// heard are the outputs of tools, oldest first; after is how many there were
	// behind the call with that number.
	heard []string
	after map[int]int
	// calls is how many calls of the solution were made, looks how often the page
	// was looked at since then.
	calls, looks int
	failed       string
	values       map[string]string
}

var urlOf = regexp.MustCompile(`http://\S+`)

func newPlayer(t Task, r model.Request) *player {
	p := &player{task: t, url: urlOf.FindString(r.Task), messages: r.Messages, after: map[int]int{}, values: map[string]string{}}
	for _, m := range r.Messages {
		for _, part := range m.Content {
			p.hear(part)
		}
	}
	return p
}

func (p *player) hear(part model.Part) {
	switch part.Type {
	case model.ToolCallPart:
		p.failed = ""
		if strings.HasPrefix(part.ToolCallID, "look") {
			p.looks++
			return
		}
		p.calls++
		p.looks = 0
	case model.ToolResultPart:
		if part.Output == nil {
			return
		}
		p.heard = append(p.heard, part.Output.Text())
		p.after[p.calls] = len(p.heard)
		if part.Output.IsError() {
			p.failed = part.Output.Text()
		}
	}
}

// next is the call that the conversation has come to.
func (p *player) next() (model.Response, error) {
	if p.calls == 0 {
		return p.say("step1", "navigate", map[string]any{"url": p.url}), nil
	}
	calls := 1
	for i, step := range p.task.Solution {
		if err := p.see(step, p.after[calls]); err != nil {
			return model.Response{}, model.Errorf("solution[%d]: %s", i, err)
		}
		tool, ok := step["tool"].(string)
		if !ok {
			continue
		}
		if calls++; calls <= p.calls {
			if calls == p.calls && p.failed != "" && step["mayFail"] != true {
				return model.Response{}, model.Errorf("solution[%d]: %s", i, p.failed)
			}
			continue
		}
		return p.call(i, tool, step)
	}
	return p.say("step"+strconv.Itoa(p.calls+1), "done", map[string]any{"success": true}), nil
}

// see looks for what a step wants to see in what was heard until then.
func (p *player) see(step Step, until int) error {
	pattern, ok := step["see"].(string)
	if !ok {
		return nil
	}
	form := regexp.MustCompile(pattern) // checked
	for _, text := range slices.Backward(p.heard[:until]) {
		found := form.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		if name, ok := step["as"].(string); ok {
			p.values[name] = found[len(found)-1]
		}
		return nil
	}
	return fmt.Errorf("%q was not seen; last: %s", pattern, tail(p.heard))
}

func tail(heard []string) string {
	if len(heard) == 0 {
		return "nothing"
	}
	return heard[len(heard)-1]
}

// call makes a call of a step, or looks at the page for an element it names.
func (p *player) call(i int, tool string, step Step) (model.Response, error) {
	input := map[string]any{}
	for name, v := range step {
		if name != "tool" && name != "mayFail" {
			input[name] = p.fill(v)
		}
	}
	missing, err := p.resolve(input)
	if err == nil && missing == "" {
		return p.say("step"+strconv.Itoa(p.calls+1), tool, input), nil
	}
	if p.looks == 0 && err == nil {
		return p.say(fmt.Sprintf("look%d", p.calls), "snapshot", map[string]any{}), nil
	}
	if p.looks == 1 && err == nil { // the view may have been cut
		return p.say(fmt.Sprintf("look%db", p.calls), "snapshot", map[string]any{"find": strings.Trim(lastName(missing), "*")}), nil
	}
	if err == nil {
		err = fmt.Errorf("there is no %s in %s", missing, tail(p.heard))
	}
	return model.Response{}, model.Errorf("solution[%d]: %s", i, err)
}

func (p *player) say(id, tool string, input map[string]any) model.Response {
	return model.Response{Content: []model.Part{model.Call(id, tool, input)}, Finish: model.FinishCalls}
}

var valueForm = regexp.MustCompile(`\$\{(\w+)(\|number)?\}`)

// fill puts in what was found.
func (p *player) fill(v any) any {
	switch v := v.(type) {
	case string:
		if m := valueForm.FindStringSubmatch(v); m != nil && m[0] == v && m[2] != "" {
			return json.Number(strings.ReplaceAll(p.values[m[1]], ",", ""))
		}
		return valueForm.ReplaceAllStringFunc(v, func(s string) string { return p.values[valueForm.FindStringSubmatch(s)[1]] })
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = p.fill(v[i])
		}
		return all
	case map[string]any:
		all := map[string]any{}
		for name := range v {
			all[name] = p.fill(v[name])
		}
		return all
	}
	return v
}

// named are the members of inputs that mean elements.
var named = []string{"ref", "from", "to", "refs"}

// resolve puts references in place of names; missing is the first name that is not
// in the newest view.
func (p *player) resolve(v any) (missing string, err error) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			if missing, err := p.resolve(one); missing != "" || err != nil {
				return missing, err
			}
		}
	case map[string]any:
		for name := range v {
			if missing, err := p.resolveMember(v, name); missing != "" || err != nil {
				return missing, err
			}
		}
	}
	return "", nil
}

func (p *player) resolveMember(input map[string]any, name string) (missing string, err error) {
	text, ok := input[name].(string)
	if list, isList := input[name].([]any); isList && slices.Contains(named, name) {
		for i := range list {
			one := map[string]any{"ref": list[i]}
			if missing, err := p.resolveMember(one, "ref"); missing != "" || err != nil {
				return missing, err
			}
			list[i] = one["ref"]
		}
		return "", nil
	}
	if !ok || !slices.Contains(named, name) || text == "" {
		return p.resolve(input[name])
	}
	for _, lines := range p.views() {
		ref, err := find(lines, text)
		if err != nil {
			return text, err
		}
		if ref != "" {
			input[name] = ref
			return "", nil
		}
	}
	return text, nil
}

// views are what was seen last, newest first: by the last call of the solution, and
// when the page was looked at since then.
func (p *player) views() (all [][]outline.Line) {
	for i, text := range slices.Backward(p.heard) {
		v, ok := outline.Parse(text)
		if ok {
			all = append(all, v.Lines)
		}
		if ok && i < len(p.heard)-p.looks {
			break
		}
	}
	return all
}
