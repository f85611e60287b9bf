// Package search searches the web for agents: in a SearXNG of the host's, with
// Brave's service, or, without a key, on a search page in the browser of the run.
//
// What a search finds are texts of strangers: titles, addresses and snippets are not
// trusted.
package search

import (
	"context"

	"github.com/drover-go/drover/errtypes"
)

// Query is what is searched for.
type Query struct {
	// Text is in the words of a search box.
	Text string
	// Count is how many results are wanted, 1 to [MaxCount]. There may be fewer.
	Count int
}

// MaxCount is how many results a search returns at most.
const MaxCount = 20

// Result is one thing that was found.
type Result struct {
	Title string
	// URL is an http or https address.
	URL string
	// Snippet is a part of the page, or about it; it may be empty.
	Snippet string
}

// Searcher searches the web. It is safe for concurrent use. Error kinds of those in
// this package: RateLimited for a service that wants to be asked later,
// GatewayTimeout for one that is slow, BadGateway for one that fails or refuses. No
// error has a key in it.
type Searcher interface {
	Search(ctx context.Context, q Query) ([]Result, error)
}

// Off is a Searcher that says that agents do not search: they have no tool for it.
var Off Searcher = off{}

// HostOf is the name of the host that a Searcher of this package asks; empty for
// another one.
func HostOf(s Searcher) string {
	if known, ok := s.(interface{ host() string }); ok {
		return known.host()
	}
	return ""
}

type off struct{}

// Search implements [Searcher].
func (off) Search(context.Context, Query) ([]Result, error) {
	return nil, errtypes.New(errtypes.Unavailable, "searching the web is switched off")
}

// kept are the results that are of use, at most count of them, each address once.
func kept(all []Result, count int) []Result {
	seen := map[string]bool{}
	results := []Result{}
	for _, r := range all {
		if len(results) == count {
			break
		}
		r.Title, r.Snippet = plainText(r.Title, maxTitle), plainText(r.Snippet, maxSnippet)
		if r.Title == "" || !isWeb(r.URL) || seen[r.URL] {
			continue
		}
		seen[r.URL] = true
		results = append(results, r)
	}
	return results
}
