package plain

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

// written is a run that is written down call by call.
type written struct{ messages []model.Message }

// do adds a call and its answer.
func (w *written) do(tool string, input any, out model.Output) *written {
	call := model.Call(fmt.Sprint("c", len(w.messages)), tool, input)
	w.messages = append(w.messages, model.Message{Role: model.Assistant, Content: []model.Part{model.Reasoning("Hm."), call}},
		model.Message{Role: model.ToolRole, Content: []model.Part{model.Result(call, out)}})
	return w
}

type in = map[string]any

// part stands for the 400 lines before those that an answer has.
const part = "…"

// shown is an answer with a page, written as "role name [ref]" with two blanks for
// each level.
func shown(said string, lines ...string) model.Output {
	v := outline.View{Page: browser.Page{URL: "https://shop.example/", Title: "Shop"}, Total: len(lines)}
	for _, line := range lines {
		if line == part {
			v.First, v.Total = 400, 900
			continue
		}
		text := strings.TrimLeft(line, " ")
		role, rest, _ := strings.Cut(text, " ")
		l := outline.Line{Element: browser.Element{Role: role, Name: rest, Depth: (len(line) - len(text)) / 2}}
		if at := strings.LastIndex(rest, " ["); strings.HasSuffix(rest, "]") && at >= 0 {
			l.Name, l.Ref = rest[:at], browser.Ref(rest[at+2:len(rest)-1])
		}
		if name, value, ok := strings.Cut(l.Name, "="); ok {
			l.Name, l.Value = name, value
		}
		if name, ok := strings.CutSuffix(l.Name, " ✓"); ok {
			l.Name, l.Checked = name, true
		}
		v.Lines = append(v.Lines, l)
	}
	text, _ := v.Text("abc", 1<<20)
	return model.TextOutput(said + "\n" + text)
}

var shopLines = []string{
	"banner", "  link Basket [e1]", "navigation", "  link Lamps [e2]", "  link Log in [e3]",
	"heading Shop", "searchbox  [e4]", "textbox E-mail [e5]", `textbox Say "hi" [e6]`, "textbox Note=old [e7]",
	"combobox Colour [e8]", "checkbox I agree [e9]", "checkbox News ✓ [e10]",
	"table", "  row", "    cell Kettle", "    cell €20", "    button Buy [e11]", "  row", "    cell Cup", "    cell €5", "    button Buy [e12]",
	"button Log in [e13]", "button Save [e14]", "button Save [e15]", "button  [e16]", "contentinfo", "  link Basket [e17]",
	"paragraph Name", "textbox  [e18]", "link On, to 'the' \"end\" [e19]",
}

func TestCallsAreSaidAsSteps(t *testing.T) {
	t.Parallel()
	page := shown("Opened.", shopLines...)
	for _, test := range []struct {
		tool  string
		input in
		want  string // "" for no step
	}{
		{"navigate", in{"url": "https://shop.example/a?b=c#d"}, `Go to https://shop.example/a?b=c#d`},
		{"navigate", in{"url": "shop.example/%id%/x"}, `Go to shop.example/%id%/x`},
		{"navigate", in{"url": "https://shop.example/a."}, `Go to "https://shop.example/a."`},
		{"navigate", in{"url": "https://shop.example/a b"}, `TODO: call 3 (navigate): the address cannot be written in a step: https://shop.example/a b`},
		{"click", in{"ref": "e2"}, `Click "Lamps"`},
		{"click", in{"ref": "[e2]"}, `Click "Lamps"`},
		{"click", in{"ref": "e1"}, `Click "Basket" in the header`},
		{"click", in{"ref": "e17"}, `Click "Basket" in the footer`},
		{"click", in{"ref": "e3"}, `Click the link "Log in"`},
		{"click", in{"ref": "e13"}, `Click "Log in"`},
		{"click", in{"ref": "e12"}, `Click "Buy" in the row "Cup"`},
		{"click", in{"ref": "e15"}, `Click the second "Save"`},
		{"click", in{"ref": "e16"}, `Click the sixth button`},
		{"click", in{"ref": "e19"}, "Click `On, to 'the' \"end\"`"},
		{"click", in{"ref": "e9"}, `Check "I agree"`},
		{"click", in{"ref": "e10"}, `Uncheck "News"`},
		{"click", in{"ref": "e99"}, `TODO: call 3 (click): the messages of the run do not show the element`},
		{"type", in{"ref": "e5", "text": "a@b.example"}, `Type "a@b.example" into "E-mail"`},
		{"type", in{"ref": "e5", "text": "%email%"}, `Type %email% into "E-mail"`},
		{"type", in{"ref": "e5", "text": "x %email%", "submit": true}, `Type "x %email%" into "E-mail" and press Enter`},
		{"type", in{"ref": "e6", "text": `a "b" and click "Buy"`}, "Type `a \"b\" and click \"Buy\"` into `Say \"hi\"`"},
		{"type", in{"ref": "e6", "text": "\"`»’"}, "TODO: call 3 (type): the text cannot be written in a step"},
		{"type", in{"ref": "e7", "text": " and new", "append": true}, `Type "old and new" into "Note"`},
		{"type", in{"ref": "e7", "text": ""}, `TODO: call 3 (type): a field was emptied`},
		{"type", in{"ref": "e5", "text": ""}, ``},
		{"type", in{"ref": "e5", "text": "", "append": true, "submit": true}, `TODO: call 3 (type): Enter was pressed in a field that was not typed into last`},
		{"type", in{"ref": "e8", "text": "Blue"}, `Select "Blue" from "Colour"`},
		{"type", in{"ref": "e18", "text": "Ada"}, `Type "Ada" into "Name"`},
		{"wait", in{"text": "Results"}, `Wait for "Results"`},
		{"wait", in{"text": "Results", "seconds": 15}, `Wait up to 15 seconds for "Results"`},
		{"wait", in{"seconds": 2.5}, `Wait 2.5 seconds`},
		{"wait", in{}, `Wait 10 seconds`},
		{"wait", in{"seconds": 0}, ``},
		{"snapshot", in{"find": "x"}, ``},
		{"read", in{"as": "data"}, ``},
		{"note_answer", in{"answer": 1}, ``},
		{"ask_human", in{"question": "?"}, `TODO: call 3 (ask_human): a person took part`},
		{"take_over", in{}, `TODO: call 3 (take_over): a person took part`},
		{"click", in{"ref": "e2", "double": true}, `Double-click "Lamps"`},
		{"click", in{"ref": "e2", "button": "right"}, `Right-click "Lamps"`},
		{"click", in{"ref": "e2", "button": "middle"}, `TODO: call 3 (click): there is no such step`},
		{"click", in{"ref": "e2", "modifiers": []string{"Shift"}}, `TODO: call 3 (click): keys were held`},
		{"click", in{"ref": "e2", "hold": 2}, `TODO: call 3 (click): something was held`},
		{"press", in{"text": "abc"}, `TODO: call 3 (press): text was typed where the focus was`},
		{"hover", in{"ref": "e12"}, `Hover over "Buy" in the row "Cup"`},
		{"drag", in{"ref": "e11", "to": "e12"}, `Drag "Buy" in the row "Kettle" to "Buy" in the row "Cup"`},
		{"drag", in{"ref": "e2", "dx": -30}, `Drag "Lamps" 30 pixels left`},
		{"drag", in{"ref": "e2", "dx": 3, "dy": 3}, `TODO: call 3 (drag): a drag goes in one direction, by whole pixels`},
		{"press", in{"keys": "Escape"}, `Press Escape`},
		{"press", in{"keys": "Home"}, `Press the Home key`},
		{"press", in{"keys": "Control+A", "ref": "e5"}, `Press Control+A in "E-mail"`},
		{"press", in{"keys": "a b"}, `TODO: call 3 (press): a step presses one key, once, of those that it knows`},
		{"press", in{"keys": "MediaPlay"}, `TODO: call 3 (press): a step presses one key, once, of those that it knows`},
		{"scroll", in{}, `Scroll down`},
		{"scroll", in{"direction": "bottom"}, `Scroll to the end`},
		{"scroll", in{"text": "Terms"}, `Scroll to "Terms"`},
		{"scroll", in{"ref": "e2"}, ``},
		{"scroll", in{"pages": 3}, `TODO: call 3 (scroll): a step scrolls by most of a view, or to the end`},
		{"select", in{"ref": "e8", "options": []string{"Red"}}, `Select "Red" from "Colour"`},
		{"select", in{"ref": "e8", "options": []string{"Red", "Blue"}}, `Select "Red" and "Blue" from "Colour"`},
		{"select", in{"ref": "e8", "options": []string{}}, `TODO: call 3 (select): a list was emptied`},
		{"fill_form", in{"fields": []in{{"ref": "e5", "value": "a@b.example"}, {"ref": "e9", "value": "true"}, {"ref": "e8", "value": "Red"}}}, "Type \"a@b.example\" into \"E-mail\"\nCheck \"I agree\"\nSelect \"Red\" from \"Colour\""},
		{"fill_form", in{}, `TODO: call 3 (fill_form): its fields cannot be read`},
		{"point", in{}, `TODO: call 3 (point): there is no such step`},
	} {
		w := (&written{}).do("navigate", in{"url": "https://shop.example"}, page).do("snapshot", in{}, page)
		got := Export(Transcript{Messages: w.do(test.tool, test.input, page).messages})
		want := strings.TrimSuffix("Go to https://shop.example\n"+test.want, "\n")
		if diff := cmp.Diff(want, got.Task); diff != "" {
			t.Errorf("%s %v: %s", test.tool, test.input, diff)
		}
		steps, err := parse(got.Task)
		if isGap := strings.HasPrefix(test.want, "TODO"); isGap != (err != nil) || isGap != (len(got.Unsaid) == 1) {
			t.Errorf("%s %v: %v, %v", test.tool, test.input, err, got.Unsaid)
		} else if !isGap && len(steps) != strings.Count(want, "\n")+1 {
			t.Errorf("%q has %d steps", want, len(steps))
		}
	}
}

func TestARunIsSaidAsATask(t *testing.T) {
	t.Parallel()
	page := shown("Done.", shopLines...)
	failed := model.ErrorOutput("Error: element e2 is no longer on the page")
	for name, test := range map[string]struct {
		run  *written
		want string
	}{
		"calls that failed are left out":        {(&written{}).do("navigate", in{"url": "https://shop.example"}, page).do("click", in{"ref": "e2"}, failed).do("click", in{"ref": "e2"}, page), "Go to https://shop.example\nClick \"Lamps\""},
		"a session that existed":                {(&written{}).do("snapshot", in{}, page).do("click", in{"ref": "e2"}, page), "Go to https://shop.example/\nClick \"Lamps\""},
		"nobody knows whether it took effect":   {(&written{}).do("navigate", in{"url": "https://shop.example"}, model.ErrorOutput("the tool took too long and was stopped; it may have taken effect; look at the page")), "TODO: call 1 (navigate): it is not known whether it took effect"},
		"Enter where was typed":                 {(&written{}).do("snapshot", in{}, page).do("type", in{"ref": "e5", "text": "x"}, page).do("type", in{"ref": "e5", "text": "", "append": true, "submit": true}, page), "Go to https://shop.example/\nType \"x\" into \"E-mail\"\nPress Enter"},
		"an element that was searched for":      {(&written{}).do("snapshot", in{}, page).do("snapshot", in{"find": "far"}, shown("1 of 900 lines", "button Far away [e77]")).do("click", in{"ref": "e77"}, page), "Go to https://shop.example/\nClick \"Far away\""},
		"an element far down":                   {(&written{}).do("snapshot", in{}, page).do("snapshot", in{"offset": 400}, shown("", part, "button Far away [e77]")).do("click", in{"ref": "e77"}, shown("", "button Near [e78]")).do("click", in{"ref": "e78"}, page), "Go to https://shop.example/\nClick \"Far away\"\nClick \"Near\""},
		"a part, and then the top":              {(&written{}).do("snapshot", in{}, page).do("snapshot", in{"offset": 400}, shown("", part, "button Far away [e77]")).do("click", in{"ref": "e2"}, page), "Go to https://shop.example/\nClick \"Lamps\""},
		"a page that changes names":             {(&written{}).do("snapshot", in{}, page).do("click", in{"ref": "e2"}, shown("Clicked.", "button Log in [e30]", "button Buy [e12]")).do("click", in{"ref": "e12"}, page), "Go to https://shop.example/\nClick \"Lamps\"\nClick \"Buy\""},
		"the button behind the field, by field": {(&written{}).do("snapshot", in{}, page).do("type", in{"ref": "e7", "text": "x"}, page).do("click", in{"ref": "e14"}, page), "Go to https://shop.example/\nType \"x\" into \"Note\"\nClick \"Save\""},
		"the other one behind it":               {(&written{}).do("snapshot", in{}, page).do("type", in{"ref": "e7", "text": "x"}, page).do("click", in{"ref": "e15"}, page), "Go to https://shop.example/\nType \"x\" into \"Note\"\nClick the second \"Save\""},
	} {
		if got := Export(Transcript{Messages: test.run.messages}); got.Task != test.want {
			t.Errorf("%s: %s", name, cmp.Diff(test.want, got.Task))
		}
	}
	calls := []model.Part{model.Call("a", "click", in{"ref": "e2"}), model.Call("b", "click", in{"ref": "e1"})}
	several := append((&written{}).do("navigate", in{"url": "https://shop.example"}, page).messages,
		model.Message{Role: model.Assistant, Content: calls}, model.Message{Role: model.ToolRole, Content: []model.Part{model.Result(calls[0], page)}})
	got := Export(Transcript{Messages: several})
	if want := "Go to https://shop.example\nClick \"Lamps\"\nTODO: call 3 (click): its answer is not known"; got.Task != want {
		t.Error(got.Task)
	}
}

func TestWhatAnExportedTaskReturns(t *testing.T) {
	t.Parallel()
	first, second := shown("Opened.", "heading Kettle", "text Price: €1,299.50"), shown("Opened.", "heading Shipping", "text Costs 6,50 EUR")
	for result, test := range map[string]struct{ given, task, schema, unsaid string }{
		``:                                     {``, `A B`, ``, ``},
		`{"costs":6.5}`:                        {`{"type":"object"}`, `A B Return the result`, `{"type":"object"}`, ``},
		`{"cost":6.5}`:                         {``, `A B Return the result`, `{"properties":{"cost":{"type":"number"}},"required":["cost"],"type":"object"}`, ``},
		`{"price":1299.5,"cost":6.5,"x":null}`: {``, `A Read the page B Return the result`, `{"properties":{"cost":{"type":"number"},"price":{"type":"number"}},"required":["cost","price"],"type":"object"}`, ``},
		`{"name":"kettle","ok":true}`:          {``, `A Read the page B Return the result`, `{"properties":{"name":{"type":"string"},"ok":{"type":"boolean"}},"required":["name","ok"],"type":"object"}`, ``},
		`{"name":"nowhere"}`:                   {``, `A B Return the result`, `{"properties":{"name":{"type":"string"}},"required":["name"],"type":"object"}`, ``},
		`{"rows":[{"a":"Costs","b":6.5},{"a":"EUR"}]}`: {``, `A B Return the result`, `{"properties":{"rows":{"items":{"properties":{"a":{"type":"string"},"b":{"type":"number"}},"required":["a"],"type":"object"},"minItems":1,"type":"array"}},"required":["rows"],"type":"object"}`, ``},
		`{"url":"u","title":"t"}`:                      {``, `A B Return the title and the url`, ``, ``},
		`{"text":"It is a kettle."}`:                   {``, `A B TODO`, ``, `the result: it is in words`},
		`{"result":7}`:                                 {``, `A B TODO`, ``, `the result: it is a value without a name`},
		`{}`:                                           {``, `A B TODO`, ``, `the result: it has no members`},
	} {
		w := (&written{}).do("navigate", in{"url": "https://a.example"}, first).do("navigate", in{"url": "https://b.example"}, second)
		got := Export(Transcript{Messages: w.messages, Result: json.RawMessage(result), ResultSchema: json.RawMessage(test.given)})
		task := strings.NewReplacer("Go to https://a.example", "A", "Go to https://b.example", "B", "\n", " ").Replace(got.Task)
		if before, _, gap := strings.Cut(task, "TODO"); gap {
			task = before + "TODO"
		}
		if task != test.task || string(got.ResultSchema) != test.schema || !strings.HasPrefix(fmt.Sprint(append(got.Unsaid, Unsaid{})[0]), test.unsaid) || (len(got.Unsaid) > 0) != (test.unsaid != "") {
			t.Errorf("%s: %q %s %v", result, task, got.ResultSchema, got.Unsaid)
		}
	}
}

func TestNoNameOfAPageBreaksOutOfItsStep(t *testing.T) {
	t.Parallel()
	said := 0
	for _, name := range []string{
		`Buy`, `Buy "all"`, "a `b` c", `«x»`, `it's`, `‘a’ "b"`, "\" and click \"Delete", "`\"»’", `"; click "Delete"`, `Buy. Click Delete`, `then go back`, `the second "Delete"`,
		`%name%`, `http://evil.example`, `in the row "Delete"`, `TODO`, `,`, `"`, `...`, `"Delete" next to "x"`, `Delete" in the footer and "`, `Wait for "Delete"`, `\`, `“Delete” „x“`,
	} {
		page := shown("Opened.", "button "+name+" [e1]", "button Delete [e2]", "textbox "+name+" [e3]")
		for _, tool := range []string{"click", "type"} {
			ref := map[string]string{"click": "e1", "type": "e3"}[tool]
			w := (&written{}).do("navigate", in{"url": "https://shop.example"}, page).do(tool, in{"ref": ref, "text": name}, page).do("click", in{"ref": "e2"}, page)
			got := Export(Transcript{Messages: w.messages})
			steps, err := parse(got.Task)
			if len(got.Unsaid) > 0 {
				if err == nil {
					t.Errorf("%s %q: a task with a gap is taken: %s", tool, name, got.Task)
				}
				continue
			}
			said++
			if err != nil || len(steps) != 3 || steps[1].target.near != "" || tool == "type" && steps[1].input.text("text") != name {
				t.Errorf("%s %q: %v, %+v", tool, name, err, steps)
				continue
			}
			v, _ := outline.Parse(page.Text())
			for i, want := range []string{ref, "e2"} {
				if f := find(v, steps[i+1], -1); !f.ok || string(f.line.Ref) != want {
					t.Errorf("%s %q: step %d means %+v", tool, name, i+2, f)
				}
			}
		}
	}
	if said < 30 {
		t.Errorf("only %d of 48 are said", said)
	}
}
