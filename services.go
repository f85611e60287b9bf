package drover

import (
	"reflect"

	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/runs/search"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/schedules"
	"github.com/drover-go/drover/storage/certificates"
	"github.com/drover-go/drover/storage/contexts"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/extensions"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/secrets"
	"github.com/drover-go/drover/storage/webhooks"
)

// Services are the services of a [Drover], which adapters serve. They are safe
// for concurrent use and end with [Drover.Close].
type Services struct {
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
	// Functions are named code that is invoked with parameters.
	Functions functions.Service
	// Secrets are values that functions get when they are attached to them.
	Secrets secrets.Service
	// Records are key-value stores, datasets and request queues.
	Records records.Service
	// Actors are programs that run as jobs, saved tasks and runs.
	Actors actors.Service
	// Schedules start work by cron expressions.
	Schedules schedules.Service
	// Webhooks tell receivers of what happens.
	Webhooks webhooks.Service
	// Search searches the web with what agents search with, [Options.Search]; a search page
	// in a browser session of its own.
	Search search.Searcher
	// Builds are what becomes of published programs.
	Builds builds.Service
}

// Missing returns the name of the first field that is nil; empty where every
// service is there, as in a Drover.
func (s Services) Missing() string {
	for field, service := range reflect.ValueOf(s).Fields() {
		if service.IsNil() {
			return field.Name
		}
	}
	return ""
}
