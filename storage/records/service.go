package records

import (
	"context"
	"io"

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
	// Signed returns a context for reading the record with a key of the store
	// with that id, or without a key for listing its keys or items, on behalf of
	// its project: for callers who have a signature and nothing else. Error kinds:
	// NotFound, Invalid with the type [errtypes.TypeInvalidSignature].
	Signed(ctx context.Context, kind Kind, id, key, signature string) (context.Context, error)

	// PutRecord keeps a record, in place of one with its key. Nothing remains of
	// one that fails. Error kinds: NotFound; Invalid, with the types
	// [errtypes.TypeInvalidRecordKey], [errtypes.TypeRecordTooLarge] over
	// [Limits].MaxRecord, and [errtypes.TypeSchemaValidationError] for a content
	// type that the store's schema refuses; UnsupportedMediaType for a coding that
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
