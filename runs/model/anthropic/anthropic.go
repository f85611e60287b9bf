// Package anthropic is a language model behind the Messages API of Anthropic, and
// of every server that speaks the same.
package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/dialect"
	"github.com/drover-go/drover/runs/model/internal/fenced"
	"github.com/drover-go/drover/runs/model/internal/provider"
)

// DefaultBase is where Anthropic's own models are.
const DefaultBase = "https://api.anthropic.com"

// DefaultMaxOutput is how many tokens an answer may have where nothing else is
// said.
const DefaultMaxOutput = 8192

// Thinking is whether a model reasons before it answers.
type Thinking string

// The ways.
const (
	// ThinkingDefault leaves it to the provider.
	ThinkingDefault Thinking = ""
	// ThinkingOff says not to.
	ThinkingOff Thinking = "disabled"
	// ThinkingAdaptive leaves it to the model.
	ThinkingAdaptive Thinking = "adaptive"
)

// Options of a model.
type Options struct {
	// Model is its name, as the server knows it. No default.
	Model string
	// Key goes with every request; empty for a server that wants none. It is in
	// no error and no log.
	Key string
	// BaseURL is what the route v1/messages is below. Default [DefaultBase].
	BaseURL string
	// MaxOutput is how many tokens one answer may have, 0 or more; what
	// ThinkingBudget allows comes on top. Default [DefaultMaxOutput], or what the
	// model can do if that is less.
	MaxOutput int
	// Temperature of the sampling, 0 to 1, for models that take one. It is not
	// sent to a model that is to think. Default: the server's.
	Temperature *float64
	// Thinking is whether the model reasons before it answers. It does not where a
	// tool is forced. Default: what the server does.
	Thinking Thinking
	// ThinkingBudget is how many tokens a model may reason with, for models that
	// take a number; at least 1,024. Default 0: none is sent.
	ThinkingBudget int
	// Effort is how much work the model puts into an answer: low, medium, high or
	// another word that the server knows. Default: none is sent.
	Effort string
	// LongCache has the provider keep what is to be cached for an hour instead of
	// five minutes. Writing costs more. Default false.
	LongCache bool
	// Caps changes what the model is taken to be able to do, after its name and
	// what the server refused. Default nil: nothing is changed.
	Caps func(*model.Caps)
	// Transport makes the connections. Default: that of net/http, through the
	// proxies of the environment. The gate of pages is not asked: the host has
	// chosen this address.
	Transport http.RoundTripper
	// Clock is the source of time. Default the system's.
	Clock clock.Clock
}

func (o Options) validate() error {
	switch {
	case o.Model == "":
		return errtypes.Field("Model", "is required")
	case o.MaxOutput < 0:
		return errtypes.Field("MaxOutput", "must not be negative")
	case o.ThinkingBudget != 0 && o.ThinkingBudget < 1024:
		return errtypes.Field("ThinkingBudget", "must be at least 1024 tokens, or 0 for none")
	case o.Temperature != nil && (*o.Temperature < 0 || *o.Temperature > 1):
		return errtypes.Field("Temperature", "must be 0 to 1")
	case o.Thinking != ThinkingDefault && o.Thinking != ThinkingOff && o.Thinking != ThinkingAdaptive:
		return errtypes.Field("Thinking", "must be empty, %q or %q", ThinkingOff, ThinkingAdaptive)
	case o.ThinkingBudget > 0 && o.Thinking != ThinkingDefault:
		return errtypes.Field("ThinkingBudget", "must be 0 where Thinking says something")
	}
	return nil
}

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

// Generate implements [model.Model]. The answer is always asked for as a stream,
// so that a server that hangs is noticed and a stop is at once. Nothing of an
// answer that broke off is returned but its Usage, beside the error.
func (m *Model) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	caps, asked := m.Caps(), r
	if !caps.Tools {
		asked = fenced.Request(r)
	}
	for {
		sent, err := m.question(asked, caps)
		if err != nil {
			return model.Response{}, err
		}
		answer, err := m.exchange(ctx, sent)
		if err != nil && m.learn(err, sent) {
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
	s := said{model: m.opts.Model, tools: q.tools, longCache: m.opts.LongCache}
	if err := m.read(a, &s); err != nil {
		return model.Response{Usage: s.spent(len(raw), a.Received(), false), RequestID: a.RequestID()}, err
	}
	answer = s.response()
	answer.Usage, answer.RequestID = s.spent(len(raw), a.Received(), true), a.RequestID()
	return answer, nil
}

// read takes an answer to its end.
func (m *Model) read(a *provider.Answer, s *said) error {
	for !s.done {
		e, err := a.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if f, ok := provider.ReadFault(e.Data); ok {
			return m.client.Fault(f)
		}
		if err := s.take(e.Data); err != nil {
			return m.failed(model.ErrorMalformed, "sent what is no message").WithCause(err)
		}
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
