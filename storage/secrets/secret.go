// Package secrets keeps secrets of projects, which functions get when they are
// attached to them, and nobody else.
//
// A client seals a value under a key of its project (HPKE) before it sends it. It is
// opened and checked when it comes in, and lies sealed under the service's master
// key from then on. No method gives a value back but [Service.Secrets],
// which is for what runs functions.
package secrets

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/keyset"
)

// Secret is what may be known of a secret: all but its value.
type Secret struct {
	// ID is a UUID of version 7.
	ID string
	// ProjectID is the project that it belongs to.
	ProjectID string
	// Name is what functions find its value under.
	Name string
	// CreatedAt and UpdatedAt are to the millisecond. UpdatedAt is when the value was
	// set.
	CreatedAt, UpdatedAt time.Time
}

func (s Secret) position() keyset.Position {
	return keyset.Position{At: s.CreatedAt.UnixMilli(), ID: s.ID}
}

// Value is the value of a secret: Plain, or Sealed under a keypair of the project.
type Value struct {
	// Plain is valid UTF-8, at most Limits.MaxValue bytes. It counts where KeypairID
	// is empty.
	Plain string
	// KeypairID names the [Keypair] that Sealed was sealed under.
	KeypairID string
	// Sealed is one message of HPKE: the encapsulated key, then the ciphertext. See
	// [Keypair].
	Sealed []byte
}

// Create are the fields of a new secret.
type Create struct {
	// Name is 1 to 128 letters, digits and "_", "-" or "." of ASCII that begin with a
	// letter or "_", and is unique in the project. Required.
	Name  string
	Value Value
}

// Keypair is what clients of a project seal values with: HPKE (RFC 9180) in base
// mode with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM, without info
// and associated data. The private key stays here.
type Keypair struct {
	// ID is a UUID.
	ID string
	// PublicKey is the public key as it is serialised: 32 bytes.
	PublicKey []byte
}

// Filter asks for a page.
type Filter struct {
	// StartAt and EndAt bound when a secret was created, both inclusive and to the
	// millisecond. Zero does not bound.
	StartAt, EndAt time.Time
	// Limit is the size of the page, 1 to 1000. Default 20.
	Limit int
	// Cursor is the one that the page before returned. Default the first page.
	Cursor string
}

// Page is a part of a list, newest first.
type Page struct {
	Secrets []Secret
	// Limit is the size that was asked for.
	Limit int
	// NextCursor is empty on the last page.
	NextCursor string
}

// Service keeps secrets. Every method whose arguments name no project acts for the
// caller's, whose secrets are the only ones there are for it, and may also fail with
// Unauthenticated where the host requires a project and the context has none.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// Keypair returns what values are sealed with from now on, and makes it at first.
	// Those of before stay good.
	Keypair(ctx context.Context) (Keypair, error)
	// Create keeps a secret. Error kinds: Invalid about "secretKey", which is the name,
	// "value", "keypairId" or "sealedSecretValue"; Conflict for a name that is taken, and for more secrets or
	// more bytes than a project may have; Unavailable when the key of the keypair
	// cannot be unsealed.
	Create(ctx context.Context, c Create) (Secret, error)
	// Update gives a secret another value; who has it attached gets that from the
	// next invocation on. Error kinds: those of Create; NotFound.
	Update(ctx context.Context, id string, v Value) (Secret, error)
	// Get returns a secret without its value. Error kind NotFound.
	Get(ctx context.Context, id string) (Secret, error)
	// List returns a page of secrets, newest first. Error kind Invalid for a filter
	// out of range.
	List(ctx context.Context, f Filter) (Page, error)
	// Delete deletes a secret, and takes it from the functions that have it. Error
	// kind NotFound.
	Delete(ctx context.Context, id string) error

	// Attach gives a function a secret, from its next invocation on. It may have it
	// already. A function is named by its id or name. Error kinds: NotFound for the
	// function; Invalid about "secretId".
	Attach(ctx context.Context, function, secretID string) error
	// Detach takes a secret from a function, which need not have it. Error kind
	// NotFound for the function.
	Detach(ctx context.Context, function, secretID string) error
	// Attached returns a page of the secrets that a function has, newest first. Error
	// kinds: NotFound for the function; those of List.
	Attached(ctx context.Context, function string, f Filter) (Page, error)

	// Secrets returns the values that a function of a project has, by name; never nil.
	// It acts for whoever runs the function, and asks for no caller. Error kind
	// Unavailable when one cannot be unsealed.
	Secrets(ctx context.Context, projectID, functionID string) (map[string]string, error)

	// Reseal seals all that was sealed under a former master key again under the
	// present one, and returns how many values and keys these were. Error kind
	// Unavailable for those that cannot be unsealed, which hold up no others.
	Reseal(ctx context.Context) (n int, err error)
}
