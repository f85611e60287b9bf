package drover

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/masterkey"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/runs/actors/platform"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/search"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/schedules"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/certificates"
	"github.com/drover-go/drover/storage/contexts"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/extensions"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/secrets"
	"github.com/drover-go/drover/storage/webhooks"
)

// step opens one thing, and pushes on d.open how to close it.
type step func(context.Context) error

// steps are the wiring: each service on those before it, and the workers last.
// Closing goes the other way: what callers wait for (fetches, runs, their jobs,
// sessions), those who wait, browsers and other processes, files, the database.
func (d *Drover) steps() []step {
	return []step{
		d.openTelemetry, d.openGate, d.openDatabase, d.openBackups, d.openProjects, d.openKeeping, d.openAgents,
		d.openKeys, d.openContexts, d.openCertificates, d.openSecrets, d.renewKeys, d.openExtensions, d.openDownloads, d.openRecords, d.openWebhooks,
		d.openProcesses, d.openBrowser, d.openLogs, d.openSessions, d.startKeeping, d.openPrograms, d.openRuns, d.openBuilds, d.openFunctions, d.openActors, d.openFetch, d.openSchedules,
		d.startTelemetry, d.startWorkers,
	}
}

// take takes the steps until one fails. What they have opened, Close closes.
func (d *Drover) take(ctx context.Context, steps []step) error {
	for _, next := range steps {
		if err := next(ctx); err != nil {
			return err
		}
	}
	return nil
}

// opened is the end of a step: how to close what it has opened, unless that has
// failed.
func (d *Drover) opened(name string, service interface{ Close(context.Context) error }, err error) error {
	if err == nil {
		d.open.push(name, service.Close)
	}
	return err
}

func (d *Drover) openGate(context.Context) (err error) {
	o := d.opts
	d.gate, err = egress.New(egress.Options{
		AllowPrefixes: o.AllowPrefixes, AllowPorts: o.AllowPorts, BlockHosts: o.BlockHosts, BlockHostsOnly: o.BlockHostsOnly,
		RemoteResolveTimeout: o.ProxyResolveTimeout, RefuseUnknownNames: o.ProxyKnownNamesOnly, Telemetry: d.telemetry, Clock: o.Clock, Logger: o.Logger,
	})
	if err != nil {
		return err
	}
	d.proxies, err = egress.NewPoolWith(o.Proxies, egress.PoolOptions{Attempts: o.ProxyAttempts, Rest: o.ProxyRest, Clock: o.Clock})
	return err
}

func (d *Drover) openDatabase(ctx context.Context) (err error) {
	o := storage.Options{Clock: d.opts.Clock, Logger: d.opts.Logger, FullSync: d.opts.FullSync, Telemetry: d.telemetry}
	if d.opts.Data != InMemory {
		o.Dir, o.Traces = d.opts.Data, append([]string{masterkey.FileName}, folders...)
	}
	if d.db, err = storage.Open(ctx, o); err != nil {
		return err
	}
	d.open.push("database", atOnce(d.db.Close))
	return nil
}

// openProjects makes the hub, too, which those that follow are told of. It does
// nothing yet: it is closed before what is opened between here and the first who
// waits.
func (d *Drover) openProjects(ctx context.Context) (err error) {
	o := d.opts
	d.hub = notify.New(d.db, notify.Options{Clock: o.Clock, Logger: o.Logger})
	d.Projects, err = projects.New(ctx, d.db, projects.Options{RequireProject: o.RequireProject, Notify: d.hub})
	return err
}

// openKeeping makes what ends and removes what processes leave, and the queue,
// which tells of processes that die. None does anything yet.
func (d *Drover) openKeeping(context.Context) error {
	o := d.opts
	d.keeper = retention.NewKeeper(d.db, retention.Options{Clock: o.Clock, Logger: o.Logger})
	d.reaper = reaper.New(d.db, reaper.Options{Transient: o.Workers == WorkersNever, Reaped: d.keeper.Sweep, Logger: o.Logger})
	d.queue = jobs.New(d.db, d.hub, jobs.Options{Reaper: d.reaper, Telemetry: d.telemetry, Clock: o.Clock, Logger: o.Logger})
	d.open.push("keeper", atOnce(d.keeper.Close))
	return nil
}

// startKeeping ends what dead processes have left, and begins to delete. A tool
// that comes and goes leaves that to others.
func (d *Drover) startKeeping(ctx context.Context) error {
	if d.opts.Workers == WorkersNever {
		return nil
	}
	d.opts.Chromium.Children.Sweep()
	d.sweepBackups()
	if b, ok := d.browser.(interface{ Sweep() }); ok {
		b.Sweep() // profiles in the clear, whose browsers have ended by now: not in the background
	}
	if err := d.reaper.Reap(ctx); err != nil {
		return err
	}
	return d.keeper.Start(ctx)
}

func (d *Drover) openAgents(ctx context.Context) (err error) {
	d.Agents, err = agents.New(ctx, d.db, d.Projects, d.opts.Agents)
	return err
}

// The folders of the data directory that hold the files of services.
const (
	actorsFolder     = "actors"
	contextsFolder   = "contexts"
	downloadsFolder  = "downloads"
	extensionsFolder = "extensions"
	logsFolder       = "logs"
	recordsFolder    = "records"
	resultsFolder    = "results"
	recordingsFolder = "recordings"
	sourcesFolder    = "sources"
	programsFolder   = "programs" // no blobs: see package functions
	webhooksFolder   = "webhooks"
)

var folders = []string{actorsFolder, contextsFolder, downloadsFolder, extensionsFolder, logsFolder, programsFolder, recordingsFolder, recordsFolder, resultsFolder, sourcesFolder, webhooksFolder}

// blobs is a store for one service: what no row of its names there is deleted.
func (d *Drover) blobs(folder string) (s blob.Store, err error) {
	if d.opts.Data == InMemory {
		s = blob.NewMemory(d.opts.Clock)
	} else if s, err = blob.NewDir(filepath.Join(d.opts.Data, folder), blob.DirOptions{FullSync: d.opts.FullSync}); err != nil {
		return nil, err
	}
	d.stores[s] = folder
	return s, nil
}

func (d *Drover) openContexts(context.Context) error {
	o := d.opts
	blobs, err := d.blobs(contextsFolder)
	if err != nil {
		return err
	}
	d.Contexts, err = contexts.New(contexts.Config{
		DB: d.db, Callers: d.Projects, Blobs: blobs, Keys: d.keys, Reaper: d.reaper, Keeper: d.keeper,
		TempDir: o.Chromium.TempDir, Limits: o.Contexts, Clock: o.Clock, Logger: o.Logger,
	})
	return err
}

func (d *Drover) openCertificates(context.Context) (err error) {
	d.Certificates, err = certificates.New(certificates.Config{
		DB: d.db, Callers: d.Projects, Keys: d.keys, Limits: d.opts.Certificates, Clock: d.opts.Clock,
	})
	return err
}

// openSecrets comes before the functions that they are attached to.
func (d *Drover) openSecrets(ctx context.Context) (err error) {
	d.Secrets, err = secrets.New(ctx, secrets.Config{
		DB: d.db, Callers: d.Projects, Keys: d.keys, Limits: d.opts.Secrets, Clock: d.opts.Clock,
		Function: func(ctx context.Context, function string) (string, error) {
			f, err := d.Functions.Get(ctx, function)
			return f.ID, err
		},
	})
	return err
}

func (d *Drover) openExtensions(context.Context) error {
	o := d.opts
	blobs, err := d.blobs(extensionsFolder)
	if err != nil {
		return err
	}
	d.Extensions, err = extensions.Open(extensions.Config{
		DB: d.db, Callers: d.Projects, Blobs: blobs, Keeper: d.keeper,
		Debugger: o.DebuggerExtensions, Limits: o.Extensions, Clock: o.Clock, Logger: o.Logger,
	})
	return d.opened("extensions", d.Extensions, err)
}

// openDownloads comes before the browser: what sessions have downloaded to their
// end is kept.
func (d *Drover) openDownloads(context.Context) error {
	o := d.opts
	blobs, err := d.blobs(downloadsFolder)
	if err != nil {
		return err
	}
	d.Downloads, err = downloads.Open(downloads.Config{
		DB: d.db, Callers: d.Projects, Blobs: blobs, Keeper: d.keeper,
		Limits: o.Downloads, Retention: o.DownloadRetention, Clock: o.Clock, Logger: o.Logger,
	})
	return d.opened("downloads", d.Downloads, err)
}

// openRecords comes before those whose work reads and writes them.
func (d *Drover) openRecords(ctx context.Context) error {
	o := d.opts
	blobs, err := d.blobs(recordsFolder)
	if err != nil {
		return err
	}
	d.Records, err = records.Open(ctx, records.Config{
		DB: d.db, Projects: d.Projects, Blobs: blobs, Keeper: d.keeper,
		Limits: o.Records, Retention: o.RecordRetention, Clock: o.Clock, Logger: o.Logger,
	})
	return d.opened("records", d.Records, err)
}

// openWebhooks comes before those whose events they are for. It is closed once nothing is
// delivered any more: the queue is stopped before.
func (d *Drover) openWebhooks(ctx context.Context) error {
	o := d.opts
	blobs, err := d.blobs(webhooksFolder)
	if err != nil {
		return err
	}
	d.hooks, err = webhooks.New(ctx, webhooks.Config{
		DB: d.db, Callers: d.Projects, Jobs: d.queue, Notify: d.hub, Blobs: blobs, Keys: d.keys, Gate: d.gate, Render: d.renderings(), Resolve: d.resolveCondition, Ended: d.endedRun,
		Limits: o.WebhookLimits, Retention: o.WebhookRetention, Keeper: d.keeper, Telemetry: d.telemetry, Clock: o.Clock, Logger: o.Logger,
	})
	d.Webhooks = d.hooks
	return d.opened("webhooks", d.hooks, err)
}

// openProcesses makes what all who start processes have in common: the ledger of
// the machine's memory, and who ends them.
func (d *Drover) openProcesses(context.Context) (err error) {
	c := &d.opts.Chromium
	if c.Admission == nil {
		if c.Admission, err = admission.New(admission.Options{Memory: c.MaxMemory, Telemetry: d.telemetry, Clock: c.Clock}); err != nil {
			return err
		}
	}
	if c.Children != nil {
		return nil
	}
	o := c.ChildOptions()
	o.Leave = true // see startKeeping
	children, err := child.Open(o)
	if err != nil {
		return err
	}
	c.Children = children
	d.open.push("processes", atOnce(children.Close))
	return nil
}

func (d *Drover) openBrowser(context.Context) error {
	d.browser = d.opts.Browser
	if d.browser == nil {
		c := d.opts.Chromium
		c.Gate, c.Proxy, c.Telemetry = d.gate, nil, d.telemetry
		c.Clients.Max = cmp.Or(c.Clients.Max, d.opts.Sessions.MaxClients) // who is one too many is refused there, in words of HTTP
		p, err := chrome.New(c)
		if err != nil {
			return err
		}
		d.browser = p
	}
	d.open.push("browser", atOnce(d.browser.Close))
	return nil
}

// openLogs comes before those whose logs they are: what these have logged to
// their end is kept.
func (d *Drover) openLogs(context.Context) error {
	o := d.opts
	blobs, err := d.blobs(logsFolder)
	if err != nil {
		return err
	}
	d.open.push("hub", atOnce(d.hub.Close)) // from here on somebody may wait
	d.logs, err = joblog.New(joblog.Config{
		DB: d.db, Notify: d.hub, Blobs: blobs, Reaper: d.reaper, Keeper: d.keeper, Clock: o.Clock, Logger: o.Logger,
	})
	return d.opened("logs", d.logs, err)
}

func (d *Drover) openSessions(ctx context.Context) error {
	o := d.opts
	blobs, err := d.blobs(recordingsFolder)
	if err != nil {
		return err
	}
	d.Sessions, err = sessions.New(ctx, sessions.Config{
		DB: d.db, Callers: d.Projects, Notify: d.hub, Browser: d.browser, Blobs: blobs,
		Logs: d.logs, Reaper: d.reaper, Keeper: d.keeper,
		Gate: d.gate, Proxies: d.proxies, Downloads: d.Downloads, Contexts: d.Contexts, CertificateStore: d.Certificates, Extensions: d.Extensions,
		Webhooks: d.hooks, Limits: o.Sessions, Retention: o.SessionRetention, Telemetry: d.telemetry, Clock: o.Clock, Logger: o.Logger,
	})
	return d.opened("sessions", d.Sessions, err)
}

func (d *Drover) openRuns(ctx context.Context) (err error) {
	o := d.opts
	d.Search = searches{d}
	if o.Search == search.Off {
		d.Search = search.Off
	}
	d.open.push("queue", d.queue.Stop) // from here on there may be workers
	d.Runs, err = runs.New(ctx, runs.Config{
		DB: d.db, Callers: d.Projects, Agents: d.Agents, Jobs: d.queue, Notify: d.hub,
		Sessions: d.Sessions, Downloads: d.Downloads, Pages: pages{d}, Search: o.Search, Model: o.Model, Models: o.Models, DefaultModel: o.DefaultModel, Prices: o.Prices, Hooks: o.RunHooks, Tools: o.Tools, Webhooks: d.hooks, Limits: o.Runs, Retention: o.RunRetention, Keeper: d.keeper, Telemetry: d.telemetry, Clock: o.Clock, Logger: o.Logger,
	})
	return d.opened("runs", d.Runs, err)
}

// openPrograms comes before the queue, which is stopped before it is closed: jobs
// run programs.
func (d *Drover) openPrograms(context.Context) error {
	o := d.opts
	c := functions.ProgramsConfig{
		ProgramOptions: o.Programs, Children: o.Chromium.Children, Memory: o.Chromium.Admission, MaxResult: o.FunctionLimits.MaxResult,
		Instance: d.db.InstanceID(), Clock: o.Clock, Logger: o.Logger,
	}
	c.TempDir = cmp.Or(o.Chromium.TempDir, os.TempDir())
	if c.Dir == "" && o.Data != InMemory && functions.ReachesPrograms(c.Isolation, o.Data) {
		c.Dir, c.Home = filepath.Join(o.Data, programsFolder), o.Data
	}
	var err error
	if d.programs, err = functions.OpenPrograms(c); err == nil {
		d.open.push("programs", atOnce(d.programs.Close))
	}
	return err
}

func (d *Drover) openBuilds(context.Context) error {
	o := d.opts
	blobs, err := d.blobs(sourcesFolder)
	if err != nil {
		return err
	}
	d.Builds, err = builds.New(builds.Config{
		DB: d.db, Callers: d.Projects, Jobs: d.queue, Notify: d.hub, Logs: d.logs, Blobs: blobs, Webhooks: d.hooks,
		Limits: o.Builds, Retention: o.BuildRetention, Keeper: d.keeper, Clock: o.Clock, Logger: o.Logger,
	})
	return d.opened("builds", d.Builds, err)
}

func (d *Drover) openFunctions(ctx context.Context) error {
	o := d.opts
	blobs, err := d.blobs(resultsFolder)
	if err != nil {
		return err
	}
	d.Functions, err = functions.New(ctx, functions.Config{
		DB: d.db, Projects: d.Projects, Jobs: d.queue, Notify: d.hub, Logs: d.logs, Blobs: blobs, Sessions: d.Sessions,
		Builds: d.Builds, Programs: d.programs, Keys: d.keys, Secrets: d.Secrets, Webhooks: d.hooks, Functions: o.Functions, Limits: o.FunctionLimits, Retention: o.InvocationRetention, Keeper: d.keeper, Clock: o.Clock, Logger: o.Logger,
	})
	return d.opened("functions", d.Functions, err)
}

func (d *Drover) openActors(context.Context) error {
	o := d.opts
	blobs, err := d.blobs(actorsFolder)
	if err != nil {
		return err
	}
	d.Actors, err = actors.New(actors.Config{
		DB: d.db, Callers: d.Projects, Keys: d.keys, Blobs: blobs, Stores: d.Records, Jobs: d.queue, Notify: d.hub, Logs: d.logs,
		Builds: d.Builds, Webhooks: d.hooks, Workshop: d.programs.Workshop(), Gate: d.gate, Proxies: d.proxies, Archives: d.Records,
		Chromium: func() (string, error) { return chrome.ExecPath(o.Chromium.ExecPath) },
		Platform: d.platform, PublicURL: d.publicURL(),
		Memory: o.Chromium.Admission, Actors: o.Actors, Limits: o.ActorLimits, Retention: o.ActorRunRetention, Keeper: d.keeper, Clock: o.Clock, Logger: o.Logger,
	})
	return d.opened("actors", d.Actors, err)
}

// platform is what runs of Actors ask, with no adapter mounted. It is made once they ask:
// schedules are opened after Actors.
func (d *Drover) platform(a actors.Service) http.Handler {
	made := sync.OnceValue(func() http.Handler {
		return platform.ForRuns(platform.Services{Records: d.Records, Actors: a, Schedules: d.Schedules, Webhooks: d.Webhooks, Accepting: d.accepting}, platform.Options{PublicURL: d.publicURL(), Clock: d.opts.Clock, Logger: d.opts.Logger})
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { made().ServeHTTP(w, r) })
}

func (d *Drover) openFetch(context.Context) (err error) {
	c := d.opts.Fetch
	c.Gate, c.Callers, c.Proxies, c.Telemetry = d.gate, d.Projects, d.proxies, d.telemetry
	c.Renderer, c.Certificates = renderer{d.browser}, d.Certificates
	d.Fetch, err = fetch.New(c)
	return d.opened("fetches", d.Fetch, err)
}

// openSchedules comes after all that schedules start. What they have decided to start is
// made before those are closed.
func (d *Drover) openSchedules(context.Context) (err error) {
	o := d.opts
	d.firing, err = schedules.New(schedules.Config{
		DB: d.db, Callers: d.Projects, Launchers: d.launchers(), Hold: d.queue.Hold, Problem: o.ScheduleProblem,
		Limits: o.Schedules, Retention: o.SlotRetention, Keeper: d.keeper, Telemetry: d.telemetry, Clock: o.Clock, Logger: o.Logger,
	})
	d.Schedules = d.firing
	return d.opened("schedules", d.firing, err)
}

// startWorkers comes last: what they do may need every service.
func (d *Drover) startWorkers(ctx context.Context) error {
	switch d.opts.Workers {
	case WorkersAlways:
		return errors.Join(d.queue.Start(ctx), d.firing.Start(ctx))
	case WorkersNever:
		return nil
	default:
		return errors.Join(d.queue.StartLazily(ctx), d.firing.StartLazily(ctx))
	}
}
