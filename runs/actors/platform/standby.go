package platform

import (
	"math"

	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs/actors"
)

// standbyJSON are settings that are kept (wire-v2-stores, 5). There is no server that
// would heed them, and so no standbyUrl.
type standbyJSON struct {
	Enabled         bool   `json:"isEnabled"`
	Build           string `json:"build,omitempty"`
	Memory          int    `json:"memoryMbytes,omitempty"`
	DesiredRequests int    `json:"desiredRequestsPerActorRun,omitempty"`
	MaxRequests     int    `json:"maxRequestsPerActorRun,omitempty"`
	IdleSecs        int    `json:"idleTimeoutSecs,omitempty"`
	PassInput       bool   `json:"shouldPassActorInput,omitempty"`
	KeepsFields     bool   `json:"disableStandbyFieldsOverride,omitempty"`
}

func standbyOut(s *actors.Standby) *standbyJSON {
	if s == nil {
		return nil
	}
	return (*standbyJSON)(s)
}

// standbyIn changes those of the settings that are given; null takes all away. Clients
// send an empty object for none.
func standbyIn(to **actors.Standby) strictjson.Value {
	var s actors.Standby
	var given bool
	if *to != nil {
		s = **to
	}
	count := func(n *int) strictjson.Value {
		return strictjson.OrNull(strictjson.Int(n, 0, math.MaxInt32), func() { *n = 0 })
	}
	return strictjson.OrNull(strictjson.Then(strictjson.Open(strictjson.Fields{
		"isEnabled": strictjson.Then(strictjson.Bool(&s.Enabled), func() { given = true }), "build": textIn(&s.Build), "memoryMbytes": count(&s.Memory),
		"desiredRequestsPerActorRun": count(&s.DesiredRequests), "maxRequestsPerActorRun": count(&s.MaxRequests), "idleTimeoutSecs": count(&s.IdleSecs),
		"shouldPassActorInput": strictjson.Bool(&s.PassInput), "disableStandbyFieldsOverride": strictjson.Bool(&s.KeepsFields),
	}), func() {
		if *to != nil || s != (actors.Standby{}) || given {
			*to = &s
		}
	}), func() { *to = nil })
}
