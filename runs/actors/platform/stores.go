package platform

import (
	"slices"

	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
)

// storePaths are where the stores of each kind are.
var storePaths = map[records.Kind]string{
	records.Dataset: "/v2/datasets", records.KeyValueStore: "/v2/key-value-stores", records.RequestQueue: "/v2/request-queues",
}

// storeRoutes are what the stores of all kinds have in common (wire-v2-stores, 1).
func storeRoutes(kind records.Kind) []Route {
	all := storePaths[kind]
	one := all + "/{storeId}"
	return slices.Concat(
		[]Route{{Method: "GET", Pattern: all, call: listStores(kind)}},
		open(anybody, Route{Method: "POST", Pattern: all, call: createStore(kind)}),
		open(ofStore(kind),
			Route{Method: "GET", Pattern: one, call: getStore(kind)},
			Route{Method: "PUT", Pattern: one, call: updateStore(kind)},
			Route{Method: "DELETE", Pattern: one, call: deleteStore(kind)},
		),
	)
}

// ownerships are those that a list may ask for. Nobody shares stores here.
const ownedByMe, sharedWithMe = "ownedByMe", "sharedWithMe"

func listStores(kind records.Kind) call {
	return func(x *exchange) (answer, error) {
		q := x.Query()
		offset, limit, desc := pageIn(q)
		shared := q.OneOf("ownership", ownedByMe, sharedWithMe) == sharedWithMe
		asked := records.Query{Offset: offset, Limit: limit, Desc: desc, Unnamed: q.Flag("unnamed")}
		if err := q.Err(); err != nil {
			return answer{}, err
		}
		page, err := x.Records.List(x.R.Context(), kind, asked)
		if shared {
			page.Stores, page.Total = nil, 0
		}
		items := api.Each(page.Stores, x.storeOut)
		return data(storesJSON{pageJSON[any]{page.Total, page.Offset, page.Limit, page.Desc, len(items), items}, page.Unnamed}), err
	}
}

// storesJSON is a page of stores.
type storesJSON struct {
	pageJSON[any]
	Unnamed bool `json:"unnamed"`
}

func createStore(kind records.Kind) call {
	return func(x *exchange) (answer, error) {
		q := x.Query()
		run, _ := actors.CallerFrom(x.R.Context())
		n := records.New{Name: q.String("name"), ActID: run.ActorID, ActRunID: run.RunID}
		_, err := x.OptionalBody(strictjson.Open(strictjson.Fields{
			"schema": strictjson.RawObject(&n.Schema), "title": strictjson.String(&n.Title), "generalAccess": strictjson.OneOf(&n.GeneralAccess, records.GeneralAccesses...),
		}))
		if err == nil {
			err = q.Err()
		}
		if err != nil {
			return answer{}, err
		}
		s, created, err := x.Records.Create(x.R.Context(), kind, n)
		if _, limited := limitedRun(x.R.Context()); limited && !created && err == nil {
			err = x.mayUse(run, s)
		}
		if !created || err != nil {
			return data(x.storeOut(s)), err
		}
		x.W.Header().Set("Location", x.storeURL(s))
		return api.Created(dataOf(x.storeOut(s))), nil
	}
}

func getStore(kind records.Kind) call {
	return func(x *exchange) (answer, error) {
		s, err := x.Records.Get(x.R.Context(), kind, x.Path("storeId"))
		return data(x.storeOut(s)), err
	}
}

func updateStore(kind records.Kind) call {
	return func(x *exchange) (answer, error) {
		var u records.Update
		if _, err := x.OptionalBody(strictjson.Open(strictjson.Fields{
			"name":          strictjson.OrNull(strictjson.StringPtr(&u.Name), func() { u.Name = new("") }),
			"title":         strictjson.OrNull(strictjson.StringPtr(&u.Title), func() { u.Title = new("") }),
			"generalAccess": strictjson.StringPtr(&u.GeneralAccess),
		})); err != nil {
			return answer{}, err
		}
		s, err := x.Records.Update(x.R.Context(), kind, x.Path("storeId"), u)
		return data(x.storeOut(s)), err
	}
}

func deleteStore(kind records.Kind) call {
	return func(x *exchange) (answer, error) {
		return api.NoContent(), x.Records.Delete(x.R.Context(), kind, x.Path("storeId"))
	}
}
