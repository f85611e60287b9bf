package providertest

import (
	"bytes"
	"testing"

	"github.com/drover-go/drover/runs/model"
)

// refusedFields are left out after they were refused once, and from then on.
func (w Wire) refusedFields(t *testing.T) {
	for name, ways := range w.Fields {
		t.Run(name, func(t *testing.T) {
			sent := 0
			s := w.serve(t, func(_ int, body []byte) Reply {
				if bytes.Contains(body, []byte(`"`+name+`":`)) {
					sent++
					return w.BadField(name)
				}
				return w.reply(Answer{Text: "Hello"}, true)
			})
			m := s.model(Setup{MaxOutput: 1000})
			req := Request()
			req.Force = "click"
			for range 2 {
				got, err := m.Generate(t.Context(), req)
				says(model.FinishStop, model.Text("Hello")).check(t, got, err)
			}
			if n := len(s.requests()); n != ways+2 || sent != ways {
				t.Errorf("%d requests, %d with the field", n, sent)
			}
		})
	}
	for name, ways := range w.Fields {
		s := w.serve(t, inTurn(w.BadField(name)))
		got, err := s.model(Setup{MaxOutput: 1000}).Generate(t.Context(), Request())
		fails(model.ErrorRequest, false).check(t, got, err)
		if n := len(s.requests()); n > ways+1 {
			t.Errorf("%s is refused for ever: %d requests", name, n)
		}
	}
}

// refusedInStream is a field that is refused once the answer has begun: what that
// has used counts, too.
func (w Wire) refusedInStream(t *testing.T) {
	if w.Fields["temperature"] == 0 {
		t.Skip("the wire has no temperature")
	}
	a := Answer{Text: "Hello", Usage: &model.Usage{Input: 40, Output: 20}, UsageEach: true}
	said, _ := w.Events(a)
	refused := Reply{Body: join(said) + "data: " + w.BadField("temperature").Body + "\n\n"}
	s := w.serve(t, func(_ int, body []byte) Reply {
		if bytes.Contains(body, []byte(`"temperature":`)) {
			return refused
		}
		return w.reply(a, true)
	})
	got, err := s.model(Setup{MaxOutput: 1000}).Generate(t.Context(), Request())
	says(model.FinishStop, model.Text("Hello")).check(t, got, err)
	if n := len(s.requests()); n != 2 || got.Usage.Input != 80 || got.Usage.Output < 21 {
		t.Errorf("%d requests used %+v", n, got.Usage)
	}
}

// refusedSchemas are sent in simpler ways, the last in words, and the way
// that was taken is remembered.
func (w Wire) refusedSchemas(t *testing.T) {
	for rungs := 1; rungs <= w.Rungs; rungs++ {
		s := w.serve(t, func(n int, _ []byte) Reply {
			if n < rungs {
				return w.BadSchema
			}
			return w.reply(Answer{Text: "Hello"}, true)
		})
		m := s.model(Setup{})
		for range 2 {
			got, err := m.Generate(t.Context(), Request())
			says(model.FinishStop, model.Text("Hello")).check(t, got, err)
		}
		if n := len(s.requests()); n != rungs+2 {
			t.Errorf("%d requests after %d refusals", n, rungs)
		}
		if body := s.requests()[rungs]; rungs == w.Rungs && !bytes.Contains(body, []byte(`\"integer\"`)) {
			t.Errorf("the schema is not told in words: %s", body)
		}
	}
	s := w.serve(t, inTurn(w.BadSchema))
	got, err := s.model(Setup{}).Generate(t.Context(), Request())
	fails(model.ErrorRequest, false).check(t, got, err)
	if n := len(s.requests()); n != w.Rungs+1 {
		t.Errorf("%d requests, all refused", n)
	}
}

// refusedReplay is sent as it came, and left out once it is refused.
func (w Wire) refusedReplay(t *testing.T) {
	if w.BadReplay == nil {
		t.Skip("the wire keeps nothing of an answer")
	}
	answer := w.reply(Answer{Reasoning: "Hm", Calls: []Call{{"c1", "click", `{"x":1}`}}}, true)
	s := w.serve(t, inTurn(answer, *w.BadReplay, answer, *w.BadReplay))
	m := s.model(Setup{})
	got, err := m.Generate(t.Context(), Request())
	if err != nil {
		t.Fatal(err)
	}
	req := Request()
	req.Messages = turn(got)
	got, err = m.Generate(t.Context(), req)
	says(model.FinishCalls, model.Reasoning("Hm"), call("click", `{"x":1}`)).check(t, got, err)
	for i, replayed := range []bool{false, true, false} {
		asked, err := w.Read(s.requests()[i])
		if err != nil || asked.Replayed != replayed || i > 0 && (len(asked.Calls) != 1 || len(asked.Results) != 1) {
			t.Errorf("request %d: %+v, %v", i, asked, err)
		}
	}
	got, err = m.Generate(t.Context(), req)
	fails(model.ErrorRequest, false).check(t, got, err)
	if n := len(s.requests()); n != 4 {
		t.Errorf("%d requests: what was refused once is sent again", n)
	}
}

// forcedTools are asked for by name. A model that says something else is not the
// provider's matter.
func (w Wire) forcedTools(t *testing.T) {
	s := w.serve(t, inTurn(w.reply(Answer{Text: "No"}, true)))
	req := Request()
	req.Force = "read"
	got, err := s.model(Setup{}).Generate(t.Context(), req)
	says(model.FinishStop, model.Text("No")).check(t, got, err)
	if asked := s.last(); asked.Forced != "read" {
		t.Errorf("asked with %+v", asked)
	}
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// moreOutput raises the limit of an answer.
func (w Wire) moreOutput(t *testing.T) {
	s := w.serve(t, inTurn(w.reply(Answer{Text: "Hello"}, true)))
	m := s.model(Setup{MaxOutput: 1000})
	for i, limit := range []int{1000, 2000} {
		req := Request()
		req.MoreOutput = i == 1
		if _, err := m.Generate(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		if asked := s.last(); asked.Limit != limit {
			t.Errorf("a limit of %d instead of %d", asked.Limit, limit)
		}
	}
	req := Request()
	req.MoreOutput = true
	s = w.serve(t, inTurn(w.reply(Answer{Text: "Hello"}, true)))
	if _, err := s.model(Setup{}).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if asked := s.last(); asked.Limit < 8192 {
		t.Errorf("a limit of %d for more", asked.Limit)
	}
}
