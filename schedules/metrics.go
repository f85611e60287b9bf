package schedules

import (
	"github.com/drover-go/drover/internal/telemetry"
)

// metrics are what is counted of slots, in the process that decides them.
type metrics struct {
	slots *telemetry.Counter
	late  *telemetry.Histogram
}

func newMetrics(t *telemetry.Telemetry) metrics {
	return metrics{
		slots: t.Counter("drover_schedule_slots_total", "Slots that were decided: started, skipped or failed. The reason is why they were skipped, and empty for others.", "outcome", "reason"),
		late:  t.Histogram("drover_schedule_lateness_seconds", "How long after its time a slot was started, or failed to start; those that were caught up are left out.", nil),
	}
}

// decided counts a slot, or as many as were skipped together.
func (m metrics) decided(o Slot) {
	m.slots.Add(float64(max(1, o.Count)), string(o.Outcome), string(o.Reason))
	if o.Outcome != Skipped && !o.CaughtUp && !o.Manual {
		m.late.Seconds(max(0, o.Late))
	}
}
