package certificates

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/asn1"
	"errors"
	"strings"

	pkcs12 "software.sslmate.com/src/go-pkcs12"

	"github.com/drover-go/drover/errtypes"
)

// isPKCS12 reports whether a file begins as PKCS#12 does: a sequence with the
// number of its version, 3, which no certificate begins with.
func isPKCS12(file []byte) bool {
	var outer asn1.RawValue
	if _, err := asn1.Unmarshal(file, &outer); err != nil || outer.Tag != asn1.TagSequence {
		return false
	}
	return bytes.HasPrefix(outer.Bytes, []byte{asn1.TagInteger, 1, 3})
}

var (
	errPassword    = errtypes.Field("password", "is wrong: it does not open the PKCS#12 file")
	errNoPassword  = errtypes.Field("password", "is required: the PKCS#12 file does not open without")
	errUntrusted   = fault("is PKCS#12 without a private key, and its certificates are not marked as trusted: give certificates of authorities as PEM or DER, a client's with its key")
	errIterations  = fault("asks for more rounds to derive its keys than are done: at most %d", maxIterations)
	errPKCS12Wrong = fault("is malformed: it is PKCS#12 that cannot be read")
)

// opening is held while a file of PKCS#12 is opened, so that those that ask for
// much work cannot ask for all processors.
var opening = make(chan struct{}, 1)

// readPKCS12 opens a file with one key and its certificates, or one of trusted
// certificates.
func (c *content) readPKCS12(file []byte, password string) error {
	if asksTooMuch(file, maxIterations, 0) {
		return errIterations
	}
	opening <- struct{}{}
	defer func() { <-opening }()
	key, own, chain, err := pkcs12.DecodeChain(file, password)
	switch {
	case err == nil:
		return c.addClient(key, append([]*x509.Certificate{own}, chain...))
	case !strings.Contains(err.Error(), "private key missing"):
		return pkcs12Fault(err, password)
	}
	trusted, err := pkcs12.DecodeTrustStore(file, password)
	if err != nil {
		return errUntrusted.WithCause(err)
	}
	return c.addAll(trusted)
}

func (c *content) addClient(key any, certs []*x509.Certificate) error {
	signer, ok := key.(crypto.Signer)
	if !ok {
		return errKeyUnread
	}
	c.key = signer
	return c.addAll(certs)
}

func (c *content) addAll(certs []*x509.Certificate) error {
	for _, cert := range certs {
		if err := c.add(cert); err != nil {
			return err
		}
	}
	return nil
}

// pkcs12Fault says what is wrong. The library has two errors that can be told
// apart and a text for each of the others.
func pkcs12Fault(err error, password string) error {
	switch text := err.Error(); {
	case errors.Is(err, pkcs12.ErrIncorrectPassword), errors.Is(err, pkcs12.ErrDecryption):
		if password == "" {
			return errNoPassword.WithCause(err)
		}
		return errPassword.WithCause(err)
	case strings.Contains(text, "exactly one key bag"):
		return errManyKeys.WithCause(err)
	case strings.Contains(text, "certificate missing"):
		return errNothing.WithCause(err)
	}
	return errPKCS12Wrong.WithCause(err)
}

// maxIterations is how many rounds a file may ask for in one place. Programs ask
// for 2,048 to 600,000.
const maxIterations = 1_000_000

// maxDepth bounds the nesting that is looked into. Files of PKCS#12 have about
// 15 levels.
const maxDepth = 32

// asksTooMuch looks for numbers of rounds above most, wherever they can be seen: the library
// that opens the file knows no bound. Such a number is never the first of a
// sequence, since the salt is before it, and may stand in one with anything else.
// What lies inside of what is encrypted cannot be seen.
func asksTooMuch(der []byte, most int64, depth int) bool {
	if depth > maxDepth {
		return true
	}
	for i := 0; len(der) > 0; i++ {
		var v asn1.RawValue
		rest, err := asn1.Unmarshal(der, &v)
		if err != nil {
			return false // no DER: what is encrypted, or a salt
		}
		if i > 0 && tooMany(v, most) || mayHold(v) && asksTooMuch(v.Bytes, most, depth+1) {
			return true
		}
		der = rest
	}
	return false
}

// mayHold reports whether there may be something of PKCS#12 in a value. In a
// certificate there is not, but a serial number that could be any.
func mayHold(v asn1.RawValue) bool {
	if v.IsCompound {
		return true
	}
	if v.Class != asn1.ClassUniversal || v.Tag != asn1.TagOctetString {
		return v.Class == asn1.ClassContextSpecific
	}
	_, err := x509.ParseCertificate(v.Bytes)
	return err != nil
}

// tooMany takes numbers of more than eight bytes for what they are: parts of
// keys. The library can read no such number of rounds.
func tooMany(v asn1.RawValue, most int64) bool {
	if v.Class != asn1.ClassUniversal || v.Tag != asn1.TagInteger {
		return false
	}
	var n int64
	_, err := asn1.Unmarshal(v.FullBytes, &n)
	return err == nil && n > most
}
