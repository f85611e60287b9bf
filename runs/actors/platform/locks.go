package platform

import (
	"time"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/storage/records"
)

// headJSON is the beginning of a queue.
type headJSON struct {
	Limit              int               `json:"limit"`
	ModifiedAt         api.Time          `json:"queueModifiedAt"`
	HadMultipleClients bool              `json:"hadMultipleClients"`
	Items              []headRequestJSON `json:"items"`
}

type headRequestJSON struct {
	ID            string    `json:"id"`
	UniqueKey     string    `json:"uniqueKey"`
	URL           string    `json:"url"`
	Method        string    `json:"method"`
	RetryCount    int64     `json:"retryCount"`
	LockExpiresAt *api.Time `json:"lockExpiresAt,omitempty"`
}

func headOut(h records.Head, locked bool) headJSON {
	return headJSON{h.Limit, api.Time(h.ModifiedAt), h.HadMultipleClients, api.Each(h.Requests, func(r records.Request) headRequestJSON {
		out := headRequestJSON{ID: r.ID, UniqueKey: r.UniqueKey, URL: r.URL, Method: r.Method, RetryCount: r.RetryCount}
		if locked {
			out.LockExpiresAt = api.OptionalTime(r.LockedUntil)
		}
		return out
	})}
}

func getHead(x *exchange) (answer, error) {
	q := x.Query()
	limit, client := q.Int("limit", 0, most), x.client(q.String("clientKey"))
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	h, err := x.Records.Head(x.R.Context(), x.Path("storeId"), limit, client)
	return data(headOut(h, false)), err
}

// lockedHeadJSON is a head whose requests are locked for the caller.
type lockedHeadJSON struct {
	headJSON
	LockSecs  float64 `json:"lockSecs"`
	ClientKey *string `json:"clientKey"`
	HasLocked bool    `json:"queueHasLockedRequests"`
}

func lockHead(x *exchange) (answer, error) {
	q := x.Query()
	limit, lockFor, client := q.Int("limit", 0, most), lockIn(q), x.client(q.String("clientKey"))
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	h, err := x.Records.LockHead(x.R.Context(), x.Path("storeId"), limit, lockFor, client)
	return api.Created(dataOf(lockedHeadJSON{headOut(h, true), lockFor.Seconds(), api.OrNull(client.Key), h.HasLocked})), err
}

// lockIn is how long a lock is to be: seconds, which clients may count in parts.
func lockIn(q *request.Query) time.Duration {
	const longest = 1e9 // seconds, which a duration can hold
	secs, _ := q.Number("lockSecs")
	return time.Duration(min(secs, longest) * float64(time.Second))
}

func prolongLock(x *exchange) (answer, error) {
	q := x.Query()
	lockFor, forefront, client := lockIn(q), q.Flag("forefront"), x.client(q.String("clientKey"))
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	until, err := x.Records.Prolong(x.R.Context(), x.Path("storeId"), x.Path("requestId"), lockFor, forefront, client)
	return data(map[string]api.Time{"lockExpiresAt": api.Time(until)}), err
}

func deleteLock(x *exchange) (answer, error) {
	p, err := x.asked()
	if err == nil {
		err = x.Records.Unlock(x.R.Context(), x.Path("storeId"), x.Path("requestId"), p.forefront, p.client)
	}
	return api.NoContent(), err
}

func unlockRequests(x *exchange) (answer, error) {
	p, err := x.asked()
	if err != nil {
		return answer{}, err
	}
	n, err := x.Records.UnlockAll(x.R.Context(), x.Path("storeId"), p.client)
	return data(map[string]int64{"unlockedCount": n}), err
}
