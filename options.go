package drover

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/netip"
	"path/filepath"
	"time"

	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/search"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/schedules"
	"github.com/drover-go/drover/storage/certificates"
	"github.com/drover-go/drover/storage/contexts"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/extensions"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/secrets"
	"github.com/drover-go/drover/storage/webhooks"
)

// InMemory as [Options.Data] keeps nothing: all is gone after Close.
const InMemory = ":memory:"

// Workers says when a process runs the jobs of its database.
type Workers int

const (
	// WorkersWhenNeeded starts them at once if work waits in the database, else
	// when this process makes some. Work that another process makes is not
	// seen before.
	WorkersWhenNeeded Workers = iota
	// WorkersAlways starts them at once, for a process that serves.
	WorkersAlways
	// WorkersNever starts none: work waits for another process. It is for
	// tools that come and go.
	WorkersNever
)

// Options configure [Open]. The zero value is useful. Limits that are not here
// are fields of Agents, Fetch, Runs, Sessions, Downloads, Extensions and Chromium;
// docs/limits.md lists all.
type Options struct {
	// Data is the data directory, which is made when it is not there, or
	// [InMemory]. Default "drover-data".
	Data string
	// FullSync makes every commit survive the loss of power, at the price of
	// a disk flush each. The death of the process loses nothing either way.
	// Default false.
	FullSync bool
	// RequireProject makes a call whose context has no project fail instead of
	// acting for the project "default". Default false.
	RequireProject bool
	// AllowPrefixes are private networks that pages and callers may reach all
	// the same, such as 127.0.0.0/8 in tests. Default none.
	AllowPrefixes []netip.Prefix
	// AllowPorts are ports that may be reached although browsers block them.
	// Default none.
	AllowPorts []uint16
	// Proxies are what fetches and sessions that ask for proxies, and the proxies of
	// runs of Actors, go through, each in its turn: URLs like "http://user:password@proxy.example:3128", with
	// https:// for TLS to the proxy, or socks5://. Where one leads out may stand
	// behind it, for sessions that ask for a place: "#country=US&state=NY&city=New York",
	// the country as an ISO 3166-1 code. They may stand in a private network. User names and passwords never reach a log, an error or a caller.
	// Default none: who asks for proxies is refused.
	Proxies []string
	// ProxyRest is how long a proxy of Proxies that could not be reached is left
	// out. Default 30 s.
	ProxyRest time.Duration
	// ProxyAttempts is how many of Proxies are tried for one connection. Default 3.
	ProxyAttempts int
	// ProxyResolveTimeout bounds the look-up by which a name that goes to a proxy
	// is checked here; what is not found by then passes to the proxy, which looks
	// it up where it stands. Default 2 s.
	ProxyResolveTimeout time.Duration
	// ProxyKnownNamesOnly keeps names that are not found here from proxies: see
	// docs/security.md. Default false.
	ProxyKnownNamesOnly bool
	// BlockHosts are refused to sessions that block advertisements, besides the
	// hosts that Drover knows: "example.com" is it and what is below it,
	// "adserver.*" is every host with that first label. [ReadHosts] reads a file
	// of them. Default none.
	BlockHosts []string
	// BlockHostsOnly leaves out the hosts that Drover knows, so that BlockHosts
	// alone say what is blocked. Default false.
	BlockHostsOnly bool
	// Workers, default [WorkersWhenNeeded].
	Workers Workers
	// MasterKey seals the private keys of contexts and certificates, and secrets: 32
	// random bytes as 64 hexadecimal digits or in base64. Default: the key in the file
	// "master.key" in Data, which is made with mode 0600 when it is not there, and
	// changed by [RotateMasterKey]; a new one for data in memory.
	MasterKey string
	// FormerMasterKeys open what was sealed before the key was changed. At the
	// next opening all of it is sealed under MasterKey, and they may go. Default
	// none.
	FormerMasterKeys []string
	// AcceptLostMasterKey makes a new key where the file "master.key" is gone and
	// nothing else opens what is sealed. Without it opening fails then, so that
	// the file can be put back. Default false.
	AcceptLostMasterKey bool

	// Model is asked by agent runs that name none, where there is no DefaultModel.
	// Default plain.New(), which follows written steps without a language model.
	Model model.Model
	// Models are the language models that runs can name. "plain" is the built-in one,
	// unless it is among them. Default none but that.
	Models map[string]runs.ModelConfig
	// DefaultModel is the name of the one for runs that name none. Default Model, or
	// without that the only one of Models; required where these are several.
	DefaultModel string
	// Prices of models, by name, for what runs have spent. Default none: tokens are
	// counted, money is not.
	Prices model.Prices
	// RunHooks let the host see and rule what agents do. Default none.
	RunHooks runs.Hooks
	// Search searches the web for agents: search.SearXNG and search.Brave are services,
	// search.Off is none. Default search.Browser: on a search page in the browser of
	// the run.
	Search search.Searcher
	// Tools of the host's, which agents have beside those of Drover: [runs.NewTool]
	// makes one of a function. Default none.
	Tools []runs.Tool
	// Browser opens the sessions of runs. It is closed with the Drover. Default
	// the Chromium of this machine.
	Browser browser.Provider
	// Chromium configures the default Browser. Its Gate and Proxy are the
	// Drover's own.
	Chromium chrome.Options
	// Agents are limits of agents.
	Agents agents.Options
	// Fetch are limits of fetches and the host's gate for plans. Its Gate, Proxies,
	// Renderer, Certificates and Callers are the Drover's own.
	Fetch fetch.Config
	// Runs are limits of agent runs.
	Runs runs.Limits
	// Sessions are limits of browser sessions.
	Sessions sessions.Limits
	// SessionRetention is how long a session, its log and its recording are kept
	// after its end. Default 30 days; below 0 for ever.
	SessionRetention time.Duration
	// RunRetention is how long an agent run and its messages are kept after its
	// end. Default 30 days; below 0 for ever.
	RunRetention time.Duration
	// Contexts are limits of browser contexts.
	Contexts contexts.Limits
	// Certificates are limits of uploaded certificates.
	Certificates certificates.Limits
	// Extensions are limits of extensions of the browser.
	Extensions extensions.Limits
	// DebuggerExtensions lets extensions ask for the permission "debugger", as that
	// of Stagehand 4 does: they speak the browser's protocol to the pages of their
	// session, which has a process of its own, past the rules for clients. What
	// they can reach then is in docs/security.md. Default false.
	DebuggerExtensions bool
	// Downloads are limits of what sessions download.
	Downloads downloads.Limits
	// DownloadRetention is how long a downloaded file is kept. Default 30 days;
	// below 0 for ever.
	DownloadRetention time.Duration

	// Functions are Go functions of the host. Each belongs to a project, and what has
	// changed of it since the last opening makes a version. They are executed by
	// processes that have them. Default none.
	Functions []functions.Definition
	// FunctionLimits are limits of functions and their invocations.
	FunctionLimits functions.Limits
	// Programs are published programs: how they are built and run. They need the
	// Node.js of the machine.
	Programs functions.ProgramOptions
	// Builds are limits of builds.
	Builds builds.Limits
	// BuildRetention is how long a build is kept, with its log, after its end where it
	// came to nothing, else once all versions that it made are gone. Default 30 days;
	// below 0 for ever.
	BuildRetention time.Duration
	// InvocationRetention is how long an invocation, its log and its result are kept
	// after its end. Default 30 days; below 0 for ever.
	InvocationRetention time.Duration

	// Secrets are limits of secrets.
	Secrets secrets.Limits

	// Records are limits of key-value stores, datasets and request queues.
	Records records.Limits
	// RecordRetention is how long a store without a name is kept after it was last
	// used. Default 7 days; below 0 for ever. Named ones are kept for ever.
	RecordRetention time.Duration

	// Actors are Go Actors of the host, which every project has. They are executed by
	// processes that have them. Default none.
	Actors []actors.Definition
	// ActorLimits are limits of Actors, tasks and runs.
	ActorLimits actors.Limits
	// ActorRunRetention is how long a run of an Actor, its log and its default stores
	// are kept after its end. Default 30 days; below 0 for ever.
	ActorRunRetention time.Duration

	// Schedules are limits of schedules.
	Schedules schedules.Limits
	// SlotRetention is how long it is kept what became of each time at which a schedule
	// was due. Default 30 days; below 0 for ever.
	SlotRetention time.Duration
	// ScheduleProblem is called, in the process that fires, when something that a schedule
	// is to start cannot be started, and when the run before has gone on for
	// Schedules.Skips times in a row. It must return soon, and may be called by several
	// goroutines. Default none.
	ScheduleProblem func(ctx context.Context, p schedules.Problem)

	// WebhookLimits are limits of webhooks.
	WebhookLimits webhooks.Limits
	// WebhookRetention is how long it is kept after its end what was sent to a receiver.
	// Default 30 days; below 0 for ever.
	WebhookRetention time.Duration
	// PublicURL is the http or https URL under which clients see the service. Webhooks of
	// runs of Actors say by it where these have put their output, and URLs that such runs
	// make for others begin with it. Default none: webhooks leave that out, and the URLs
	// lead to an endpoint that only this machine reaches, as long as the process lives.
	PublicURL string

	// Tracer gets spans, and Meter metrics, besides those that httpadapter.Metrics serves.
	// Package httpadapter/otelbridge has both for OpenTelemetry. Default none.
	Tracer Tracer
	Meter  Meter
	// MaxSeries is how many series a metric may have: what goes beyond counts as one
	// whose labels are all "other". Labels come from closed sets, so it is not reached
	// in practice. Default 10,000.
	MaxSeries int

	// CloseTime is how long Close lets work go on. Default 10 seconds.
	CloseTime time.Duration
	// Clock is the source of time. Default the machine's; package drovertest has
	// one that a test moves.
	Clock Clock
	// Logger hears what is worth knowing. Default slog.Default().
	Logger *slog.Logger
}

// validate refuses limits below 0: see package limit.
func (o Options) validate() error {
	return limit.Within("Options", cmp.Or(
		limit.Check(
			limit.Of("CloseTime", o.CloseTime), limit.Of("ProxyRest", o.ProxyRest),
			limit.Of("ProxyAttempts", o.ProxyAttempts), limit.Of("MaxSeries", o.MaxSeries), limit.Of("ProxyResolveTimeout", o.ProxyResolveTimeout),
		),
		limit.Within("Agents", o.Agents.Validate()),
		limit.Within("Fetch", o.Fetch.Validate()),
		limit.Within("Runs", o.Runs.Validate()),
		limit.Within("Sessions", o.Sessions.Validate()),
		limit.Within("Contexts", o.Contexts.Validate()),
		limit.Within("Certificates", o.Certificates.Validate()),
		limit.Within("Extensions", o.Extensions.Validate()),
		limit.Within("Downloads", o.Downloads.Validate()),
		limit.Within("FunctionLimits", o.FunctionLimits.Validate()),
		limit.Within("Secrets", o.Secrets.Validate()),
		limit.Within("Records", o.Records.Validate()),
		limit.Within("ActorLimits", o.ActorLimits.Validate()),
		limit.Within("Schedules", o.Schedules.Validate()),
		limit.Within("WebhookLimits", o.WebhookLimits.Validate()),
		limit.Within("Programs", o.Programs.Validate()),
		limit.Within("Builds", o.Builds.Validate()),
		limit.Within("Chromium", o.Chromium.Validate()),
	))
}

func (o Options) withDefaults() Options {
	o.Data = cmp.Or(o.Data, "drover-data")
	o.CloseTime = cmp.Or(o.CloseTime, 10*time.Second)
	if o.Clock == nil {
		o.Clock = clock.System()
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	o.Chromium.Clock, o.Chromium.Logger = o.Clock, o.Logger
	o.Fetch.Clock, o.Fetch.Logger = o.Clock, o.Logger
	return o
}

// resolve makes the data directory's path one that means the same to other
// processes: a browser is told of files in it, and works in another directory.
func (o *Options) resolve() (err error) {
	if o.Data != InMemory {
		o.Data, err = filepath.Abs(o.Data)
	}
	return err
}

// ReadHosts reads a list for Options.BlockHosts: one entry a line, or lines of a
// hosts file ("0.0.0.0 ads.example"). What follows a # is a comment. Error kind:
// Invalid, which names the line.
func ReadHosts(r io.Reader) ([]string, error) { return egress.ReadHosts(r) }
