package main

import (
	"cmp"
	"net"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/anthropic"
	"github.com/drover-go/drover/runs/model/gemini"
	"github.com/drover-go/drover/runs/model/openai"
	"github.com/drover-go/drover/runs/model/plain"
)

// plainModel is the name of the model that needs no provider.
const plainModel = "plain"

// A provider makes models out of what the environment says.
type provider struct {
	name string
	// keys are the variables with the key, the first that is set counts. None: the
	// provider wants no key.
	keys []string
	// base is the variable with the address; a server there may want no key.
	base string
	open func(c connection) (model.Model, error)
}

// connection is what a model is reached with; empty for the provider's own.
type connection struct{ model, key, base string }

var providers = []provider{
	{"openai", []string{"OPENAI_API_KEY"}, "OPENAI_BASE_URL", func(c connection) (model.Model, error) {
		return openai.New(openai.Options{Model: c.model, Key: c.key, BaseURL: c.base})
	}},
	{"openai-responses", []string{"OPENAI_API_KEY"}, "OPENAI_BASE_URL", func(c connection) (model.Model, error) {
		return openai.New(openai.Options{Model: c.model, Key: c.key, BaseURL: c.base, Dialect: openai.Responses})
	}},
	{"anthropic", []string{"ANTHROPIC_API_KEY"}, "ANTHROPIC_BASE_URL", func(c connection) (model.Model, error) {
		return anthropic.New(anthropic.Options{Model: c.model, Key: c.key, BaseURL: c.base})
	}},
	{"anthropic-browser", []string{"ANTHROPIC_API_KEY"}, "ANTHROPIC_BASE_URL", func(c connection) (model.Model, error) {
		return anthropic.New(anthropic.Options{Model: c.model, Key: c.key, BaseURL: c.base, BrowserToolset: true})
	}},
	{"gemini", []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, "GOOGLE_GEMINI_BASE_URL", func(c connection) (model.Model, error) {
		return gemini.New(gemini.Options{Model: c.model, Key: c.key, BaseURL: geminiBase(c.base)})
	}},
	{"ollama", nil, "OLLAMA_HOST", func(c connection) (model.Model, error) {
		return openai.New(openai.Options{Model: c.model, BaseURL: ollamaBase(c.base), Dialect: openai.Ollama})
	}},
}

// openModel returns the model of a name such as "openai:gpt-5", and the variable
// that its key is in; empty for none. It makes no connection. Error kind Invalid.
func openModel(name string) (m model.Model, keyVariable string, err error) {
	if name == plainModel {
		return plain.New(), "", nil
	}
	kind, of, _ := strings.Cut(name, ":")
	for _, p := range providers {
		if p.name == kind && of != "" {
			return p.model(name, of)
		}
	}
	return nil, "", errtypes.Field("--model", "must be plain, or PROVIDER:NAME with one of %s, not %q", providerNames(), name)
}

func (p provider) model(name, of string) (model.Model, string, error) {
	variable, key := p.key()
	c := connection{of, key, os.Getenv(p.base)}
	if key == "" && c.base == "" && len(p.keys) > 0 {
		return nil, "", errtypes.New(errtypes.Invalid, "%s must be set to a key for the model %s, or %s to the address of a server that wants none",
			strings.Join(p.keys, " or "), name, p.base)
	}
	m, err := p.open(c)
	if err != nil {
		return nil, "", p.explain(name, err)
	}
	return m, variable, nil
}

func (p provider) key() (variable, key string) {
	for _, variable := range p.keys {
		if key := strings.TrimSpace(os.Getenv(variable)); key != "" {
			return variable, key
		}
	}
	return "", ""
}

// explain names the variable where the address in it is wrong.
func (p provider) explain(name string, err error) error {
	public := errtypes.Public(err)
	if public.Field == "Base" {
		return errtypes.Field(p.base, "%s", strings.TrimPrefix(public.Message, "Base "))
	}
	return errtypes.Field("--model", "cannot be %s: %s", name, public.Message)
}

func providerNames() string {
	var all []string
	for _, p := range providers {
		all = append(all, p.name)
	}
	return strings.Join(all, ", ")
}

var apiVersion = regexp.MustCompile(`/v[0-9][a-z0-9]*/?$`)

// geminiBase appends the version of the interface, which other programs do not
// want in this variable.
func geminiBase(base string) string {
	if base == "" || apiVersion.MatchString(base) {
		return base
	}
	return strings.TrimSuffix(base, "/") + "/v1beta"
}

// ollamaBase reads the variable as Ollama does: scheme and port may be left out,
// and it may be the address that the server listens on.
func ollamaBase(host string) string {
	host = strings.TrimSpace(host)
	bare := !strings.Contains(host, "://")
	if bare {
		host = "http://" + host
	}
	u, err := url.Parse(host)
	if err != nil {
		return host // what reads it next says what is wrong
	}
	name := u.Hostname()
	switch name {
	case "", "0.0.0.0", "::":
		name = "127.0.0.1"
	}
	u.Host = net.JoinHostPort(name, cmp.Or(u.Port(), ollamaPort(bare, u.Scheme)))
	return u.String()
}

func ollamaPort(bare bool, scheme string) string {
	switch {
	case bare:
		return "11434"
	case scheme == "https":
		return "443"
	}
	return "80"
}
