package search

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// BraveBase is where Brave's service is.
const BraveBase = "https://api.search.brave.com"

// Brave is the search service of Brave.
type Brave struct {
	// Key is that of an account. It is in no error and no log. Required.
	Key string
	// URL is what "/res/v1/web/search" is below. Default [BraveBase].
	URL string
	// Country, such as "DE", and Language, such as "de". Default: the service's.
	Country, Language string
	// Connection is how it is asked.
	Connection Connection
}

// New returns a Searcher. It makes no connection. Error kind Invalid.
func (b Brave) New() (_ Searcher, err error) {
	defer errtypes.Wrap(&err, "search.Brave")
	if b.Key = strings.TrimSpace(b.Key); b.Key == "" || strings.ContainsAny(b.Key, "\r\n") {
		return nil, errtypes.Field("Key", "is required, in one line")
	}
	c, err := newClient(cmp.Or(b.URL, BraveBase), b.Connection)
	if err != nil {
		return nil, err
	}
	c.header, c.secret = map[string]string{"X-Subscription-Token": b.Key}, b.Key
	c.explain = explainBrave
	return brave{c, b}, nil
}

// explainBrave is what a status means where the words of HTTP do not say it. The
// service tells in a list how much is left of each limit, the long ones last.
func explainBrave(status int, h http.Header) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "it does not take the key"
	case http.StatusUnprocessableEntity:
		return "it does not take the key, or the query"
	case http.StatusTooManyRequests:
		if seconds, ok := quotaGone(h); ok {
			return "the quota of the key is used up for " + seconds + " seconds"
		}
		if first, _, _ := strings.Cut(h.Get("X-RateLimit-Reset"), ","); h.Get("Retry-After") == "" && first != "" {
			h.Set("Retry-After", strings.TrimSpace(first))
		}
	}
	return ""
}

// quotaGone reports that the last limit, that of the longest time, is reached, and
// for how long. A limit of 0 is none.
func quotaGone(h http.Header) (seconds string, ok bool) {
	last := func(name string) string {
		all := strings.Split(h.Get(name), ",")
		return strings.TrimSpace(all[len(all)-1])
	}
	if !strings.Contains(h.Get("X-RateLimit-Limit"), ",") || last("X-RateLimit-Limit") == "0" || last("X-RateLimit-Remaining") != "0" {
		return "", false
	}
	n, err := strconv.ParseUint(last("X-RateLimit-Reset"), 10, 32)
	return strconv.FormatUint(n, 10), err == nil
}

type brave struct {
	*client
	conf Brave
}

// Search implements [Searcher].
func (b brave) Search(ctx context.Context, q Query) ([]Result, error) {
	query := url.Values{"q": {q.Text}, "count": {strconv.Itoa(q.Count)}, "text_decorations": {"false"}}
	for name, value := range map[string]string{"country": b.conf.Country, "search_lang": b.conf.Language} {
		if value != "" {
			query.Set(name, value)
		}
	}
	var answer struct {
		Type string
		Web  struct {
			Results []struct{ Title, URL, Description string }
		}
	}
	if err := b.get(ctx, "res/v1/web/search", query, &answer); err != nil {
		return nil, err
	}
	if answer.Type != "search" && len(answer.Web.Results) == 0 {
		return nil, b.failed("answers with what is no JSON of a search")
	}
	var all []Result
	for _, r := range answer.Web.Results {
		all = append(all, Result{r.Title, r.URL, r.Description})
	}
	return kept(all, q.Count), nil
}
