package records

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/coding"
)

// Record is a record of a key-value store, without its bytes.
type Record struct {
	// Key is 1 to 256 letters, digits and characters of !-_.'().
	Key string
	// ContentType is as it was given.
	ContentType string
	// Coding is the content coding that the bytes are in: "gzip", "br", "deflate",
	// or empty for none.
	Coding string
	// Size is how many bytes it has, decoded; Stored how many as they are kept.
	Size, Stored int64
	// ModifiedAt is when it was put, to the millisecond.
	ModifiedAt time.Time
}

// Length is how many bytes its content has in the coding that it is in.
func (r Record) Length() int64 {
	if r.Coding == "" {
		return r.Size
	}
	return r.Stored
}

// NewRecord is a record to put.
type NewRecord struct {
	// Key is required: see [Record].
	Key string
	// ContentType is kept as it is, and not held against the content. Default
	// application/octet-stream.
	ContentType string
	// Coding is the content coding that Content is in, which is kept so: "gzip",
	// "br", "deflate" or "identity". Default none.
	Coding string
	// Content is read to its end. Default empty.
	Content io.Reader
}

// KeysQuery selects a page of the keys of a store, in byte order.
type KeysQuery struct {
	// Limit is the size of the page. Default, and for more, 1000.
	Limit int
	// After is the key behind which the page begins, which need not be there.
	// Default the first.
	After string
	// Prefix is what keys begin with. Default any.
	Prefix string
	// Collection is a collection of the store's schema, whose keys are selected.
	// Default all keys.
	Collection string
}

// KeysPage is one page of keys.
type KeysPage struct {
	// Store is the one whose keys they are.
	Store Store
	// Records, without their bytes; never nil.
	Records []Record
	// KeysQuery is the one asked for, the default filled in.
	KeysQuery
	// Next is the After of the next page; empty if this is the last.
	Next string
}

// octetStream is the type of bytes nobody has said more about.
const octetStream = "application/octet-stream"

var keyForm = regexp.MustCompile(`^[a-zA-Z0-9!\-_.'()]{1,256}$`)

// CheckKey refuses what cannot be the key of a record. Error kind Invalid, with the type
// invalid-record-key.
func CheckKey(key string) error {
	if !keyForm.MatchString(key) {
		return errtypes.OfType(errtypes.TypeInvalidRecordKey, "Record key contains invalid character or has no valid length: it must be 1 to 256 letters, digits and characters of !-_.'()")
	}
	return nil
}

// checked fills in the defaults.
func (n NewRecord) checked() (NewRecord, error) {
	if err := CheckKey(n.Key); err != nil {
		return n, err
	}
	if n.ContentType == "" {
		n.ContentType = octetStream
	}
	if err := checkText("contentType", n.ContentType); err != nil {
		return n, err
	}
	if n.Content == nil {
		n.Content = strings.NewReader("")
	}
	if n.Coding = strings.ToLower(n.Coding); n.Coding == "identity" {
		n.Coding = ""
	}
	if n.Coding != "" && !coding.Known(n.Coding) {
		return n, errtypes.OfType(errtypes.TypeUnsupportedContentEncoding, "Content-Encoding %.100q is not supported", n.Coding)
	}
	return n, nil
}

// takes reports whether who accepts the codings takes the record as it is stored.
func (r Record) takes(codings []string) bool {
	return r.Coding == "" || slices.Contains(codings, r.Coding)
}
