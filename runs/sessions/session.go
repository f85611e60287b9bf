// Package sessions keeps browser sessions: their records, their lives, and the
// ways to reach one from outside.
//
// A session belongs to the process that opened its browser. Its row is the
// state machine (PENDING, RUNNING, then exactly one of COMPLETED, ERROR and
// TIMED_OUT); live.go holds what only that process has, endpoint.go the
// loopback endpoint that clients and the live view come through. The row of a
// process that died is ended by whoever looks next (reap.go).
package sessions

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/secrets"
)

// Status is the state of a session.
type Status string

// The states. PENDING and RUNNING are followed by exactly one of the others,
// which are final.
const (
	Pending   Status = "PENDING"
	Running   Status = "RUNNING"
	Completed Status = "COMPLETED"
	Failed    Status = "ERROR"
	TimedOut  Status = "TIMED_OUT"
)

// Statuses returns every status.
func Statuses() []Status { return []Status{Pending, Running, Completed, Failed, TimedOut} }

// Final reports whether a session in this state never changes again.
func (s Status) Final() bool { return s != Pending && s != Running }

// Region is where a session says that it runs. Nothing depends on it: it is
// stored and given back.
type Region string

// DefaultRegion is the region of a session that names none.
const DefaultRegion Region = "us-west-2"

// Regions returns every region that may be named.
func Regions() []Region {
	return []Region{DefaultRegion, "us-east-1", "eu-central-1", "ap-southeast-1"}
}

// Session is a browser session.
type Session struct {
	// ID is a UUID.
	ID        string
	ProjectID string
	Status    Status
	// Cause says why the session did not end as COMPLETED; nil if it did or
	// still may.
	Cause     *Cause
	CreatedAt time.Time
	UpdatedAt time.Time
	// StartedAt and EndedAt are zero until then.
	StartedAt, EndedAt time.Time
	// ExpiresAt is when it ends at the latest.
	ExpiresAt time.Time
	KeepAlive bool
	Region    Region
	// UserMetadata is the caller's own object; nil for none.
	UserMetadata json.RawMessage
	// Settings as far as they are stored: without passwords of proxies.
	Settings Settings
	// ProxyBytes is what its proxy has carried, both ways.
	ProxyBytes int64
	// SigningKey opens the connect URL: who has it drives the browser. It is
	// empty unless the session is RUNNING.
	SigningKey string
	// ViewToken opens the live view and the player of the recording, and nothing
	// else, for Limits.MaxViewTime from now.
	ViewToken string
	// ConnectURL is the websocket on this machine's loopback address that
	// speaks CDP; empty unless the session is RUNNING and can be connected to.
	ConnectURL string
}

// Cause is why a session ended as it did.
type Cause struct {
	// Code is at most 64 characters; see the Cause constants.
	Code string
	// Message is at most 500 characters.
	Message string
}

// The codes of causes.
const (
	// CauseHostLost: the process that had the browser died.
	CauseHostLost = "SESSION_HOST_LOST"
	// CauseBrowser: the browser died.
	CauseBrowser = "BROWSER_FAILED"
	// CauseShutdown: the host closed while the session was open.
	CauseShutdown = "SESSION_SHUTDOWN"
	// CauseInternal: a fault of the service.
	CauseInternal = "INTERNAL_ERROR"
	// CauseTimedOut: it reached its ExpiresAt.
	CauseTimedOut = "SESSION_TIMED_OUT"
	// CauseNeverConnected: nobody connected in time.
	CauseNeverConnected = "NEVER_CONNECTED"
)

// Create are the fields of a new session. The zero value is useful.
type Create struct {
	// ID is a new UUID for the session, of who has promised it before. Default
	// one that Drover makes.
	ID string
	// ProjectID, as an id or a name, must be the caller's. Default the
	// caller's.
	ProjectID string
	// Settings of the browser. Default: see there.
	Settings Settings
	// Timeout is the longest life, 1 minute to Limits.MaxTimeout. Default
	// Limits.DefaultTimeout.
	Timeout time.Duration
	// KeepAlive keeps the session when its last client leaves, and when none
	// comes. Default false.
	KeepAlive bool
	// Region, default [DefaultRegion].
	Region Region
	// UserMetadata is an object that is given back, and that List can search.
	// At most Limits.MaxMetadata bytes. Default none.
	UserMetadata json.RawMessage
	// Hide has values that are taken out of what the browser tells, before it is
	// logged, recorded or shown: addresses can hold what was typed. Only Drover's own
	// runs have such. Default nothing is taken out.
	Hide *secrets.Vault
}

// Filter selects sessions, newest first.
type Filter struct {
	// Status, default any.
	Status Status
	// Metadata selects sessions whose UserMetadata has this member; nil any.
	Metadata *Metadata
}

// Metadata is one member of UserMetadata.
type Metadata struct{ Name, Value string }

// Tab is a page of a live session.
type Tab struct {
	// ID names the tab for as long as it is open.
	ID string
	// URL and Title are the page's: untrusted.
	URL, Title string
	// FaviconURL is the icon that the page names, an http or https URL; empty if
	// it names none, or does not say in time. Untrusted.
	FaviconURL string
}

// Service manages sessions. Every method acts for the caller's project, whose
// sessions are the only ones there are for it.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// Create opens a browser and returns its session, RUNNING. Error kinds:
	// Invalid for a bad field and a setting that cannot be honoured; NotFound
	// for a ProjectID that is not the caller's; RateLimited with a
	// [LimitError] behind it beyond Limits.PerProject; Conflict for a context
	// that another session will save, where this one would, too; Unavailable
	// when no browser can be opened, when nothing that was saved of a context
	// can be read, and while closing.
	Create(ctx context.Context, c Create) (Session, error)
	// Open is Create for a host that drives the session itself, through what it
	// returns, whose Close ends it as COMPLETED. It needs no client, and none that
	// leaves ends it. Error kinds: those of Create.
	Open(ctx context.Context, c Create) (*Browser, error)
	// Attach returns a session that runs in this process, for its host to drive
	// beside its clients. Close ends nothing then. Error kinds: NotFound; Conflict
	// for one that has ended, or is in another process.
	Attach(ctx context.Context, id string) (*Browser, error)
	// OpenFor is Open for work of Drover's own in the named project. It counts, but
	// is not refused, beyond Limits.PerProject.
	OpenFor(ctx context.Context, projectID string, c Create) (browser.Session, error)
	// Join returns a session of the caller's that runs in this process, for this
	// process to drive beside its clients. Closing what it returns ends nothing.
	// Error kind Invalid, for the field sessionId.
	Join(ctx context.Context, projectID, id string, j Join) (browser.Session, error)
	// CheckJoin returns the error that Join would return.
	CheckJoin(ctx context.Context, id string, j Join) error
	// Check returns the Invalid error that Create would return for the settings.
	Check(ctx context.Context, s Settings) error
	// Get returns a session. Error kind NotFound.
	Get(ctx context.Context, id string) (Session, error)
	// List returns the newest sessions, at most Limits.MaxList. Error kind
	// Invalid for an unknown status.
	List(ctx context.Context, f Filter) ([]Session, error)
	// Release ends a session and returns it once it has ended; one that had
	// ended before is returned as it is. Error kinds: NotFound; Unavailable
	// when the process that has it does not answer.
	Release(ctx context.Context, id string) (Session, error)
	// Wait returns the session once it has ended. It polls nothing. Error
	// kinds: NotFound; those of the context.
	Wait(ctx context.Context, id string) (Session, error)
	// Tabs returns the open pages of a session, with their icons. Error kinds: NotFound; Conflict
	// if it does not run; Unavailable when the process that has it does not
	// answer.
	Tabs(ctx context.Context, id string) ([]Tab, error)
	// Logs returns what was logged, oldest first, as far as it was kept; of a
	// session whose process does not answer what that wrote, which it does once a
	// second. Error kind NotFound.
	Logs(ctx context.Context, id string) ([]LogEntry, error)
	// Recording returns what was recorded, oldest first, as far as it was kept.
	// Error kinds: NotFound; Unavailable when the process that has the session
	// does not answer.
	Recording(ctx context.Context, id string) ([]RecordingEvent, error)
	// RecordedPages returns the tabs that the recording shows, as far as it has
	// come; FilmURL leads to each. Error kinds: those of Recording.
	RecordedPages(ctx context.Context, id string) ([]RecordedPage, error)
	// ViewToken returns a token that opens the live view and the player of the
	// recording, and nothing else, for a time: 1 second to Limits.MaxViewTime, 0
	// for that. An interactive one lets its holder use the pages in the live view,
	// too. Error kinds: NotFound; Invalid for another time.
	ViewToken(ctx context.Context, id string, life time.Duration, interactive bool) (string, error)
	// Upload gives a session a file, which its pages can then be given. Error
	// kinds: NotFound, Conflict if it does not run, Unavailable when the process
	// that has it does not answer, Invalid for a bad name, TooLarge over
	// Limits.MaxUpload, RateLimited over Limits.MaxUploads.
	Upload(ctx context.Context, id string, u Upload) error
	// Usage returns what the sessions of the caller's project have used, those
	// included that have been deleted since.
	Usage(ctx context.Context) (Usage, error)
	// Limits returns what bounds the sessions, defaults filled in.
	Limits() Limits
	// Handler serves what a signing key opens, [ConnectPath], what a view token
	// opens, [LivePath] and [ReplayPath], and the paths below. It asks for no API
	// key.
	Handler() http.Handler
	// StopAccepting refuses to create more sessions, and breaks off those that are
	// being created, with Unavailable. Those that are there go on, and OpenFor works
	// until Close. It is idempotent.
	StopAccepting()
	// Close stops accepting sessions, ends those of this process with
	// [CauseShutdown] and waits until they are gone. It is idempotent.
	Close(ctx context.Context) error
}
