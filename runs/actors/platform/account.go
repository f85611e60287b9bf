package platform

import (
	"math"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
)

// noLimit stands where there is none, for clients that count on a number.
const noLimit = 999_999_999

type cycleJSON struct {
	Start api.Time `json:"startAt"`
	End   api.Time `json:"endAt"`
}

// cycleOf is the month; it ends with its last millisecond.
func cycleOf(a actors.Account) cycleJSON {
	return cycleJSON{api.Time(a.From), api.Time(a.To.Add(-time.Millisecond))}
}

type limitsJSON struct {
	USD           float64 `json:"maxMonthlyUsageUsd"`
	ComputeUnits  int     `json:"maxMonthlyActorComputeUnits"`
	Transfer      int     `json:"maxMonthlyExternalDataTransferGbytes"`
	Searches      int     `json:"maxMonthlyProxySerps"`
	Residential   int     `json:"maxMonthlyResidentialProxyGbytes"`
	Memory        float64 `json:"maxActorMemoryGbytes"`
	Actors        int     `json:"maxActorCount"`
	Tasks         int     `json:"maxActorTaskCount"`
	Runs          int     `json:"maxConcurrentActorJobs"`
	Seats         int     `json:"maxTeamAccountSeatCount"`
	RetentionDays int     `json:"dataRetentionDays"`
}

type currentJSON struct {
	USD          float64 `json:"monthlyUsageUsd"`
	ComputeUnits float64 `json:"monthlyActorComputeUnits"`
	Transfer     float64 `json:"monthlyExternalDataTransferGbytes"`
	Searches     int     `json:"monthlyProxySerps"`
	Residential  float64 `json:"monthlyResidentialProxyGbytes"`
	Memory       float64 `json:"actorMemoryGbytes"`
	Actors       int     `json:"actorCount"`
	Tasks        int     `json:"actorTaskCount"`
	Runs         int     `json:"activeActorJobCount"`
	Seats        int     `json:"teamAccountSeatCount"`
}

type accountJSON struct {
	Cycle   cycleJSON   `json:"monthlyUsageCycle"`
	Limits  limitsJSON  `json:"limits"`
	Current currentJSON `json:"current"`
}

func limitsOf(a actors.Account) limitsJSON {
	l := limitsJSON{
		USD: noLimit, ComputeUnits: noLimit, Transfer: noLimit, Searches: noLimit, Residential: noLimit, Memory: noLimit,
		Actors: a.MaxActors, Tasks: a.MaxTasks, Runs: a.MaxRuns, Seats: 1, RetentionDays: retentionDays(a),
	}
	if a.MaxUSD > 0 {
		l.USD = a.MaxUSD
	}
	if a.MaxMemory > 0 {
		l.Memory = float64(a.MaxMemory) / 1024
	}
	return l
}

// retentionDays are full days.
func retentionDays(a actors.Account) int {
	if a.Retention < 0 {
		return noLimit
	}
	return int(math.Ceil(a.Retention.Hours() / 24))
}

func getLimits(x *exchange) (answer, error) {
	a, err := x.Actors.Account(x.R.Context(), time.Time{})
	return data(accountJSON{cycleOf(a), limitsOf(a), currentJSON{
		ComputeUnits: a.ComputeUnits(), Memory: float64(a.Memory) / 1024, Actors: a.Actors, Tasks: a.Tasks, Runs: a.Runs, Seats: 1,
	}}), err
}

// updateLimits keeps what a project wants to be charged at the most. How long runs are
// kept is the host's affair: another number is refused.
func updateLimits(x *exchange) (answer, error) {
	a, err := x.Actors.Account(x.R.Context(), time.Time{})
	if err != nil {
		return answer{}, err
	}
	usd, days := -1.0, retentionDays(a)
	if _, err := x.OptionalBody(strictjson.Open(strictjson.Fields{
		"maxMonthlyUsageUsd": strictjson.Number(&usd, 0, noLimit), "dataRetentionDays": strictjson.Int(&days, 0, noLimit),
	})); err != nil {
		return answer{}, err
	}
	if days != retentionDays(a) {
		return answer{}, errtypes.Field("dataRetentionDays", "is what the host has set, %d, and cannot be changed by its users", retentionDays(a))
	}
	if usd >= 0 {
		err = x.Actors.SetMaxUSD(x.R.Context(), usd)
	}
	return api.Created(struct{}{}), err
}

type usageOfDayJSON struct {
	Date     string                 `json:"date"`
	Services map[string]serviceJSON `json:"serviceUsage"`
	USD      float64                `json:"totalUsageCreditsUsd"`
}

type serviceJSON struct {
	Quantity float64 `json:"quantity"`
	Base     float64 `json:"baseAmountUsd"`
	Price    float64 `json:"baseUnitPriceUsd"`
	Discount float64 `json:"amountAfterVolumeDiscountUsd"`
}

type monthJSON struct {
	Cycle    cycleJSON              `json:"usageCycle"`
	Services map[string]serviceJSON `json:"monthlyServiceUsage"`
	Days     []usageOfDayJSON       `json:"dailyServiceUsages"`
	Before   float64                `json:"totalUsageCreditsUsdBeforeVolumeDiscount"`
	After    float64                `json:"totalUsageCreditsUsdAfterVolumeDiscount"`
}

func servicesOf(units float64) map[string]serviceJSON {
	return map[string]serviceJSON{"ACTOR_COMPUTE_UNITS": {Quantity: units}}
}

// getUsage is of the month in which the date lies.
func getUsage(x *exchange) (answer, error) {
	q := x.Query()
	text := q.String("date")
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	var at time.Time
	if text != "" {
		var err error
		if at, err = time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))]); err != nil {
			return answer{}, errtypes.Field("date", "must be a date such as 2026-01-31")
		}
	}
	a, err := x.Actors.Account(x.R.Context(), at)
	days := api.Each(a.Days, func(d actors.DayUsage) usageOfDayJSON {
		return usageOfDayJSON{Date: d.Day.Format(time.RFC3339), Services: servicesOf(d.ComputeUnits)}
	})
	return data(monthJSON{Cycle: cycleOf(a), Services: servicesOf(a.ComputeUnits()), Days: days}), err
}
