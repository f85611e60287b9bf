package drover

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"sync"

	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/certificates"
	"github.com/drover-go/drover/storage/contexts"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/extensions"
	"github.com/drover-go/drover/storage/projects"
)

// Drover is an open browser cloud and job platform. Its fields are its
// services; they are safe for concurrent use and end with Close.
type Drover struct {
	// Projects are who calls, and their keys.
	Projects projects.Service
	// Agents are saved agents.
	Agents agents.Service
	// Runs are executions of tasks.
	Runs runs.Service
	// Fetch gets pages.
	Fetch fetch.Service
	// Downloads are the files that sessions have downloaded.
	Downloads downloads.Service
	// Contexts are profiles of browsers that outlive sessions.
	Contexts contexts.Service
	// Certificates are those of authorities and clients that fetches and sessions
	// use.
	Certificates certificates.Service
	// Extensions are extensions of the browser, which sessions load.
	Extensions extensions.Service
	// Sessions are browsers, for runs and for clients of the caller's own.
	Sessions sessions.Service

	opts    Options
	db      *storage.DB
	hub     *notify.Hub
	queue   *jobs.Queue
	browser browser.Provider
	proxies *egress.Pool
	stores  []blob.Store // of all services

	closeOnce sync.Once
	closeErr  error
}

// Open opens the data and returns its services. The context bounds the opening
// only. It starts no browser. Error kinds: Invalid for an option, Conflict for
// data that a newer version or another program made, Unavailable for data that
// cannot be reached.
func Open(ctx context.Context, o Options) (_ *Drover, err error) {
	defer errtypes.Wrap(&err, "drover.Open")
	if err := o.validate(); err != nil {
		return nil, err
	}
	d := &Drover{opts: o.withDefaults()}
	if err := d.opts.resolve(); err != nil {
		return nil, err
	}
	if err := d.open(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// open wires the services, each on those before it. What it has opened when it
// fails, Close closes.
func (d *Drover) open(ctx context.Context) (err error) {
	o := d.opts
	gate, err := egress.New(egress.Options{
		AllowPrefixes: o.AllowPrefixes, AllowPorts: o.AllowPorts, BlockHosts: o.BlockHosts, BlockHostsOnly: o.BlockHostsOnly,
		RemoteResolveTimeout: o.ProxyResolveTimeout, RefuseUnknownNames: o.ProxyKnownNamesOnly, Clock: o.Clock, Logger: o.Logger,
	})
	if err != nil {
		return err
	}
	if d.proxies, err = egress.NewPoolWith(o.Proxies, o.pool()); err != nil {
		return err
	}
	if d.db, err = storage.Open(ctx, o.storage()); err != nil {
		return err
	}
	if err = d.openProjects(ctx); err != nil {
		return err
	}
	if d.Agents, err = agents.New(ctx, d.db, d.Projects, o.Agents); err != nil {
		return err
	}
	d.openQueue()
	if err = d.openDownloads(); err != nil {
		return err
	}
	if err = d.openSealed(ctx); err != nil {
		return err
	}
	if err = d.openExtensions(); err != nil {
		return err
	}
	if d.browser, err = openBrowser(o, gate); err != nil {
		return err
	}
	if err = d.openFetch(gate); err != nil {
		return err
	}
	if err = d.openSessions(ctx, gate); err != nil {
		return err
	}
	return d.openRuns(ctx)
}

func (d *Drover) openProjects(ctx context.Context) (err error) {
	o := d.opts
	d.hub = notify.New(d.db, notify.Options{Clock: o.Clock, Logger: o.Logger})
	d.Projects, err = projects.New(ctx, d.db, projects.Options{RequireProject: o.RequireProject, Notify: d.hub})
	return err
}

func (d *Drover) openQueue() {
	o := d.opts
	d.queue = jobs.New(d.db, d.hub, jobs.Options{Clock: o.Clock, Logger: o.Logger})
}

// The folders of the data directory that hold the files of services.
const (
	contextsFolder   = "contexts"
	downloadsFolder  = "downloads"
	extensionsFolder = "extensions"
	recordingsFolder = "recordings"
)

// blobs is a store for one service: what no row of its names there is deleted.
func (d *Drover) blobs(folder string) (s blob.Store, err error) {
	if d.opts.Data == InMemory {
		s = blob.NewMemory(d.opts.Clock)
	} else if s, err = blob.NewDir(filepath.Join(d.opts.Data, folder), blob.DirOptions{FullSync: d.opts.FullSync}); err != nil {
		return nil, err
	}
	d.stores = append(d.stores, s)
	return s, nil
}

func (d *Drover) openDownloads() error {
	o := d.opts
	blobs, err := d.blobs(downloadsFolder)
	if err != nil {
		return err
	}
	d.Downloads, err = downloads.Open(downloads.Config{
		DB: d.db, Callers: d.Projects, Blobs: blobs, Working: d.queue.Started(),
		Limits: o.Downloads, Retention: o.DownloadRetention, Clock: o.Clock, Logger: o.Logger,
	})
	return err
}

func (d *Drover) openExtensions() error {
	o := d.opts
	blobs, err := d.blobs(extensionsFolder)
	if err != nil {
		return err
	}
	d.Extensions, err = extensions.Open(extensions.Config{
		DB: d.db, Callers: d.Projects, Blobs: blobs, Working: d.queue.Started(),
		Debugger: o.DebuggerExtensions, Limits: o.Extensions, Clock: o.Clock, Logger: o.Logger,
	})
	return err
}

func (d *Drover) openSessions(ctx context.Context, gate *egress.Gate) error {
	o := d.opts
	blobs, err := d.blobs(recordingsFolder)
	if err != nil {
		return err
	}
	d.Sessions, err = sessions.New(ctx, sessions.Config{
		DB: d.db, Callers: d.Projects, Notify: d.hub, Browser: d.browser, Blobs: blobs,
		Gate: gate, Proxies: d.proxies, Downloads: d.Downloads, Contexts: d.Contexts, CertificateStore: d.Certificates, Extensions: d.Extensions,
		Limits: o.Sessions, Retention: o.SessionRetention, Clock: o.Clock, Logger: o.Logger,
	})
	return err
}

func (d *Drover) openFetch(gate *egress.Gate) (err error) {
	c := d.opts.Fetch
	c.Gate, c.Callers, c.Proxies = gate, d.Projects, d.proxies
	c.Renderer, c.Certificates = renderer{d.browser}, d.Certificates
	d.Fetch, err = fetch.New(c)
	return err
}

func openBrowser(o Options, gate *egress.Gate) (browser.Provider, error) {
	if o.Browser != nil {
		return o.Browser, nil
	}
	c := o.Chromium
	c.Gate, c.Proxy = gate, nil
	c.Clients.Max = cmp.Or(c.Clients.Max, o.Sessions.MaxClients) // who is one too many is refused there, in words of HTTP
	p, err := chrome.New(c)
	if err != nil {
		return nil, err // not p: a nil of its type would be closed
	}
	return p, nil
}

func (d *Drover) openRuns(ctx context.Context) (err error) {
	o := d.opts
	d.Runs, err = runs.New(ctx, runs.Config{
		DB: d.db, Callers: d.Projects, Agents: d.Agents, Jobs: d.queue, Notify: d.hub,
		Sessions: d.Sessions, Model: o.Model, Limits: o.Runs, Retention: o.RunRetention, Clock: o.Clock, Logger: o.Logger,
	})
	if err != nil {
		return err
	}
	switch o.Workers {
	case WorkersAlways:
		return d.queue.Start(ctx)
	case WorkersNever:
		return nil
	default:
		return d.queue.StartLazily(ctx)
	}
}

// Health returns an error while rows or files cannot be written (a full disk, a
// database that another process keeps locked), or after Close. It finds out by
// writing a little, so ask now and then. Error kind Unavailable, and those of
// the context.
func (d *Drover) Health(ctx context.Context) (err error) {
	defer errtypes.Wrap(&err, "drover.Health")
	if err := d.db.TryWrite(ctx); err != nil {
		return err
	}
	for _, s := range d.stores {
		if err := s.TryWrite(ctx); err != nil {
			return err
		}
	}
	return nil
}

// StopAccepting breaks off what only waits, and would keep a listener that closes
// from its end: sessions that are being created, perhaps for want of a place. All
// that is under way goes on. Call it when the listener closes and before Shutdown,
// which does the same.
func (d *Drover) StopAccepting() { d.Sessions.StopAccepting() }

// Close lets what is under way go on for Options.CloseTime and closes
// everything. It is idempotent.
func (d *Drover) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), d.opts.CloseTime)
	defer cancel()
	return d.Shutdown(ctx)
}

// Shutdown is Close with a time of the caller's: until ctx ends, what is under
// way may go on. Then it is ended with an honest cause. Either way Shutdown
// waits until all is closed: fetches, runs, their browser, the database.
func (d *Drover) Shutdown(ctx context.Context) error {
	d.closeOnce.Do(func() { d.closeErr = d.closeAll(ctx) })
	return d.closeErr
}

func (d *Drover) closeAll(ctx context.Context) error {
	var errs []error
	if d.Fetch != nil {
		errs = append(errs, d.Fetch.Close(ctx))
	}
	if d.Runs != nil {
		errs = append(errs, d.Runs.Close(ctx))
	}
	if d.queue != nil {
		errs = append(errs, d.queue.Stop(ctx))
	}
	if d.Sessions != nil {
		errs = append(errs, d.Sessions.Close(ctx))
	}
	if d.hub != nil {
		errs = append(errs, d.hub.Close())
	}
	if d.browser != nil {
		errs = append(errs, d.browser.Close())
	}
	if d.Downloads != nil { // what sessions have downloaded to their end is kept
		errs = append(errs, d.Downloads.Close(ctx))
	}
	if d.Extensions != nil {
		errs = append(errs, d.Extensions.Close(ctx))
	}
	if d.Contexts != nil {
		errs = append(errs, d.Contexts.Close(ctx))
	}
	if d.db != nil {
		errs = append(errs, d.db.Close())
	}
	return errors.Join(errs...)
}
