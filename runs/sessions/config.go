package sessions

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/webhooks"
)

// Config configures [New]. DB, Callers, Notify, Browser, Blobs, Logs and Reaper
// are required.
type Config struct {
	// DB holds the records.
	DB *storage.DB
	// Callers find the project of a call.
	Callers projects.Resolver
	// Notify tells who waits.
	Notify *notify.Hub
	// Browser opens the browsers.
	Browser browser.Provider
	// Gate is what sessions reach the network through, to check their proxies
	// with. Default nil: who asks for proxies is refused.
	Gate *egress.Gate
	// Proxies are the host's own, for who asks for managed ones. Default none.
	Proxies *egress.Pool
	// Downloads keeps the files that sessions download. Default nil: downloads
	// are refused.
	Downloads Downloads
	// Contexts are the profiles that sessions can use, where the Browser can.
	// Default nil: who asks for one is refused.
	Contexts Contexts
	// CertificateStore has the certificates that sessions name. Default nil: who
	// names some is refused.
	CertificateStore Certificates
	// Extensions are what sessions can load. Default nil: who names one is
	// refused.
	Extensions Extensions
	// Blobs keep recordings, and nothing else: what no session names there is
	// deleted.
	Blobs blob.Store
	// Logs keep what sessions log.
	Logs *joblog.Logs
	// Reaper tells of processes that died, whose sessions are ended.
	Reaper *reaper.Reaper
	// Keeper deletes sessions whose time is over, and files of processes that
	// died. Default nil: nobody does.
	Keeper *retention.Keeper
	// Webhooks are told what happens to sessions. Default nil: nobody is.
	Webhooks webhooks.Emitter
	// Limits of sessions. Default: see there.
	Limits Limits
	// Retention is how long a session, its log and its recording are kept after
	// its end. Default 30 days; below 0 for ever.
	Retention time.Duration
	// TrafficInterval is how often it is written what each session has carried:
	// so much of it is lost at the most when the process dies. Default 10
	// seconds.
	TrafficInterval time.Duration
	// Telemetry counts sessions. Default nil: nobody does.
	Telemetry *telemetry.Telemetry
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears of sessions that fail. Default discards.
	Logger *slog.Logger
}

// Limits bound sessions. The zero value of every field stands for its default.
type Limits struct {
	// PerProject is how many sessions of a project may be open at a time.
	// Default 10.
	PerProject int
	// DefaultTimeout is the longest life of a session that names none, at most
	// MaxTimeout. Default 1 hour.
	DefaultTimeout time.Duration
	// MaxTimeout is the longest life that may be asked for. Default 6 hours.
	MaxTimeout time.Duration
	// ConnectTimeout is how long a session without KeepAlive waits for its first
	// client. Default DefaultConnectTimeout.
	ConnectTimeout time.Duration
	// IdleTimeout is after how long without a message from it a client is
	// disconnected. Default 10 minutes.
	IdleTimeout time.Duration
	// PingInterval is how often a client is asked whether it is still there; it
	// has as long to answer. Default 30 seconds.
	PingInterval time.Duration
	// MaxClients is how many clients and viewers one session may have at a
	// time. Default 20.
	MaxClients int
	// MaxClientMessage is the longest message of a client, in bytes. Default
	// 32 MiB.
	MaxClientMessage int64
	// MaxMetadata is the longest UserMetadata in bytes of JSON. Default 4 KiB.
	MaxMetadata int
	// MaxList is how many sessions a list has at most. Default 1000.
	MaxList int
	// MaxLogEntries is how many entries a session's log keeps, the newest.
	// Default 2000.
	MaxLogEntries int
	// MaxLog is how many bytes they may have together. Default 1 MiB.
	MaxLog int
	// MaxFrames is how many frames a recording has. Where there are more,
	// FrameInterval doubles for this session and what is not missed by then is
	// dropped, so that all of it stays covered; the last frame is always kept.
	// Default 600.
	MaxFrames int
	// FrameInterval is how long, to begin with, a recording may show a frame after
	// it was gone: one that stood as long, or longer, is kept. Default 1 second.
	FrameInterval time.Duration
	// MaxRecording is how many bytes of frames a recording keeps, in base64; as
	// with MaxFrames there are fewer where they would be too large. Default
	// 8 MiB.
	MaxRecording int
	// MaxSteps is how many steps of an agent a recording has; later ones are
	// left out. Default 1000.
	MaxSteps int
	// MaxEvents is how many navigations, dialogs, tabs and downloads a recording
	// has, the newest. Default 1000.
	MaxEvents int
	// MaxActs is how many clicks, touches and keys of clients a recording has, the
	// newest. Default 1000.
	MaxActs int
	// MaxStepBytes is how many bytes steps may have together, and events and acts
	// as many each. Default 1 MiB.
	MaxStepBytes int
	// MaxViewTime is how long a link to the live view or the recording is good,
	// at the longest and where nothing else is asked for. Default 24 hours.
	MaxViewTime time.Duration
	// MaxUpload is the largest uploaded file in bytes. Default 100 MiB.
	MaxUpload int64
	// MaxUploads is how many files may be uploaded to one session. Default 20.
	MaxUploads int
}

// DefaultConnectTimeout is how long a session waits for its first client, where
// Limits do not say otherwise.
const DefaultConnectTimeout = 5 * time.Minute

// minTimeout is the shortest life that may be asked for.
const minTimeout = time.Minute

func (l *Limits) values() []limit.Value {
	return []limit.Value{
		limit.Or("PerProject", &l.PerProject, 10),
		limit.Or("DefaultTimeout", &l.DefaultTimeout, time.Hour),
		limit.Or("MaxTimeout", &l.MaxTimeout, 6*time.Hour),
		limit.Or("ConnectTimeout", &l.ConnectTimeout, DefaultConnectTimeout),
		limit.Or("IdleTimeout", &l.IdleTimeout, 10*time.Minute),
		limit.Or("PingInterval", &l.PingInterval, 30*time.Second),
		limit.Or("MaxClients", &l.MaxClients, 20),
		limit.Or("MaxClientMessage", &l.MaxClientMessage, 32<<20),
		limit.Or("MaxMetadata", &l.MaxMetadata, 4<<10),
		limit.Or("MaxList", &l.MaxList, 1000),
		limit.Or("MaxLogEntries", &l.MaxLogEntries, 2000),
		limit.Or("MaxLog", &l.MaxLog, 1<<20),
		limit.Or("MaxFrames", &l.MaxFrames, 600),
		limit.Or("FrameInterval", &l.FrameInterval, time.Second),
		limit.Or("MaxSteps", &l.MaxSteps, 1000),
		limit.Or("MaxEvents", &l.MaxEvents, 1000),
		limit.Or("MaxActs", &l.MaxActs, 1000),
		limit.Or("MaxStepBytes", &l.MaxStepBytes, 1<<20),
		limit.Or("MaxRecording", &l.MaxRecording, 8<<20),
		limit.Or("MaxViewTime", &l.MaxViewTime, 24*time.Hour),
		limit.Or("MaxUpload", &l.MaxUpload, 100<<20),
		limit.Or("MaxUploads", &l.MaxUploads, 20),
	}
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error { return limit.Check(l.values()...) }

func (l Limits) withDefaults() Limits {
	limit.Fill(l.values()...)
	l.DefaultTimeout = min(l.DefaultTimeout, l.MaxTimeout)
	return l
}

func (c Config) withDefaults() Config {
	c.Limits = c.Limits.withDefaults()
	c.Retention = cmp.Or(c.Retention, 30*24*time.Hour)
	c.TrafficInterval = cmp.Or(c.TrafficInterval, 10*time.Second)
	c.Clock = cmp.Or(c.Clock, c.DB.Clock())
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	return c
}

func (c Config) validate() error {
	return limit.Required(map[string]bool{
		"DB": c.DB == nil, "Callers": c.Callers == nil, "Notify": c.Notify == nil, "Browser": c.Browser == nil, "Blobs": c.Blobs == nil,
		"Logs": c.Logs == nil, "Reaper": c.Reaper == nil,
	})
}
