package actors

import (
	"github.com/drover-go/drover/errtypes"
)

// Standby are the settings of an Actor, or a task, that would answer requests as a server
// does. They are kept for people to see and to take elsewhere. There is no such server
// here: Enabled is refused. The names of its fields are stored.
type Standby struct {
	// Enabled asks for the server. Refused with the type not-implemented.
	Enabled bool
	// Build and Memory (in MB) are those of its runs. Default the Actor's.
	Build  string
	Memory int
	// DesiredRequests and MaxRequests are how many requests a run is to have, and may
	// have, at a time. Default 0: not said.
	DesiredRequests, MaxRequests int
	// IdleSecs is how long a run that has none goes on, in seconds. Default 0: not said.
	IdleSecs int
	// PassInput says that its runs get the input of the Actor's, KeepsFields that a task
	// may not change the settings.
	PassInput, KeepsFields bool
}

func (s *Standby) validate() error {
	const most = 1_000_000
	if s == nil {
		return nil
	}
	if s.Enabled {
		return errtypes.Field("actorStandby.isEnabled", "is true, and Standby is not implemented: run the Actor instead").WithType(errtypes.TypeNotImplemented)
	}
	for name, n := range map[string]int{
		"desiredRequestsPerActorRun": s.DesiredRequests, "maxRequestsPerActorRun": s.MaxRequests, "idleTimeoutSecs": s.IdleSecs, "memoryMbytes": s.Memory,
	} {
		if n < 0 || n > most {
			return errtypes.Field("actorStandby."+name, "must be from 0 to %d", most)
		}
	}
	return validateTexts(text{"actorStandby.build", s.Build, maxTitle})
}
