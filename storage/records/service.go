package records

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/keyset"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/storage"
)

// Service manages stores and what is in them. Every method acts for the caller's
// project, whose stores are the only ones there are for it, and may also fail with
// Unauthenticated where the host requires a project and the context has none.
//
// A store is named by its id, or by its name as "~name" or "username~name". Of
// what is not there the error is of kind NotFound and has the type
// [errtypes.TypeRecordNotFound].
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// Create makes a store, or returns the one with that name; created says
	// which. Error kind Invalid.
	Create(ctx context.Context, kind Kind, n New) (s Store, created bool, err error)
	// Get returns a store. Error kind NotFound.
	Get(ctx context.Context, kind Kind, store string) (Store, error)
	// List returns a page of the stores of a kind, oldest first. Error kind
	// Invalid.
	List(ctx context.Context, kind Kind, q Query) (Page, error)
	// Update changes a store. Error kinds: NotFound, Invalid, with the type
	// [errtypes.TypeNameNotUnique] for a name that another store has.
	Update(ctx context.Context, kind Kind, store string, u Update) (Store, error)
	// Delete removes a store. It is gone at once; what a large one holds may take
	// a while to go. Error kind NotFound.
	Delete(ctx context.Context, kind Kind, store string) error
	// Signed returns a context for reading the record with a key of a store, or
	// without a key for listing its keys or items, on behalf of its project: for
	// callers who have a signature and nothing else. The store is named by its id,
	// or by its name behind that of its project. Error kinds: NotFound, Invalid with
	// the type [errtypes.TypeInvalidSignature].
	Signed(ctx context.Context, kind Kind, store, key, signature string) (context.Context, error)

	// PutRecord keeps a record, in place of one with its key. Nothing remains of
	// one that fails. Error kinds: NotFound; Invalid, with the types
	// [errtypes.TypeInvalidRecordKey], [errtypes.TypeRecordTooLarge] over
	// [Limits].MaxRecord, and [errtypes.TypeSchemaValidationError] for a content
	// type, or JSON, that the store's schema refuses; UnsupportedMediaType for a coding that
	// is not known; Unavailable; and whatever the content fails with.
	PutRecord(ctx context.Context, store string, n NewRecord) (Record, error)
	// HeadRecord returns a record without its bytes. Error kinds: NotFound,
	// Invalid for a key that none can have.
	HeadRecord(ctx context.Context, store, key string) (Record, error)
	// OpenRecord returns a record and its bytes, to read and close, in the coding
	// they are stored in if that is one of codings, and else without one. Error
	// kinds: those of HeadRecord.
	OpenRecord(ctx context.Context, store, key string, codings ...string) (io.ReadCloser, Record, error)
	// DeleteRecord removes a record. It is no error where there is none. Error
	// kinds: NotFound for the store, Invalid.
	DeleteRecord(ctx context.Context, store, key string) error
	// Keys returns a page of the keys of a store, in byte order. Error kinds:
	// NotFound; Invalid, with the type [errtypes.TypeInvalidCollection] for a
	// collection that the store's schema does not have.
	Keys(ctx context.Context, store string, q KeysQuery) (KeysPage, error)

	// Push appends items to a dataset, all of them or none: an object, or an array
	// of objects, which may also be the texts of strings. The order of members and
	// the digits of numbers stay. Error kinds: NotFound; TooLarge over
	// [Limits].MaxPush; Invalid, with the type [errtypes.TypeInvalidInput], or
	// [errtypes.TypeSchemaValidationError] and [*InvalidItems] as its cause;
	// Unavailable.
	Push(ctx context.Context, dataset string, items []byte) error
	// Items returns items of a dataset, which are read as they are asked for. Error
	// kinds: NotFound; Invalid, with the type
	// [errtypes.TypeRequestedDatasetViewDoesNotExist] for a view that there is not.
	Items(ctx context.Context, dataset string, q ItemsQuery) (*Items, error)
	// Statistics returns what the values of each field come to; none for a dataset
	// without a schema. Error kind NotFound.
	Statistics(ctx context.Context, dataset string) (map[string]FieldStatistics, error)

	// AddRequest adds a request, a JSON object with a url, to the end of a queue or
	// before its head; see AddRequests.
	AddRequest(ctx context.Context, queue string, request json.RawMessage, forefront bool, c Client) (Added, error)
	// AddRequests adds up to [MaxBatch] requests, all or none. Of a request whose
	// unique key is there nothing changes. Members other than id, url, uniqueKey,
	// method, retryCount and handledAt are kept as they are. Without a unique key
	// it is the url. Error kinds: NotFound; Invalid, with the types
	// [errtypes.TypeInvalidRequest] and [errtypes.TypeInvalidClientKey]; TooLarge
	// over [Limits].MaxRequest; Unavailable.
	AddRequests(ctx context.Context, queue string, requests []json.RawMessage, forefront bool, c Client) ([]Added, error)
	// GetRequest returns a request. Error kind NotFound.
	GetRequest(ctx context.Context, queue, id string) (Request, error)
	// UpdateRequest puts a request in place of that with the id, or adds it. With
	// handledAt it is handled from then on; without, it goes back to the end of the
	// queue, or before its head, unless another client has a lock on it. Error
	// kinds: those of AddRequests, Invalid with the type
	// [errtypes.TypeRequestIdInvalid] for a unique key that has another id.
	UpdateRequest(ctx context.Context, queue, id string, request json.RawMessage, forefront bool, c Client) (Added, error)
	// DeleteRequest removes a request. It is no error where there is none. Error
	// kinds: NotFound for the queue, Invalid.
	DeleteRequest(ctx context.Context, queue, id string, c Client) error
	// DeleteRequests removes up to [MaxBatch] requests and returns those that are
	// gone now, also such as were not there. Error kinds: NotFound for the queue,
	// Invalid with the type [errtypes.TypeInvalidRequest].
	DeleteRequests(ctx context.Context, queue string, requests []Removed, c Client) ([]Removed, error)
	// Requests returns a page of the requests of a queue. Error kinds: NotFound,
	// Invalid.
	Requests(ctx context.Context, queue string, q RequestsQuery) (RequestsPage, error)
	// Head returns the first requests that are not handled, locked ones too: 100
	// without a limit, and at most 1000. Error kinds: NotFound, Invalid.
	Head(ctx context.Context, queue string, limit int, c Client) (Head, error)
	// LockHead locks the first requests that are neither handled nor locked, and
	// returns them: at most, and without a limit, [MaxBatch]. A lock hides them from
	// other calls until it expires; they stand behind what was added until then,
	// or, if they came from the forefront, before it. Error kinds: NotFound,
	// Invalid.
	LockHead(ctx context.Context, queue string, limit int, lockFor time.Duration, c Client) (Head, error)
	// Prolong lets a lock of this client end in lockFor from now, and returns when;
	// forefront puts the request before all others if it expires. Error kinds:
	// NotFound; Invalid, with the type [errtypes.TypeRequestHandledOrLocked] where
	// the client has no lock.
	Prolong(ctx context.Context, queue, id string, lockFor time.Duration, forefront bool, c Client) (time.Time, error)
	// Unlock ends a lock of this client and puts the request to the end of the
	// queue, or before its head. It is no error where there is no lock. Error kinds:
	// those of Prolong.
	Unlock(ctx context.Context, queue, id string, forefront bool, c Client) error
	// UnlockAll ends all locks of this client in a queue, as if they expired, and
	// returns how many there were. Error kinds: NotFound, Invalid.
	UnlockAll(ctx context.Context, queue string, c Client) (int64, error)
	// FreeLocks ends all locks of a run in all queues, as if they expired, in the
	// transaction that ends its process. It returns how many there were.
	FreeLocks(ctx context.Context, tx *storage.Tx, runID string) (int64, error)
	// CheckSchema says what is wrong with the schema of a store without a name. Error
	// kind Invalid, with the type dataset-schema-invalid where items could not be held
	// against it.
	CheckSchema(kind Kind, schema json.RawMessage) error
	// ForRun prepares the default stores of a run of an Actor, which the transaction
	// makes that makes the run; it writes what is large of the input. Error kinds:
	// those of PutRecord.
	ForRun(ctx context.Context, run NewRun) (*RunStores, error)

	// Close refuses further work, lets what is under way go on until ctx ends,
	// then ends it, and waits for it. It is idempotent.
	Close(ctx context.Context) error
}

type service struct {
	conf    Config
	signing []byte
	cursors keyset.Codec
	calls   *lifecycle.Calls
	use     *use
	known   *knownFields
	schemas *schema.Cache
}

var errClosing = errtypes.New(errtypes.Unavailable, "the service is closing")

// Open returns the service. It is closed before the database.
func Open(ctx context.Context, c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "records.Open")
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &service{
		conf: c.withDefaults(), calls: lifecycle.NewCalls(errClosing),
		known: &knownFields{by: map[string]map[string]struct{}{}}, schemas: schema.NewCache(schema.CacheOptions{Options: schema.Options{Draft: schema.Draft7}}),
	}
	if s.signing, err = c.DB.SecretKey(ctx, "records"); err != nil {
		return nil, err
	}
	s.cursors = keyset.New(s.signing)
	s.use = newUse(s)
	s.keep()
	return s, nil
}

func (s *service) Close(ctx context.Context) error {
	s.calls.Close(ctx)
	return s.use.close(ctx)
}

// now is the time in Unix milliseconds.
func (s *service) now() int64 { return storage.Millis(s.conf.Clock.Now()) }

// ref finds out whom a call acts for and which store it names.
func (s *service) ref(ctx context.Context, kind Kind, store string) (ref, error) {
	project, err := s.conf.Projects.Current(ctx)
	if err != nil {
		return ref{}, err
	}
	return refOf(project, kind, store)
}

// dropBlobs deletes blobs that no row names any more, even for a caller that has
// gone. One that stays is swept, so that it is no error of the caller's.
func (s *service) dropBlobs(ctx context.Context, keys ...string) {
	for _, key := range keys {
		if key == "" {
			continue
		}
		if err := s.conf.Blobs.Delete(context.WithoutCancel(ctx), key); err != nil {
			s.conf.Logger.Warn("records: a file cannot be deleted; it is tried again later", "error", err)
		}
	}
}
