package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/provider"
)

// The context of an Ollama, in tokens: where it begins, and how far it grows for a
// model that does not say how long its own is. Every change of it has the server
// load the model anew.
const (
	firstContext = 32_768
	mostContext  = 131_072
)

// ollama is what is known of a server that may be one.
type ollama struct {
	client  *provider.Client // of the root of the server
	certain bool             // the option says so
	asking  chan struct{}    // held by who asks

	// The rest is guarded by Model.mu.
	known   bool
	is      bool
	version string
	drops   bool // it drops old messages whatever it is told
	context int  // in force
}

// prepareOllama notes a server that may be an Ollama.
func (m *Model) prepareOllama(base *url.URL) error {
	certain := m.opts.Dialect == Ollama
	if !certain && base.Port() != "11434" && !loopback(base.Hostname()) {
		return nil
	}
	root := *base
	root.Path = strings.TrimSuffix(strings.TrimSuffix(root.Path, "/"), "/v1")
	client, err := m.opts.client(root.String())
	if err != nil {
		return err
	}
	m.ollama = &ollama{client: client, certain: certain, asking: make(chan struct{}, 1), context: firstContext}
	return nil
}

func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// isOllama asks the server who it is and what the model can do, once. While it
// cannot be reached nothing is known.
func (m *Model) isOllama(ctx context.Context) (bool, error) {
	o := m.ollama
	select {
	case o.asking <- struct{}{}:
		defer func() { <-o.asking }()
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	m.mu.Lock()
	known, is := o.known, o.is
	m.mu.Unlock()
	if known {
		return is, nil
	}
	version, err := o.askVersion(ctx)
	if err != nil {
		return false, err
	}
	var shown ollamaModel
	if version != "" {
		if shown, err = o.askModel(ctx, m.opts.Model); err != nil {
			return false, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	o.known, o.is, o.version, o.drops = true, version != "", version, dropsMessages(version)
	if o.is {
		shown.tell(&m.known)
	}
	return o.is, nil
}

// askVersion returns the version; empty for a server that is no Ollama.
func (o *ollama) askVersion(ctx context.Context) (string, error) {
	a, err := o.client.Get(ctx, "api/version")
	if err != nil {
		return "", o.unless(ctx, err)
	}
	var doc struct {
		Version string `json:"version"`
	}
	err = readDocument(a, &doc)
	if err == nil && doc.Version == "" {
		err = errors.New("openai: no version of an Ollama")
	}
	return doc.Version, o.unless(ctx, err)
}

// unless is the error that matters: of a server that is no Ollama none does.
func (o *ollama) unless(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || o.certain {
		return err
	}
	if e, ok := errors.AsType[*model.Error](err); ok && e.Kind == model.ErrorNetwork {
		return err
	}
	return nil
}

func readDocument(a *provider.Answer, v any) error {
	defer a.Close()
	e, err := a.Next()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return json.Unmarshal(e.Data, v)
}

// dropsMessages reports whether a version drops old messages of a long
// conversation without a word: before 0.13 the fields that forbid it may not be
// known.
func dropsMessages(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	x, err1 := strconv.Atoi(major)
	y, err2 := strconv.Atoi(minor)
	return err1 != nil || err2 != nil || x == 0 && y < 13
}

// ollamaModel is what the server says of a model.
type ollamaModel struct {
	Capabilities []string       `json:"capabilities"`
	Info         map[string]any `json:"model_info"`
}

func (o *ollama) askModel(ctx context.Context, name string) (shown ollamaModel, err error) {
	body, err := json.Marshal(object{"model": name})
	if err != nil {
		return shown, err
	}
	a, err := o.client.Post(ctx, "api/show", body)
	if err != nil {
		return shown, err
	}
	if err := readDocument(a, &shown); err != nil {
		return shown, unless(ctx, err)
	}
	return shown, nil
}

func unless(ctx context.Context, err error) error {
	if _, ok := errors.AsType[*model.Error](err); ok || ctx.Err() != nil {
		return err
	}
	return (&model.Error{Kind: model.ErrorMalformed, Temporary: true, Message: "the server says of the model what cannot be read"}).WithCause(err)
}

// tell puts what the server says into the capabilities.
func (shown ollamaModel) tell(c *model.Caps) {
	c.ForcedTool, c.StrictTools = false, false // it takes neither, and says nothing
	c.ContextTokens, c.OutputTokens = 0, 0
	for name, value := range shown.Info {
		if n, ok := value.(float64); ok && strings.HasSuffix(name, ".context_length") && n >= 1 && n < 1e9 {
			c.ContextTokens = int(n)
		}
	}
	if shown.Capabilities != nil {
		c.Tools = slices.Contains(shown.Capabilities, "tools")
		c.Images = slices.Contains(shown.Capabilities, "vision")
		c.Reasoning = slices.Contains(shown.Capabilities, "thinking")
	}
}
