package drover

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/runs/search"
)

// searches searches the web for callers that have no run, with what agents search with. A
// search page is loaded in a browser session, as a rendered fetch is.
type searches struct{ d *Drover }

// Search implements [search.Searcher].
func (s searches) Search(ctx context.Context, q search.Query) (_ []search.Result, err error) {
	defer errtypes.Wrap(&err, "search")
	if _, err := s.d.Projects.Current(ctx); err != nil {
		return nil, err
	}
	by := s.d.opts.Search
	if by == nil {
		by = search.Browser{}
	}
	page, inBrowser := by.(search.Browser)
	if !inBrowser {
		return by.Search(ctx, q)
	}
	a, err := s.d.Fetch.Get(ctx, page.PageOf(q), fetch.Options{AllowRedirects: true, Render: true})
	if err != nil {
		return nil, err
	}
	return page.Read(search.Page{URL: a.URL, Status: a.StatusCode, HTML: a.Content}, q)
}
