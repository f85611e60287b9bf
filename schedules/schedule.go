// Package schedules starts work by cron expressions, and keeps a ledger of each time that
// was due: what was started, what was not, and why. A slot is recorded in the transaction
// that makes its run and its job, so that it is lost by no crash and fires twice in none,
// however many processes share the database.
package schedules

import (
	"context"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// Schedule is when actions are to be started.
type Schedule struct {
	// ID is 17 letters and digits; ProjectID says whose it is.
	ID, ProjectID string
	// Name is unique in the project, whatever its case: 3 to 63 letters of ASCII, digits
	// and dashes, neither beginning nor ending with a dash.
	Name string
	Settings
	// Actions are started together, those of Actors first and those of tasks next.
	Actions []Action
	// CreatedAt and ModifiedAt are when it was made and last changed.
	CreatedAt, ModifiedAt time.Time
	// NextRunAt is when it is due next; zero while it is disabled. LastRunAt is when it
	// was invoked last by its expression; zero before.
	NextRunAt, LastRunAt time.Time
}

// Settings are what is changed of a schedule as a whole.
type Settings struct {
	// Title is at most 40 characters, Description 5,000.
	Title, Description string
	// Cron is when it is due: five fields, six with seconds before them, or a shortcut
	// such as @daily. Default @daily. A time that clocks leave out moves forward with
	// them, one that comes twice is due once, and an expression for all hours is due at
	// every real instant (DECISIONS 31).
	Cron string
	// Timezone is the IANA name of the zone whose clocks are meant. Default UTC.
	Timezone string
	// Enabled is whether it is due at all. Default false, as the specification has it.
	Enabled bool
	// Parallel lets an action be started while the run that it started before goes on.
	// Default false: the schedule is exclusive, and such a slot is skipped.
	Parallel bool
	// CatchUp is what becomes of slots that nobody was there for. Default
	// [CatchUpLast].
	CatchUp CatchUp
	// Silent has nobody told of slots that fail or are skipped again and again
	// ([Config.Problem]). Default false.
	Silent bool
}

// CatchUp is what becomes of several slots that are overdue together.
type CatchUp string

// The rules: the last of them is started and the others are skipped; all are started, one
// after the other; or only what is not later than [Limits.Grace] is.
const (
	CatchUpLast CatchUp = "last"
	CatchUpAll  CatchUp = "all"
	CatchUpNone CatchUp = "none"
)

// ActionType is what an action starts.
type ActionType string

// The types of actions. Those of agents and functions are additions of the library.
const (
	RunActor       ActionType = "RUN_ACTOR"
	RunActorTask   ActionType = "RUN_ACTOR_TASK"
	RunAgent       ActionType = "RUN_AGENT"
	InvokeFunction ActionType = "INVOKE_FUNCTION"
)

// Action is what a schedule starts.
type Action struct {
	// ID is of the service. One that is given and known stays, with what it has
	// started.
	ID   string
	Type ActionType
	// Target is the id of the Actor or the task, the id of the agent (none for a run
	// without one), or the name of the function.
	Target string
	// Input of an Actor is anything of any type; that of a task an object in JSON that is
	// merged into the task's; that of an agent its task in words; that of a function any
	// JSON. Default none.
	Input *Input
	// Options of Actors. Default those of the Actor.
	Options RunOptions
}

// Input is what a run gets.
type Input struct {
	Body        []byte
	ContentType string
}

// RunOptions are those of runs of Actors, as in package actors.
type RunOptions struct {
	Build          string         `json:"build,omitempty"`
	Timeout        *time.Duration `json:"timeout,omitempty"`
	Memory         int            `json:"memory,omitempty"`
	MaxItems       int64          `json:"maxItems,omitempty"`
	MaxTotalCharge float64        `json:"maxTotalCharge,omitempty"`
	RestartOnError *bool          `json:"restartOnError,omitempty"`
}

// Create is a new schedule.
type Create struct {
	// Name, default my-schedule, or the first of my-schedule-1, -2 and so on that is
	// free.
	Name string
	Settings
	// Actions, at most 10 of a type. Default none.
	Actions []Action
}

// Update changes a schedule. What is nil stays.
type Update struct {
	Name *string
	// Change changes the settings in place.
	Change func(*Settings)
	// Actions take the place of all that there are.
	Actions *[]Action
	// ChangeActions, if it is not nil, says what Actions are, given those that there are.
	// It may be called again, where somebody else has changed the schedule meanwhile.
	ChangeActions func([]Action) []Action
}

// Filter is a part of a list.
type Filter struct {
	// Offset is how many are left out first. Limit is from 1 to 1,000, the default.
	Offset, Limit int
	// Desc is the newest first.
	Desc bool
}

// List is a part of a list, of Total things.
type List[T any] struct {
	Total int
	Items []T
}

// Service keeps schedules and fires them. The interface may gain methods; implement it only
// inside Drover.
type Service interface {
	// Create makes a schedule. Error types: invalid-input and cron-expression-invalid,
	// which name the field; schedule-name-not-unique, too-many-schedules,
	// too-many-values; schedule-actor-not-found and schedule-actor-task-not-found.
	Create(ctx context.Context, c Create) (Schedule, error)
	// Get returns a schedule by its id or its name (~name, username~name). Error kind
	// NotFound.
	Get(ctx context.Context, schedule string) (Schedule, error)
	// List returns schedules of the project, the oldest first. Inputs of more than 64 KB
	// have no body there.
	List(ctx context.Context, f Filter) (List[Schedule], error)
	// Update changes a schedule, and when it is due next. Errors as of Create and Get.
	Update(ctx context.Context, schedule string, u Update) (Schedule, error)
	// Delete deletes a schedule with its ledger. Runs that it has started go on. Error
	// kind NotFound.
	Delete(ctx context.Context, schedule string) error
	// Invoke starts the actions now, whatever the expression says, and returns their
	// slots. When the schedule is due next does not change. Error kind NotFound.
	Invoke(ctx context.Context, schedule string) ([]Slot, error)
	// Slots returns the ledger of a schedule, the newest first: Filter.Desc false is the
	// oldest first. Error kind NotFound.
	Slots(ctx context.Context, schedule string, f Filter) (List[Slot], error)
	// Log returns the last 1,000 lines of what became of the slots, the oldest first.
	// Error kind NotFound.
	Log(ctx context.Context, schedule string) ([]Line, error)
	// Next returns the next n times, at most 1,000, at which a schedule is due, whether
	// it is enabled or not. Error kind NotFound.
	Next(ctx context.Context, schedule string, n int) ([]Time, error)
}

// errNoSchedule is what a name or an id stands for that names nothing.
func errNoSchedule(ref string) error {
	return errtypes.New(errtypes.NotFound, "there is no schedule %q", ref).WithType(errtypes.TypeRecordNotFound)
}
