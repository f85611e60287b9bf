package functions

import (
	"encoding/json"
	"time"
)

// Function is a function of a project. Its name is unique there.
type Function struct {
	// ID is a UUID.
	ID, ProjectID string
	// Name is 1 to 255 characters.
	Name string
	// CurrentVersionID is the version that is invoked by default: the newest, or
	// the one that [Service.Rollback] chose since.
	CurrentVersionID     string
	CreatedAt, UpdatedAt time.Time
}

// Version is what a function was at a time.
type Version struct {
	// ID is a UUID.
	ID, ProjectID, FunctionID string
	// Number counts the versions of the function from 1.
	Number int
	// BuildID is the build that made it: of a published program one that has run,
	// of a Go function a record of its registration.
	BuildID string
	// ParamsSchema is the JSON Schema of the parameters; nil takes any object.
	ParamsSchema json.RawMessage
	// Session are the settings of its invocations' sessions, as
	// [settingsjson.Decode] reads them, without passwords; nil for the defaults.
	Session json.RawMessage
	// Timeout is how long an invocation may take by default.
	Timeout              time.Duration
	CreatedAt, UpdatedAt time.Time
}

// Page selects a part of a list, newest first.
type Page struct {
	// Offset is how many to leave out, at least 0. Default 0.
	Offset int
	// Limit is how many to return at the most, 1 to 100. Default 20.
	Limit int
}

// List is a part of a list, and how long that is.
type List[T any] struct {
	Items []T
	Total int
}
