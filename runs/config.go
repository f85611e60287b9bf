package runs

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/search"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/webhooks"
)

// Agents is what runs need of saved agents.
type Agents interface {
	// Get returns an agent of the caller's project. Error kind NotFound.
	Get(ctx context.Context, id string) (agents.Agent, error)
}

// Sessions is what runs need of browser sessions.
type Sessions interface {
	// OpenFor opens a session of the project that is driven through what it
	// returns, whose Close ends it. Error kinds: those of sessions.Service.
	OpenFor(ctx context.Context, projectID string, c sessions.Create) (browser.Session, error)
	// Join returns a session of the project's that runs in this process; closing it
	// ends nothing. CheckJoin returns the error that Join would return.
	Join(ctx context.Context, projectID, id string, j sessions.Join) (browser.Session, error)
	CheckJoin(ctx context.Context, id string, j sessions.Join) error
	// Get returns the record of a session.
	Get(ctx context.Context, id string) (sessions.Session, error)
	// Check returns an Invalid error for settings that cannot be honoured in the
	// caller's project.
	Check(ctx context.Context, s sessions.Settings) error
}

// Downloads is what runs need of the files that sessions have downloaded.
type Downloads interface {
	// All returns those of a session, Get one, and Open its content; for the project
	// in the context. Error kinds: those of downloads.Service.
	All(ctx context.Context, sessionID string) ([]downloads.Download, error)
	Get(ctx context.Context, id string) (downloads.Download, error)
	Open(ctx context.Context, id string) (io.ReadSeekCloser, downloads.Download, error)
}

// Config configures [New]. All but Pages, Downloads, Search, Model, Tools, Webhooks, Limits, Retention, Keeper, Clock and
// Logger is required.
type Config struct {
	// DB holds the runs.
	DB *storage.DB
	// Callers find the project of a call.
	Callers projects.Resolver
	// Agents are what runs refer to.
	Agents Agents
	// Jobs runs them. New registers its kind; the host starts and stops it.
	Jobs *jobs.Queue
	// Notify tells who waits.
	Notify *notify.Hub
	// Sessions opens one for each run that needs it.
	Sessions Sessions
	// Downloads are the files that runs may read and upload. Default nil: there are
	// none.
	Downloads Downloads
	// Pages reads pages by a schema, and gets them for the tool fetch. Default nil:
	// nobody does, and there is no such tool.
	Pages Pages
	// Search searches the web for agents; search.Off for none. A run with allowed
	// domains searches only where they have the host that is asked. Default
	// search.Browser: on a search page in the browser of the run.
	Search search.Searcher
	// Model decides what to do next in runs that name no model, where there is no
	// DefaultModel. Default plain.New().
	Model model.Model
	// Models are those that runs can name. "plain" is the built-in one, unless it is
	// among them. Default none but that.
	Models map[string]ModelConfig
	// DefaultModel is the name of the one for runs that name none. Default Model, or
	// without that the only one of Models; required where these are several.
	DefaultModel string
	// Prices of models, by name. Default none: nothing is known of money.
	Prices model.Prices
	// Hooks let the host see and rule what agents do. Default none.
	Hooks Hooks
	// Tools of the host's, which agents have beside those of Drover. Default none.
	Tools []Tool
	// Webhooks are told what happens to runs. Default nil: nobody is.
	Webhooks webhooks.Emitter
	// Limits of runs. Default: see there.
	Limits Limits
	// Retention is how long a run and its messages are kept after its end.
	// Default 30 days; below 0 for ever.
	Retention time.Duration
	// Keeper deletes runs whose time is over. Default nil: nobody does.
	Keeper *retention.Keeper
	// Telemetry counts steps and tokens. Default nil: nobody does.
	Telemetry *telemetry.Telemetry
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears of runs that fail. Default discards.
	Logger *slog.Logger
}

// Limits bound what a run may ask for and take. The zero value of every field
// stands for its default.
type Limits struct {
	// MaxTask is the longest task in bytes. Default 64 KiB.
	MaxTask int
	// MaxResultSchema is the longest result schema in bytes. Default 64 KiB.
	MaxResultSchema int
	// MaxVariables is how many variables a run may have. Default 100.
	MaxVariables int
	// MaxVariable is the longest value of a variable in bytes. Default 64 KiB.
	MaxVariable int
	// MaxDescription is the longest hint of a variable in bytes. Default 1 KiB.
	MaxDescription int

	// Concurrent is how many runs this process executes at the same time.
	// Default 4.
	Concurrent int
	// MaxDuration is the longest time a run may take; then it is TIMED_OUT.
	// Default 20 minutes.
	MaxDuration time.Duration
	// MaxPause is how long a person may keep a run; then it is TIMED_OUT. Default
	// 10 minutes.
	MaxPause time.Duration
	// Budget bounds what a run may use of language models, ProjectBudget what all
	// runs of a project may on a day of UTC. Default nothing.
	Budget, ProjectBudget Budget
	// MaxSteps is how often a run may ask the model. Default 60.
	MaxSteps int
	// MaxConversation is how long what a language model is shown of a run may get,
	// in bytes, before old observations in it are shortened, all but the newest.
	// Default 160,000.
	MaxConversation int
	// MaxFailures is after how many failed steps in a row a run gives up.
	// Default 3.
	MaxFailures int
	// MaxCalls is how many tool calls of one step are executed. Default 5.
	MaxCalls int
	// ModelTimeout bounds one call of the model. Default 5 minutes.
	ModelTimeout time.Duration
	// ModelRetries is how often a call of the model that failed for a passing
	// reason is tried again. Default 3; -1 for never.
	ModelRetries int
	// ToolTimeout bounds one tool call. Default 30 seconds.
	ToolTimeout time.Duration
	// MaxOutput is how much a tool answers at once, in bytes; the answer says
	// how to see the rest. At most two thirds of MaxMessage. Default 40,000.
	MaxOutput int
	// MaxPage is how much of a page's HTML is read, in bytes; what is found in
	// a longer one is marked as incomplete. Default 4 MiB.
	MaxPage int
	// MaxMessage is the size at which a message is cut, in bytes. Default 64 KiB.
	MaxMessage int
	// MaxResult is the largest result in bytes of JSON. Default 64 KiB.
	MaxResult int
	// ResultTries is how often a model may offer a result that does not fit
	// the schema. Default 3.
	ResultTries int
}

func (l Limits) withDefaults() Limits {
	l.MaxTask = cmp.Or(l.MaxTask, 64<<10)
	l.MaxResultSchema = cmp.Or(l.MaxResultSchema, 64<<10)
	l.MaxVariables = cmp.Or(l.MaxVariables, 100)
	l.MaxVariable = cmp.Or(l.MaxVariable, 64<<10)
	l.MaxDescription = cmp.Or(l.MaxDescription, 1<<10)
	l.Concurrent = cmp.Or(l.Concurrent, 4)
	l.MaxDuration = cmp.Or(l.MaxDuration, 20*time.Minute)
	l.MaxPause = cmp.Or(l.MaxPause, 10*time.Minute)
	l.MaxSteps = cmp.Or(l.MaxSteps, 60)
	l.MaxConversation = cmp.Or(l.MaxConversation, 160_000)
	l.MaxFailures = cmp.Or(l.MaxFailures, 3)
	l.MaxCalls = cmp.Or(l.MaxCalls, 5)
	l.ModelTimeout = cmp.Or(l.ModelTimeout, 5*time.Minute)
	l.ModelRetries = max(0, cmp.Or(l.ModelRetries, 3))
	l.ToolTimeout = cmp.Or(l.ToolTimeout, 30*time.Second)
	l.MaxOutput = cmp.Or(l.MaxOutput, 40_000)
	l.MaxPage = cmp.Or(l.MaxPage, 4<<20)
	l.MaxMessage = cmp.Or(l.MaxMessage, 64<<10)
	l.MaxResult = cmp.Or(l.MaxResult, 64<<10)
	l.ResultTries = cmp.Or(l.ResultTries, 3)
	return l
}

func (c Config) withDefaults() Config {
	c.Limits = c.Limits.withDefaults()
	c.Retention = cmp.Or(c.Retention, 30*24*time.Hour)
	if c.Search == nil {
		c.Search = search.Browser{}
	}
	if c.Clock == nil {
		c.Clock = c.DB.Clock()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c Config) validate() error {
	for field, missing := range map[string]bool{
		"DB": c.DB == nil, "Callers": c.Callers == nil, "Agents": c.Agents == nil,
		"Jobs": c.Jobs == nil, "Notify": c.Notify == nil, "Sessions": c.Sessions == nil,
	} {
		if missing {
			return errtypes.Field("Config."+field, "is required")
		}
	}
	if page, ok := c.Search.(search.Browser); ok {
		return limit.Within("Search", page.Validate())
	}
	return nil
}
