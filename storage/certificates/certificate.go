// Package certificates keeps certificates that fetches and browser sessions
// use: those of authorities to trust, and those of clients, with their keys.
//
// A file is read when it is uploaded, and what is wrong with it is said then.
// Private keys are sealed under the service's master key, and never shown.
package certificates

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"time"
)

// Kind is what an uploaded file is good for.
type Kind string

const (
	// CA is one or more certificates of authorities, to be trusted.
	CA Kind = "ca"
	// Client is the certificate of a client, with its key and perhaps the
	// certificates of those who have issued it.
	Client Kind = "client"
)

// Certificate is an uploaded file of a project, without its content.
type Certificate struct {
	// ID is a UUID of version 7.
	ID string
	// ProjectID is the project that it belongs to.
	ProjectID string
	// Kind is what it is good for.
	Kind Kind
	// Subject is that of the first certificate, which is the client's.
	Subject string
	// Fingerprint is the SHA-256 of the first certificate, in hexadecimal.
	Fingerprint string
	// Count is how many certificates it has.
	Count int
	// NotBefore and NotAfter bound the time in which all of them are valid, to
	// the second.
	NotBefore, NotAfter time.Time
	// CreatedAt and UpdatedAt are to the millisecond.
	CreatedAt, UpdatedAt time.Time
}

// Upload is a file to be kept.
type Upload struct {
	// Content is the file: PEM, DER or PKCS#12.
	Content io.Reader
	// Password opens PKCS#12 and a private key that is encrypted in PEM (PKCS #8).
	// Default none.
	Password string
	// RefuseUnused refuses a password that the file has no use for. Default false:
	// it is passed over, as where one password is for several files.
	RefuseUnused bool
}

// Service keeps certificates. Every method acts for the caller's project, whose
// certificates are the only ones there are for it, and may also fail with
// Unauthenticated where the host requires a project and the context has none.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// MaxFile is the largest file that is taken, in bytes.
	MaxFile() int64
	// Upload reads a file and keeps what is in it. Error kinds: Invalid, about
	// the field "file" or "password", which says what is wrong; TooLarge;
	// Conflict when the project has as many as it may have.
	Upload(ctx context.Context, u Upload) (Certificate, error)
	// Get returns a certificate. Error kind NotFound.
	Get(ctx context.Context, id string) (Certificate, error)
	// List returns all certificates, newest first; never nil.
	List(ctx context.Context) ([]Certificate, error)
	// Delete removes a certificate. What uses it already goes on. Error kind
	// NotFound.
	Delete(ctx context.Context, id string) error
	// Authorities returns the certificates to trust of those with the ids. Error
	// kinds: Invalid for one that there is not, or that is a client's, or that is
	// not valid at this time, about the field with the index of the id; the same
	// when there are more than 100, or they have more than Limits.MaxUsed together.
	// Each certificate is returned once.
	Authorities(ctx context.Context, field string, ids []string) ([]*x509.Certificate, error)
	// Clients returns the certificates to present of those with the ids. Error
	// kinds: as for Authorities, and Unavailable when a key cannot be unsealed.
	Clients(ctx context.Context, field string, ids []string) ([]tls.Certificate, error)
	// Reseal seals every private key that was sealed under a former master key
	// again under the present one, and returns how many there were. Error kind
	// Unavailable for keys that cannot be unsealed, which hold up no others.
	Reseal(ctx context.Context) (n int, err error)
}
