package certificates

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// content is what a file holds: certificates, and perhaps a key.
type content struct {
	certs []*x509.Certificate
	key   crypto.Signer // nil: none
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
	errKeyEnclosed = fault("has a private key that is encrypted in PEM, which cannot be opened: give it as PKCS#12, with the password")
)

// read takes a file apart, whatever its form is.
func read(file []byte, password string, most int) (c content, err error) {
	switch {
	case len(bytes.TrimSpace(file)) == 0:
		return c, errEmpty
	case bytes.Contains(file, []byte("-----BEGIN ")):
		err = c.readPEM(file)
	case isPKCS12(file):
		err = c.readPKCS12(file, password)
	default:
		err = c.readDER(file)
	}
	switch {
	case err != nil:
		return c, err
	case len(c.certs) == 0 && c.key != nil:
		return c, errKeyAlone
	case len(c.certs) == 0:
		return c, errNothing
	case len(c.certs) > most:
		return c, fault("has %d certificates; at most %d may be in one file", len(c.certs), most)
	}
	return c, nil
}

// readPEM reads blocks. Text between them is passed over, as everywhere; a block
// that begins and cannot be read is an error.
func (c *content) readPEM(file []byte) error {
	begun, found := bytes.Count(file, []byte("-----BEGIN ")), 0
	for {
		block, rest := pem.Decode(file)
		if block == nil {
			break
		}
		found++
		if err := c.readBlock(block); err != nil {
			return err
		}
		file = rest
	}
	if found != begun {
		return fault("is malformed: a block of PEM cannot be read")
	}
	return nil
}

func (c *content) readBlock(b *pem.Block) error {
	switch {
	case b.Type == "CERTIFICATE" || b.Type == "X509 CERTIFICATE":
		return c.readCertificate(b.Bytes)
	case b.Type == "EC PARAMETERS" || b.Type == "DH PARAMETERS":
		return nil
	case b.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(b.Headers["Proc-Type"], "ENCRYPTED"):
		return errKeyEnclosed
	case strings.HasSuffix(b.Type, "PRIVATE KEY"):
		return c.readKey(b.Bytes)
	}
	return fault("has a block of PEM that is no certificate and no private key: %.40q", b.Type)
}

// readDER reads certificates, one behind the other, or says that it is a key.
func (c *content) readDER(file []byte) error {
	certs, err := x509.ParseCertificates(file)
	if err == nil {
		for _, cert := range certs {
			if err := c.add(cert); err != nil {
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

func (c *content) readCertificate(der []byte) error {
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return fault("is malformed: certificate %d of it cannot be read", len(c.certs)+1).WithCause(err)
	}
	return c.add(cert)
}

func (c *content) add(cert *x509.Certificate) error {
	if len(cert.Raw) > maxCertificate {
		return fault("has a certificate of %d bytes; one may have %d", len(cert.Raw), maxCertificate)
	}
	c.certs = append(c.certs, cert)
	return nil
}

func (c *content) readKey(der []byte) error {
	if c.key != nil {
		return errManyKeys
	}
	key, err := parseKey(der)
	if key == nil {
		return errKeyUnread.WithCause(err)
	}
	c.key = key
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
