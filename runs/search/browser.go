package search

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// DuckDuckGo is the search page that needs no key and no scripts.
const DuckDuckGo = "https://html.duckduckgo.com/html/"

// Browser searches on a search page in a tab of the run's own session, which is
// closed afterwards. It is no service: a page for people may change, refuse machines,
// or have terms that do not want them. Its Search needs a session, which a run has.
type Browser struct {
	// Address is the page: what is searched for is appended as the parameter "q".
	// Default [DuckDuckGo].
	Address string
}

// Validate refuses an address that is none. Error kind Invalid, which names the
// field.
func (b Browser) Validate() error {
	if !isWeb(b.address()) {
		return errtypes.Field("Address", "must be an http or https URL such as %s", DuckDuckGo)
	}
	return nil
}

func (b Browser) address() string { return cmp.Or(b.Address, DuckDuckGo) }

// Search implements [Searcher]. It fails: see [Browser.PageOf].
func (Browser) Search(context.Context, Query) ([]Result, error) {
	return nil, errtypes.New(errtypes.Unavailable, "this search needs the browser of a run")
}

func (b Browser) host() string {
	u, err := url.Parse(b.address())
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// PageOf is the address of the page that has the results of a query.
func (b Browser) PageOf(q Query) string {
	u, err := url.Parse(b.address())
	if err != nil {
		return b.address() // Validate has refused it
	}
	query := u.Query()
	query.Set("q", q.Text)
	u.RawQuery = query.Encode()
	return u.String()
}

// Page is a page of results as a browser has it.
type Page struct {
	URL    string
	Status int // 0 for unknown
	HTML   string
}

// Read returns what a page of results says. Error kinds: RateLimited for a page that
// asks whether a person is there, BadGateway for one that is no page of results.
func (b Browser) Read(p Page, q Query) ([]Result, error) {
	host := b.host()
	switch {
	case p.Status == 429 || p.Status == 202 || challenges(p.HTML):
		return nil, errtypes.New(errtypes.RateLimited, "the search page at %s has been asked too often, or takes the browser for a machine; it may answer again in some minutes", host)
	case p.Status >= 400:
		return nil, errtypes.New(errtypes.BadGateway, "the search page at %s answers %d", host, p.Status)
	}
	all, empty, err := readResults(p)
	if err != nil {
		return nil, errtypes.New(errtypes.BadGateway, "the search page at %s cannot be read", host).WithCause(err)
	}
	results := kept(all, q.Count)
	if len(results) == 0 && !empty {
		return nil, errtypes.New(errtypes.BadGateway, "the search page at %s has nothing that looks like results", host)
	}
	return results, nil
}

// signs are words in the markup of pages that hold machines up.
var signs = []string{"anomaly-modal", "anomaly_modal", "challenge-form", "g-recaptcha", "h-captcha", "cf-challenge", "unusual traffic"}

func challenges(html string) bool {
	html = strings.ToLower(html)
	for _, sign := range signs {
		if strings.Contains(html, sign) {
			return true
		}
	}
	return false
}
