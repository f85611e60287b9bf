package platform

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/runs/actors"
)

// publicRoutes are what the hosted service offers to everybody: here the Actors of the
// host, which every project has, and those of its own that the project calls public.
var publicRoutes = []Route{{Method: "GET", Pattern: "/v2/store", call: listPublic}}

// publicItemJSON is an Actor that is offered. There is nothing to pay for one that says
// nothing of prices.
type publicItemJSON struct {
	ID             string         `json:"id"`
	Name           string         `json:"name"`
	Username       string         `json:"username"`
	UserFullName   string         `json:"userFullName"`
	Title          string         `json:"title"`
	Description    string         `json:"description"`
	Categories     []string       `json:"categories"`
	Stats          actorStatsJSON `json:"stats"`
	CurrentPricing *pricingJSON   `json:"currentPricingInfo"`
	URL            string         `json:"url"`
}

// publicOrders are how what is offered may be sorted. All are as relevant, and so in the
// order of their creation; popular is what has been run more often.
var publicOrders = map[string]func(a, b actors.Actor) int{
	"relevance": func(a, b actors.Actor) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Name, b.Name))
	},
	"popularity": func(a, b actors.Actor) int { return cmp.Compare(b.Stats.Runs, a.Stats.Runs) },
	"newest":     func(a, b actors.Actor) int { return b.CreatedAt.Compare(a.CreatedAt) },
	"lastUpdate": func(a, b actors.Actor) int { return b.ModifiedAt.Compare(a.ModifiedAt) },
}

// publicQuery selects of what is offered.
type publicQuery struct {
	offset, limit                    int
	desc                             bool
	search, category, username, sort string
	model                            actors.PricingModel
}

func publicIn(q *request.Query) (p publicQuery) {
	p.offset, p.limit, p.desc = pageIn(q)
	p.search, p.category, p.username = q.String("search"), q.String("category"), q.String("username")
	p.sort = q.OneOf("sortBy", "relevance", "popularity", "newest", "lastUpdate")
	p.model = actors.PricingModel(q.OneOf("pricingModel", "FREE", "FLAT_PRICE_PER_MONTH", "PRICE_PER_DATASET_ITEM", "PAY_PER_EVENT"))
	if p.limit = min(p.limit, maxPage); p.limit == 0 {
		p.limit = maxPage
	}
	return p
}

func listPublic(x *exchange) (answer, error) {
	q := x.Query()
	p := publicIn(q)
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	all, err := x.public(x.R.Context())
	if err != nil {
		return answer{}, err
	}
	all = slices.DeleteFunc(all, func(a actors.Actor) bool { return !x.selects(p, a) })
	slices.SortStableFunc(all, publicOrders[cmp.Or(p.sort, "relevance")])
	if p.desc {
		slices.Reverse(all)
	}
	from := min(p.offset, len(all))
	page := api.Each(all[from:min(from+p.limit, len(all))], x.publicItem)
	return data(pageJSON[publicItemJSON]{len(all), p.offset, p.limit, p.desc, len(page), page}), nil
}

// public are the Actors that are offered, oldest first.
func (x *exchange) public(ctx context.Context) (all []actors.Actor, err error) {
	for f := (actors.Filter{Limit: maxPage}); ; f.Offset += f.Limit {
		l, err := x.Actors.Actors(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, a := range l.Items {
			if a.Registered || a.Public {
				all = append(all, a)
			}
		}
		if f.Offset+len(l.Items) >= l.Total || len(l.Items) == 0 {
			return all, nil
		}
	}
}

// selects reports whether a query is for an Actor. A search finds what has its words in
// its name, title or description, whatever the case.
func (x *exchange) selects(p publicQuery, a actors.Actor) bool {
	text := strings.ToLower(strings.Join([]string{a.Name, a.Title, a.Description, x.user().Username}, " "))
	for word := range strings.FieldsSeq(strings.ToLower(p.search)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	switch {
	case p.username != "" && p.username != x.user().Username,
		p.category != "" && !slices.ContainsFunc(a.Categories, func(c string) bool { return strings.EqualFold(c, p.category) }),
		p.model != "" && p.model != a.PricingAt(x.opts.Clock.Now()).Model:
		return false
	}
	return true
}

func (x *exchange) publicItem(a actors.Actor) publicItemJSON {
	return publicItemJSON{
		ID: a.ID, Name: a.Name, Username: x.user().Username, UserFullName: x.user().Name, Title: cmp.Or(a.Title, a.Name), Description: a.Description,
		Categories: api.Each(a.Categories, func(c string) string { return c }), Stats: x.actorStats(a.Stats),
		CurrentPricing: pricingOut(a.PricingAt(x.opts.Clock.Now())), URL: x.Base() + "/v2/actors/" + a.ID,
	}
}
