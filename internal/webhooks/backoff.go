package webhooks

import (
	"math/rand/v2"
	"time"
)

// standardRests are the times before each further request of the first interface
// (wire-v1, 7).
var standardRests = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
}

// platformRetries and testRetries are how often the job platform sends again, a test of
// either too (wire-v2, 5).
const (
	platformRetries = 11
	testRetries     = 3
)

// Retries says how a message is sent again.
type Retries struct {
	// Standard is by the table of the first interface, else the times of the job platform
	// count: 1, 2, 4 … minutes, each a quarter more or less.
	Standard bool
	// Test sends three times more at most.
	Test bool
	// None sends it once.
	None bool
}

// Longest is the most that [Retries.After] says.
func (r Retries) Longest(failed int) time.Duration {
	if r.Standard {
		return standardRests[min(failed, len(standardRests))-1]
	}
	rest := time.Minute << (min(failed, platformRetries) - 1)
	return rest + rest/4
}

// After is how long to wait once so many requests have failed; false for no more.
func (r Retries) After(failed int) (time.Duration, bool) {
	most := platformRetries
	if r.Standard {
		most = len(standardRests)
	}
	if r.Test {
		most = min(most, testRetries)
	}
	switch {
	case r.None || failed < 1 || failed > most:
		return 0, false
	case r.Standard:
		return standardRests[failed-1], true
	}
	rest := time.Minute << (failed - 1)
	return rest - rest/4 + rand.N(rest/2+1), true
}
