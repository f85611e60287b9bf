package records

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/records/internal/rawjson"
)

// Client is who uses a request queue. A lock belongs to the key and to the run of
// the client that took it: who has either may prolong and end it.
type Client struct {
	// Key is up to 32 characters that the client has chosen. Each call without one
	// counts as another client. Default none.
	Key string
	// RunID is the run that the call comes from. Default none.
	RunID string
}

// maxClientKey is the longest key, in characters.
const maxClientKey = 32

func (c Client) check() error {
	if !utf8.ValidString(c.Key) || utf8.RuneCountInString(c.Key) > maxClientKey {
		return errtypes.OfType(errtypes.TypeInvalidClientKey, "clientKey must be 1 to %d characters", maxClientKey)
	}
	return checkText("runId", c.RunID)
}

// Request is a request of a queue.
type Request struct {
	// ID follows from UniqueKey: see [RequestID].
	ID string
	// UniqueKey is what there is one request of in a queue.
	UniqueKey string
	// URL, and Method, "GET" unless something else was given.
	URL, Method string
	// RetryCount as it was given.
	RetryCount int64
	// HandledAt is zero until the request is handled.
	HandledAt time.Time
	// LockedUntil is zero without a lock.
	LockedUntil time.Time
	// LockedBy is the key of the client that has the lock.
	LockedBy string
	// JSON is the whole object as it was given, with its id. The heads of queues
	// leave it out.
	JSON json.RawMessage
}

// Added says what became of a request that was added or updated.
type Added struct {
	// ID and UniqueKey of the request.
	ID, UniqueKey string
	// WasPresent says that it was there before, WasHandled that it was handled
	// then.
	WasPresent, WasHandled bool
}

// Removed is a request that is to be deleted, by its id or its unique key.
type Removed struct{ ID, UniqueKey string }

// MaxBatch is how many requests one call may add or delete, and lock.
const MaxBatch = 25

// RequestsQuery selects a page of the requests of a queue, in no order that means
// anything.
type RequestsQuery struct {
	// Limit is the size of the page, of which large requests may make it fall
	// short. Default, and for more, 10,000.
	Limit int
	// Cursor is the Next of the page before. Default the first page.
	Cursor string
	// After is the id behind which the page begins. It goes with neither Cursor
	// nor a filter. Default none.
	After string
	// Locked selects requests that have a lock, Pending those that are neither
	// handled nor have one. Default all requests.
	Locked, Pending bool
}

// RequestsPage is one page of requests.
type RequestsPage struct {
	// Requests is never nil.
	Requests []Request
	// RequestsQuery is the one asked for, the default filled in.
	RequestsQuery
	// Next is the Cursor of the next page; empty if this is the last.
	Next string
}

// Head is the beginning of a queue.
type Head struct {
	// Requests, those first that come first; never nil. They have no JSON.
	Requests []Request
	// Limit is the one asked for, the default filled in.
	Limit int
	// ModifiedAt is when the queue last changed.
	ModifiedAt time.Time
	// HadMultipleClients says that more than one client has used the queue.
	HadMultipleClients bool
	// HasLocked says of a head that was locked whether any request of the queue
	// has a lock, this client's ones among them.
	HasLocked bool
}

// RequestID is the id of the request with that unique key.
func RequestID(uniqueKey string) string {
	sum := sha256.Sum256([]byte(uniqueKey))
	id := strings.NewReplacer("+", "", "/", "", "=", "").Replace(base64.StdEncoding.EncodeToString(sum[:]))
	return id[:min(15, len(id))]
}

// NewRequest is the JSON of a GET request to an address.
func NewRequest(url string) json.RawMessage {
	return rawjson.AppendObject(nil, []rawjson.Member{{Name: "url", Value: rawjson.AppendText(nil, url)}})
}
