package v1

import (
	"errors"
	"math"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs"
)

// Money is in millionths in the library, and in units on the wire.
const (
	unit    = 1_000_000
	maxCost = 1_000_000_000 // units
)

// limitsIn are the limits of one run.
func limitsIn(l *runs.RunLimits) strictjson.Value {
	var seconds, tokens int
	var cost float64
	return strictjson.Closed(strictjson.Fields{
		"maxSteps": strictjson.Int(&l.MaxSteps, 1, math.MaxInt32),
		"maxDurationSeconds": strictjson.Then(strictjson.Int(&seconds, 1, math.MaxInt32), func() {
			l.MaxDuration = time.Duration(seconds) * time.Second
		}),
		"budget": strictjson.Closed(strictjson.Fields{
			"tokens": strictjson.Then(strictjson.Int(&tokens, 1, maxOffset), func() { l.Budget.Tokens = int64(tokens) }),
			"cost": strictjson.Then(strictjson.Number(&cost, 1.0/unit, maxCost), func() {
				l.Budget.Cost = int64(math.Round(cost * unit))
			}),
		}),
	})
}

// asWired gives what the service says of a limit the name and the unit that it has
// on the wire.
func asWired(err error) error {
	e, ok := errors.AsType[*errtypes.Error](err)
	if !ok {
		return err
	}
	switch e.Field {
	case "limits.maxDuration":
		return errtypes.Field("limits.maxDurationSeconds", "%s", strings.TrimPrefix(e.Message, e.Field+" "))
	case "limits.budget.cost":
		if !strings.Contains(e.Message, "must be at most") { // which says it in millionths
			return err
		}
		return errtypes.Field(e.Field, "is more than a run may spend here")
	}
	return err
}
