package actors

import (
	"encoding/json"
	"time"

	"github.com/drover-go/drover/errtypes"
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
	// Public is kept and changes nothing: a task exists for its project alone. It needs a
	// Display.
	Public bool
	// Display is how the task is to be shown where it is public; nil for none.
	Display *Display `json:",omitempty"`
	// Standby are settings that are kept; nil for none.
	Standby *Standby `json:",omitempty"`
}

// Display is how a task that is public is to be shown. It is kept for people to see. The
// names of its fields are stored.
type Display struct {
	// SEOTitle is at most 70 characters, SEODescription 160; the others are at most 63.
	SEOTitle, SEODescription                 string
	Categorization, DatasetName, DatasetView string
	// Fields are those of the input that are shown, at most 100.
	Fields []string
	// PublishedAt is when the task became public; zero while it is not.
	PublishedAt time.Time
}

func (d *Display) validate() error {
	const maxFields = 100
	if d == nil {
		return nil
	}
	if len(d.Fields) > maxFields {
		return errtypes.Field("publicConfig.inputSchemaFields", "must be at most %d", maxFields)
	}
	for _, f := range d.Fields {
		if err := validateTexts(text{"publicConfig.inputSchemaFields", f, maxTitle}); err != nil {
			return err
		}
	}
	return validateTexts(
		text{"publicConfig.seoTitle", d.SEOTitle, 70}, text{"publicConfig.seoDescription", d.SEODescription, 160}, text{"publicConfig.categorization", d.Categorization, maxTitle},
		text{"publicConfig.datasetName", d.DatasetName, maxTitle}, text{"publicConfig.datasetView", d.DatasetView, maxTitle},
	)
}

// publish writes down when the task has become public, which needs a display.
func (d *TaskDetails) publish(was bool, now time.Time) error {
	if d.Display == nil {
		if d.Public && !was {
			return errtypes.Field("publicConfig", "is required before a task is made public")
		}
		return nil
	}
	if d.Public == !d.Display.PublishedAt.IsZero() {
		return nil
	}
	display := *d.Display
	display.PublishedAt = time.Time{}
	if d.Public {
		display.PublishedAt = now
	}
	d.Display = &display
	return nil
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
