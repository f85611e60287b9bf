package certificates

import (
	"bytes"
	"context"
	"crypto"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/certificates/internal/pfx"
)

// content is what a file holds: certificates, and perhaps a key.
type content struct {
	certs []*x509.Certificate // each once
	key   crypto.Signer       // nil: none
}

// reader takes one file apart.
type reader struct {
	content
	ctx    context.Context
	secret pfx.Secret
	most   int // certificates
	seen   map[[sha256.Size]byte]bool
}

// maxCertificate is the largest certificate in bytes. Rows stay small by it.
const maxCertificate = 64 << 10

// maxKey is the largest private key in bytes: one of 8192 bits is half as large.
const maxKey = 16 << 10

// fault is what is said of a file that cannot be taken.
func fault(format string, args ...any) *errtypes.Error {
	return errtypes.Field("file", format, args...)
}

var (
	errEmpty       = fault("is empty")
	errMalformed   = fault("is malformed: it is no certificate in PEM, DER or PKCS#12")
	errNothing     = fault("has no certificate in it")
	errKeyAlone    = fault("is a private key alone: its certificate must be in the same file")
	errManyKeys    = fault("has several private keys; one file is for one client certificate")
	errKeyUnread   = fault("has a private key that cannot be read: RSA, ECDSA and Ed25519 are known")
	errKeyEnclosed = fault("has a private key that is encrypted in the old form of PEM, which cannot be opened: give it as PKCS#8 or PKCS#12, with the password")
)

// read takes a file apart, whatever its form is.
func read(ctx context.Context, file []byte, u Upload, most int) (content, error) {
	r := newReader(ctx, u.Password, most)
	c, err := r.whole(file)
	if err == nil && u.RefuseUnused && u.Password != "" && !r.secret.Used {
		err = errUnused
	}
	return c, err
}

func newReader(ctx context.Context, password string, most int) *reader {
	return &reader{ctx: ctx, secret: pfx.Secret{Password: password, Rounds: maxRounds}, most: most, seen: map[[sha256.Size]byte]bool{}}
}

// whole is what a file holds; something, and all that it must.
func (r *reader) whole(file []byte) (content, error) {
	err := r.read(file)
	switch {
	case err != nil:
		return content{}, err
	case len(r.certs) == 0 && r.key != nil:
		return content{}, errKeyAlone
	case len(r.certs) == 0:
		return content{}, errNothing
	}
	return r.content, nil
}

func (r *reader) read(file []byte) error {
	switch {
	case len(bytes.TrimSpace(file)) == 0:
		return errEmpty
	case bytes.Contains(file, []byte("-----BEGIN ")):
		return r.readPEM(file)
	case isPKCS12(file):
		return r.readPKCS12(file)
	}
	return r.readDER(file)
}

// readPEM reads blocks. Text between them is passed over, as everywhere; a block
// that begins and cannot be read is an error.
func (r *reader) readPEM(file []byte) error {
	begun, found := bytes.Count(file, []byte("-----BEGIN ")), 0
	for {
		block, rest := pem.Decode(file)
		if block == nil {
			break
		}
		found++
		if err := r.readBlock(block); err != nil {
			return err
		}
		file = rest
	}
	if found != begun {
		return fault("is malformed: a block of PEM cannot be read")
	}
	return nil
}

func (r *reader) readBlock(b *pem.Block) error {
	switch {
	case b.Type == "CERTIFICATE" || b.Type == "X509 CERTIFICATE":
		return r.readCertificate(b.Bytes)
	case b.Type == "EC PARAMETERS" || b.Type == "DH PARAMETERS":
		return nil
	case b.Type == "ENCRYPTED PRIVATE KEY":
		return r.openKey(b.Bytes)
	case strings.Contains(b.Headers["Proc-Type"], "ENCRYPTED"):
		return errKeyEnclosed
	case strings.HasSuffix(b.Type, "PRIVATE KEY"):
		return r.readKey(b.Bytes)
	}
	return fault("has a block of PEM that is no certificate and no private key: %.40q", b.Type)
}

// readDER reads certificates, one behind the other, or says that it is a key.
func (r *reader) readDER(file []byte) error {
	certs, err := x509.ParseCertificates(file)
	if err == nil {
		for _, cert := range certs {
			if err := r.add(cert); err != nil {
				return err
			}
		}
		return nil
	}
	if key, _ := parseKey(file); key != nil {
		return errKeyAlone
	}
	return errMalformed.WithCause(err)
}

func (r *reader) readCertificate(der []byte) error {
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return fault("is malformed: certificate %d of it cannot be read", len(r.certs)+1).WithCause(err)
	}
	return r.add(cert)
}

// add keeps a certificate once, however often it is in the file.
func (r *reader) add(cert *x509.Certificate) error {
	sum := sha256.Sum256(cert.Raw)
	switch {
	case r.seen[sum]:
		return nil
	case len(cert.Raw) > maxCertificate:
		return fault("has a certificate of %d bytes; one may have %d", len(cert.Raw), maxCertificate)
	case len(r.certs) == r.most:
		return fault("has too many certificates; at most %d may be in one file", r.most)
	}
	r.seen[sum] = true
	r.certs = append(r.certs, cert)
	return nil
}

func (r *reader) readKey(der []byte) error {
	if r.key != nil {
		return errManyKeys
	}
	key, err := parseKey(der)
	if key == nil {
		return errKeyUnread.WithCause(err)
	}
	r.key = key
	return nil
}

// parseKey reads a private key in any of its three forms; nil for one that
// cannot be used.
func parseKey(der []byte) (crypto.Signer, error) {
	if len(der) > maxKey {
		return nil, fault("has a private key of %d bytes; one may have %d", len(der), maxKey)
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		if rsa, err := x509.ParsePKCS1PrivateKey(der); err == nil {
			return rsa, nil
		}
		if ec, err := x509.ParseECPrivateKey(der); err == nil {
			return ec, nil
		}
		return nil, err
	}
	signer, _ := key.(crypto.Signer)
	return signer, nil
}
