package actors

import (
	"encoding/json"
	"time"
)

// Task is an Actor with an input and options, saved under a name.
type Task struct {
	// ID is 17 letters and digits.
	ID        string
	ProjectID string
	// ActorID is the Actor that it runs, and ActorName the name that has now.
	ActorID, ActorName string
	// Name is unique in the project, whatever the case of its letters.
	Name string
	TaskDetails
	// Input is an object; nil for none, and in lists.
	Input json.RawMessage
	// TotalRuns counts the runs that there were, those that were deleted included.
	TotalRuns             int64
	CreatedAt, ModifiedAt time.Time
}

// TaskDetails are what a task says of itself.
type TaskDetails struct {
	// Title is at most 63 characters, Description at most 5,000.
	Title, Description string
	// Runs are the options of its runs that say nothing else.
	Runs RunOptions
	// Public is kept and changes nothing: a task exists for its project alone.
	Public bool
	// Standby are settings that are kept; nil for none.
	Standby *Standby `json:",omitempty"`
}

// CreateTask are the fields of a new task.
type CreateTask struct {
	// Actor is required: an id or a name.
	Actor string
	// Name has the form of an Actor's. Default that of the Actor and "-task", with a
	// number where that is taken.
	Name string
	TaskDetails
	// Input is an object in JSON. Default none.
	Input json.RawMessage
}

// UpdateTask are the changes of a task.
type UpdateTask struct {
	// Name is as in [CreateTask]. Default as it is.
	Name *string
	// Change changes the details where they lie. It may be called again. Default
	// nothing.
	Change func(d *TaskDetails)
	// Input makes the new input of the one that there is, which is nil for none. It
	// may be called again. Default nothing.
	Input func(was json.RawMessage) (json.RawMessage, error)
}
