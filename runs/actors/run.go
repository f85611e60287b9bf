package actors

import (
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/webhooks"
)

// Status is how far a run has come.
type Status string

// The statuses. READY becomes RUNNING, and that one of SUCCEEDED, FAILED, TIMED-OUT
// by TIMING-OUT, ABORTED by ABORTING. A run that has ended goes on when it is
// resurrected.
const (
	Ready     Status = "READY"
	Running   Status = "RUNNING"
	Succeeded Status = "SUCCEEDED"
	Failed    Status = "FAILED"
	TimingOut Status = "TIMING-OUT"
	TimedOut  Status = "TIMED-OUT"
	Aborting  Status = "ABORTING"
	Aborted   Status = "ABORTED"
)

// Final reports whether nothing changes the status any more, but for a resurrection.
func (s Status) Final() bool {
	return s == Succeeded || s == Failed || s == TimedOut || s == Aborted
}

// RunInfo is a run of an Actor, as it is stored.
type RunInfo struct {
	// ID is 17 letters and digits.
	ID        string
	ProjectID string
	// ActorID is the Actor that was started, TaskID the task that it was started by;
	// empty for none.
	ActorID, TaskID string
	// ProgramID is the Actor whose program runs: ActorID, or after a metamorph
	// another one.
	ProgramID string
	// BuildID and BuildNumber are those of the build that runs. Of a Go Actor the build
	// is implied: it has the id of the Actor and the number 0.0.1.
	BuildID, BuildNumber string
	Status               Status
	// StatusMessage is what the run says of itself, or at the end what is to be said
	// of that. MessageTerminal says that the run has said its last word.
	StatusMessage   string
	MessageTerminal bool
	// ExitCode is that of the process; nil where there is none. Of a Go Actor it is 0
	// for nil, 1 for an error and 91 for a panic.
	ExitCode *int
	// Options are what it is run with: all are filled in but MaxItems and
	// MaxTotalCharge.
	Options RunOptions
	// Webhooks are those of a run that was started when webhooks were kept with runs and
	// nothing was sent. Those of others are [webhooks.Service]'s.
	Webhooks []webhooks.Create
	// Meta is who asked for it.
	Meta Meta
	// Pricing is what the Actor asked for when it was started; nil for nothing, and in
	// lists.
	Pricing *Pricing
	// Charged counts what it has charged, by event; nil for nothing, and in lists.
	Charged map[string]int64
	// The ids of its default stores.
	KeyValueStoreID, DatasetID, RequestQueueID string
	// InputKey is the key of the input in the key-value store: INPUT, or another one
	// after a metamorph.
	InputKey string
	// Metamorphs are what it has become, in their order; nil for nothing.
	Metamorphs []Metamorphosis
	Stats      RunStats
	// StartedAt is when it was asked for, FinishedAt when it ended; zero before.
	StartedAt, FinishedAt time.Time
}

// Metamorphosis is a change of a run into one of another Actor. The names of its fields
// are stored.
type Metamorphosis struct {
	At time.Time
	// ActorID, BuildID and InputKey are what it has become.
	ActorID, BuildID, InputKey string
	// FromBuildID and FromBuildNumber are the build that it was before.
	FromBuildID, FromBuildNumber string
}

// FirstBuild is the build that it was started with, whatever it has become.
func (r RunInfo) FirstBuild() (id, number string) {
	if len(r.Metamorphs) > 0 {
		return r.Metamorphs[0].FromBuildID, r.Metamorphs[0].FromBuildNumber
	}
	return r.BuildID, r.BuildNumber
}

// DeadlineAt is when its time is over; zero for never, and before it has begun.
func (r RunInfo) DeadlineAt() time.Time {
	if r.Stats.TimedFrom.IsZero() || r.Options.Timeout == nil || *r.Options.Timeout == 0 {
		return time.Time{}
	}
	return r.Stats.TimedFrom.Add(*r.Options.Timeout)
}

// RunStats count what has become of a run.
type RunStats struct {
	// InputBytes is how long the input is.
	InputBytes int64
	// Restarts are those after errors, Migrations those after its host was closed,
	// Reboots and Metamorphs those that were asked for, Resurrects those of a run that
	// had ended.
	Restarts, Migrations, Reboots, Metamorphs, Resurrects int
	// TimedFrom is when it began, or was resurrected: the time-out counts from then.
	TimedFrom time.Time
	// RunTime is how long it has been executed, to the end or to the last interruption.
	RunTime time.Duration
	// Usage is what its processes have taken, of one that is executed by this host as it
	// is now; zero for a Go Actor, which works in the memory of the host, and in lists.
	Usage Usage
}

// Meta is who asked for a run.
type Meta struct {
	// Origin is a word such as API, WEB, CLI or SCHEDULER. Default API.
	Origin string
	// ClientIP and UserAgent are those of a request. Default empty.
	ClientIP, UserAgent string
	// RunID is the run that asks; empty for anybody else, and in lists.
	RunID string
	// Slot is the slot of a schedule that the run was started for; nil for any other, and
	// in lists.
	Slot *Slot
}

// Slot is one of a schedule.
type Slot struct {
	ScheduleID string `json:"scheduleId"`
	// ActionID is that of the action of the schedule.
	ActionID    string    `json:"actionId"`
	ScheduledAt time.Time `json:"scheduledAt"`
}

// Start is how a run is started. The zero value is useful.
type Start struct {
	// Input of the run. That of a task's run is an object in JSON, whose members take
	// the place of those of the task's input; default as the task has it. Of an Actor
	// with an input schema, JSON is validated, and defaults are filled in. Default
	// none.
	Input *Input
	// Options of the run. What they leave out is that of the task, then that of the
	// Actor.
	Options RunOptions
	// Webhooks are ad hoc ones of the run, at most 100: they are told what happens to it.
	// Their protocol and condition are given here. One with an idempotency key that the
	// project has had before is not made again. Default none.
	Webhooks []webhooks.Create
	// Meta is who asks.
	Meta Meta
	// WaitForFinish is how long to wait for the end of the run, which is returned as
	// it is then. Default 0.
	WaitForFinish time.Duration
}

// Metamorph is what a run becomes.
type Metamorph struct {
	// Actor is required: an id or a name.
	Actor string
	// Build is a tag or a number. Default that of the Actor's options.
	Build string
	// Input of the Actor. Default none.
	Input *Input
}

// Charge is an event of a run that is to be paid for. Nothing is paid here: it is
// counted.
type Charge struct {
	// Event is required: its name, at most 100 characters, which does not begin with
	// "apify-", as those that the hosted service charges by itself.
	Event string
	// Count is how often it happened, from 1 to 1,000,000,000. Default 1.
	Count int64
	// Key has a charge that is made again count once, if it is the same. At most 200
	// characters. Default none: each counts.
	Key string
}

// RunUpdate are the changes of a run.
type RunUpdate struct {
	// StatusMessage is what the run says of itself, cut to 1,000 characters.
	StatusMessage string
	// Terminal says that no other message, of the end for one, is to take its place.
	Terminal bool
}

// RunFilter selects a part of the list of runs, in the order in which they were asked
// for.
type RunFilter struct {
	Filter
	// Actor selects those of an Actor, Task those of a task; not both. Default all of
	// the project.
	Actor, Task string
	// Statuses selects those that have one of them. Default any. One that there is not
	// selects none.
	Statuses []Status
	// StartedAfter and StartedBefore select those that were asked for then or later, and
	// then or before. Default any.
	StartedAfter, StartedBefore time.Time
}

// LogEntry is a line of a run's log.
type LogEntry struct {
	// Seq numbers the lines from 0, those that are no longer kept included.
	Seq     int64
	Time    time.Time
	Message string
}

func noRun(id string) error {
	return errtypes.New(errtypes.NotFound, "there is no run %q", id).WithType(errtypes.TypeRecordNotFound)
}
