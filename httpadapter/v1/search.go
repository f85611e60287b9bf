package v1

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/search"
)

// Bounds of a search: at least what the hosted service's clients may ask for.
const (
	maxSearchQuery  = 400 // characters
	maxSearchCount  = 25
	defaultSearched = 10
)

type searchJSON struct {
	RequestID string      `json:"requestId"`
	Query     string      `json:"query"`
	Results   []foundJSON `json:"results"`
}

// foundJSON is a thing that was found. Its address is what tells it from others. Snippet
// is an addition.
type foundJSON struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	Snippet string `json:"snippet,omitempty"`
}

// searchWeb searches with what agents search with, which may find fewer than are asked
// for, and no more than [search.MaxCount].
func searchWeb(x *exchange) (answer, error) {
	var query string
	count := defaultSearched
	if err := x.Body(strictjson.Open(strictjson.Fields{
		"query": strictjson.Text(&query), "numResults": strictjson.Int(&count, 1, maxSearchCount),
	}, "query")); err != nil {
		return answer{}, err
	}
	text := strings.Join(strings.Fields(query), " ")
	if text == "" || utf8.RuneCountInString(text) > maxSearchQuery {
		return answer{}, errtypes.Field("query", "must have words, in at most %d characters", maxSearchQuery)
	}
	if x.Search == search.Off {
		return answer{}, errtypes.New(errtypes.Forbidden, "searching the web is switched off on this server")
	}
	found, err := x.Search.Search(x.R.Context(), search.Query{Text: text, Count: min(count, search.MaxCount)})
	if err != nil {
		return answer{}, err
	}
	return api.OK(searchJSON{cmp.Or(x.W.Header().Get("X-Request-Id"), ids.New()), query, api.Each(found, func(r search.Result) foundJSON {
		return foundJSON{r.URL, r.URL, r.Title, r.Snippet}
	})}), nil
}
