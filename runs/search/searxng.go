package search

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// SearXNG is a SearXNG of the host's. Its settings must have json among
// search.formats, which they have not by themselves.
type SearXNG struct {
	// URL is where it is, without "/search". A user and password in it are sent.
	// Required.
	URL string
	// Language, such as "en" or "de-CH", and Categories, such as "general,news".
	// Default: those of its settings.
	Language, Categories string
	// Connection is how it is asked.
	Connection Connection
}

// New returns a Searcher. It makes no connection. Error kind Invalid.
func (s SearXNG) New() (_ Searcher, err error) {
	defer errtypes.Wrap(&err, "search.SearXNG")
	c, err := newClient(s.URL, s.Connection)
	if err != nil {
		return nil, err
	}
	c.explain = func(status int, _ http.Header) string {
		if status == http.StatusForbidden {
			return `JSON is not among its formats; put "json" under search.formats in its settings.yml`
		}
		return ""
	}
	return searxng{c, s}, nil
}

type searxng struct {
	*client
	conf SearXNG
}

// Search implements [Searcher].
func (s searxng) Search(ctx context.Context, q Query) ([]Result, error) {
	query := url.Values{"q": {q.Text}, "format": {"json"}}
	for name, value := range map[string]string{"language": s.conf.Language, "categories": s.conf.Categories} {
		if value != "" {
			query.Set(name, value)
		}
	}
	var answer struct {
		Results *[]struct{ Title, URL, Content string }
		// Unresponsive has a pair of the engine and the reason for each.
		Unresponsive [][]json.RawMessage `json:"unresponsive_engines"`
	}
	if err := s.get(ctx, "search", query, &answer); err != nil {
		return nil, err
	}
	if answer.Results == nil {
		return nil, s.failed("answers with what is no JSON of a search")
	}
	var all []Result
	for _, r := range *answer.Results {
		all = append(all, Result{r.Title, r.URL, r.Content})
	}
	results := kept(all, q.Count)
	if len(results) == 0 && len(answer.Unresponsive) > 0 {
		return nil, s.failed("has asked engines that do not answer: %s", engines(answer.Unresponsive))
	}
	return results, nil
}

// engines are those that did not answer, with their reasons.
func engines(all [][]json.RawMessage) string {
	var each []string
	for _, pair := range all[:min(len(all), 10)] {
		var words []string
		for _, raw := range pair {
			var word string
			if json.Unmarshal(raw, &word) == nil && word != "" {
				words = append(words, plainText(word, 80))
			}
		}
		each = append(each, strings.Join(words, " (")+strings.Repeat(")", max(len(words)-1, 0)))
	}
	return strings.Join(each, ", ")
}
