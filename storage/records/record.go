// Package records keeps what jobs read and write: key-value stores, datasets and
// request queues, named and unnamed.
//
// A key-value store has records under keys, each with a content type. A dataset is
// a growing table: items are pushed to its end, read by their position in the
// forms that people ask for (JSON, CSV, Excel, …), and never change. A request
// queue has addresses to visit, each once, which several consumers lock, handle
// and return.
//
// What is larger than 64 KB lies in blobs, which are written before the row that
// names them and swept when no row does. Counts are kept with each write; those of
// reads, and the time of the last use, are collected in memory and written every
// few seconds, so that a process that is killed loses a few of them.
package records

import (
	"encoding/json"
	"time"
)

// Kind is the kind of a store.
type Kind string

// The kinds of stores.
const (
	KeyValueStore Kind = "key-value-store"
	Dataset       Kind = "dataset"
	RequestQueue  Kind = "request-queue"
)

// label is the kind in messages.
func (k Kind) label() string {
	switch k {
	case KeyValueStore:
		return "Key-value store"
	case Dataset:
		return "Dataset"
	}
	return "Request queue"
}

// Store is a key-value store, a dataset or a request queue of a project.
type Store struct {
	// ID is 17 letters and digits.
	ID string
	// Kind of the store.
	Kind Kind
	// Name is unique for a project and kind, letters of either case being the
	// same; empty for an unnamed store.
	Name string
	// Title is for people. It may be empty.
	Title string
	// UserID and Username are those of the project.
	UserID, Username string
	// GeneralAccess is one of [GeneralAccesses]. It is kept and has no effect:
	// only the project's own callers and holders of signatures have access.
	GeneralAccess string
	// Schema is the one the store was made with, an object; nil without one.
	Schema json.RawMessage
	// ActID and ActRunID are the Actor and the run that made it; empty otherwise.
	ActID, ActRunID string
	// CreatedAt, ModifiedAt and AccessedAt are to the millisecond.
	CreatedAt, ModifiedAt, AccessedAt time.Time
	// ExpiresAt is when an unnamed store is deleted unless it is used before;
	// zero if it is not.
	ExpiresAt time.Time
	// Stats are counts of its use.
	Stats Stats
	// Items is how many records, items or requests there are.
	Items int64
	// CleanItems, of a dataset, is how many items have a field whose name does
	// not begin with "#".
	CleanItems int64
	// Fields, of a dataset, are the names of the fields that its items have, in
	// byte order; at most 2000. Pages of stores have nil.
	Fields []string
	// Handled and Pending, of a request queue, add up to Items.
	Handled, Pending int64
	// HadMultipleClients tells of a request queue whether more than one client has
	// used it.
	HadMultipleClients bool
	// SigningSecret is what signatures of the store are made with.
	SigningSecret string
}

// Stats count what was done with a store.
type Stats struct {
	// Reads, Writes and Deletes are of records, items and requests.
	Reads, Writes, Deletes int64
	// Lists are of keys and items; of a request queue, reads of its head.
	Lists int64
	// Bytes is what its content takes.
	Bytes int64
}

// GeneralAccesses are the values of [Store].GeneralAccess. The first is the
// default.
var GeneralAccesses = []string{"FOLLOW_USER_SETTING", "RESTRICTED", "ANYONE_WITH_ID_CAN_READ", "ANYONE_WITH_NAME_CAN_READ"}

// New is a store to make.
type New struct {
	// Name is 3 to 63 letters, digits and hyphens in between. With the name of a
	// store that is there, it is that one. Default empty: a new store without a
	// name.
	Name string
	// Title is at most 255 characters. Default empty.
	Title string
	// GeneralAccess, default the first of [GeneralAccesses].
	GeneralAccess string
	// Schema is an object. That of an unnamed dataset has JSON Schemas of the
	// items' fields in "fields", which items are validated against, and "views".
	// Default nil.
	Schema json.RawMessage
	// ActID and ActRunID are the Actor and the run that make it. Default empty.
	ActID, ActRunID string
}

// Update are the fields of a store to change. Those that are nil stay.
type Update struct {
	// Name, empty to have none.
	Name *string
	// Title is at most 255 characters.
	Title *string
	// GeneralAccess is one of [GeneralAccesses].
	GeneralAccess *string
}

// Query selects a page of stores, oldest first.
type Query struct {
	// Offset is how many are left out, from 0 up. Default 0.
	Offset int
	// Limit is the size of the page. Default, and for more, 1000.
	Limit int
	// Desc turns the order around. Default false.
	Desc bool
	// Unnamed selects stores without a name, too. Default false.
	Unnamed bool
}

// Page is one page of stores.
type Page struct {
	// Stores is never nil.
	Stores []Store
	// Total is how many the query selects on all pages.
	Total int
	// Query is the one asked for, the default filled in.
	Query
}
