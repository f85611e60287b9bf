package runs

import (
	"context"

	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/runs/search"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/runs/tools"
	"github.com/drover-go/drover/storage/projects"
)

// What an agent reaches of the web beside the page in its browser: other pages, and
// searches. Both go where its browser may go, and by the same way.

// PageToGet is an address and the way there.
type PageToGet struct {
	URL string
	// AllowedDomains are the only hosts that may be reached. Default all.
	AllowedDomains []string
	// Proxies are those that the request goes through, none of which names a place.
	// Default none.
	Proxies Proxies
}

// GotPage is what a server answered.
type GotPage struct {
	// URL is where it was, after redirects.
	URL         string
	Status      int
	ContentType string
	// Text is the content in UTF-8; Bytes is what is no text.
	Text  string
	Bytes []byte
}

// reach is where the browser of a run may go.
type reach struct {
	domains []string
	proxies Proxies
}

// reach returns where the browser of the run may go; false where that is not known.
func (x *activeRun) reach() (reach, bool) {
	id := x.options.SessionID
	if id == "" {
		r := reach{x.options.Domains, x.settings.Proxies}
		if x.proxies != nil {
			r.proxies = *x.proxies
		}
		return r, true
	}
	s, err := x.conf.Sessions.Get(x.inProject(x.ctx), id)
	if err != nil {
		return reach{}, false // what needs the session fails with the reason
	}
	return reach{s.Settings.AllowedDomains, s.Settings.Proxies}, true
}

func (x *activeRun) inProject(ctx context.Context) context.Context {
	return projects.With(ctx, projects.Project{ID: x.projectID})
}

// addWeb gives the run the tools that go beyond its page, as far as they can keep to
// where it may go.
func (x *activeRun) addWeb(o *tools.Options) {
	r, ok := x.reach()
	if !ok {
		return
	}
	if x.conf.Pages != nil && x.canFetch(r) {
		o.Fetch = func(ctx context.Context, url string) (tools.Fetched, error) { return x.fetch(ctx, r, url) }
	}
	if r.searches(x.conf.Search) {
		o.Search = x.conf.Search
	}
}

// canFetch reports whether a fetch can go the way of the browser: there is no place
// for proxies, and passwords of those of a session that was given are not known.
func (x *activeRun) canFetch(r reach) bool {
	for _, rule := range r.proxies.Rules {
		if rule.Geolocation != nil || rule.Type == "external" && x.options.SessionID != "" {
			return false
		}
	}
	return true
}

// searches reports whether the run may ask a Searcher: it is told what is searched
// for.
func (r reach) searches(s search.Searcher) bool {
	return len(r.domains) == 0 || (egress.Policy{AllowedDomains: r.domains}).Allows(search.HostOf(s))
}

func (x *activeRun) fetch(ctx context.Context, r reach, url string) (tools.Fetched, error) {
	got, err := x.conf.Pages.Get(x.inProject(ctx), PageToGet{URL: url, AllowedDomains: r.domains, Proxies: r.proxies})
	return tools.Fetched(got), err
}

var _ Sessions = sessions.Service(nil)
