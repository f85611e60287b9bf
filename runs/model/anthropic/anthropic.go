// Package anthropic is a language model behind the Messages API of Anthropic, and
// of every server that speaks the same.
package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/dialect"
	"github.com/drover-go/drover/runs/model/internal/fenced"
	"github.com/drover-go/drover/runs/model/internal/provider"
)

// Model is one model of one server. It is safe for use by several runs. Between
// calls it keeps nothing but what the server has refused.
type Model struct {
	opts    Options
	client  *provider.Client
	learned learned
	ladder  *dialect.Ladder // for a model that is told to keep to schemas
	loose   *dialect.Ladder // for the others
}

var (
	_ model.Model     = (*Model)(nil)
	_ model.Describer = (*Model)(nil)
)

// New returns a model. It makes no connection. The error's kind is Invalid.
func New(o Options) (_ *Model, err error) {
	defer errtypes.Wrap(&err, "anthropic.New")
	if err := o.validate(); err != nil {
		return nil, err
	}
	header := map[string]string{"anthropic-version": "2023-06-01"}
	if o.Key != "" {
		header["x-api-key"] = o.Key
	}
	client, err := provider.New(provider.Options{Base: cmp.Or(o.BaseURL, DefaultBase), Header: header, Transport: o.Transport, Clock: o.Clock})
	if err != nil {
		return nil, err
	}
	return &Model{
		opts: o, client: client,
		ladder: dialect.NewLadder(dialect.Anthropic, dialect.Loose), loose: dialect.NewLadder(dialect.Loose),
	}, nil
}

// maxAsks is how often one question is sent, each time without something else that
// the server refused.
const maxAsks = 16

// Generate implements [model.Model]. The answer is always asked for as a stream,
// so that a server that hangs is noticed and a stop is at once. Nothing of an
// answer that broke off is returned but its Usage, beside the error.
func (m *Model) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	caps, asked := m.Caps(), r
	if !caps.Tools {
		asked = fenced.Request(r)
	}
	var paid model.Usage // also for what broke off to be refused
	for asks := 1; ; asks++ {
		sent, err := m.question(asked, caps)
		if err != nil {
			return model.Response{Usage: paid}, err
		}
		answer, err := m.exchange(ctx, sent)
		paid = paid.Add(answer.Usage)
		answer.Usage = paid
		if err != nil && asks < maxAsks && m.learn(err, sent) {
			caps = m.Caps()
			continue
		}
		return m.readTools(answer, r, caps), err
	}
}

// readTools reads calls from the text where the model has no others. Servers that
// only speak like Anthropic's may leave the markup of calls in it; from
// Anthropic's own, markup would be what the model quotes.
func (m *Model) readTools(answer model.Response, r model.Request, caps model.Caps) model.Response {
	switch {
	case !caps.Tools:
		return fenced.Response(answer, r.Tools)
	case m.opts.BaseURL != "" && m.opts.BaseURL != DefaultBase:
		return fenced.Markup(answer)
	}
	return answer
}

func (m *Model) exchange(ctx context.Context, q question) (answer model.Response, err error) {
	raw, err := json.Marshal(q.body)
	if err != nil {
		return model.Response{}, model.Errorf("the conversation cannot be sent").WithCause(err)
	}
	a, err := m.client.Post(ctx, "v1/messages", raw)
	if err != nil {
		return model.Response{}, err
	}
	defer a.Close()
	s := said{model: m.opts.Model, tools: q.tools, toolset: q.toolset, longCache: m.opts.LongCache}
	if err := m.read(a, &s); err != nil {
		return model.Response{Usage: s.spent(len(raw), a.Received(), false), RequestID: a.RequestID()}, err
	}
	answer = s.response()
	answer.Usage, answer.RequestID = s.spent(len(raw), a.Received(), true), a.RequestID()
	return answer, nil
}

// read takes an answer to its end.
func (m *Model) read(a *provider.Answer, s *said) error {
	err := a.Each(func(data []byte) (provider.Reach, error) {
		err := s.take(data)
		switch {
		case err != nil:
			return provider.Going, m.failed(model.ErrorMalformed, "sent what is no message").WithCause(err)
		case s.done:
			return provider.Whole, nil
		case s.stop != "":
			return provider.Finished, nil
		}
		return provider.Going, nil
	})
	if err != nil {
		return err
	}
	switch {
	case !s.any:
		return m.failed(model.ErrorMalformed, "sent no answer")
	case !s.done && s.stop == "":
		return m.failed(model.ErrorCut, "broke off its answer")
	case s.stop == "refusal":
		return &model.Error{Kind: model.ErrorRefused, Message: fmt.Sprintf("the language model %s refuses to answer%.500s", m.opts.Model, s.why)}
	case s.stop == "model_context_window_exceeded":
		return &model.Error{Kind: model.ErrorOverflow, Message: fmt.Sprintf("the language model %s cannot answer within its context", m.opts.Model)}
	}
	return nil
}

// failed is an answer that another try may make good.
func (m *Model) failed(kind model.ErrorKind, what string) *model.Error {
	return &model.Error{Kind: kind, Temporary: true, Message: "the language model " + m.opts.Model + " " + what}
}
