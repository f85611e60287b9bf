package schedules

import "time"

// Slot is what became of a time at which an action was due, or of several that followed
// each other and were skipped for the same reason. What an action has started, skipped and
// failed to start is together what was due.
type Slot struct {
	ScheduleID, ActionID string
	// Type and Target are those of the action.
	Type   ActionType
	Target string
	// At is when it was due, and Until when the last of Count slots was.
	At, Until time.Time
	Count     int
	Outcome   Outcome
	// Reason says why a slot was skipped.
	Reason Reason
	// Message says why one failed to start.
	Message string
	// RunID is the run, or the invocation, that was started.
	RunID string
	// Late is how long after its time it was recorded.
	Late time.Duration
	// CaughtUp is whether it was overdue together with others.
	CaughtUp bool
	// Manual is whether somebody has asked for it, and not the expression.
	Manual bool
	// RecordedAt is when it was decided.
	RecordedAt time.Time
}

// Outcome is what became of a slot.
type Outcome string

// The outcomes.
const (
	Started Outcome = "started"
	Skipped Outcome = "skipped"
	Failed  Outcome = "failed"
)

// Reason is why a slot was skipped.
type Reason string

// The reasons: the run that the action started before went on; the slot was less than ten
// seconds after the one before (wire-v2, 1); the schedule was disabled; nobody was there at
// its time, and the rule for catching up says so.
const (
	Exclusive Reason = "exclusive"
	TooSoon   Reason = "too soon"
	Disabled  Reason = "disabled"
	Missed    Reason = "missed"
)

// Line is a line of the log of a schedule.
type Line struct {
	// Level is INFO, WARNING or ERROR.
	Level, Message string
	CreatedAt      time.Time
}

// Time is one at which a schedule is due.
type Time struct {
	// At is in the zone of the schedule.
	At time.Time
	// Note says what is particular about it: that clocks are put forward or back. It is
	// empty for most.
	Note string
}

// Problem is what somebody should know of: see [Config.Problem].
type Problem struct {
	Schedule Schedule
	// Slot is the one that failed, or was skipped.
	Slot Slot
	// Skips is how many slots of the action have been skipped in a row because the run
	// before went on; 0 where a slot has failed.
	Skips int
}
