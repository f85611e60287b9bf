package runs

import (
	"context"
	"encoding/json"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/internal/models"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/plain"
)

// ModelConfig is a language model that runs can name.
type ModelConfig struct {
	// Model is asked. Required.
	Model model.Model
	// Fallback is the name of the model that goes on where this one fails: its key
	// is refused, its account is empty, or it fails again and again. Default none.
	Fallback string
	// Rate bounds what all runs of this process ask of it. Default nothing.
	Rate model.Rate
}

// Hooks let a host see and rule what agents do. They are called by the goroutine
// of a run, which waits for them, and which no one else does: a hook should end
// soon after its context. A hook that panics ends its run.
type Hooks struct {
	// BeforeCall is asked before a tool acts. Its error ends the run with
	// [CauseInternal]. Default allows everything.
	BeforeCall func(ctx context.Context, c ToolCall) (Decision, error)
	// AfterStep hears of each step that has ended. Default nobody does.
	AfterStep func(ctx context.Context, s Step)
	// Human says that agents may ask a person: they have the tool ask_human then,
	// which pauses the run with a question until [Service.Resume]. Default false.
	Human bool
}

// ToolCall is a call that an agent wants to make.
type ToolCall struct {
	RunID, ProjectID string
	Step             int
	// Tool is its name, Input what it is called with, a JSON object with
	// placeholders where values of variables go.
	Tool  string
	Input json.RawMessage
	// URL is that of the page; empty before there is one.
	URL string
}

// Decision is what becomes of a call. The zero value allows it.
type Decision struct {
	// Deny is why the call is not made, in words for the agent. Default: it is
	// made.
	Deny string
	// Input takes the place of the call's. Default: as it is.
	Input json.RawMessage
}

// Allow makes the call as it is.
func Allow() Decision { return Decision{} }

// Deny does not make the call, and tells the agent why.
func Deny(why string) Decision {
	if why == "" {
		why = "the host does not allow it"
	}
	return Decision{Deny: why}
}

// Change makes the call with another input, a JSON object.
func Change(input json.RawMessage) Decision { return Decision{Input: input} }

// Step is a step of a run that has ended.
type Step struct {
	RunID, ProjectID string
	// Number counts from 1.
	Number int
	// Messages are those of the step, as they are stored: the assistant's, and the
	// results of its calls.
	Messages []model.Message
	// Usage is that of the run so far.
	Usage Usage
	// Took is how long the step took, of which Model was spent waiting for the
	// model.
	Took, Model time.Duration
}

// plainName is the name of the built-in model, unless the host has another one of
// that name: steps that were written down are followed without a language model.
const plainName = "plain"

func newModels(c Config) (*models.Registry, error) {
	all := map[string]models.Config{plainName: {Model: plain.New()}}
	for name, m := range c.Models {
		all[name] = models.Config{Model: m.Model, Fallback: m.Fallback, Rate: m.Rate}
	}
	standard, err := c.defaultModel()
	if err != nil {
		return nil, err
	}
	unnamed := c.Model
	if unnamed == nil {
		unnamed = plain.New()
	}
	return models.New(models.Options{Models: all, Default: standard, Unnamed: unnamed, Prices: c.Prices, Clock: c.Clock})
}

// defaultModel is the name of the model for runs that name none; empty for Model.
func (c Config) defaultModel() (string, error) {
	if c.DefaultModel != "" || c.Model != nil || len(c.Models) == 0 {
		return c.DefaultModel, nil
	}
	if len(c.Models) > 1 {
		return "", errtypes.Field("DefaultModel", "is required where there are several Models and no Model")
	}
	for name := range c.Models {
		return name, nil
	}
	return "", nil
}
