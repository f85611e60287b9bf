// Package extensions keeps extensions of the browser, which sessions load.
//
// An upload is an archive of somebody's whom nobody knows: what is wrong with
// it is said when it comes (archive.go), what it may not ask for is refused then
// (permissions.go), and what is unpacked for a browser is what was checked: the
// manifest that the browser reads is written anew (manifest.go). The bytes are
// a blob, which is written before the row that names it and deleted after it;
// what a process that dies in between leaves is swept.
package extensions

import (
	"context"
	"io"
	"time"
)

// Extension is a stored extension of a project.
type Extension struct {
	// ID is a UUID of version 7.
	ID        string
	ProjectID string
	// FileName is that of the upload, safe to show and to send; 1 to 255 bytes.
	FileName string
	// Name and Version are those of the manifest: untrusted text.
	Name, Version string
	// Size of the archive, and of what is in it, in bytes.
	Size, Unpacked int64
	// CreatedAt is when it was stored, to the millisecond; UpdatedAt is the same,
	// since an extension does not change.
	CreatedAt, UpdatedAt time.Time
}

// Upload is an archive to store.
type Upload struct {
	// FileName as the client says it; what is not safe in it is left out.
	// Default "download".
	FileName string
	// Content is a ZIP or CRX archive, which is read to its end. The key in the
	// header of a CRX archive must be that of its id; its signatures are not
	// checked.
	Content io.Reader
}

// Service manages extensions. Every method acts for the caller's project, whose
// extensions are the only ones there are for it, and may also fail with
// Unauthenticated where the host requires a project and the context has none.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// Upload stores an extension. Nothing remains of one that is refused. Error
	// kinds: Invalid, about the field "file", for what is wrong with it;
	// TooLarge over [Limits].MaxFile; Conflict when the project has no room for
	// it, which lasts until something is deleted; Unavailable; and whatever the
	// content fails with.
	Upload(ctx context.Context, u Upload) (Extension, error)
	// List returns the extensions, newest first; never nil.
	List(ctx context.Context) ([]Extension, error)
	// Get returns an extension. Error kind NotFound.
	Get(ctx context.Context, id string) (Extension, error)
	// Delete removes an extension; sessions that have it keep it. Error kind
	// NotFound.
	Delete(ctx context.Context, id string) error
	// Unpack writes the files of an extension into a directory that is there and
	// empty, and nothing outside it. Its manifest has a key, so that the browser
	// knows the extension by the same id wherever it lies: the manifest's own, else
	// that of the CRX archive, else one that is this upload's alone. Error kinds: NotFound,
	// Unavailable for a directory that cannot be written, Internal for an archive
	// that is not whole, Invalid for one that asks for the permission "debugger"
	// where [Config].Debugger is not set. What it leaves when it fails is the
	// caller's.
	Unpack(ctx context.Context, id, dir string) error
	// Debugs reports whether an extension asks for the permission "debugger", at
	// once or for later. Error kinds: NotFound, Internal as for Unpack.
	Debugs(ctx context.Context, id string) (bool, error)
	// Close refuses to store more, ends those who are storing when ctx ends, and
	// waits for them and for the work in the background. It is idempotent.
	Close(ctx context.Context) error
}
