package anthropic

import (
	"net/http"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
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
	// Key goes with every request; empty for a server of BaseURL that wants none. It is in
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
	// BrowserToolset gives the model the provider's own browser toolset
	// (browser_toolset_20260801) in the place of the tools of Drover that it has
	// members for. The loop, its messages and hooks know Drover's tools alone. It takes
	// some 5,000 tokens more of each question, for models that have been taught it; a
	// server that refuses it is asked without. Default false.
	BrowserToolset bool
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
	return provider.NeedKey(o.Key, o.BaseURL, DefaultBase, o.Transport)
}
