// Package contexts keeps browser contexts: profiles of a browser, with its
// cookies and all that pages have stored, which outlive the sessions that use
// them.
//
// A profile is kept as an encrypted archive (internal/archive has the form) in
// a blob. The private key of a context is sealed under the service's master
// key. A new version is written beside the last, and then named in its place;
// the one before is kept, so that there is one to go back to when the last is
// found damaged. Whoever saves must hold the context, which one session at a
// time can; others read what was saved last.
package contexts

import (
	"context"
	"encoding/pem"
	"io"
	"time"
)

// Context is a browser context of a project.
type Context struct {
	// ID is a UUID of version 7.
	ID string
	// Name is 1 to 128 characters, or empty for none. No two contexts of a
	// project have names that differ only in case.
	Name string
	// PublicKey is that of the RSA key pair of the context, as a DER-encoded
	// SPKI.
	PublicKey []byte
	// SavedAt is when its profile was saved last; zero for never.
	SavedAt time.Time
	// InUseBy is the session that will save it; empty for none.
	InUseBy string
	// CreatedAt and UpdatedAt are to the millisecond; saving updates.
	CreatedAt, UpdatedAt time.Time
}

// PublicKeyPEM is the public key as text.
func (c Context) PublicKeyPEM() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: c.PublicKey}))
}

// How archives are encrypted, in the words of the interface.
const (
	CipherAlgorithm = "AES-256-CBC"
	IVSize          = 16
)

// Create are the fields of a new context.
type Create struct {
	// Name is 1 to 128 characters when the white space around it is taken off,
	// unique in the project without regard to case. Default none.
	Name *string
}

// Use is how a session uses a context.
type Use struct {
	// ContextID names the context.
	ContextID string
	// Holder is the session.
	Holder string
	// Persist is whether the profile will be saved when the session ends.
	Persist bool
}

// Service manages contexts. Every method acts for the caller's project, whose
// contexts are the only ones there are for it, and may also fail with
// Unauthenticated where the host requires a project and the context has none.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// Create makes a context. Error kinds: Invalid; Conflict for a name that is
	// taken, and when the project has as many as it may have.
	Create(ctx context.Context, c Create) (Context, error)
	// Get returns a context. Error kind NotFound.
	Get(ctx context.Context, id string) (Context, error)
	// List returns all contexts, newest first; never nil.
	List(ctx context.Context) ([]Context, error)
	// Delete removes a context and what was saved of it. A session that uses it
	// goes on and saves nothing. Error kind NotFound.
	Delete(ctx context.Context, id string) error
	// Open begins to use a context. Error kinds: NotFound; Conflict when
	// another session that lives will save it, and this one would, too;
	// Unavailable when its key cannot be unsealed. Free what is returned.
	Open(ctx context.Context, u Use) (*Lease, error)
	// Export writes the profile that was saved last as a tar file, in the
	// clear; where that is damaged, the one before, and [Restored].Fault tells
	// why. Error kinds: NotFound, also if nothing was saved yet; Unavailable.
	Export(ctx context.Context, id string, w io.Writer) (Restored, error)
	// Import saves a profile, given as a tar file, as the next version. Error
	// kinds: NotFound, Conflict while a session holds the context, Invalid for
	// what is no whole tar file of files and folders with a folder Default,
	// TooLarge, Unavailable when there is no room for it.
	Import(ctx context.Context, id string, r io.Reader) error
	// Reseal seals every private key that was sealed under a former master key
	// again under the present one, and returns how many there were. Error kind
	// Unavailable for keys that cannot be unsealed, which hold up no others.
	Reseal(ctx context.Context) (n int, err error)
}
