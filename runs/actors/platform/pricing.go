package platform

import (
	"math"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
)

// pricingJSON is what an Actor asks for, which nobody pays here (wire-v2-stores, 5).
type pricingJSON struct {
	Model       actors.PricingModel `json:"pricingModel"`
	Margin      float64             `json:"apifyMarginPercentage"`
	CreatedAt   *api.Time           `json:"createdAt,omitempty"`
	StartedAt   *api.Time           `json:"startedAt,omitempty"`
	Reason      string              `json:"reasonForChange,omitempty"`
	UnitPrice   *float64            `json:"pricePerUnitUsd,omitempty"`
	Unit        *string             `json:"unitName,omitempty"`
	PerEvent    *perEventJSON       `json:"pricingPerEvent,omitempty"`
	LeastCharge float64             `json:"minimalMaxTotalChargeUsd,omitempty"`
}

type perEventJSON struct {
	Events map[string]eventPriceJSON `json:"actorChargeEvents"`
}

type eventPriceJSON struct {
	Title       string  `json:"eventTitle"`
	Description string  `json:"eventDescription"` // clients rely on it
	USD         float64 `json:"eventPriceUsd"`
	OneTime     bool    `json:"isOneTimeEvent,omitempty"`
	Primary     bool    `json:"isPrimaryEvent,omitempty"`
}

func pricingOut(p actors.Pricing) *pricingJSON {
	out := &pricingJSON{
		Model: p.Model, Margin: p.Margin, CreatedAt: api.OptionalTime(p.CreatedAt), StartedAt: api.OptionalTime(p.StartedAt),
		Reason: p.Reason, LeastCharge: p.LeastCharge,
	}
	switch p.Model {
	case actors.PricePerItem:
		out.UnitPrice, out.Unit = &p.UnitPrice, &p.Unit
	case actors.PayPerEvent:
		out.PerEvent = &perEventJSON{make(map[string]eventPriceJSON, len(p.Events))}
		for name, e := range p.Events {
			out.PerEvent.Events[name] = eventPriceJSON(e)
		}
	}
	return out
}

// runPricingOut is what a run has to count by; nil for nothing.
func runPricingOut(p *actors.Pricing) *pricingJSON {
	if p == nil {
		return nil
	}
	return pricingOut(*p)
}

// pricingsIn take the place of all that there are.
func pricingsIn(all *[]actors.Pricing) strictjson.Value {
	var read []actors.Pricing
	set := func() { *all = read }
	return strictjson.OrNull(strictjson.Then(arrayIn(&read, pricingIn), set), set)
}

func pricingIn(p *actors.Pricing) strictjson.Value {
	var model string
	return strictjson.Then(strictjson.Open(strictjson.Fields{
		"pricingModel": strictjson.String(&model), "apifyMarginPercentage": strictjson.Number(&p.Margin, 0, 1),
		"createdAt": timeIn(&p.CreatedAt), "startedAt": timeIn(&p.StartedAt), "reasonForChange": textIn(&p.Reason),
		"pricePerUnitUsd": strictjson.Number(&p.UnitPrice, 0, math.MaxInt32), "unitName": textIn(&p.Unit),
		"minimalMaxTotalChargeUsd": strictjson.OrNull(strictjson.Number(&p.LeastCharge, 0, math.MaxInt32), func() {}),
		"pricingPerEvent":          strictjson.Open(strictjson.Fields{"actorChargeEvents": eventPricesIn(&p.Events)}, "actorChargeEvents"),
	}, "pricingModel"), func() { p.Model = actors.PricingModel(model) })
}

func eventPricesIn(all *map[string]actors.EventPrice) strictjson.Value {
	return strictjson.Map(func(name string, read func(strictjson.Value) error) error {
		var e actors.EventPrice
		err := read(strictjson.Open(strictjson.Fields{
			"eventTitle": strictjson.String(&e.Title), "eventDescription": textIn(&e.Description), "eventPriceUsd": strictjson.Number(&e.USD, 0, math.MaxInt32),
			"isOneTimeEvent": strictjson.Bool(&e.OneTime), "isPrimaryEvent": strictjson.Bool(&e.Primary),
		}, "eventTitle", "eventPriceUsd"))
		if *all == nil {
			*all = map[string]actors.EventPrice{}
		}
		(*all)[name] = e
		return err
	})
}

// timeIn is a time, as RFC 3339 has it.
func timeIn(t *time.Time) strictjson.Value {
	var text string
	return strictjson.OrNull(strictjson.Checked(strictjson.String(&text), func(at string) (err error) {
		if *t, err = time.Parse(time.RFC3339, text); err != nil {
			return errtypes.Field(at, "must be a time such as 2026-01-31T12:00:00.000Z")
		}
		*t = t.UTC().Truncate(time.Millisecond)
		return nil
	}), func() {})
}
