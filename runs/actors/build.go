package actors

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/storage"
)

// Build is a build of a version of an Actor.
type Build struct {
	// ID is 17 letters and digits.
	ID        string
	ProjectID string
	ActorID   string
	// Number is such as "0.1.5": that of the version, and a count that begins with 1.
	Number string
	Status Status
	// Meta is who asked for it.
	Meta BuildMeta
	// StartedAt is when it was asked for, and FinishedAt zero until it has ended.
	StartedAt, FinishedAt time.Time
	// Message says why it made nothing; empty unless it did. It is left out of lists,
	// as is all that follows.
	Message string
	Options BuildOptions
	Stats   BuildStats
	// Definition is the actor.json of the source with the schemas that it names in it,
	// InputSchema the schema of the input; nil and empty for none.
	Definition  json.RawMessage
	InputSchema string
	Readme      string
}

// NumberInt is its number as one that orders the builds of an Actor: 100005 for 0.1.5.
func (b Build) NumberInt() int {
	n, _ := parseBuildNumber(b.Number)
	return n
}

// BuildMeta is who asked for a build.
type BuildMeta struct {
	// Origin is such as "API" or "CLI". Default "API".
	Origin string
	// ClientIP and UserAgent are those of a request.
	ClientIP, UserAgent string
}

// BuildOptions are what a build was asked for with.
type BuildOptions struct {
	// Tag is what the build is called when it succeeds.
	Tag string
	// UseCache and BetaPackages are kept: what is installed is shared by what lock files
	// fix in any case, and no other versions of packages are chosen.
	UseCache, BetaPackages bool
	// Memory is what each of its processes may take, in MB.
	Memory int
	// Timeout is how long it may take, waiting included.
	Timeout time.Duration
}

// BuildStats are what a build took.
type BuildStats struct {
	// Duration is how long it ran.
	Duration time.Duration
	// Size are the bytes of its files, without dependencies that it shares.
	Size int64
}

// CreateBuild are the fields of a new build.
type CreateBuild struct {
	// Version is required: the number of a version, such as "0.1".
	Version string
	// Tag is at most 30 letters, digits, dots, dashes and underscores. Default that of
	// the version.
	Tag                    string
	UseCache, BetaPackages bool
	// Dir is a directory of the host whose files are built in the place of the
	// version's source, but for .git and node_modules. It is for Go callers: nothing
	// that a client sends may come here. Default none.
	Dir  string
	Meta BuildMeta
}

// BuildLogEntry is a line of the log of a build.
type BuildLogEntry = builds.LogEntry

// BuildService is the part of [Service] that is about builds. One is named by its id.
type BuildService interface {
	// Build has a version of an Actor built, and returns at once. Error kinds: Invalid,
	// NotFound, also for the version; TooLarge for a source; RateLimited where too many
	// builds wait; Unavailable where nothing can be built.
	Build(ctx context.Context, actor string, c CreateBuild) (Build, error)
	// GetBuild returns a build. Error kind NotFound.
	GetBuild(ctx context.Context, id string) (Build, error)
	// DefaultBuild returns the build that runs of an Actor use which say nothing else.
	// Error kinds: NotFound; Forbidden with the types of builds that there are not.
	DefaultBuild(ctx context.Context, actor string) (Build, error)
	// ValidateInput returns why no run of an Actor with the build, a tag or a number,
	// would take an input; nil for none. An empty build is the one of DefaultBuild. Error
	// kinds: NotFound; those of Start about builds and input.
	ValidateInput(ctx context.Context, actor, build string, in *Input) error
	// WaitBuild returns a build once it has ended, or after a time as it is then; below 0
	// it waits for as long as it takes. Error kinds: NotFound; those of the context.
	WaitBuild(ctx context.Context, id string, most time.Duration) (Build, error)
	// BuildOf returns a build as GetBuild does, of a record of any project that the caller's
	// transaction has read or written.
	BuildOf(ctx context.Context, q storage.Querier, b builds.Build) (Build, error)
	// Definition returns the definition of its Actor that a build of any project has read;
	// nil for none, and of one that has not SUCCEEDED.
	Definition(ctx context.Context, q storage.Querier, build string) (json.RawMessage, error)
	// ListBuilds returns a part of the list of an Actor's builds, or with an empty name
	// of the project's, in the order of their starts. Any part takes the same time.
	// Error kinds: NotFound, Invalid.
	ListBuilds(ctx context.Context, actor string, f Filter) (List[Build], error)
	// AbortBuild ends a build, and returns one that has ended as it is. Error kind
	// NotFound.
	AbortBuild(ctx context.Context, id string) (Build, error)
	// DeleteBuild removes a build with its log. Its tags go. Error kinds: NotFound;
	// Invalid with the types deleting-default-build and, of one that has not ended or that
	// a run has which has not ended, deleting-unfinished-build.
	DeleteBuild(ctx context.Context, id string) error
	// BuildLog yields what a build has logged, oldest first, and where it is followed
	// goes on until the build has ended. Error kinds: NotFound; those of the context.
	BuildLog(ctx context.Context, id string, follow bool) iter.Seq2[BuildLogEntry, error]
}

// Tagged is the build that a tag of an Actor names.
type Tagged struct {
	BuildID, Number string
	FinishedAt      time.Time
}
