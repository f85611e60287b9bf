package certificates

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/x509"
	"slices"
	"time"
)

// RSA keys outside of these bounds are refused: shorter ones can be broken, and
// longer ones are refused by the TLS of Go.
const (
	minRSA = 2048
	maxRSA = 8192
)

// check finds out what the file is good for and puts its certificates in order:
// the client's own first, then those who have issued it. What cannot work is
// refused.
func (c *content) check(now time.Time) (Kind, error) {
	for _, cert := range c.certs {
		if err := checkOne(cert, now); err != nil {
			return "", err
		}
	}
	if c.key != nil {
		return Client, c.checkClient()
	}
	for _, cert := range c.certs {
		if !cert.IsCA && !isSelfSigned(cert) {
			return "", fault("has no private key for %s, which is no certificate of an authority: a client certificate needs its key", name(cert))
		}
	}
	return CA, nil
}

// checkOne refuses a certificate that is weak, or not valid at this time.
func checkOne(cert *x509.Certificate, now time.Time) error {
	if err := checkStrength(cert); err != nil {
		return err
	}
	switch {
	case now.After(cert.NotAfter):
		return fault("is expired: %s was valid until %s", name(cert), date(cert.NotAfter))
	case now.Before(cert.NotBefore):
		return fault("is not yet valid: %s is valid from %s", name(cert), date(cert.NotBefore))
	}
	return nil
}

// checkStrength refuses what connections would be refused for. The signature of
// a root does not matter, since it is trusted for itself.
func checkStrength(cert *x509.Certificate) error {
	if key, ok := cert.PublicKey.(*rsa.PublicKey); ok {
		if bits := key.N.BitLen(); bits < minRSA || bits > maxRSA {
			return fault("is weak: the RSA key of %s has %d bits; from %d to %d are taken", name(cert), bits, minRSA, maxRSA)
		}
	} else if cert.PublicKeyAlgorithm != x509.ECDSA && cert.PublicKeyAlgorithm != x509.Ed25519 {
		return fault("has a key of an unknown kind in %s: RSA, ECDSA and Ed25519 are known", name(cert))
	}
	isRoot := bytes.Equal(cert.RawSubject, cert.RawIssuer)
	if !isRoot && slices.Contains(weakSignatures, cert.SignatureAlgorithm) {
		return fault("is weak: %s is signed with %s", name(cert), cert.SignatureAlgorithm)
	}
	return nil
}

var weakSignatures = []x509.SignatureAlgorithm{
	x509.MD2WithRSA, x509.MD5WithRSA, x509.SHA1WithRSA, x509.ECDSAWithSHA1, x509.DSAWithSHA1,
}

// isSelfSigned reports whether a certificate can be trusted for itself alone.
func isSelfSigned(cert *x509.Certificate) bool {
	return bytes.Equal(cert.RawSubject, cert.RawIssuer) &&
		cert.CheckSignature(cert.SignatureAlgorithm, cert.RawTBSCertificate, cert.Signature) == nil
}

// checkClient finds the certificate that the key is for, and puts it first.
func (c *content) checkClient() error {
	own := slices.IndexFunc(c.certs, func(cert *x509.Certificate) bool { return fits(c.key, cert) })
	if own < 0 {
		return fault("has a private key that does not fit the certificate of %s", name(c.certs[0]))
	}
	if cert := c.certs[own]; !mayAuthenticate(cert) {
		return fault("has a client certificate, %s, that is not for the authentication of clients (extended key usage)", name(cert))
	}
	c.certs = chain(c.certs, own)
	return nil
}

func fits(key crypto.Signer, cert *x509.Certificate) bool {
	public, ok := key.Public().(interface{ Equal(crypto.PublicKey) bool })
	return ok && public.Equal(cert.PublicKey)
}

func mayAuthenticate(cert *x509.Certificate) bool {
	return len(cert.ExtKeyUsage)+len(cert.UnknownExtKeyUsage) == 0 ||
		slices.Contains(cert.ExtKeyUsage, x509.ExtKeyUsageClientAuth) || slices.Contains(cert.ExtKeyUsage, x509.ExtKeyUsageAny)
}

// chain puts certificates in the order in which they are presented: each is
// followed by its issuer. What issued none of them is left out.
func chain(all []*x509.Certificate, first int) []*x509.Certificate {
	ordered := []*x509.Certificate{all[first]}
	for last := all[first]; ; {
		next := slices.IndexFunc(all, func(c *x509.Certificate) bool {
			return bytes.Equal(c.RawSubject, last.RawIssuer) && !slices.Contains(ordered, c)
		})
		if next < 0 {
			return ordered
		}
		last = all[next]
		ordered = append(ordered, last)
	}
}

// name is what a certificate is called in an error. It is cut: whoever made the
// file has chosen it.
func name(cert *x509.Certificate) string {
	text := []rune(cert.Subject.String())
	if len(text) == 0 {
		return "a certificate without a subject"
	}
	return string(text[:min(len(text), 100)])
}

func date(t time.Time) string { return t.UTC().Format(time.RFC3339) }
