package actors

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/webhooks"
)

// Callers is what Actors need of projects.
type Callers interface {
	projects.Resolver
	// Get returns a project by its id or name. Error kind NotFound.
	Get(ctx context.Context, ref string) (projects.Project, error)
}

// Stores is what runs need of stores, as records.Service has it.
type Stores interface {
	CheckSchema(kind records.Kind, schema json.RawMessage) error
	ForRun(ctx context.Context, run records.NewRun) (*records.RunStores, error)
	Get(ctx context.Context, kind records.Kind, store string) (records.Store, error)
	Delete(ctx context.Context, kind records.Kind, store string) error
	PutRecord(ctx context.Context, store string, n records.NewRecord) (records.Record, error)
	OpenRecord(ctx context.Context, store, key string, codings ...string) (io.ReadCloser, records.Record, error)
	Push(ctx context.Context, dataset string, items []byte) error
	FreeLocks(ctx context.Context, tx *storage.Tx, runID string) (int64, error)
}

// Config configures [New]. DB, Callers, Keys, Blobs, Stores, Jobs, Notify and Logs are
// required.
type Config struct {
	// DB holds the rows.
	DB *storage.DB
	// Callers find the project of a call.
	Callers Callers
	// Keys are the master keys, which secret environment variables are sealed under.
	Keys *seal.Ring
	// Blobs hold large sources and inputs and nothing else.
	Blobs blob.Store
	// Stores are those that runs have.
	Stores Stores
	// Jobs execute the runs. New registers its kinds; the host starts and stops it.
	Jobs *jobs.Queue
	// Notify tells who waits.
	Notify *notify.Hub
	// Logs keep what runs log.
	Logs *joblog.Logs
	// Webhooks are told what happens to runs, and take those that runs are started with.
	// Default nil: nobody is, and none are taken.
	Webhooks webhooks.Emitter
	// Memory admits runs by their memory. Default nil: all are.
	Memory *admission.Ledger
	// Actors are the Go Actors of the host. Default none.
	Actors []Definition
	// Retention is how long a run, its log and its default stores are kept after its
	// end. Default 30 days; below 0 for ever.
	Retention time.Duration
	// Keeper deletes runs whose time is over, and blobs that no row names. Default nil:
	// nobody does.
	Keeper *retention.Keeper
	// Builds make builds, and Workshop their programs. Default nil: nothing is built.
	Builds   builds.Service
	Workshop builds.Workshop
	// Gate is what archives of sources are fetched over, and the proxies of runs lead.
	// Default nil: none are, and runs have no proxy.
	Gate *egress.Gate
	// Proxies are those of the host, which the proxies of runs lead through. Default
	// none: they lead directly.
	Proxies *egress.Pool
	// Archives are the records that archives of sources lie in. Default nil: they are
	// fetched as any others.
	Archives Archives
	// Platform makes what answers to runs in processes of their own whatever they ask of
	// their host but events, as the hosted service does at its address: the context names
	// the run ([CallerFrom]) and its project. Who shows a signature instead of a token
	// comes without either. Default nil: all is answered with 501.
	Platform func(s Service) http.Handler
	// PublicURL is what URLs begin with that programs of runs hand to others, without a
	// slash at its end. Default the address of their endpoint, which only this machine
	// reaches, and only as long as this process lives.
	PublicURL string
	// Chromium returns the path of the browser that Actors may start. Default nil: they
	// look for one themselves.
	Chromium func() (string, error)
	// Limits of Actors. Default: see there.
	Limits Limits
	// Clock is the source of time. Default that of DB.
	Clock clock.Clock
	// Logger hears of blobs that cannot be deleted. Default discards.
	Logger *slog.Logger
}

// Limits bound Actors. The zero value of every field stands for its default.
type Limits struct {
	// PerProject is how many Actors a project may have. Default 500.
	PerProject int
	// Tasks is how many tasks a project may have. Default 5,000.
	Tasks int
	// Versions is how many versions an Actor may have. Default 50.
	Versions int
	// MaxSource are the most bytes of the files of a version together, with their
	// names. Default 8 MiB.
	MaxSource int
	// MaxInput are the most bytes of the input of a task or a run. Default 9,437,184.
	MaxInput int
	// MaxUnfinished is how many runs of a project may wait or be executed. Default
	// 1,000.
	MaxUnfinished int
	// MaxMemory is how much memory those may have together, in MB. Default no limit but
	// that of the machine, by which they wait.
	MaxMemory int
	// MaxLog are the most bytes of the log of a run that are kept. Default 10 MiB.
	MaxLog int64
	// SyncWait is how long a synchronous run is waited for. Default 300 seconds.
	SyncWait time.Duration
	// AbortGrace is how long a run has to end by itself that is aborted gracefully.
	// Default 30 seconds.
	AbortGrace time.Duration
	// HandlerGrace is how long the handler of a Go Actor may take to return once its run
	// is over, which ends without it then, and how long the process of a built one has after
	// SIGTERM when its time is over. Default 5 seconds.
	HandlerGrace time.Duration
	// Concurrent is how many runs of built Actors this process executes at the same time;
	// others wait. Default 32, which is to be less than Programs.MaxPrograms.
	Concurrent int
	// MaxWait is how long a run may be READY, each time that it is; one that no process has
	// taken up by then is FAILED. Default 24 hours.
	MaxWait time.Duration
	// BuildTimeout is how long a build may take from its creation, waiting included; at
	// most what [builds.Limits] has as MaxTimeout. Default 30 minutes.
	BuildTimeout time.Duration
}

func (l *Limits) values() []limit.Value {
	return []limit.Value{
		limit.Or("PerProject", &l.PerProject, 500),
		limit.Or("Tasks", &l.Tasks, 5000),
		limit.Or("Versions", &l.Versions, 50),
		limit.Or("MaxSource", &l.MaxSource, 8<<20),
		limit.Or("MaxInput", &l.MaxInput, 9_437_184),
		limit.Or("MaxUnfinished", &l.MaxUnfinished, 1000),
		limit.Or("MaxMemory", &l.MaxMemory, 0),
		limit.Or("MaxLog", &l.MaxLog, 10<<20),
		limit.Or("SyncWait", &l.SyncWait, 300*time.Second),
		limit.Or("AbortGrace", &l.AbortGrace, 30*time.Second),
		limit.Or("HandlerGrace", &l.HandlerGrace, 5*time.Second),
		limit.Or("Concurrent", &l.Concurrent, 32),
		limit.Or("MaxWait", &l.MaxWait, 24*time.Hour),
		limit.Or("BuildTimeout", &l.BuildTimeout, 30*time.Minute),
	}
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error { return limit.Check(l.values()...) }

func (c Config) withDefaults() Config {
	limit.Fill(c.Limits.values()...)
	c.Clock = cmp.Or(c.Clock, c.DB.Clock())
	c.Retention = cmp.Or(c.Retention, 30*24*time.Hour)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c Config) validate() error {
	return limit.Required(map[string]bool{
		"DB": c.DB == nil, "Callers": c.Callers == nil, "Keys": c.Keys == nil, "Blobs": c.Blobs == nil,
		"Stores": c.Stores == nil, "Jobs": c.Jobs == nil, "Notify": c.Notify == nil, "Logs": c.Logs == nil,
	})
}

// now is what a row can hold of the time.
func (s *service) now() time.Time { return storage.Time(storage.Millis(s.conf.Clock.Now())) }
