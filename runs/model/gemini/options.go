package gemini

import (
	"net/http"
	"regexp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/provider"
)

// DefaultBase is where Google's own models are.
const DefaultBase = "https://generativelanguage.googleapis.com/v1beta"

// Options of a model.
type Options struct {
	// Model is its name, as the server knows it, such as gemini-3-flash. One that
	// is not among models has its collection before it: tunedModels/mine. No
	// default.
	Model string
	// Key goes with every request; empty for a server of BaseURL that wants none. It is in
	// no error and no log.
	Key string
	// BaseURL is what the route models/NAME:streamGenerateContent is below.
	// Default [DefaultBase].
	BaseURL string
	// MaxOutput is how many tokens one answer may have, its reasoning included, 0
	// or more. Default: the server's.
	MaxOutput int
	// Temperature of the sampling, 0 to 2. Default: the server's.
	Temperature *float64
	// ThinkingLevel is how much the model reasons: low, high or another word that
	// the server knows. Default: none is sent.
	ThinkingLevel string
	// ThinkingBudget is how many tokens a model may reason with that takes a
	// number: 0 for none, -1 for as many as it wants. It does not go together with
	// ThinkingLevel. Default nil: none is sent.
	ThinkingBudget *int
	// Thoughts asks for summaries of the reasoning, which become reasoning parts
	// of the answer. Default false.
	Thoughts bool
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

var goodName = regexp.MustCompile(`^[A-Za-z0-9_@-][A-Za-z0-9._@-]*(/[A-Za-z0-9_@-][A-Za-z0-9._@-]*)*$`)

func (o Options) validate() error {
	switch {
	case o.Model == "":
		return errtypes.Field("Model", "is required")
	case !goodName.MatchString(o.Model):
		return errtypes.Field("Model", "must consist of letters, digits and . _ - @, with / between its parts")
	case o.MaxOutput < 0:
		return errtypes.Field("MaxOutput", "must not be negative")
	case o.Temperature != nil && (*o.Temperature < 0 || *o.Temperature > 2):
		return errtypes.Field("Temperature", "must be 0 to 2")
	case o.ThinkingBudget != nil && o.ThinkingLevel != "":
		return errtypes.Field("ThinkingBudget", "must be nil where ThinkingLevel says something")
	case o.ThinkingBudget != nil && *o.ThinkingBudget < -1:
		return errtypes.Field("ThinkingBudget", "must be -1 or more")
	}
	return provider.NeedKey(o.Key, o.BaseURL, DefaultBase, o.Transport)
}
