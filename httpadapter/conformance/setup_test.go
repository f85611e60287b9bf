package conformance

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/fetch/markdown"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/internal/osuser/osusertest"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage/certificates"
	"github.com/drover-go/drover/storage/extensions"
	"github.com/drover-go/drover/storage/projects"
)

var discard = slog.New(slog.DiscardHandler)

// setups are the worlds that a file can choose from.
var setups = map[string]func(t *testing.T) *world{
	// Storage in memory, a clock that moves on a second with each request.
	"plain": func(t *testing.T) *world { return build(t, config{}) },
	// As plain, with limits that a request in a file can break.
	"small": func(t *testing.T) *world {
		return build(t, config{adapter: httpadapter.Options{MaxBody: 200, MaxDiscard: 400, MaxDepth: 5, KeyHeaders: []string{"X-Key"}}})
	},
	// As plain, with a rate that few requests exceed.
	"rates": func(t *testing.T) *world {
		return build(t, config{adapter: httpadapter.Options{Rates: httpadapter.Rates{PerMinute: 2}}})
	},
	// As plain, with a database that cannot be reached.
	"down": func(t *testing.T) *world {
		w := build(t, config{})
		w.handler = httpadapter.Handler(httpadapter.Services{
			Services: w.Services,
			Health:   func(context.Context) error { return errors.New("/var/lib/drover.db: no such file") },
		}, httpadapter.Options{Logger: discard})
		return w
	},
	// With a site to fetch from; see site_test.go.
	"site": func(t *testing.T) *world {
		return withSite(t, config{fetch: fetch.Config{
			MaxBody: 2000, Timeout: 30 * time.Second, Markdown: markdown.Options{MaxNodes: 400, MaxOutput: 3000},
		}})
	},
	// As site, with fetches that may take no time.
	"impatient": func(t *testing.T) *world {
		return withSite(t, config{fetch: fetch.Config{Timeout: 100 * time.Millisecond}, realTime: true})
	},
	// As site, with a plan that knows no markdown.
	"gated": func(t *testing.T) *world { return withSite(t, config{fetch: fetch.Config{Allow: onlyRaw}}) },
	// As site, with the one fetch under way that there may be.
	"busy": func(t *testing.T) *world {
		w := withSite(t, config{fetch: fetch.Config{MaxConcurrent: 1}})
		w.occupy(t)
		return w
	},
	// As site, with a service that has been closed.
	"closed": func(t *testing.T) *world {
		w := withSite(t, config{})
		if err := w.Fetch.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		return w
	},
	// As plain, with files that sessions have downloaded; see downloads_test.go.
	"downloads": withDownloads,
	// As plain, with archives to upload; see extensions_test.go.
	"extensions": withExtensions,
	// As plain, with a function and sealed values; see secrets_test.go.
	"secrets": withSecrets,
	// As plain, with room for few webhooks; with a receiver of webhooks; see webhooks_test.go.
	"first-webhooks": withWebhooks,
	"receiver":       withReceiver,
	// With Go functions, and programs to publish; see functions_test.go.
	"functions": withFunctions,
	// As plain, with a service that searches the web, or nothing that does; see search_test.go.
	"search": withSearch, "no search": withoutSearch,
	// As plain, with Go Actors that are run; see actors_test.go.
	"actors": withActors,
	// As actors, with a receiver of webhooks; see platformwebhooks_test.go.
	"webhooks": withActorsAndReceiver,
	// As plain, for one webhook a project.
	"one webhook": func(t *testing.T) *world {
		return build(t, config{more: func(o *drover.Options) { o.WebhookLimits.PerProject = 1 }})
	},
	// With a shop, a site and Chromium.
	"browser": withBrowser,
	// With language models that ask a person; see person_test.go.
	"models": withModels,
	// With Chromium, for one session a project.
	"one session": func(t *testing.T) *world {
		return build(t, config{browser: chrometest.Provider(t), realTime: true, sessions: sessions.Limits{PerProject: 1}})
	},
}

// onlyRaw is a host's gate: markdown is not in the plan of the project
// default, and switched off for all others.
func onlyRaw(_ context.Context, p projects.Project, f fetch.Format) error {
	switch {
	case f == fetch.Raw:
		return nil
	case p.Name == projects.Default:
		return errtypes.New(errtypes.PaymentRequired, "the quota for %s is used up", f)
	}
	return errtypes.New(errtypes.Forbidden, "the project may only fetch raw")
}

// withBrowser is a world with a shop and a site, whose runs are executed in
// Chromium, at the machine's own time.
func withBrowser(t *testing.T) *world {
	w := withSite(t, config{browser: chrometest.Provider(t), realTime: true, workers: drover.WorkersAlways})
	shop := httptest.NewServer(demosite.New())
	t.Cleanup(shop.Close)
	w.words["<shop>"] = shop.URL
	return w
}

// world is a fresh service that a conversation is held with.
type world struct {
	*drover.Drover
	handler http.Handler
	// words are what stands for the fixed values, by word.
	words map[string]string
	// clock is nil where the time is the machine's.
	clock *clock.Manual
	site  *site
	// asked receives a value when a language model is asked, if there is one.
	asked chan struct{}
	// atWork has the id of a run of an Actor for each of its processes that goes on.
	atWork <-chan string
}

// config is what worlds differ in.
type config struct {
	adapter  httpadapter.Options
	fetch    fetch.Config
	sessions sessions.Limits
	// browser opens the sessions of runs. Default one that is never asked.
	browser  browser.Provider
	realTime bool
	// onDisk keeps what is stored in files. Default it is in memory.
	onDisk bool
	// data is the directory they are in. Default one of the test's own.
	data string
	// debugger lets extensions ask for the permission debugger.
	debugger bool
	// workers execute runs. Default none do: they stay PENDING.
	workers drover.Workers
	// proxies are those of the host. Default none.
	proxies []string
	// more changes the options. Default nothing.
	more func(*drover.Options)
}

// build opens a real service in memory.
func build(t testing.TB, c config) *world {
	t.Helper()
	w := &world{}
	o := drover.Options{
		Data: drover.InMemory, RequireProject: true, AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		Workers: cmp.Or(c.workers, drover.WorkersNever), Browser: c.browser, Fetch: c.fetch, Sessions: c.sessions, Logger: discard, Proxies: c.proxies,
		Certificates: certificates.Limits{PerProject: 3}, Extensions: extensions.Limits{PerProject: 2}, DebuggerExtensions: c.debugger,
	}
	o.Chromium.TempDir = t.TempDir()
	must(0, osusertest.Open(o.Chromium.TempDir))(t) // for programs, which other users run
	if c.onDisk {
		o.Data = cmp.Or(c.data, t.TempDir())
	}
	if !c.realTime {
		w.clock = clock.NewManual(time.Date(2026, 1, 31, 23, 59, 0, 0, time.UTC))
		o.Clock = w.clock
	}
	if c.more != nil {
		c.more(&o)
	}
	w.Drover = must(drover.Open(t.Context(), o))(t)
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	w.words = map[string]string{"<key>": newKey(t, w.Projects, projects.Default), "<other-key>": newKey(t, w.Projects, "other")}
	if w.clock != nil && c.adapter.Rates == (httpadapter.Rates{}) { // rates would recover with each request
		c.adapter.Clock = w.clock
	}
	c.adapter.Logger = discard
	w.handler = httpadapter.New(w.Drover, c.adapter)
	return w
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func newKey(t testing.TB, s projects.Service, project string) string {
	t.Helper()
	if project != projects.Default {
		must(s.Create(t.Context(), projects.Create{Name: project}))(t)
	}
	_, secret, err := s.CreateKey(t.Context(), project, "test")
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func newWorld(t *testing.T, setup string) *world {
	t.Helper()
	build, ok := setups[setup]
	if !ok {
		t.Fatalf("there is no setup %q", setup)
	}
	return build(t)
}

// asDefault is a context for calls on behalf of the project default.
func (w *world) asDefault(t testing.TB) context.Context {
	t.Helper()
	return must(w.Projects.In(t.Context(), projects.Default))(t)
}

// tick moves the clock on, so that no two rows are made at the same time.
func (w *world) tick() {
	if w.clock != nil {
		w.clock.Advance(time.Second)
	}
}

// waitFor waits until a run, a build or an invocation has ended, a run asks a person, or the site's page that hangs has been
// asked for. The minute is for a run that never gets there.
func (w *world) waitFor(t *testing.T, what string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(w.asDefault(t), time.Minute)
	defer cancel()
	if id, ok := strings.CutPrefix(what, "a person is asked by "); ok {
		w.waitForQuestion(ctx, t, id)
		return
	}
	if id, ok := strings.CutPrefix(what, "the build "); ok {
		must(w.Builds.Wait(ctx, builds.Function, id))(t)
		return
	}
	if id, ok := strings.CutPrefix(what, "the program of the build "); ok {
		w.waitForBuildLine(ctx, t, id)
		return
	}
	if id, ok := strings.CutPrefix(what, "a line of the invocation "); ok {
		w.waitForLine(ctx, t, id)
		return
	}
	if id, ok := strings.CutPrefix(what, "a process of the Actor's run "); ok {
		w.waitForWork(ctx, t, id)
		return
	}
	if what == "all dispatches" {
		w.waitForActors(ctx, t)
		w.waitForDispatches(ctx, t)
		return
	}
	if id, ok := strings.CutPrefix(what, "the delivery "); ok {
		must(w.Webhooks.Wait(ctx, id))(t)
		return
	}
	if what == "all runs of Actors" {
		w.waitForActors(ctx, t)
		return
	}
	if id, ok := strings.CutPrefix(what, "the Actor's run "); ok {
		must(w.Actors.Wait(ctx, id, -1))(t)
		return
	}
	if id, ok := strings.CutPrefix(what, "the invocation "); ok {
		must(w.Functions.Wait(ctx, id))(t)
		return
	}
	if w.site == nil || what != w.words["<site>"]+hanging {
		must(w.Runs.Wait(ctx, what))(t)
		return
	}
	select {
	case <-w.site.asked:
	case <-ctx.Done():
		t.Fatal("nobody asks for the page that hangs")
	}
}
