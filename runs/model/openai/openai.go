// Package openai is a language model behind the chat completions of OpenAI, and
// of every server that speaks the same: a base URL, a key and the name of a
// model.
package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/provider"
)

// DefaultBase is where OpenAI's own models are.
const DefaultBase = "https://api.openai.com/v1"

// Options of a model.
type Options struct {
	// Model is its name, as the server knows it. No default.
	Model string
	// Key goes with every request; empty for a server that wants none. It is in
	// no error and no log.
	Key string
	// BaseURL is what the route chat/completions is below. Default [DefaultBase].
	BaseURL string
	// MaxOutput is how many tokens one answer may have. Default: the server's.
	MaxOutput int
	// Temperature of the sampling, for models that take one. Default: the
	// server's.
	Temperature *float64
	// Transport makes the connections. Default: that of net/http, through the
	// proxies of the environment. The gate of pages is not asked: the host has
	// chosen this address.
	Transport http.RoundTripper
	// Clock is the source of time. Default the system's.
	Clock clock.Clock
}

// Model is one model of one server. It is safe for use by several runs, and
// keeps nothing between calls but which optional fields the server refuses.
type Model struct {
	opts   Options
	client *provider.Client

	mu      sync.Mutex
	refused map[string]bool // optional fields of a request
}

var _ model.Model = (*Model)(nil)

// New returns a model. It makes no connection. The error's kind is Invalid.
func New(o Options) (_ *Model, err error) {
	defer errtypes.Wrap(&err, "openai.New")
	if o.Model == "" {
		return nil, errtypes.Field("Model", "is required")
	}
	if o.MaxOutput < 0 {
		return nil, errtypes.Field("MaxOutput", "must not be negative")
	}
	header := map[string]string{}
	if o.Key != "" {
		header["Authorization"] = "Bearer " + o.Key
	}
	client, err := provider.New(provider.Options{Base: cmp.Or(o.BaseURL, DefaultBase), Header: header, Transport: o.Transport, Clock: o.Clock})
	if err != nil {
		return nil, err
	}
	return &Model{opts: o, client: client, refused: map[string]bool{}}, nil
}

// Generate implements [model.Model]. The answer is always asked for as a stream,
// so that a server that hangs is noticed and a stop is at once; nothing of an
// answer that broke off is returned.
func (m *Model) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	for {
		sent := m.request(r)
		raw, err := json.Marshal(sent)
		if err != nil {
			return model.Response{}, model.Errorf("the conversation cannot be sent").WithCause(err)
		}
		answer, err := m.exchange(ctx, raw)
		if err == nil || !m.drop(err, sent.optional()) {
			return answer, err
		}
	}
}

func (m *Model) exchange(ctx context.Context, raw []byte) (model.Response, error) {
	a, err := m.client.Post(ctx, "chat/completions", raw)
	if err != nil {
		return model.Response{}, err
	}
	defer a.Close()
	var s said
	for {
		e, err := a.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return model.Response{}, err
		}
		if string(e.Data) == "[DONE]" {
			s.done = true
			break
		}
		if f, ok := provider.ReadFault(e.Data); ok {
			return model.Response{}, m.client.Fault(f)
		}
		if err := s.take(e.Data); err != nil {
			return model.Response{}, m.malformed("sent what is no chat completion").WithCause(err)
		}
	}
	switch {
	case !s.any:
		return model.Response{}, m.malformed("sent no answer")
	case !s.done && s.finish == "":
		e := m.malformed("broke off its answer")
		e.Kind = model.ErrorCut
		return model.Response{}, e
	}
	if why, ok := s.refused(); ok {
		return model.Response{}, &model.Error{Kind: model.ErrorRefused, Message: fmt.Sprintf("the language model %s refuses to answer: %.500s", m.opts.Model, why)}
	}
	return s.response(), nil
}

func (m *Model) malformed(what string) *model.Error {
	return &model.Error{Kind: model.ErrorMalformed, Temporary: true, Message: "the language model " + m.opts.Model + " " + what}
}

// drop notes which of the optional fields that were sent the server refuses, and
// reports whether there is one: then asking again without it may help.
func (m *Model) drop(err error, sent []string) bool {
	e, ok := errors.AsType[*model.Error](err)
	if !ok || e.Kind != model.ErrorRequest {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(sent, func(name string) bool { return strings.Contains(e.Message, name) })
	if i < 0 {
		return false
	}
	m.refused[sent[i]] = true
	return true
}

// takes reports whether the server has not refused a field.
func (m *Model) takes(field string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.refused[field]
}
