package main

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
)

// chosenModels is the flag of every command that asks language models.
type chosenModels struct {
	Model []string `sep:"," env:"DROVER_MODEL" help:"Language model for agents: openai:NAME, openai-responses:NAME, anthropic:NAME, anthropic-browser:NAME (with Anthropic's own browser toolset), gemini:NAME, ollama:NAME, or plain, which follows written steps. Repeatable: the first is the default, runs can name the others. Keys come from OPENAI_API_KEY, ANTHROPIC_API_KEY, and GEMINI_API_KEY or GOOGLE_API_KEY; addresses from OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL and OLLAMA_HOST. Default plain." placeholder:"MODEL"`
}

// modelFlags are those of commands whose agents use language models.
type modelFlags struct {
	chosenModels
	ModelFallback string   `group:"models" help:"Model that goes on with a run where another one fails for good." placeholder:"MODEL"`
	Price         []string `group:"models" sep:"none" help:"What a million tokens of a model cost, as MODEL=INPUT,OUTPUT, with those of cached tokens behind them if they differ from INPUT: read, written, written for long. MODEL may have *, which does not stand for a slash. Repeatable, the first that fits counts. In any currency." placeholder:"MODEL=PRICES"`
	BudgetTokens  int64    `group:"models" help:"Tokens that an agent run may use. Default any number." placeholder:"N"`
	BudgetCost    float64  `group:"models" help:"Money that an agent run may spend, by the prices, which each model must have then. Default any amount." placeholder:"AMOUNT"`
	// All runs of a project on a day of UTC.
	ProjectBudgetTokens int64   `group:"models" help:"Tokens that all agent runs of a project may use on a day of UTC. Default any number." placeholder:"N"`
	ProjectBudgetCost   float64 `group:"models" help:"Money that they may spend. Default any amount." placeholder:"AMOUNT"`
	AskHuman            bool    `group:"models" help:"Give agents the tool ask_human: it pauses the run with a question until somebody answers, for ten minutes at most."`
}

// apply gives the models to the library. Error kind Invalid, which names the flag
// or the variable.
func (f modelFlags) apply(o *drover.Options) error {
	if err := f.models(o); err != nil {
		return err
	}
	o.RunHooks.Human = f.AskHuman
	for _, text := range f.Price {
		p, err := parsePrice(text)
		if err != nil {
			return err
		}
		if !fitsAny(p, o.Models) {
			return errtypes.Field("--price", "is for %q, which is none of the models", p.Model)
		}
		o.Prices = append(o.Prices, p)
	}
	if err := f.budgets(&o.Runs); err != nil {
		return err
	}
	return f.checkPriced(o)
}

// checkPriced refuses an amount of money that a model could not use up.
func (f modelFlags) checkPriced(o *drover.Options) error {
	for _, name := range slices.Sorted(maps.Keys(o.Models)) {
		_, priced := o.Prices.Of(name, model.Usage{})
		flag := "--budget-cost"
		if f.BudgetCost == 0 {
			flag = "--project-budget-cost"
		}
		if f.BudgetCost+f.ProjectBudgetCost > 0 && name != plainModel && !priced {
			return errtypes.Field(flag, "needs a price of %s: see --price, which is 0,0 for what costs nothing", name)
		}
	}
	return nil
}

func (f modelFlags) models(o *drover.Options) error {
	if f.ModelFallback != "" && len(f.Model) == 0 {
		return errtypes.Field("--model-fallback", "needs the model that it stands in for: see --model")
	}
	o.Models = map[string]runs.ModelConfig{}
	names := f.Model
	if f.ModelFallback != "" {
		names = append(slices.Clone(names), f.ModelFallback)
	}
	for _, name := range names {
		if _, there := o.Models[name]; there {
			continue
		}
		m, _, err := openModel(name)
		if err != nil {
			return err
		}
		c := runs.ModelConfig{Model: m}
		if name != f.ModelFallback && name != plainModel {
			c.Fallback = f.ModelFallback
		}
		o.Models[name] = c
	}
	if len(f.Model) > 0 {
		o.DefaultModel = f.Model[0]
	}
	return nil
}

// budgets gives the library what runs and projects may use.
func (f modelFlags) budgets(l *runs.Limits) (err error) {
	if l.Budget, err = f.budget("--budget", f.BudgetTokens, f.BudgetCost); err != nil {
		return err
	}
	l.ProjectBudget, err = f.budget("--project-budget", f.ProjectBudgetTokens, f.ProjectBudgetCost)
	return err
}

func (f modelFlags) budget(flag string, tokens int64, cost float64) (runs.Budget, error) {
	var err error
	switch {
	case tokens < 0:
		err = errtypes.Field(flag+"-tokens", "must be more than 0")
	case !(cost >= 0 && cost <= 1e9): // not even NaN
		err = errtypes.Field(flag+"-cost", "must be a number from 0 to 1000000000")
	case cost > 0 && len(f.Price) == 0:
		err = errtypes.Field(flag+"-cost", "needs prices: see --price")
	}
	return runs.Budget{Tokens: tokens, Cost: int64(math.Round(cost * 1e6))}, err
}

// parsePrice reads MODEL=INPUT,OUTPUT[,READ[,WRITTEN[,WRITTEN FOR LONG]]].
func parsePrice(text string) (p model.Price, err error) {
	name, list, ok := strings.Cut(text, "=")
	if _, bad := path.Match(name, ""); !ok || name == "" || bad != nil {
		return p, errtypes.Field("--price", `must be like "openai:gpt-*=1.25,10", not %q`, text)
	}
	var all []float64
	for one := range strings.SplitSeq(list, ",") {
		n, err := strconv.ParseFloat(strings.TrimSpace(one), 64)
		if err != nil || !(n >= 0 && n <= 1e9) {
			return p, errtypes.Field("--price", "of %s has %q, which is no price", name, one)
		}
		all = append(all, n)
	}
	if len(all) < 2 || len(all) > 5 {
		return p, errtypes.Field("--price", "of %s must have 2 to 5 numbers: input, output, and those of cached tokens", name)
	}
	p = model.Price{Model: name, Input: all[0], Output: all[1], CacheRead: all[0], CacheWrite: all[0], CacheWriteLong: all[0]}
	for i, cached := range []*float64{&p.CacheRead, &p.CacheWrite, &p.CacheWriteLong} {
		if len(all) > 2+i {
			*cached = all[2+i]
		}
	}
	return p, nil
}

func fitsAny(p model.Price, all map[string]runs.ModelConfig) bool {
	for name := range all {
		if fits, err := path.Match(p.Model, name); err == nil && fits {
			return true
		}
	}
	return false
}

// usageLine says what a run has used of language models; empty for nothing.
func usageLine(u runs.Usage) string {
	if u == (runs.Usage{}) {
		return ""
	}
	t := u.Tokens
	line := fmt.Sprintf("%d questions to the model; %d tokens read", u.Questions, t.Total()-t.Output)
	if u.Fallback != "" {
		line = "the model failed, and " + u.Fallback + " went on in its place; " + line
	}
	if t.CacheRead > 0 {
		line += fmt.Sprintf(" (%d of them cached)", t.CacheRead)
	}
	line += fmt.Sprintf(", %d written", t.Output)
	if t.Estimated {
		line += ", as far as is known"
	}
	switch {
	case !u.Unpriced:
		line += "; cost " + runs.Money(u.Cost)
	case u.Cost > 0:
		line += "; cost " + runs.Money(u.Cost) + ", and what has no price"
	}
	return line
}
