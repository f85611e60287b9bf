package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/search"
)

// searchName is the tool that searches the web.
const searchName = "search"

// Limits of a search.
const (
	maxQuery     = 400 // characters
	defaultFound = 8
)

func (s *Set) search() tool {
	return tool{
		Tool: model.Tool{
			Name: searchName,
			Description: "Searches the web and returns titles, addresses and snippets; the page in the browser stays. " +
				"Open an address with navigate. Variables cannot be searched for.",
			Input: object(1,
				"query", property("string", "A few words, as for a search box."),
				"count", property("integer", fmt.Sprintf("How many results: 1 to %d. Default %d.", search.MaxCount, defaultFound))),
		},
		opensItself: true,
		run:         s.runSearch,
	}
}

func (s *Set) runSearch(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Query string `json:"query"`
		Count int    `json:"count"`
	}](raw)
	query := oneLine(in.Query)
	switch {
	case err != nil:
		return Result{}, err
	case query == "":
		return Result{}, badInput("query is required")
	case utf8.RuneCountInString(query) > maxQuery:
		return Result{}, badInput("query must be at most %d characters", maxQuery)
	case s.opts.Variables.Uses(query):
		return Result{}, badInput("query has a variable in it, whose value is never searched for")
	case in.Count < 0 || in.Count > search.MaxCount:
		return Result{}, badInput("count must be 1 to %d", search.MaxCount)
	}
	q := search.Query{Text: query, Count: cmp.Or(in.Count, defaultFound)}
	var found []search.Result
	var r Result
	if page, ok := s.opts.Search.(search.Browser); ok {
		found, r, err = s.searchInBrowser(ctx, page, q)
	} else {
		found, err = s.opts.Search.Search(ctx, q)
	}
	if err != nil {
		return r, err
	}
	return Result{Output: model.TextOutput(s.showFound(q, found))}, nil
}

// showFound lists results as a model sees them: numbered, clean, in the fence.
func (s *Set) showFound(q search.Query, all []search.Result) string {
	var b strings.Builder
	shown := cut(s.clean(q.Text), 200)
	if len(all) == 0 {
		return fmt.Sprintf("Nothing was found for %q.", shown)
	}
	fmt.Fprintf(&b, "%d results for %q:\n[page %s]\n", len(all), shown, s.fence)
	for i, r := range all {
		line := fmt.Sprintf("%d. %s\n   %s\n", i+1, oneLine(s.field(r.Title)), oneLine(s.field(r.URL)))
		if r.Snippet != "" {
			line += "   " + oneLine(s.field(r.Snippet)) + "\n"
		}
		if b.Len()+len(line) > s.opts.MaxOutput-100 {
			fmt.Fprintf(&b, "… (the rest is left out)\n")
			break
		}
		b.WriteString(line)
	}
	fmt.Fprintf(&b, "[end of page %s]", s.fence)
	return b.String()
}

// tabs is what a session is asked for another page beside its own: see
// browser.Session.
type tabs interface {
	OpenTab(ctx context.Context, url string) (browser.Page, error)
	CloseTab(ctx context.Context, tab string) (browser.Page, error)
}

var errNoTabs = errtypes.New(errtypes.Unavailable, "this browser opens no tab to search in")

// searchInBrowser reads the page of results in a tab of its own.
func (s *Set) searchInBrowser(ctx context.Context, page search.Browser, q search.Query) ([]search.Result, Result, error) {
	session, r, err := s.session(ctx)
	if err != nil {
		return nil, r, err
	}
	second, ok := session.(tabs)
	if !ok {
		return nil, Result{}, errNoTabs
	}
	before := tabIDs(session)
	shown, err := second.OpenTab(ctx, page.PageOf(q))
	defer closeNewest(ctx, session, second, before)
	var html string
	if err == nil {
		html, _, err = session.HTML(ctx, s.opts.MaxHTML)
	}
	if err != nil {
		return nil, Result{Fatal: dead(session)}, navigationError(err)
	}
	found, err := page.Read(search.Page{URL: shown.URL, Status: shown.Status, HTML: html}, q)
	return found, Result{}, err
}

func tabIDs(session browser.Session) (ids []string) {
	for _, t := range session.Tabs() {
		if !t.Guest {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// closeTime bounds the closing of a tab whose call was broken off.
const closeTime = 5 * time.Second

// closeNewest closes the tab that was opened last, unless it was there before.
func closeNewest(ctx context.Context, session browser.Session, second tabs, before []string) {
	now := tabIDs(session)
	if len(now) == 0 || slices.Contains(before, now[len(now)-1]) {
		return
	}
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), closeTime, errors.New("the tab does not close"))
	defer cancel()
	_, _ = second.CloseTab(ctx, now[len(now)-1]) // a page that does not go is the session's to end
}
