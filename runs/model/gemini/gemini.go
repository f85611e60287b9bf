// Package gemini is a language model behind generateContent, the own interface of
// Google's Gemini.
package gemini

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

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
	route   string
	client  *provider.Client
	learned learned
	ladder  *dialect.Ladder
}

var (
	_ model.Model     = (*Model)(nil)
	_ model.Describer = (*Model)(nil)
)

// New returns a model. It makes no connection. The error's kind is Invalid.
func New(o Options) (_ *Model, err error) {
	defer errtypes.Wrap(&err, "gemini.New")
	if err := o.validate(); err != nil {
		return nil, err
	}
	header := map[string]string{}
	if o.Key != "" {
		header["x-goog-api-key"] = o.Key
	}
	client, err := provider.New(provider.Options{Base: cmp.Or(o.BaseURL, DefaultBase), Query: "alt=sse", Header: header, Transport: o.Transport, Clock: o.Clock})
	if err != nil {
		return nil, err
	}
	name := o.Model
	if !strings.Contains(name, "/") {
		name = "models/" + name
	}
	return &Model{opts: o, route: name + ":streamGenerateContent", client: client, ladder: dialect.NewLadder(dialect.Loose, dialect.Gemini)}, nil
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
		if err == nil && !caps.Tools {
			answer = fenced.Response(answer, r.Tools)
		}
		return answer, err
	}
}

func (m *Model) exchange(ctx context.Context, q question) (answer model.Response, err error) {
	raw, err := json.Marshal(q.body)
	if err != nil {
		return model.Response{}, model.Errorf("the conversation cannot be sent").WithCause(err)
	}
	a, err := m.client.Post(ctx, m.route, raw)
	if err != nil {
		return model.Response{}, err
	}
	defer a.Close()
	s := said{model: m.opts.Model, tools: q.tools}
	if err := m.read(a, &s); err != nil {
		return model.Response{Usage: s.spent(len(raw), a.Received(), false), RequestID: a.RequestID()}, err
	}
	answer = s.response()
	answer.Usage, answer.RequestID = s.spent(len(raw), a.Received(), true), cmp.Or(a.RequestID(), s.id)
	return answer, nil
}

// read takes an answer to its end. The provider marks none: an answer without a
// reason to end has broken off.
func (m *Model) read(a *provider.Answer, s *said) error {
	err := a.Each(func(data []byte) (provider.Reach, error) {
		if err := s.take(data); err != nil {
			return provider.Going, m.failed(model.ErrorMalformed, "sent what is no content").WithCause(err)
		}
		if s.finish != "" || s.blocked != "" {
			return provider.Finished, nil
		}
		return provider.Going, nil
	})
	if err != nil {
		return err
	}
	switch {
	case s.blocked != "":
		return m.refuses(s.blocked)
	case !s.any:
		return m.failed(model.ErrorMalformed, "sent no answer")
	case s.finish == "":
		return m.failed(model.ErrorCut, "broke off its answer")
	case refusing[s.finish]:
		return m.refuses(s.finish + s.why)
	case broken[s.finish]:
		return m.failed(model.ErrorMalformed, fmt.Sprintf("made no sense of its own answer: %.200s", s.finish+s.why))
	}
	return nil
}

func (m *Model) refuses(why string) error {
	return &model.Error{Kind: model.ErrorRefused, Message: fmt.Sprintf("the language model %s refuses to answer: %.500s", m.opts.Model, why)}
}

// failed is an answer that another try may make good.
func (m *Model) failed(kind model.ErrorKind, what string) *model.Error {
	return &model.Error{Kind: kind, Temporary: true, Message: "the language model " + m.opts.Model + " " + what}
}
