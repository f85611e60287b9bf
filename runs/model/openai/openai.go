// Package openai is a language model behind the chat completions of OpenAI, and
// of every server that speaks the same: a base URL, a key and the name of a
// model. By option it speaks OpenAI's Responses; with an Ollama it speaks that
// server's own route.
//
// A call makes one try. What it asks again within it is what belongs to the wire:
// a field that the server refuses is left out, a schema is sent in a simpler
// form, and what was kept of earlier answers is left out once it is refused. What
// was learned so is remembered for as long as the [Model] lives.
package openai

import (
	"context"
	"errors"
	"sync"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/dialect"
	"github.com/drover-go/drover/runs/model/internal/fenced"
	"github.com/drover-go/drover/runs/model/internal/provider"
)

// Model is one model of one server. It is safe for use by several runs, and
// keeps nothing between calls but what it has learned of the server.
type Model struct {
	opts   Options
	client *provider.Client
	server server
	ladder *dialect.Ladder
	ollama *ollama // nil for a server that is none

	refused provider.Learned[string] // fields, and features, of a request
	replays provider.Learned[any]    // what was kept of answers

	mu    sync.Mutex
	known model.Caps
}

var (
	_ model.Model     = (*Model)(nil)
	_ model.Describer = (*Model)(nil)
)

// A wire is one of the dialects.
type wire interface {
	// route is where questions go to, below the base of the client.
	route() (*provider.Client, string)
	// fields are those of the request. The error is a [*model.Error].
	fields(q *question) (map[string]any, error)
	reader() reader
}

// A reader reads one answer. An event that says what went wrong is a
// [provider.Fault]; another error is one that cannot be read.
type reader interface {
	take(raw []byte, s *said) error
	end(s *said)
}

// Generate implements [model.Model]. The answer is always asked for as a stream,
// so that a server that hangs is noticed and a stop is at once. Of an answer that
// broke off only what it has cost is returned.
func (m *Model) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	w, err := m.wire(ctx)
	if err != nil {
		return model.Response{}, err
	}
	var paid model.Usage
	for {
		q, err := m.question(w, r)
		if err != nil {
			return model.Response{Usage: paid}, err
		}
		answer, err := m.exchange(ctx, w, q)
		paid = paid.Add(answer.Usage)
		answer.Usage = paid
		if err == nil || ctx.Err() != nil || !m.learn(err, q) {
			return answer, err
		}
	}
}

func (m *Model) wire(ctx context.Context) (wire, error) {
	if m.ollama != nil {
		if is, err := m.isOllama(ctx); is || err != nil {
			return ollamaWire{m}, err
		}
	}
	if m.opts.Dialect == Responses {
		return responsesWire{m}, nil
	}
	return chatWire{m}, nil
}

// exchange asks once.
func (m *Model) exchange(ctx context.Context, w wire, q *question) (model.Response, error) {
	client, route := w.route()
	a, err := client.Post(ctx, route, q.body)
	if err != nil {
		return m.misread(q, err)
	}
	defer a.Close()
	s := &said{}
	err = read(a, w.reader(), s)
	if err == nil {
		err = s.failed()
	}
	out := model.Response{Usage: s.counts(q, err), RequestID: a.RequestID()}
	if out.RequestID == "" {
		out.RequestID = s.id
	}
	if err != nil {
		return out, m.explain(err)
	}
	s.answer(m, q, &out)
	return out, nil
}

// read takes the events of an answer until it has ended.
func read(a *provider.Answer, r reader, s *said) error {
	defer r.end(s)
	return a.Each(func(data []byte) (provider.Reach, error) {
		err := r.take(data, s)
		switch {
		case s.done:
			return provider.Whole, err
		case s.finished:
			return provider.Finished, err
		}
		return provider.Going, err
	})
}

// explain makes an error of what went wrong with an answer.
func (m *Model) explain(err error) error {
	var told *model.Error
	var fault provider.Fault
	var what problem
	switch {
	case errors.As(err, &told):
		return told
	case errors.As(err, &fault): // within a part of the answer
		if fault.Status == 0 && fault.Code == "" {
			fault.Code = "server_error"
		}
		return m.client.Fault(fault)
	case errors.As(err, &what):
		return &model.Error{Kind: what.kind, Temporary: what.kind != model.ErrorRefused, Message: "the language model " + m.opts.Model + " " + what.says}
	case errors.Is(err, errUnreadable):
		return (&model.Error{Kind: model.ErrorMalformed, Temporary: true, Message: "the language model " + m.opts.Model + " sent what cannot be read"}).WithCause(err)
	}
	return err // of the caller's context
}

// misread is a request that was refused. One that some servers refuse because they
// could not read what the model said is an answer, if we can.
func (m *Model) misread(q *question, err error) (model.Response, error) {
	f, ok := provider.FaultOf(err)
	if !ok || f.Failed == "" {
		return model.Response{}, err
	}
	r := model.Response{Content: []model.Part{model.Text(f.Failed)}, Finish: model.FinishStop, Usage: model.Estimate(q.size(), len(f.Failed))}
	if r = fenced.Response(r, q.given); r.Finish == model.FinishCalls {
		return r, nil
	}
	return model.Response{Usage: r.Usage}, (&model.Error{Kind: model.ErrorMalformed, Temporary: true, Message: "the language model " + m.opts.Model + " made a call that cannot be read"}).WithCause(err)
}
