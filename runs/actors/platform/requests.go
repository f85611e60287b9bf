package platform

import (
	"encoding/json"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/records"
)

const oneRequest = "/v2/request-queues/{storeId}/requests/{requestId}"

// queueRoutes are what only request queues have (wire-v2-stores, 4).
var queueRoutes = open(ofStore(records.RequestQueue),
	Route{Method: "GET", Pattern: "/v2/request-queues/{storeId}/requests", call: listRequests, Rate: Busy},
	Route{Method: "POST", Pattern: "/v2/request-queues/{storeId}/requests", call: addRequest, Rate: Busy},
	Route{Method: "POST", Pattern: "/v2/request-queues/{storeId}/requests/batch", call: addRequests, Rate: Busy},
	Route{Method: "DELETE", Pattern: "/v2/request-queues/{storeId}/requests/batch", call: deleteRequests, Rate: Busy},
	Route{Method: "POST", Pattern: "/v2/request-queues/{storeId}/requests/unlock", call: unlockRequests, Rate: Busy},
	Route{Method: "GET", Pattern: oneRequest, call: getRequest, Rate: Busy},
	Route{Method: "PUT", Pattern: oneRequest, call: updateRequest, Rate: Busy},
	Route{Method: "DELETE", Pattern: oneRequest, call: deleteRequest, Rate: Busy},
	Route{Method: "PUT", Pattern: oneRequest + "/lock", call: prolongLock, Rate: Busy},
	Route{Method: "DELETE", Pattern: oneRequest + "/lock", call: deleteLock, Rate: Busy},
	Route{Method: "GET", Pattern: "/v2/request-queues/{storeId}/head", call: getHead},
	Route{Method: "POST", Pattern: "/v2/request-queues/{storeId}/head/lock", call: lockHead},
)

// asked are the parameters of operations on requests, of which none has all.
type asked struct {
	client    records.Client
	forefront bool
}

func (x *exchange) asked() (asked, error) {
	q := x.Query()
	return asked{x.client(q.String("clientKey")), q.Flag("forefront")}, q.Err()
}

type addedJSON struct {
	RequestID  string `json:"requestId"`
	UniqueKey  string `json:"uniqueKey,omitempty"`
	WasPresent bool   `json:"wasAlreadyPresent"`
	WasHandled bool   `json:"wasAlreadyHandled"`
}

func addedOut(a records.Added) addedJSON {
	return addedJSON{a.ID, a.UniqueKey, a.WasPresent, a.WasHandled}
}

// addedOne is the answer to a call for one request, which has said the unique key.
func addedOne(a records.Added) any {
	a.UniqueKey = ""
	return dataOf(addedOut(a))
}

// batchJSON is what became of a batch. There is nothing that would be left over: it
// is done as a whole, or not at all.
type batchJSON[T any] struct {
	Processed   []T   `json:"processedRequests"`
	Unprocessed []any `json:"unprocessedRequests"`
}

func batchOf[T any](all []T) batchJSON[T] { return batchJSON[T]{all, []any{}} }

func addRequest(x *exchange) (answer, error) {
	p, err := x.asked()
	if err != nil {
		return answer{}, err
	}
	body, err := x.JSON()
	if err != nil {
		return answer{}, err
	}
	added, err := x.Records.AddRequest(x.R.Context(), x.Path("storeId"), body, p.forefront, p.client)
	return api.Created(addedOne(added)), err
}

func addRequests(x *exchange) (answer, error) {
	p, err := x.asked()
	if err != nil {
		return answer{}, err
	}
	all, err := x.batch()
	if err != nil {
		return answer{}, err
	}
	added, err := x.Records.AddRequests(x.R.Context(), x.Path("storeId"), all, p.forefront, p.client)
	return api.Created(dataOf(batchOf(api.Each(added, addedOut)))), err
}

// batch are the elements of a body, as they are: the texts of a crawler need not be
// valid Unicode.
func (x *exchange) batch() (all []json.RawMessage, err error) {
	body, err := x.JSON()
	if err == nil && json.Unmarshal(body, &all) != nil {
		err = errtypes.OfType(errtypes.TypeInvalidRequest, "the body must be an array of requests in JSON")
	}
	return all, err
}

// removedJSON is a request that is to be deleted, by one or the other.
type removedJSON struct {
	ID        string `json:"id,omitempty"`
	UniqueKey string `json:"uniqueKey,omitempty"`
}

func deleteRequests(x *exchange) (answer, error) {
	p, err := x.asked()
	if err != nil {
		return answer{}, err
	}
	var all []records.Removed
	if err := x.Body(strictjson.Array(func(_ int, read func(strictjson.Value) error) error {
		var r records.Removed
		err := read(strictjson.Open(strictjson.Fields{"id": strictjson.String(&r.ID), "uniqueKey": strictjson.String(&r.UniqueKey)}))
		all = append(all, r)
		return err
	})); err != nil {
		return answer{}, err
	}
	gone, err := x.Records.DeleteRequests(x.R.Context(), x.Path("storeId"), all, p.client)
	return data(batchOf(api.Each(gone, func(r records.Removed) removedJSON { return removedJSON(r) }))), err
}

func getRequest(x *exchange) (answer, error) {
	r, err := x.Records.GetRequest(x.R.Context(), x.Path("storeId"), x.Path("requestId"))
	return data(r.JSON), err
}

func updateRequest(x *exchange) (answer, error) {
	p, err := x.asked()
	if err != nil {
		return answer{}, err
	}
	body, err := x.JSON()
	if err != nil {
		return answer{}, err
	}
	added, err := x.Records.UpdateRequest(x.R.Context(), x.Path("storeId"), x.Path("requestId"), body, p.forefront, p.client)
	return api.OK(addedOne(added)), err
}

func deleteRequest(x *exchange) (answer, error) {
	p, err := x.asked()
	if err == nil {
		err = x.Records.DeleteRequest(x.R.Context(), x.Path("storeId"), x.Path("requestId"), p.client)
	}
	return api.NoContent(), err
}

type requestsJSON struct {
	Items      []json.RawMessage `json:"items"`
	Limit      int               `json:"limit"`
	Cursor     string            `json:"cursor,omitempty"`
	NextCursor string            `json:"nextCursor,omitempty"`
	After      string            `json:"exclusiveStartId,omitempty"`
}

func listRequests(x *exchange) (answer, error) {
	q := x.Query()
	asked := records.RequestsQuery{Limit: q.Int("limit", 0, most), Cursor: q.String("cursor"), After: q.String("exclusiveStartId")}
	for _, filter := range q.List("filter", "locked", "pending") {
		asked.Locked, asked.Pending = asked.Locked || filter == "locked", asked.Pending || filter == "pending"
	}
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	page, err := x.Records.Requests(x.R.Context(), x.Path("storeId"), asked)
	items := api.Each(page.Requests, func(r records.Request) json.RawMessage { return r.JSON })
	return data(requestsJSON{items, page.Limit, page.Cursor, page.Next, page.After}), err
}
