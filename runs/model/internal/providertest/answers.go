package providertest

import (
	"testing"

	"github.com/drover-go/drover/runs/model"
)

// noAnswers are successes of HTTP that hold no answer.
func (w Wire) noAnswers(t *testing.T) {
	rows := []row{
		{name: "nothing", reply: Reply{}, want: fails(model.ErrorMalformed, true)},
		{name: "a page", reply: Reply{Body: "<html>Welcome</html>"}, want: fails(model.ErrorMalformed, true)},
		{name: "no object", reply: Reply{Body: `[1]`}, want: fails(model.ErrorMalformed, true)},
		{name: "half a document", reply: Reply{Body: w.Document(Answer{Text: "Hello"})[:20]}, want: fails(model.ErrorMalformed, true)},
		{name: "an empty stream", reply: Reply{Body: ": nothing\n\n"}, want: fails(model.ErrorMalformed, true)},
		{name: "half an event", reply: Reply{Body: `data: {"x":`}, want: fails(model.ErrorMalformed, true)},
		{name: "429 as a success", reply: Reply{Body: w.Fault(429, "slowly "+Key)}, want: fails(model.ErrorRate, true)},
		{name: "401 as a success", reply: Reply{Body: w.Fault(401, "no "+Key)}, want: fails(model.ErrorAuth, false)},
		{name: "500 as a success", reply: Reply{Body: w.Fault(500, "no "+Key)}, want: fails(model.ErrorOverloaded, true)},
		{name: "an error in the stream", reply: w.withEventFault(), want: want{fails: true, kind: model.ErrorOverloaded, temporary: true, paid: true}},
	}
	for name, doc := range w.NoAnswer {
		rows = append(rows, row{name: name, reply: Reply{Body: doc}, want: fails(model.ErrorMalformed, true)})
	}
	for name, doc := range w.Blocked {
		rows = append(rows, row{name: name, reply: Reply{Body: doc}, want: fails(model.ErrorRefused, false)})
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) { w.run(t, r) })
	}
}

func (w Wire) withEventFault() Reply {
	said, _ := w.Events(Answer{Text: "Hello"})
	return Reply{Body: join(said, []string{w.EventFault})}
}

// answers are what models say, in all the ways to end it.
func (w Wire) answers(t *testing.T) {
	click, other := Call{"c1", "click", `{"x":1}`}, Call{"c2", "read", `{"x":2}`}
	one, two := call("click", `{"x":1}`), call("read", `{"x":2}`)
	hello := model.Text("Hello")
	refused := fails(model.ErrorRefused, false)
	for _, c := range []struct {
		name   string
		answer Answer
		want   want
	}{
		{"text", Answer{Text: "Hello"}, says(model.FinishStop, hello)},
		{"nothing", Answer{}, says(model.FinishStop)},
		{"a call", Answer{Calls: []Call{click}}, says(model.FinishCalls, one)},
		{"text and a call", Answer{Text: "Hello", Calls: []Call{click}}, says(model.FinishCalls, hello, one)},
		{"three calls", Answer{Calls: []Call{click, other, {"c3", "click", `{"x":3}`}}}, says(model.FinishCalls, one, two, call("click", `{"x":3}`))},
		{"reasoning", Answer{Reasoning: "Hm", Text: "Hello"}, says(model.FinishStop, model.Reasoning("Hm"), hello)},
		{"reasoning and calls", Answer{Reasoning: "Hm", Calls: []Call{click, other}}, says(model.FinishCalls, model.Reasoning("Hm"), one, two)},
		{"stop with a call", Answer{Calls: []Call{click}, Stop: SaysStop}, says(model.FinishCalls, one)},
		{"calls without one", Answer{Text: "Hello", Stop: SaysCall}, says(model.FinishStop, hello)},
		{"an unknown end", Answer{Text: "Hello", Stop: Strange}, says(model.FinishStop, hello)},
		{"an unknown end of calls", Answer{Calls: []Call{click}, Stop: Strange}, says(model.FinishCalls, one)},
		{"the limit", Answer{Text: "Hello", Stop: Length}, says(model.FinishLength, hello)},
		{"the limit behind a call", Answer{Calls: []Call{click}, Stop: Length}, says(model.FinishLength, one)},
		{"a refusal", Answer{Refusal: "I will not"}, refused},
		{"a refusal behind text", Answer{Text: "Well,", Refusal: "I will not"}, refused},
		{"a filter", Answer{Text: "Well,", Stop: Filtered}, refused},
		{"a filter at once", Answer{Stop: Filtered}, refused},
	} {
		t.Run(c.name, func(t *testing.T) {
			twice(t, func(t *testing.T, streamed bool) {
				w.run(t, row{reply: w.reply(c.answer, streamed), want: c.want})
			})
		})
	}
}

// contents are forms of content that are no text.
func (w Wire) contents(t *testing.T) {
	if len(w.Contents) == 0 {
		t.Skip("the wire has one form of content")
	}
	for text, docs := range w.Contents {
		for _, doc := range docs {
			want := says(model.FinishStop)
			if text != "" {
				want.content = []model.Part{model.Text(text)}
			}
			t.Run(text, func(t *testing.T) { w.run(t, row{reply: Reply{Body: doc}, want: want}) })
		}
	}
}

// arguments are not always the object that they should be.
func (w Wire) arguments(t *testing.T) {
	cut := `{"x":`
	for _, c := range []struct{ name, arguments, input string }{
		{"nothing", ``, `{}`},
		{"spaces", " \n", `{}`},
		{"an object", `{"x":1}`, `{"x":1}`},
		{"encoded twice", `"{\"x\":1}"`, `{"x":1}`},
		{"text behind", `{"x":1} and so on`, `{"x":1}`},
		{"cut", cut, `"{\"x\":"`},
		{"a list", `[1]`, `"[1]"`},
		{"null", `null`, `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			twice(t, func(t *testing.T, streamed bool) {
				if !w.TextArguments(streamed) {
					t.Skip("arguments are objects here")
				}
				w.run(t, row{reply: w.reply(Answer{Calls: []Call{{"c1", "click", c.arguments}}}, streamed), want: says(model.FinishCalls, call("click", c.input))})
			})
		})
	}
	t.Run("cut by the limit", func(t *testing.T) {
		twice(t, func(t *testing.T, streamed bool) {
			if !w.TextArguments(streamed) {
				t.Skip("arguments are objects here")
			}
			a := Answer{Text: "Hello", Calls: []Call{{"c1", "click", `{"x":1}`}, {"c2", "read", cut}}, Stop: Length}
			w.run(t, row{reply: w.reply(a, streamed), want: says(model.FinishLength, model.Text("Hello"), call("click", `{"x":1}`))})
		})
	})
}

// withoutTools reads calls from the text of models that have none.
func (w Wire) withoutTools(t *testing.T) {
	for name, text := range map[string]string{
		"the whole text": `{"tool":"click","input":{"x":1}}`,
		"a fenced block": "Well:\n```json\n{\"tool\": \"click\", \"input\": {\"x\": 1}}\n```\n",
		"markup":         `<tool_call>{"name":"click","arguments":{"x":1}}</tool_call>`,
		"after thought":  "<think>{\"tool\":\"read\"}</think>{\"tool\":\"click\",\"input\":{\"x\":1}}",
	} {
		t.Run(name, func(t *testing.T) {
			twice(t, func(t *testing.T, streamed bool) {
				s := w.serve(t, inTurn(w.reply(Answer{Text: text}, streamed)))
				got, err := s.model(Setup{NoTools: true}).Generate(t.Context(), Request())
				if err != nil {
					t.Fatal(err)
				}
				found := model.Message{Content: got.Content}.Calls()
				want{content: []model.Part{call("click", `{"x":1}`)}, finish: model.FinishCalls}.check(t, model.Response{Content: found, Finish: got.Finish}, nil)
				if asked := s.last(); len(asked.Tools) > 0 || !contains(asked.System, "click", "clicks", `"integer"`) {
					t.Errorf("asked with the tools %q in %q", asked.Tools, asked.System)
				}
			})
		})
	}
}
