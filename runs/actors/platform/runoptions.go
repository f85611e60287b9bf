package platform

import (
	"errors"
	"math"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs/actors"
)

// runOptionsJSON are options of runs as an Actor or a task has them; what is not
// there is left to others.
type runOptionsJSON struct {
	Build          string  `json:"build,omitempty"`
	TimeoutSecs    *int64  `json:"timeoutSecs,omitempty"`
	MemoryMbytes   int     `json:"memoryMbytes,omitempty"`
	MaxItems       int64   `json:"maxItems,omitempty"`
	MaxTotalCharge float64 `json:"maxTotalChargeUsd,omitempty"`
	RestartOnError *bool   `json:"restartOnError,omitempty"`

	Permissions actors.Permissions `json:"forcePermissionLevel,omitempty"`
}

// usualOptions are those of an Actor that says nothing (wire-v2, 2).
var usualOptions = actors.RunOptions{Build: "latest", Timeout: new(300 * time.Second), Memory: 1024}

func runOptionsOut(o actors.RunOptions) runOptionsJSON {
	out := runOptionsJSON{
		Build: o.Build, MemoryMbytes: o.Memory, MaxItems: o.MaxItems, MaxTotalCharge: o.MaxTotalCharge, RestartOnError: o.RestartOnError,
		Permissions: o.Permissions,
	}
	if o.Timeout != nil {
		out.TimeoutSecs = new(int64(*o.Timeout / time.Second))
	}
	return out
}

// runOptionsIn changes those of the options that are given; null takes one away.
func runOptionsIn(o *actors.RunOptions) strictjson.Value {
	const mostSeconds = 999_999_999
	var secs, items int
	var restart bool
	return strictjson.Open(strictjson.Fields{
		"build": strictjson.OrNull(strictjson.Checked(strictjson.String(&o.Build), func(at string) error {
			return refusedAt(at, actors.RunOptions{Build: o.Build})
		}), func() { o.Build = "" }),
		"timeoutSecs": strictjson.OrNull(strictjson.Then(strictjson.Int(&secs, 0, mostSeconds), func() {
			o.Timeout = new(time.Duration(secs) * time.Second)
		}), func() { o.Timeout = nil }),
		"memoryMbytes": strictjson.OrNull(strictjson.Checked(strictjson.Int(&o.Memory, 1, math.MaxInt32), func(at string) error {
			return refusedAt(at, actors.RunOptions{Memory: o.Memory})
		}), func() { o.Memory = 0 }),
		"maxItems": strictjson.OrNull(strictjson.Then(strictjson.Checked(strictjson.Int(&items, math.MinInt32, most), func(at string) error {
			return above0(at, float64(items), errtypes.TypeMaxItemsMustBeGreaterThanZero)
		}), func() { o.MaxItems = int64(items) }), func() { o.MaxItems = 0 }),
		"maxTotalChargeUsd": strictjson.OrNull(strictjson.Checked(strictjson.Number(&o.MaxTotalCharge, math.MinInt32, most), func(at string) error {
			return above0(at, o.MaxTotalCharge, errtypes.TypeMaxTotalChargeUsdMustBeGreaterThanZero)
		}), func() { o.MaxTotalCharge = 0 }),
		"forcePermissionLevel": strictjson.OrNull(strictjson.OneOf(&o.Permissions, actors.LimitedPermissions, actors.FullPermissions), func() { o.Permissions = "" }),
		"restartOnError":       strictjson.OrNull(strictjson.Then(strictjson.Bool(&restart), func() { o.RestartOnError = new(restart) }), func() { o.RestartOnError = nil }),
	})
}

// refusedAt is what is wrong with an option, by the name that it has in a body.
func refusedAt(at string, o actors.RunOptions) error {
	var of *errtypes.Error
	if err := o.Validate(); errors.As(err, &of) {
		return errtypes.Field(at, "%s", strings.TrimPrefix(of.Message, of.Field+" ")).WithCause(err)
	}
	return nil
}

func above0(at string, n float64, t errtypes.Type) error {
	if n <= 0 {
		return errtypes.Field(at, "must be greater than zero").WithType(t)
	}
	return nil
}
