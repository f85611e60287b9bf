// Package runs executes natural-language tasks with a browser: it keeps the
// runs and their messages and drives the agent loop.
//
// A run is stored, and may be executed by another process. What is done in a
// session with [Service.Act], looked for with [Service.Observe] and read with
// [Service.Extract] is neither: it ends with the call. [Service.Steps] makes a
// finished run a task for the built-in model.
package runs

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
)

// Status is the state of a run.
type Status string

// The states of the specification. PENDING and RUNNING are followed by
// exactly one of the others, which are final.
const (
	Pending   Status = "PENDING"
	Running   Status = "RUNNING"
	Completed Status = "COMPLETED"
	Failed    Status = "FAILED"
	Stopped   Status = "STOPPED"
	TimedOut  Status = "TIMED_OUT"
)

// Statuses returns every status.
func Statuses() []Status { return []Status{Pending, Running, Completed, Failed, Stopped, TimedOut} }

// Final reports whether a run in this state never changes again.
func (s Status) Final() bool { return s != Pending && s != Running }

// Run is one execution of a task.
type Run struct {
	// ID is a UUID.
	ID string
	// AgentID is the agent it was created with; empty for none.
	AgentID string
	// Task is the text it was created with, placeholders unresolved.
	Task   string
	Status Status
	// SessionID is the browser session; empty before there is one.
	SessionID string
	// ResultSchema is the schema given with the run itself; nil when the
	// agent's, or none, applies.
	ResultSchema json.RawMessage
	// Result is there when the run completed with one, and when another end came
	// after a partial one was noted.
	Result json.RawMessage
	// Cause says why the run did not complete; nil if it did or still may.
	Cause *Cause
	// Model is the name that it was created with; empty for the default one.
	Model string
	// Usage is what it has used of language models, as far as that is known.
	Usage Usage
	// Pause is there while a person has it, or will have it soon; nil else.
	Pause     *Pause
	CreatedAt time.Time
	UpdatedAt time.Time
	// StartedAt and EndedAt are zero until then.
	StartedAt, EndedAt time.Time
}

// Cause is why a run did not complete.
type Cause struct {
	// Code is at most 64 characters; see the Cause constants.
	Code string
	// Message is at most 500 characters.
	Message string
}

// String returns code and message; nothing for no cause.
func (c *Cause) String() string {
	if c == nil {
		return ""
	}
	return c.Code + ": " + c.Message
}

// The codes of causes.
const (
	// CauseHeartbeatLost: the process that ran it died (DECISIONS 15).
	CauseHeartbeatLost = "RUNNER_HEARTBEAT_LOST"
	// CauseVariablesLost: the values of its variables died with their process
	// before it started (DECISIONS 15).
	CauseVariablesLost = "VARIABLES_LOST"
	// CauseShutdown: the host closed while it ran.
	CauseShutdown = "RUNNER_SHUTDOWN"
	// CauseTimedOut: it took longer than the longest time a run may take.
	CauseTimedOut = "RUN_TIMED_OUT"
	// CauseStopped: the caller stopped it.
	CauseStopped = "STOPPED_BY_USER"
	// CauseStepLimit: it took more steps than a run may take.
	CauseStepLimit = "STEP_LIMIT_EXCEEDED"
	// CauseTaskFailed: the agent gave up; the message is its reason.
	CauseTaskFailed = "TASK_FAILED"
	// CauseResultInvalid: the result does not fit the schema.
	CauseResultInvalid = "RESULT_INVALID"
	// CauseBrowser: the browser could not be started or died.
	CauseBrowser = "BROWSER_FAILED"
	// CauseModel: the language model could not be asked, or the task needs one
	// and none is configured.
	CauseModel = "MODEL_FAILED"
	// CauseContextInUse: another session will save the context that the run was
	// to save (DECISIONS 17).
	CauseContextInUse = "CONTEXT_IN_USE"
	// CauseBudget: it, or its project on that day, has used as many tokens or as
	// much money as it may.
	CauseBudget = "BUDGET_EXCEEDED"
	// CauseInternal: a fault of the service.
	CauseInternal = "INTERNAL_ERROR"
)

// Create are the fields of a new run.
type Create struct {
	// Task is required.
	Task string
	// AgentID names an agent whose systemPrompt and resultSchema are copied.
	// Default none.
	AgentID string
	// ResultSchema overrides the agent's for this run. Default none.
	ResultSchema json.RawMessage
	// BrowserSettings, default those of the service.
	BrowserSettings BrowserSettings
	// Variables are the values of placeholders %name%. They are never stored.
	Variables map[string]Variable
	// Model is the name of the language model, one of Config.Models. Default: the
	// default one.
	Model string
	// Limits of this run, within those of the service. Default those.
	Limits RunLimits
	// SessionID is a session of the project that runs in this process, for the run
	// to work in, which does not end it. BrowserSettings must be empty then, and
	// variables need a session that is not recorded. Default a session of its own.
	SessionID string
	// KeepSession leaves the run's own session to its time limit when the run
	// ends. Default false: it ends with the run.
	KeepSession bool
	// Files are ids of stored downloads of the project that the run may upload and
	// read, at most 100. Those that the session is given or downloads it may use
	// anyway. Default none.
	Files []string
	// AllowedDomains are all that the browser of the run may reach, each with what
	// is below it. Default anything.
	AllowedDomains []string
}

// RunLimits bound one run. The zero value of every field stands for what bounds
// each run of the service, which is also the largest value.
type RunLimits struct {
	// MaxSteps is how often the model is asked for a step.
	MaxSteps int
	// MaxDuration is the longest time the run may take.
	MaxDuration time.Duration
	// Budget is what it may use of language models.
	Budget Budget
}

// Budget is an amount of tokens and money. The zero value of a field bounds
// nothing. It is looked at before each question to a model, so that the last one
// may exceed it: of a run one question, of a project one of each run and one-shot that
// asks at that moment.
type Budget struct {
	// Tokens are those of all five counts of [model.Usage] together.
	Tokens int64
	// Cost is in millionths of the currency of the prices. It needs a price of each
	// model that it bounds, which may be 0, and of their fallbacks: an amount that
	// nothing counts against would bound nothing.
	Cost int64
}

// Usage is what has been used of language models.
type Usage struct {
	// Tokens by kind.
	Tokens model.Usage
	// Cost is in millionths of the currency of the prices.
	Cost int64
	// Unpriced says that some of it has no price, which Cost does not count.
	Unpriced bool
	// Questions is how many were asked, failed ones included.
	Questions int
	// Fallback is the name of the model that went on where the one before had failed
	// for good; empty for none.
	Fallback string
}

// Pause is a run that a person has taken over.
type Pause struct {
	// Requested says that the step under way has not ended yet.
	Requested bool
	// Question is what the agent asks the person; empty where the person began.
	Question string
}

// BrowserSettings configure the session of a run.
type BrowserSettings struct {
	// Context to load and perhaps save. Default none. A run that is to save one
	// holds it from its start to its end, and fails with [CauseContextInUse]
	// where another session does.
	Context *ContextRef
	// Proxies, default none. Their passwords are never stored: a run that has
	// some is executed by the process that took it, or not at all.
	Proxies Proxies
	// Verified asks for the verified browser. Default false.
	Verified bool
}

// What the settings of runs and of sessions have in common.
type (
	ContextRef  = sessions.ContextRef
	Proxies     = sessions.Proxies
	ProxyRule   = sessions.ProxyRule
	Geolocation = sessions.Geolocation
)

// Variable is the value of a placeholder.
type Variable struct {
	// Value lives in memory only and never reaches the model.
	Value string
	// Description tells the agent when to use it. Default none.
	Description string
	// Origins are where the value may be typed into a page, as "https://host" or
	// "https://host:port"; "https://*.example.com" is all hosts below that one. At
	// most 20. The document that the field is in counts, also one in a frame. Into an
	// address the value goes by the same rule. Default anywhere.
	Origins []string
	// TOTP says that Value is the secret of one-time passwords by time (RFC 6238),
	// in base 32 or as an otpauth URI of 6 to 8 digits and 15 to 120 seconds: what is
	// typed is the code of that moment. Default false.
	TOTP bool
}

// Message is a message of a run.
type Message struct {
	// ID is a UUID; the ids of one run sort in the order of its messages.
	ID        string
	CreatedAt time.Time
	Message   model.Message
}

// Filter selects a page of runs, newest first.
type Filter struct {
	// Status, default any.
	Status Status
	// AgentID, default any. An unknown one selects nothing.
	AgentID string
	// StartAt and EndAt bound the creation time, both inclusive and to the
	// millisecond. Zero does not bound.
	StartAt, EndAt time.Time
	// Limit is the size of the page, 1 to 1000. Default 20.
	Limit int
	// Cursor is the NextCursor of the page before. Default the first page.
	Cursor string
}

// Page is one page of runs.
type Page struct {
	// Runs is never nil.
	Runs  []Run
	Limit int
	// NextCursor is empty on the last page.
	NextCursor string
}

// MessageFilter selects messages of a run, oldest first.
type MessageFilter struct {
	// Since is the id of the last message already seen. Default from the start.
	Since string
	// Limit is 1 to 100. Default 20.
	Limit int
	// All returns everything after Since; Limit is then ignored.
	All bool
}

// MessagePage are messages of a run.
type MessagePage struct {
	// Messages is never nil.
	Messages []Message
	// NextSince is the id of the last message, or Since when there is nothing
	// newer; empty when the run has no messages yet.
	NextSince string
}

// Service manages runs. Every method acts for the caller's project, whose runs
// are the only ones there are for it.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// Create stores a run, which starts soon. Error kinds: Invalid for a bad
	// field, an unknown agent and a setting that cannot be honoured;
	// Unavailable while closing.
	Create(ctx context.Context, c Create) (Run, error)
	// PrepareCreate checks all about a run, and leaves it to the caller to make it, within
	// a transaction of its own. Error kinds: those of Create; Invalid for what is never
	// stored.
	PrepareCreate(ctx context.Context, c Create) (*Launch, error)
	// Unfinished returns which of some runs have not ended.
	Unfinished(ctx context.Context, q storage.Querier, runs []string) ([]string, error)
	// Get returns a run. Error kind NotFound.
	Get(ctx context.Context, id string) (Run, error)
	// List returns a page, newest first. Error kind Invalid.
	List(ctx context.Context, f Filter) (Page, error)
	// ListMessages returns messages, oldest first. Error kinds: NotFound for
	// the run, Invalid for a bad limit or a Since that is no message of it.
	ListMessages(ctx context.Context, id string, f MessageFilter) (MessagePage, error)
	// Messages yields every message of a run as it is written and ends when
	// the run has. Error kind NotFound.
	Messages(ctx context.Context, id string) iter.Seq2[Message, error]
	// MessagesSince is Messages behind the message with the id since, all of them
	// for an empty one. Error kinds: NotFound, Invalid for a since that is no
	// message of the run.
	MessagesSince(ctx context.Context, id, since string) iter.Seq2[Message, error]
	// Stop asks a run to stop and returns it at once; Wait tells when it has.
	// Error kinds: NotFound, Conflict if it has ended (DECISIONS 13).
	Stop(ctx context.Context, id string) (Run, error)
	// Pause has a person take over a run, and returns when the step under way has
	// ended: nothing is done in the browser until [Service.Resume]. Any process on
	// the same data may call it. The run stays RUNNING, keeps its place, and its
	// time stands still for at most Limits.MaxPause, after which it is TIMED_OUT.
	// Error kinds: NotFound, Conflict if it does not run; those of the context.
	Pause(ctx context.Context, id string) (Run, error)
	// Resume gives a run back, with a note of at most 10,000 bytes that tells the
	// agent what happened; empty for none. Error kinds: NotFound, Conflict if it is
	// not paused, Invalid for a longer note.
	Resume(ctx context.Context, id, note string) (Run, error)
	// Act does one thing in a session of the project's that runs in this process,
	// and returns when it is done. Nothing of it is stored. Error kinds: Invalid;
	// Conflict if it cannot be done; BadGateway for a model that fails,
	// Unavailable for a browser that does; PaymentRequired for a budget that is
	// used up; those of the context.
	Act(ctx context.Context, sessionID string, a Act) (Acted, error)
	// Observe returns what can be done on the page of a session of the project's
	// that runs in this process, as calls for Act. Nothing is done, and nothing
	// stored. Error kinds as for Act.
	Observe(ctx context.Context, sessionID string, o Observe) (Observed, error)
	// Extract returns what the page says that a session of the project's shows, one
	// that runs in this process: in the shape of a schema, or by an instruction.
	// Nothing is done in the browser, and nothing stored. What a model that fails
	// was asked for is missing in what is returned besides the error. Error kinds:
	// Invalid; Conflict where nothing comes of an instruction; those of Act.
	Extract(ctx context.Context, sessionID string, e Extract) (Extracted, error)
	// Steps returns a completed run as steps that the built-in model follows. Error
	// kinds: NotFound; Conflict for a run that did not complete, and for one of which
	// not all can be said in steps: the error names what, by the number of the call,
	// and why, and the rest is returned besides.
	Steps(ctx context.Context, id string) (Steps, error)
	// Wait returns the run once it has ended. It polls nothing. Error kinds:
	// NotFound; those of the context.
	Wait(ctx context.Context, id string) (Run, error)
	// Close stops accepting runs, lets those under way end until ctx does,
	// then ends them with [CauseShutdown]. It is idempotent.
	Close(ctx context.Context) error
}

// Result decodes the result of a completed run. Error kinds: Conflict for a
// run that is not completed, Invalid for a result that is not a T.
func Result[T any](r Run) (T, error) { return decodeResult[T](r) }

// Decode decodes what was extracted by the schema of a T. Error kinds: Invalid for
// a result that is not a T; Conflict where the page does not say what the schema
// requires: the error names it, and what the page says is returned besides.
func Decode[T any](e Extracted) (T, error) { return decodeExtracted[T](e) }
