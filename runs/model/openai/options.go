package openai

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/dialect"
	"github.com/drover-go/drover/runs/model/internal/provider"
)

// DefaultBase is where OpenAI's own models are.
const DefaultBase = "https://api.openai.com/v1"

// Dialect is how a server is spoken to.
type Dialect string

// The dialects.
const (
	// Automatic is Ollama's own route for a server that is an Ollama, and chat
	// completions for all others. An Ollama is known by its port 11434; a server
	// on loopback is asked once for its version.
	Automatic Dialect = ""
	// ChatCompletions is what nearly every server speaks.
	ChatCompletions Dialect = "chat"
	// Responses keeps the reasoning of a model from one step to the next, and
	// takes images in the results of tools.
	Responses Dialect = "responses"
	// Ollama is its own route, the only one by which the length of the context
	// can be set.
	Ollama Dialect = "ollama"
)

// Options of a model.
type Options struct {
	// Model is its name, as the server knows it. No default.
	Model string
	// Key goes with every request; empty for a server of BaseURL that wants none. It
	// is in no error and no log.
	Key string
	// BaseURL is what the route chat/completions is below. Default [DefaultBase].
	BaseURL string
	// Dialect is how the server is spoken to. Default [Automatic].
	Dialect Dialect
	// MaxOutput is how many tokens one answer may have. Default: the server's.
	MaxOutput int
	// Temperature of the sampling, from 0 to 2, for models that take one. Default:
	// the server's.
	Temperature *float64
	// Caps changes what the model is taken to be able to do, after everything that
	// is known of it and what refused requests have taught. It is called for
	// every request, by several goroutines. Default: it stays as it is known.
	Caps func(*model.Caps)
	// Transport makes the connections. Default: that of net/http, through the
	// proxies of the environment. The gate of pages is not asked: the host has
	// chosen this address.
	Transport http.RoundTripper
	// Clock is the source of time. Default the system's.
	Clock clock.Clock
}

// Validate returns an error of the kind Invalid that names the first field that
// cannot be.
func (o Options) Validate() error {
	switch {
	case o.Model == "":
		return errtypes.Field("Model", "is required")
	case o.MaxOutput < 0:
		return errtypes.Field("MaxOutput", "must not be negative")
	case o.Temperature != nil && !(*o.Temperature >= 0 && *o.Temperature <= 2):
		return errtypes.Field("Temperature", "must be from 0 to 2")
	}
	switch o.Dialect {
	case Automatic, ChatCompletions, Responses, Ollama:
		return provider.NeedKey(o.Key, o.BaseURL, DefaultBase, o.Transport)
	}
	return errtypes.Field("Dialect", "must be chat, responses, ollama, or empty")
}

// New returns a model. It makes no connection. The error's kind is Invalid.
func New(o Options) (_ *Model, err error) {
	defer errtypes.Wrap(&err, "openai.New")
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.BaseURL = cmp.Or(o.BaseURL, DefaultBase)
	client, err := o.client(o.BaseURL)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(o.BaseURL)
	if err != nil {
		return nil, err // cannot be: the client has parsed it
	}
	m := &Model{opts: o, client: client, server: serverOf(base)}
	m.known = knownCaps(o.Model, m.server, o.Dialect)
	m.ladder = dialect.NewLadder(m.rungs()...)
	if o.Dialect == Automatic || o.Dialect == Ollama {
		if err := m.prepareOllama(base); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (o Options) client(base string) (*provider.Client, error) {
	header := map[string]string{}
	if o.Key != "" {
		header["Authorization"] = "Bearer " + o.Key
	}
	return provider.New(provider.Options{Base: base, Header: header, Transport: o.Transport, Clock: o.Clock})
}

// rungs are the dialects of schemas that the server may take, the best first.
func (m *Model) rungs() []dialect.Dialect {
	switch {
	case m.server.mistral:
		return []dialect.Dialect{dialect.Mistral}
	case m.Caps().StrictTools:
		return []dialect.Dialect{dialect.OpenAI, dialect.Loose}
	}
	return []dialect.Dialect{dialect.Loose}
}

// server is what is known of a server by its address.
type server struct {
	openai  bool // it is OpenAI's own, or Azure's
	mistral bool
}

func serverOf(base *url.URL) server {
	host := strings.ToLower(base.Hostname())
	under := func(domain string) bool { return host == domain || strings.HasSuffix(host, "."+domain) }
	return server{
		openai:  under("openai.com") || under("openai.azure.com"),
		mistral: under("mistral.ai"),
	}
}
