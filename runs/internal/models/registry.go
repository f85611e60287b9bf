// Package models has the language models that a host offers under names: it
// finds them, bounds how they are used together, and asks them.
package models

import (
	"maps"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
)

// Config is a model under a name.
type Config struct {
	// Model is asked.
	Model model.Model
	// Fallback is the name of the model that is asked in its place where it
	// fails; empty for none.
	Fallback string
	// Rate bounds what all runs together ask of it.
	Rate model.Rate
}

// Registry holds the models of a host. It is safe for concurrent use.
type Registry struct {
	entries  map[string]*Entry
	standard *Entry
}

// An Entry is one model, as all that ask it share it.
type Entry struct {
	// Name is what it is called; empty for the one that has none.
	Name     string
	model    model.Model
	fallback *Entry
	limiter  *limiter
	prices   model.Prices
}

// Options configure [New].
type Options struct {
	// Models by name. Default none.
	Models map[string]Config
	// Default is the name of the model for those who name none. Default: the
	// unnamed one.
	Default string
	// Unnamed is the model without a name. Required where Default is empty.
	Unnamed model.Model
	// Prices of models, by name. Default none: nothing is known of money.
	Prices model.Prices
	// Clock is the source of time. Required.
	Clock clock.Clock
}

// maxName is the longest name of a model, in bytes.
const maxName = 200

// New returns a registry. Error kind Invalid.
func New(o Options) (*Registry, error) {
	r := &Registry{entries: map[string]*Entry{}}
	if err := checkPrices(o.Prices); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(o.Models)) {
		c := o.Models[name]
		switch {
		case name == "" || len(name) > maxName:
			return nil, errtypes.Field("Models", "has a name that is not 1 to %d bytes: %.220q", maxName, name)
		case c.Model == nil:
			return nil, errtypes.Field("Models."+name, "has no Model")
		case c.Rate.Requests < 0 || c.Rate.Tokens < 0 || c.Rate.AtOnce < 0:
			return nil, errtypes.Field("Models."+name+".Rate", "must not be negative")
		}
		r.entries[name] = &Entry{Name: name, model: c.Model, limiter: newLimiter(c.Rate, o.Clock), prices: o.Prices}
	}
	if err := r.setFallbacks(o.Models); err != nil {
		return nil, err
	}
	return r, r.setDefault(o)
}

func checkPrices(all model.Prices) error {
	for _, p := range all {
		if min(p.Input, p.CacheRead, p.CacheWrite, p.CacheWriteLong, p.Output, float64(p.Above)) < 0 {
			return errtypes.Field("Prices", "must not be negative: that of %q is", p.Model)
		}
	}
	return nil
}

func (r *Registry) setFallbacks(all map[string]Config) error {
	for name, c := range all {
		if c.Fallback == "" {
			continue
		}
		other, ok := r.entries[c.Fallback]
		if !ok || c.Fallback == name {
			return errtypes.Field("Models."+name+".Fallback", "must be the name of another model: %q is not", c.Fallback)
		}
		r.entries[name].fallback = other
	}
	return nil
}

func (r *Registry) setDefault(o Options) error {
	if o.Default == "" {
		r.standard = &Entry{model: o.Unnamed, limiter: newLimiter(model.Rate{}, o.Clock), prices: o.Prices}
		return nil
	}
	e, ok := r.entries[o.Default]
	if !ok {
		return errtypes.Field("DefaultModel", "must be the name of one of Models: %q is not", o.Default)
	}
	r.standard = e
	return nil
}

// Find returns a model by its name, the default one for an empty name. Error
// kind Invalid.
func (r *Registry) Find(name string) (*Entry, error) {
	if name == "" {
		return r.standard, nil
	}
	if e, ok := r.entries[name]; ok {
		return e, nil
	}
	return nil, errtypes.Field("model", "is none that this service offers: %.100q; there is %s", name, r.offered())
}

// Unpriced returns the model, or the fallback, of which a question has no price,
// however short it is; nil for none. What sees the whole transcript is no language
// model and costs nothing.
func (e *Entry) Unpriced() *Entry {
	for seen := []*Entry{}; e != nil && !slices.Contains(seen, e); e = e.fallback {
		if _, ok := e.prices.Of(e.Name, model.Usage{}); !ok && !e.Caps().WholeTranscript {
			return e
		}
		seen = append(seen, e)
	}
	return nil
}

// All returns the models that there are, the default one first.
func (r *Registry) All() []*Entry {
	all := []*Entry{r.standard}
	for _, name := range slices.Sorted(maps.Keys(r.entries)) {
		all = append(all, r.entries[name])
	}
	return all
}

func (r *Registry) offered() string {
	if len(r.entries) == 0 {
		return "none with a name"
	}
	return strings.Join(slices.Sorted(maps.Keys(r.entries)), ", ")
}

// Model returns the model itself, for what it is; [Asker] asks it.
func (e *Entry) Model() model.Model { return e.model }

// Caps returns what the model can do.
func (e *Entry) Caps() model.Caps { return model.CapsOf(e.model) }
