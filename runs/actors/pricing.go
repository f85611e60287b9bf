package actors

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// PricingModel is what an Actor is paid for on the hosted service.
type PricingModel string

// The models: nothing, each event that a run charges, each item of its dataset. That of a
// rent a month is refused: nobody rents Actors here.
const (
	Free         PricingModel = "FREE"
	PayPerEvent  PricingModel = "PAY_PER_EVENT"
	PricePerItem PricingModel = "PRICE_PER_DATASET_ITEM"
	flatPrice    PricingModel = "FLAT_PRICE_PER_MONTH"
)

// Pricing is what an Actor asks for, from a time on. It is kept and told to its runs,
// which count by it and heed RunOptions.MaxTotalCharge; nobody pays. The names of its fields
// are stored.
type Pricing struct {
	Model PricingModel
	// StartedAt is from when on it holds, CreatedAt when it was written down. Default for
	// both: when it is saved.
	StartedAt, CreatedAt time.Time
	// Margin is the part that the hosted service keeps, from 0 to 1; nobody keeps any here.
	Margin float64
	// Reason is why it is what it is, for people: at most 5,000 characters. Default none.
	Reason string
	// UnitPrice is the price of an item, in USD, and Unit what that is called, in at most
	// 63 characters. Of [PricePerItem] alone.
	UnitPrice float64
	Unit      string
	// Events are what may be charged, by name: of [PayPerEvent] alone, at most 100.
	Events map[string]EventPrice
	// LeastCharge is the least MaxTotalCharge, in USD, that a run may be started with: of
	// [PayPerEvent] alone. Default 0, any.
	LeastCharge float64
}

// EventPrice is what an event costs. The names of its fields are stored.
type EventPrice struct {
	// Title is at most 63 characters, Description at most 5,000.
	Title, Description string
	// USD is the price of one, from 0.
	USD float64
	// OneTime says that a run charges it once at the most, Primary that it is the main one.
	// Both are kept for people to see.
	OneTime, Primary bool
}

// maxPricings is how many an Actor may have.
const maxPricings = 50

// maxUSD bounds prices, and limits of charges.
const maxUSD = 1_000_000_000

// PricingAt is what the Actor asks for at a time: [Free] where it says nothing.
func (d Details) PricingAt(at time.Time) Pricing {
	now := Pricing{Model: Free}
	for _, p := range d.Pricings {
		if !p.StartedAt.After(at) {
			now = p
		}
	}
	return now
}

// stamped are pricings with the times of those that do not say any.
func stamped(all []Pricing, now time.Time) []Pricing {
	all = slices.Clone(all)
	for i := range all {
		for _, at := range []*time.Time{&all[i].StartedAt, &all[i].CreatedAt} {
			if at.IsZero() {
				*at = now
			}
		}
	}
	return all
}

func validatePricings(all []Pricing) error {
	if len(all) > maxPricings {
		return errtypes.Field("pricingInfos", "must be at most %d", maxPricings)
	}
	if !slices.IsSortedFunc(all, func(a, b Pricing) int { return a.StartedAt.Compare(b.StartedAt) }) {
		return errtypes.Field("pricingInfos", "must be in the order of startedAt")
	}
	for i, p := range all {
		if err := p.validate("pricingInfos[" + strconv.Itoa(i) + "]"); err != nil {
			return err
		}
	}
	return nil
}

func (p Pricing) validate(at string) error {
	switch {
	case p.Model == flatPrice:
		return errtypes.Field(at+".pricingModel", "is %s: nobody rents Actors here; an Actor may be %s, %s or %s", flatPrice, Free, PayPerEvent, PricePerItem).
			WithType(errtypes.TypePricingModelNotSupported)
	case p.Model != Free && p.Model != PayPerEvent && p.Model != PricePerItem:
		return errtypes.Field(at+".pricingModel", "must be %s, %s or %s", Free, PayPerEvent, PricePerItem)
	case p.Model != PayPerEvent && (len(p.Events) > 0 || p.LeastCharge != 0):
		return errtypes.Field(at+".pricingPerEvent", "is for %s", PayPerEvent)
	case p.Model == PayPerEvent && len(p.Events) == 0:
		return errtypes.Field(at+".pricingPerEvent.actorChargeEvents", "must have an event")
	case len(p.Events) > maxChargedEvents:
		return errtypes.Field(at+".pricingPerEvent.actorChargeEvents", "must be at most %d", maxChargedEvents)
	case !isPrice(p.UnitPrice):
		return errtypes.Field(at+".pricePerUnitUsd", "must be from 0 to %d", maxUSD)
	case !isPrice(p.LeastCharge):
		return errtypes.Field(at+".minimalMaxTotalChargeUsd", "must be from 0 to %d", maxUSD)
	}
	for name, e := range p.Events {
		if err := e.validate(at+".pricingPerEvent.actorChargeEvents."+shortName(name), name); err != nil {
			return err
		}
	}
	return validateTexts(text{at + ".reasonForChange", p.Reason, maxDescription}, text{at + ".unitName", p.Unit, maxTitle})
}

func (e EventPrice) validate(at, name string) error {
	if name == "" || len(name) > maxEventName {
		return errtypes.Field(at, "must have a name of at most %d bytes", maxEventName)
	}
	if !isPrice(e.USD) {
		return errtypes.Field(at+".eventPriceUsd", "must be from 0 to %d", maxUSD)
	}
	return validateTexts(text{at + ".eventTitle", e.Title, maxTitle}, text{at + ".eventDescription", e.Description, maxDescription})
}

func isPrice(usd float64) bool { return usd >= 0 && usd <= maxUSD }

// shortName is a name for a message.
func shortName(name string) string { return name[:min(len(name), maxEventName)] }

// checkCharge refuses a limit of charges that is below what the Actor asks for.
func (p Pricing) checkCharge(o RunOptions) error {
	if o.MaxTotalCharge > 0 && o.MaxTotalCharge < p.LeastCharge {
		return errtypes.Field("maxTotalChargeUsd", "must be at least %v for this Actor", p.LeastCharge).WithType(errtypes.TypeMaxTotalChargeUsdBelowMinimum)
	}
	return nil
}

// forRun is what a run is told of it; nil for nothing that it has to count by.
func (p Pricing) forRun() *Pricing {
	if cmp.Or(p.Model, Free) == Free {
		return nil
	}
	return &p
}
