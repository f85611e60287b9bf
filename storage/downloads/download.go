// Package downloads keeps the files that browser sessions download.
//
// The bytes are a blob, which is written before the row that names it and
// deleted after it: what a process that dies in between leaves is swept
// (sweep.go). What a project may keep is limited; a conditional UPDATE holds
// the limit, whoever stores at the same time.
package downloads

import (
	"context"
	"encoding/hex"
	"io"
	"time"
)

// Download is a stored file of a project.
type Download struct {
	// ID is a UUID of version 7.
	ID string
	// SessionID is the browser session that downloaded the file.
	SessionID string
	// Filename is safe to show, to send and to write to disk; it is 1 to 255
	// bytes long and need not be unique.
	Filename string
	// MIMEType is a type and a subtype in lower case, without parameters.
	MIMEType string
	// Size in bytes.
	Size int64
	// SHA256 and CRC32 (IEEE) of the content.
	SHA256 [32]byte
	CRC32  uint32
	// CreatedAt is when the file was stored, to the millisecond.
	CreatedAt time.Time
}

// Checksum is the SHA-256 of the content in lower-case hex.
func (d Download) Checksum() string { return hex.EncodeToString(d.SHA256[:]) }

// New is a file to store.
type New struct {
	// SessionID is required: the browser session that downloads, 1 to 255
	// bytes.
	SessionID string
	// Filename as the page suggests it; what is not safe in it is left out.
	// Default "download".
	Filename string
	// MIMEType as the server says it. Default, and for one that is not valid:
	// what the content looks like, else application/octet-stream.
	MIMEType string
	// Content is read to its end. Default empty.
	Content io.Reader
}

// Query selects a page of the downloads of a session, newest first.
type Query struct {
	// SessionID is required. One that is unknown selects nothing.
	SessionID string
	// Filename is the exact name, at most 255 characters. Default any.
	Filename string
	// MIMEType is the exact type, in letters of either case, at most 255
	// characters. Default any.
	MIMEType string
	// MinSize and MaxSize bound the size in bytes, both inclusive, from 0 up.
	// Default nil: no bound.
	MinSize, MaxSize *int64
	// CreatedAfter and CreatedBefore bound the creation time, both inclusive
	// and to the millisecond. Zero does not bound.
	CreatedAfter, CreatedBefore time.Time
	// Limit is the size of the page, 1 to 100. Default 20.
	Limit int
	// Offset is how many are left out, from 0 up. Default 0.
	Offset int
}

// Page is one page of downloads.
type Page struct {
	// Downloads is never nil.
	Downloads []Download
	// Total is how many the query selects on all pages.
	Total int
	// Limit and Offset are those of the query, the default filled in.
	Limit, Offset int
}

// Service manages downloads. Every method acts for the caller's project, whose
// downloads are the only ones there are for it, and may also fail with
// Unauthenticated where the host requires a project and the context has none.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// Store keeps a file. Nothing remains of one that fails. Error kinds:
	// Invalid; TooLarge for a file over [Limits].MaxFile; Conflict when the
	// project has no room for it, which lasts until something is deleted;
	// Unavailable; and whatever the content fails with.
	Store(ctx context.Context, n New) (Download, error)
	// List returns a page, newest first. Error kind Invalid.
	List(ctx context.Context, q Query) (Page, error)
	// All returns every download of a session, oldest first; never nil. An
	// unknown session has none.
	All(ctx context.Context, sessionID string) ([]Download, error)
	// Get returns a download. Error kind NotFound.
	Get(ctx context.Context, id string) (Download, error)
	// Open returns a download and its content to read and close. Error kinds:
	// NotFound, Internal for a file that is not whole.
	Open(ctx context.Context, id string) (io.ReadSeekCloser, Download, error)
	// Delete removes a download. Error kind NotFound.
	Delete(ctx context.Context, id string) error
	// DeleteOf removes all downloads of a session and returns how many there
	// were. An unknown session has none.
	DeleteOf(ctx context.Context, sessionID string) (n int, err error)
	// Close refuses to store more, lets those who are storing go on until ctx
	// ends, then ends them, and waits for them. It is idempotent.
	Close(ctx context.Context) error
}
