// Package actors keeps Actors: programs of a project that run as jobs, with an
// input and stores of their own, and saved tasks, which are an Actor with an input
// and options.
//
// An Actor has versions, which say where its source is; a build makes one runnable
// and has tags, by which runs name it.
package actors

import (
	"context"
	"time"
)

// Actor is a program of a project.
type Actor struct {
	// ID is 17 letters and digits.
	ID        string
	ProjectID string
	// Name is unique in the project, whatever the case of its letters; see
	// [Service.CreateActor].
	Name string
	Details
	// Registered says that it is a Go Actor of the host, which alone changes it.
	Registered bool
	// Versions are in the order of their numbers; nil in lists.
	Versions []Version
	// Tags are what builds are called; nil in lists.
	Tags map[string]Tagged
	// Stats are what it has come to.
	Stats                 ActorStats
	CreatedAt, ModifiedAt time.Time
}

// ActorStats count what there was of an Actor, those that were deleted since included.
type ActorStats struct {
	Runs, Builds int64
	// LastRunAt is when the last run was asked for; zero for never.
	LastRunAt time.Time
}

// Details are what an Actor says of itself.
type Details struct {
	// Title is at most 63 characters, Description at most 5,000, SEOTitle and
	// SEODescription, for search engines, 70 and 160.
	Title, Description       string
	SEOTitle, SEODescription string
	// Categories are at most 10 words of at most 50 characters.
	Categories []string
	// Public lists it among the Actors that are offered to the project; it exists for its
	// project alone all the same.
	Public bool
	// Deprecated is kept for people to see.
	Deprecated bool
	// Permissions is what its runs may do. Default [LimitedPermissions].
	Permissions Permissions
	// Runs are the options of runs that say nothing else.
	Runs RunOptions
	// Example is an input for people to begin with; nil for none.
	Example *Input
	// Standby are settings that are kept; nil for none.
	Standby *Standby `json:",omitempty"`
	// Pricings are what it asks for, in the order of their StartedAt. Default none: it is
	// [Free].
	Pricings []Pricing `json:",omitempty"`
}

// Permissions are what the runs of an Actor may do with what belongs to its project.
type Permissions string

// The permissions: with its own stores and what its input names, or with all that
// the project has.
const (
	LimitedPermissions Permissions = "LIMITED_PERMISSIONS"
	FullPermissions    Permissions = "FULL_PERMISSIONS"
)

// Input is what a run begins with.
type Input struct {
	Body        []byte
	ContentType string
}

// CreateActor are the fields of a new Actor.
type CreateActor struct {
	// Name is required: 3 to 63 letters of ASCII, digits and dashes, neither
	// beginning nor ending with a dash.
	Name string
	Details
	// Versions, default none.
	Versions []Version
}

// UpdateActor are the changes of an Actor.
type UpdateActor struct {
	// Name is as in [CreateActor]. Default as it is.
	Name *string
	// Change changes the details where they lie, so that two who change different
	// ones both succeed. It may be called again. Default nothing.
	Change func(d *Details)
	// Tags have tags name a build, by its id, or with an empty id none. Default nothing.
	Tags map[string]string
	// Versions take the place of all that there are. Default nil: those stay.
	Versions []Version
}

// Order is the order of a list.
type Order int

// The orders: by creation, or by the start of the last run; Actors that were never
// run come first then.
const (
	ByCreation Order = iota
	ByLastRun
)

// Filter selects a part of a list, oldest first.
type Filter struct {
	// Offset is how many to leave out, Limit how many to return at the most, 1 to
	// 1000. Default 0 and 1000.
	Offset, Limit int
	// Desc has the newest first.
	Desc bool
	// Order is that of a list of Actors; other lists have one of their own. Default
	// ByCreation.
	Order Order
}

// List is a part of a list, and how long that is.
type List[T any] struct {
	// Items is never nil.
	Items []T
	Total int
}

// Service manages Actors and tasks. Every method acts for the caller's project,
// whose Actors are the only ones there are for it. An Actor or a task is named by
// its id, or by the username of the project and its name with a tilde between; the
// username may be left out.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	RunService
	BuildService

	// Account returns what the project may have, has, and has used in the month in which
	// that time lies; the zero time is now.
	Account(ctx context.Context, at time.Time) (Account, error)
	// SetMaxUSD keeps what the project wants to be charged a month at the most. Error
	// kind Invalid below 0 and above a thousand million.
	SetMaxUSD(ctx context.Context, usd float64) error

	// CreateActor saves an Actor. Error kinds: Invalid; Conflict with the type
	// actor-name-not-unique; Forbidden with too-many-actors.
	CreateActor(ctx context.Context, c CreateActor) (Actor, error)
	// Actor returns an Actor with its versions; values of secret environment
	// variables are left out. Error kind NotFound.
	Actor(ctx context.Context, ref string) (Actor, error)
	// Actors returns a part of the list, without versions. Error kind Invalid.
	Actors(ctx context.Context, f Filter) (List[Actor], error)
	// UpdateActor changes what is given. Error kinds: those of CreateActor, NotFound;
	// Conflict for a Go Actor of the host.
	UpdateActor(ctx context.Context, ref string, u UpdateActor) (Actor, error)
	// DeleteActor removes an Actor with its versions, tasks and builds; its runs stay.
	// Error kinds: NotFound; Conflict for a Go Actor of the host.
	DeleteActor(ctx context.Context, ref string) error

	// CreateVersion adds a version. Error kinds: Invalid, NotFound for the Actor;
	// Forbidden with the type version-already-exists or too-many-versions.
	CreateVersion(ctx context.Context, actor string, v Version) (Version, error)
	// Version returns one by its number. Error kind NotFound.
	Version(ctx context.Context, actor, number string) (Version, error)
	// UpdateVersion changes a version where it lies. Change may be called again.
	// Error kinds: Invalid, NotFound.
	UpdateVersion(ctx context.Context, actor, number string, change func(v *Version)) (Version, error)
	// DeleteVersion removes a version. Builds of it stay. Error kind NotFound.
	DeleteVersion(ctx context.Context, actor, number string) error

	// CreateTask saves a task. Error kinds: Invalid, also for an Actor that there is
	// not; Conflict with the type actor-task-name-not-unique; Forbidden with
	// too-many-actor-tasks.
	CreateTask(ctx context.Context, c CreateTask) (Task, error)
	// Task returns a task. Error kind NotFound.
	Task(ctx context.Context, ref string) (Task, error)
	// Tasks returns a part of the list, without inputs. Error kind Invalid.
	Tasks(ctx context.Context, f Filter) (List[Task], error)
	// UpdateTask changes what is given. Error kinds: those of CreateTask, NotFound.
	UpdateTask(ctx context.Context, ref string, u UpdateTask) (Task, error)
	// DeleteTask removes a task. Its runs stay. Error kind NotFound.
	DeleteTask(ctx context.Context, ref string) error
}
